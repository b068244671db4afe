import { BOARD_CONTEXT, sidebarIdOfContext, type Entry } from '@yarnboard/domain';
import type { LogPort, Store } from '@yarnboard/store';
import { idOf, step, type Envelope } from '@yarnboard/transcript';
import { TURNS } from '../turns.ts';
import { entriesOfSession } from '../log-records.ts';
import { mapperInputOf, messageIn, sourceOf } from './mapper-input.ts';
import { NOTHING_SEEN, stateWeight, type MapperStates, type SessionState } from './mapper-states.ts';

/** An entry with its envelopes. */
export type Told = { readonly entry: Entry; readonly envelopes: readonly Envelope[]; readonly state: SessionState };

/** Whether it belongs to a session: events in sidebars and on the board have no envelopes. */
export const isTold = ({ sessionId }: Entry): boolean => sessionId !== BOARD_CONTEXT && sidebarIdOfContext(sessionId) === null;

/** WIRE-16: the envelopes of a session's entries after a state, in order: a fold over the log, of which nothing is stored. */
export async function* tellSession(
  { log }: Pick<Store, 'log'>,
  states: MapperStates,
  sessionId: string,
  from: SessionState,
  pageSize?: number,
): AsyncGenerator<Told, void, undefined> {
  let state = from;
  const epoch = states.epoch();
  for await (const page of entriesOfSession(log, sessionId, from.position, pageSize)) {
    for (const { entry, bytes } of page) {
      const source = sourceFor(log, entry);
      const told = tellOne(state, entry, bytes, source instanceof Promise ? await source : source);
      ({ state } = told);
      if (states.epoch() === epoch) states.pass(sessionId, state);
      yield told;
    }
    await TURNS.go();
  }
}

const tellOne = (state: SessionState, entry: Entry, bytes: Uint8Array | null, source: string | null): Told => {
  const input = mapperInputOf(entry, bytes, source);
  const seen = { position: entry.position, entries: state.entries + 1 };
  if (input === null) return { entry, envelopes: NO_ENVELOPES, state: { ...seen, mapper: state.mapper } };
  try {
    const { state: mapper, envelopes } = step(state.mapper, input);
    return { entry, envelopes, state: { ...seen, mapper } };
  } catch (cause) {
    // A single record must not stop a session, let alone everyone else; and its absence must be visible.
    return { entry, envelopes: [unmapped(entry, cause)], state: { ...seen, mapper: state.mapper } };
  }
};

const unmapped = (entry: Entry, cause: unknown): Envelope => ({
  id: idOf(entry.uuid, 0, 'unmapped', 0),
  time: Math.max(0, entry.timestamp),
  role: 'agent',
  ev: { t: 'service', kind: 'record', text: `this record could not be told: ${cause instanceof Error ? cause.message : String(cause)}` },
});

// Awaiting a known value would cost more than this check.
const sourceFor = (log: LogPort, entry: Entry): string | null | Promise<string | null> =>
  entry.copyOf === null ? messageIn(entry.refs) : sourceOf(log, entry);

/** Makes envelopes of passing entries, of any sessions, in the order of the log. */
export type Replay = {
  /** By position; entries without envelopes are left out. `entries` must have all entries of their sessions within their stretch of the log. */
  readonly envelopesOf: (entries: readonly Entry[]) => Promise<ReadonlyMap<number, readonly Envelope[]>>;
};

