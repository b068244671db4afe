import { ENTRY_TYPES, isTranscript, type Entry } from '@yarnboard/domain';
import { uuidFor, type Appended, type Item, type SessionQuery, type Store } from '@yarnboard/store';
import { hasLooseEnds, openTurnOf } from '@yarnboard/transcript';
import type { MapperStates, SessionState } from '../sessions/envelopes/mapper-states.ts';
import { tellSession } from '../sessions/envelopes/replay.ts';
import { itemOfDeed, type TurnClosed } from '../launches/deeds.ts';
import { createLogCursor } from './log-cursor.ts';
import { createRunner, type Runner } from './runner.ts';

export type TurnKeeperOptions = {
  readonly store: Pick<Store, 'log' | 'library'>;
  readonly states: MapperStates;
  readonly append: (items: readonly Item[]) => Promise<readonly Appended[]>;
  readonly now: () => number;
  /** Who runs this session and will close its turn: a run always does, a launch when its process ends. */
  readonly keeperOf: (sessionId: string) => 'run' | 'launch' | null;
  readonly onFault: (cause: unknown) => void;
  /** How long after its last message a finished turn is closed; further blocks of the same message arrive within this time. */
  readonly settleAfter?: number;
  /** How much silence it takes for an open turn to count as abandoned. */
  readonly quietAfter?: number;
  readonly lookBack?: number;
};

/** Ensures that no turn stays open forever, even if nobody says how it ended. */
export type TurnKeeper = Pick<Runner, 'wake' | 'state' | 'close'> & {
  /** Looks at recent messages from before it started: at the start, and after an import. */
  readonly lookBack: () => Promise<void>;
};

type Watched = { readonly touchedAt: number; readonly isLooked: boolean };

export const createTurnKeeper = (options: TurnKeeperOptions): TurnKeeper => {
  const { store, states, now, keeperOf, settleAfter = SETTLE, quietAfter = QUIET } = options;
  const lookBackFor = options.lookBack ?? LOOK_BACK;
  const watched = new Map<string, Watched>();

  const take = (entries: readonly Entry[]): void => {
    const since = now() - lookBackFor;
    for (const { sessionId, type, recordedAt, timestamp } of entries) {
      // Old messages read now are history: nobody waits for their turns. A companion has the time of its file, which a copy resets.
      const saidAt = isTranscript(type) ? Math.min(recordedAt, timestamp) : recordedAt;
      if (!QUIET_TYPES.has(type) && saidAt >= since) touch(sessionId, saidAt);
    }
  };

  const cursor = createLogCursor({ log: store.log, batch: STEP, take });

  const pass = async (signal: AbortSignal): Promise<number | null> => {
    if ((await cursor.advance()) === 0) return 0;
    for (const [sessionId, { touchedAt, isLooked }] of watched) {
      if (signal.aborted) return null;
      const quiet = now() - touchedAt;
      if (quiet < settleAfter || (isLooked && quiet < quietAfter)) continue;
      await look(sessionId, touchedAt);
    }
    return nextLook();
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
    // Named after what it closes: of several servers that notice the same silence, one counts.
    const uuid = uuidFor(`${ENTRY_TYPES.turnClosed}|${sessionId}|${about}|${String(payload.isEnd)}`);
    // It ended with its last message; the silence is noticed later.
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

  // A busy session must not postpone the look forever: the first wake-up counts. A failing store recovers some day, perhaps with no further event to
  // wake us.
  const { onFault } = options;
  const runner = createRunner({ name: 'turns', pass, timing: { settle: settleAfter + SOON } }, { onFault, wallClock: now });

  return {
    wake: runner.wake,
    state: runner.state,
    close: runner.close,
    lookBack: async () => {
      await cursor.skip();
      const since = now() - lookBackFor;
      for (let before: SessionQuery['before']; ;) {
        const rows = await store.library.sessions({ since, limit: STEP, ...(before === undefined ? {} : { before }) });
        for (const { sessionId, lastAt } of rows) touch(sessionId, lastAt ?? since);
        const last = rows.at(-1);
        if (last === undefined || rows.length < STEP) break;
        before = { lastAt: last.lastAt ?? 0, sessionId: last.sessionId };
      }
      runner.wake(true);
    },
  };
};

/** The mapper's state for everything logged of a session. */
const latestState = async (store: Pick<Store, 'log' | 'library'>, states: MapperStates, sessionId: string): Promise<SessionState> => {
  let state = states.find(sessionId, Number.MAX_SAFE_INTEGER);
  for await (const told of tellSession(store, states, sessionId, state)) ({ state } = told);
  states.stop(sessionId, state);
  return state;
};

/** Nobody speaks in these. */
const QUIET_TYPES: ReadonlySet<string> = new Set([ENTRY_TYPES.turnClosed, ENTRY_TYPES.companion, ENTRY_TYPES.takenBack]);

const SETTLE = 400;
const QUIET = 30 * 60_000;
const LOOK_BACK = 24 * 60 * 60_000;
const SOON = 50;
const LATE = 60_000;
const STEP = 500;
const RECENT = 60_000;
