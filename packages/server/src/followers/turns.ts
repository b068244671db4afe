import { ENTRY_TYPES, isTranscript } from '@yarnboard/domain';
import { uuidFor, type Appended, type Item, type SessionQuery, type Store } from '@yarnboard/store';
import { hasLooseEnds, openTurnOf } from '@yarnboard/transcript';
import type { MapperStates, SessionState } from '../sessions/envelopes/mapper-states.ts';
import { tellSession } from '../sessions/envelopes/replay.ts';
import { reasonOf } from '../ingest/discover.ts';
import { itemOfDeed, type TurnClosed } from '../launches/deeds.ts';

export type TurnKeeperOptions = {
  readonly store: Pick<Store, 'log' | 'library'>;
  readonly states: MapperStates;
  readonly append: (items: readonly Item[]) => Promise<readonly Appended[]>;
  readonly now: () => number;
  /** Whether somebody who will close its turn himself runs this session: a run always does, a launch when its process ends. */
  readonly keeperOf: (sessionId: string) => 'run' | 'launch' | null;
  readonly onFault: (cause: unknown) => void;
  /** How long after its last word a turn that was said to be over is closed; further blocks of the same message come within it. */
  readonly settleAfter?: number;
  /** How long nothing must have come before an open turn counts as left behind. */
  readonly quietAfter?: number;
  readonly lookBack?: number;
};

