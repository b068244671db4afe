import { heldBytesOf, initialMapper, type MapperState } from '@yarnboard/transcript';

/** The mapper's state of a session after the entry at a position; `entries` counts those processed. */
export type SessionState = { readonly position: number; readonly entries: number; readonly mapper: MapperState };

export const NOTHING_SEEN: SessionState = { position: 0, entries: 0, mapper: initialMapper };

/**
 * Cached states of sessions, so that nobody has to start a long session from the beginning: some along the way, and where readers last stopped. They
 * are immutable and shared. Bounded: the least recently used session goes first.
 */
export type MapperStates = {
  /** The nearest one not after this position. */
  readonly find: (sessionId: string, position: number) => SessionState;
  /** On the way: kept if it is far enough from the previous one. */
  readonly pass: (sessionId: string, state: SessionState) => void;
  /** Where a reader stopped, and another may continue. */
  readonly stop: (sessionId: string, state: SessionState) => void;
  /** Changes whenever something was forgotten: earlier results may contain it. */
  readonly epoch: () => number;
  readonly drop: () => void;
};

type Kept = { along: SessionState[]; every: number; stops: SessionState[]; weight: number };

export const createMapperStates = (mostEntries = MOST_ENTRIES): MapperStates => {
  const sessions = new Map<string, Kept>();
  let epoch = 0;
  let weight = 0;

  const keptOf = (sessionId: string): Kept => {
    const kept = sessions.get(sessionId) ?? { along: [], every: EVERY, stops: [], weight: 0 };
    sessions.delete(sessionId);
    sessions.set(sessionId, kept);
    return kept;
  };

  const bound = (changed: Kept): void => {
    weight -= changed.weight;
    changed.weight = weightOf(changed);
    weight += changed.weight;
    for (const [sessionId, kept] of sessions) {
      if (sessions.size <= 1 || (weight <= mostEntries && sessions.size <= MOST_SESSIONS)) break;
      sessions.delete(sessionId);
      weight -= kept.weight;
    }
  };

  return {
    find: (sessionId, position) => {
      if (!sessions.has(sessionId)) return NOTHING_SEEN;
      const { along, stops } = keptOf(sessionId);
      let best = NOTHING_SEEN;
      for (const states of [along, stops]) for (const state of states) if (state.position <= position && state.position > best.position) best = state;
      return best;
    },
    pass: (sessionId, state) => {
      const known = sessions.get(sessionId);
      if (state.entries - (known?.along.at(-1)?.entries ?? 0) < (known?.every ?? EVERY)) return;
      const kept = keptOf(sessionId);
      kept.along.push(state);
      if (kept.along.length > MOST_ALONG) {
        kept.along = kept.along.filter((_, i) => i % 2 === 1);
        kept.every *= 2;
      }
      bound(kept);
    },
    stop: (sessionId, state) => {
      const kept = keptOf(sessionId);
      kept.stops = [...kept.stops.filter(({ position }) => position !== state.position), state].slice(-MOST_STOPS);
      bound(kept);
    },
    epoch: () => epoch,
    drop: () => {
      epoch += 1;
      sessions.clear();
      weight = 0;
    },
  };
};

/** In entries: records held back for their conversation's call count as the entries that take as much memory. */
export const stateWeight = ({ entries, mapper }: SessionState): number => entries + heldWeight(mapper);

const heldWeight = (mapper: MapperState): number => heldBytesOf(mapper) / BYTES_OF_ENTRY;

// The states of one session share nearly everything: what they know weighs as much as the largest. A later state may have released what an earlier
// one still holds back: every increase counts.
const weightOf = ({ along, stops }: Kept): number => {
  let [entries, held, before] = [0, 0, 0];
  for (const state of [...along, ...stops].sort((a, b) => a.position - b.position)) {
    entries = Math.max(entries, state.entries);
    const now = heldWeight(state.mapper);
    held += Math.max(0, now - before);
    before = now;
  }
  return entries + held;
};

const EVERY = 2000;
const MOST_ALONG = 64;
const MOST_STOPS = 8;
const MOST_SESSIONS = 1000;
const MOST_ENTRIES = 400_000;
const BYTES_OF_ENTRY = 250;