/** One state for each recently seen session; a missing one is rebuilt from the start of its session, or from a cached state. */
export const createReplay = (store: Pick<Store, 'log' | 'library'>, states: MapperStates, catchUp: CatchUp, mostEntries = MOST_ENTRIES): Replay => {
  const { log, library } = store;
  let own = new Map<string, SessionState>();
  let epoch = states.epoch();

  const stateBefore = async (sessionId: string, position: number): Promise<SessionState> => {
    const known = own.get(sessionId) ?? NOTHING_SEEN;
    const kept = states.find(sessionId, position - 1);
    const nearest = known.position < position && known.position > kept.position ? known : kept;
    const [next] = await library.positionsOf(sessionId, nearest.position, 1);
    return next === undefined || next >= position ? nearest : catchUp(sessionId, position, nearest);
  };

  const keep = (sessionId: string, state: SessionState): void => {
    own.delete(sessionId);
    own.set(sessionId, state);
    let weight = 0;
    for (const one of own.values()) weight += stateWeight(one);
    for (const [oldest, one] of own) {
      if (own.size <= 1 || (weight <= mostEntries && own.size <= MOST_SESSIONS)) break;
      own.delete(oldest);
      weight -= stateWeight(one);
    }
  };

  return {
    envelopesOf: async (entries) => {
      if (states.epoch() !== epoch) own = new Map();
      epoch = states.epoch();
      const made = new Map<number, readonly Envelope[]>();
      const payloads = await log.payloadsOf(entries.map(({ position }) => position));
      for (const [sessionId, ofSession] of bySession(entries)) {
        let state = await stateBefore(sessionId, ofSession[0]?.position ?? 0);
        for (const entry of ofSession) {
          const source = sourceFor(log, entry);
          const told = tellOne(state, entry, payloads.get(entry.position) ?? null, source instanceof Promise ? await source : source);
          ({ state } = told);
          if (told.envelopes.length > 0) made.set(entry.position, told.envelopes);
          if (states.epoch() === epoch) states.pass(sessionId, state);
        }
        if (states.epoch() === epoch) {
          keep(sessionId, state);
          // Another follower of this session, such as the one that closes its turns, continues from here.
          states.stop(sessionId, state);
        }
      }
      return made;
    },
  };
};

/** The state of a session right before a position, starting from an earlier one. */
export type CatchUp = (sessionId: string, position: number, from: SessionState) => Promise<SessionState>;

type Wait = {
  readonly position: number;
  readonly from: SessionState;
  readonly resolve: (state: SessionState) => void;
  readonly reject: (cause: unknown) => void;
};

/** Shared by all replays: when a thousand clients come back after a restart, a session is processed once, and all of them are served on the way. */
export const createCatchUp = (store: Pick<Store, 'log' | 'library'>, states: MapperStates): CatchUp => {
  const waiting = new Map<string, Wait[]>();

  /** Serves those waiting for the next entry; a request for an earlier one has to wait for another walk. True if somebody waits further on. */
  const serve = (sessionId: string, state: SessionState, next: number): boolean => {
    const waits = waiting.get(sessionId) ?? [];
    const isHere = ({ position }: Wait): boolean => position > state.position && position <= next;
    if (!waits.some(isHere)) return true;
    const [here, left] = partition(waits, isHere);
    waiting.set(sessionId, left);
    for (const wait of here) wait.resolve(state);
    return left.some(({ position }) => position > next);
  };

  const walk = async (sessionId: string): Promise<void> => {
    for (let waits = waiting.get(sessionId) ?? []; waits.length > 0; waits = waiting.get(sessionId) ?? []) {
      const lowest = Math.min(...waits.map(({ position }) => position));
      const known = waits.map(({ from }) => from).filter(({ position }) => position < lowest);
      let state = [states.find(sessionId, lowest - 1), ...known].reduce((a, b) => (b.position > a.position ? b : a));
      const epoch = states.epoch();
      for await (const told of tellSession(store, states, sessionId, state)) {
        if (!serve(sessionId, state, told.entry.position)) break;
        ({ state } = told);
      }
      serve(sessionId, state, Number.POSITIVE_INFINITY);
      if (states.epoch() === epoch) states.stop(sessionId, state);
    }
    waiting.delete(sessionId);
  };

  return (sessionId, position, from) =>
    new Promise((resolve, reject) => {
      const wait: Wait = { position, from, resolve, reject };
      const others = waiting.get(sessionId);
      if (others !== undefined) {
        others.push(wait);
        return;
      }
      waiting.set(sessionId, [wait]);
      walk(sessionId).catch((cause: unknown) => {
        const left = waiting.get(sessionId) ?? [];
        waiting.delete(sessionId);
        for (const one of left) one.reject(cause);
      });
    });
};

const partition = <T>(items: readonly T[], fits: (item: T) => boolean): readonly [T[], T[]] => {
  const [yes, no]: [T[], T[]] = [[], []];
  for (const item of items) (fits(item) ? yes : no).push(item);
  return [yes, no];
};

const bySession = (entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> => {
  const sessions = new Map<string, Entry[]>();
  for (const entry of entries) {
    const known = sessions.get(entry.sessionId);
    if (known === undefined) sessions.set(entry.sessionId, [entry]);
    else known.push(entry);
  }
  return sessions;
};

const NO_ENVELOPES: readonly Envelope[] = [];
const MOST_SESSIONS = 1000;
const MOST_ENTRIES = 400_000;