/** Sees to it that no turn stays open for ever, also when nobody who knows says how it ended. */
export type TurnKeeper = {
  /** Something came onto the log. */
  readonly wake: () => void;
  /** Looks at what was said lately, before it was there to see: for a start, and when an import is over. */
  readonly lookBack: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Watched = { readonly touchedAt: number; readonly isLooked: boolean };

export const createTurnKeeper = (options: TurnKeeperOptions): TurnKeeper => {
  const { store, states, now, keeperOf, settleAfter = SETTLE, quietAfter = QUIET } = options;
  const lookBackFor = options.lookBack ?? LOOK_BACK;
  const watched = new Map<string, Watched>();
  let cursor: number | null = null;
  let timer: { readonly handle: NodeJS.Timeout; readonly dueAt: number } | null = null;
  let working: Promise<void> = Promise.resolve();
  let isClosed = false;
  let lastFault: string | null = null;

  const schedule = (delay: number): void => {
    const dueAt = now() + delay;
    // Sooner wins; but somebody who keeps talking must not keep it from ever looking.
    if (isClosed || (timer !== null && timer.dueAt <= dueAt)) return;
    if (timer !== null) clearTimeout(timer.handle);
    const handle = setTimeout(() => {
      timer = null;
      working = working.then(work).then(() => {
        lastFault = null;
      }, tryLater);
    }, delay);
    handle.unref();
    timer = { handle, dueAt };
  };

  // A store that refuses has room again some day, and then maybe nothing else comes that would wake us. Told once.
  const tryLater = (cause: unknown): void => {
    if (lastFault !== reasonOf(cause)) options.onFault(cause);
    lastFault = reasonOf(cause);
    schedule(AGAIN);
  };

  const work = async (): Promise<void> => {
    await follow();
    for (const [sessionId, { touchedAt, isLooked }] of watched) {
      if (isClosed) return;
      const quiet = now() - touchedAt;
      if (quiet < settleAfter || (isLooked && quiet < quietAfter)) continue;
      await look(sessionId, touchedAt);
    }
    const next = nextLook();
    if (next !== null) schedule(next);
  };

  const follow = async (): Promise<void> => {
    cursor ??= (await store.log.head()).count;
    for (;;) {
      const entries = await store.log.entriesAfter(cursor, STEP);
      const last = entries.at(-1);
      if (last === undefined) return;
      const since = now() - lookBackFor;
      for (const { sessionId, type, recordedAt, timestamp } of entries) {
        // What was said long ago and read now is history: nobody waits for its turns. A companion has the time of its file, which a copy renews.
        const saidAt = isTranscript(type) ? Math.min(recordedAt, timestamp) : recordedAt;
        if (type !== ENTRY_TYPES.turnClosed && type !== ENTRY_TYPES.companion && saidAt >= since) touch(sessionId, saidAt);
      }
      cursor = last.position;
    }
  };

  const touch = (sessionId: string, touchedAt: number): void => {
    watched.delete(sessionId);
    watched.set(sessionId, { touchedAt, isLooked: false });
  };

  const look = async (sessionId: string, touchedAt: number): Promise<void> => {
    const keeper = keeperOf(sessionId);
    const { mapper, position } = await latestState(store, states, sessionId);
    const turn = openTurnOf(mapper);
    const isQuiet = now() - touchedAt >= quietAfter && keeper === null;
    if (turn?.isSaidToBeOver === true && keeper !== 'run')
      await say(sessionId, turn.id, { status: null, isEnd: isQuiet, turn: turn.id, by: 'quiet' }, mapper.time);
    else if (isQuiet && (turn !== null || hasLooseEnds(mapper)))
      await say(sessionId, `${position}`, { status: null, isEnd: true, turn: turn?.id ?? '', by: 'quiet' }, mapper.time);
    const isDone = isQuiet || (turn === null && !hasLooseEnds(mapper));
    if (isDone) watched.delete(sessionId);
    else watched.set(sessionId, { touchedAt, isLooked: true });
  };

  const say = async (sessionId: string, about: string, payload: TurnClosed, lastAt: number): Promise<void> => {
    // Named after what it closes: of several servers that see the same silence one is heard.
    const uuid = uuidFor(`${ENTRY_TYPES.turnClosed}|${sessionId}|${about}|${String(payload.isEnd)}`);
    // It ended when the last thing was said; that nobody said more is noticed later.
    const at = now() - lastAt > RECENT ? lastAt : now();
    await options.append([itemOfDeed({ uuid, type: ENTRY_TYPES.turnClosed, at, sessionId, payload })]);
  };

  const nextLook = (): number | null => {
    let next: number | null = null;
    for (const { touchedAt, isLooked } of watched.values()) {
      const due = Math.max(0, touchedAt + (isLooked ? quietAfter : settleAfter) - now());
      next = next === null ? due : Math.min(next, due);
    }
    return next === null ? null : Math.min(Math.max(next, SOON), LATE);
  };

  return {
    wake: () => schedule(settleAfter + SOON),
    lookBack: async () => {
      cursor = (await store.log.head()).count;
      const since = now() - lookBackFor;
      for (let before: SessionQuery['before']; ;) {
        const rows = await store.library.sessions({ since, limit: STEP, ...(before === undefined ? {} : { before }) });
        for (const { sessionId, lastAt } of rows) touch(sessionId, lastAt ?? since);
        const last = rows.at(-1);
        if (last === undefined || rows.length < STEP) break;
        before = { lastAt: last.lastAt ?? 0, sessionId: last.sessionId };
      }
      schedule(SOON);
    },
    close: async () => {
      isClosed = true;
      if (timer !== null) clearTimeout(timer.handle);
      await working;
    },
  };
};

/** What the mapper makes of all that is on the log of a session. */
const latestState = async (store: Pick<Store, 'log' | 'library'>, states: MapperStates, sessionId: string): Promise<SessionState> => {
  let state = states.find(sessionId, Number.MAX_SAFE_INTEGER);
  for await (const told of tellSession(store, states, sessionId, state)) ({ state } = told);
  states.stop(sessionId, state);
  return state;
};

const SETTLE = 400;
const QUIET = 30 * 60_000;
const LOOK_BACK = 24 * 60 * 60_000;
const SOON = 50;
const LATE = 60_000;
const AGAIN = 5000;
const STEP = 500;
const RECENT = 60_000;
