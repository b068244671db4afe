import { definitionOf, isDecided, type Entry, type Recorded } from '@yarnboard/domain';
import type { EventNames } from '@yarnboard/protocol';
import type { LogPort } from '@yarnboard/store';
import { storedEvent } from '../../engine/stored-events.ts';

/** Where events get their names from: the board that the engine folds. */
export type BoardNames = {
  readonly names: () => EventNames;
  /** The last decided entry that the board knows. */
  readonly folded: () => number;
  /** Takes in what was decided since, here or elsewhere. */
  readonly fold: () => Promise<void>;
  /** NOTE-3: where on the log the notices are that somebody has not read, in order. */
  readonly toldAt: (agent: string) => readonly number[];
  /** Whether it cannot take in any more: what comes next only a newer version can read. */
  readonly isBarred: () => boolean;
};

/** Decided entries as events, with what they tell. */
export type ToldEvents = {
  /** By position. An entry whose payload was forgotten is left out: nothing but that it was there can be told. */
  readonly of: (entries: readonly Entry[]) => Promise<ReadonlyMap<number, Recorded>>;
  readonly names: () => EventNames;
  readonly toldAt: (agent: string) => readonly number[];
};

export const createToldEvents = (log: LogPort, { names, folded, fold, isBarred, toldAt }: BoardNames): ToldEvents => ({
  names,
  toldAt,
  of: async (entries) => {
    const found = await recordedIn(log, entries);
    // What an entry made has its number in the board once that has taken it in: before, it would be told by its id.
    const last = Math.max(0, ...found.keys());
    if (folded() < last) await fold();
    const upTo = folded();
    if (upTo >= last) return found;
    if (!isBarred()) throw new Error(`what was decided up to ${last} cannot be told: the board knows it up to ${upTo} only`);
    // WIRE-31: a board that cannot be read on names nothing behind that; such entries are told as entries.
    return new Map([...found].filter(([position]) => position <= upTo));
  },
});

/** What decided entries say. Other entries, and those that cannot be read, are passed over. */
export const recordedIn = async (log: LogPort, entries: readonly Entry[]): Promise<ReadonlyMap<number, Recorded>> => {
  const decided = entries.filter(({ type }) => isDecided(type));
  const found = new Map<number, Recorded>();
  for (let from = 0; from < decided.length;) {
    const part = decided.slice(from, endOf(decided, from));
    const payloads = await log.payloadsOf(part.map(({ position }) => position));
    for (const entry of part) {
      const payload = payloads.get(entry.position);
      const read = payload === undefined ? null : storedEvent(entry, payload);
      if (read?.ok === true) found.set(entry.position, toldOf(read.value));
    }
    from += part.length;
  }
  return found;
};

// What nobody is told is not kept either: the bytes of media in the latest frames would fill the memory.
const toldOf = (event: Recorded): Recorded => {
  const { told } = definitionOf(event.type);
  return { ...event, payload: told(event.payload) } as Recorded; // the same type
};

const endOf = (entries: readonly Entry[], from: number): number => {
  let length = 0;
  for (let end = from; end < entries.length; end += 1) {
    length += entries[end]?.contentLength ?? 0;
    if (length > MOST_CHARACTERS && end > from) return end;
  }
  return entries.length;
};

/** For a hub without a board: ids are told as they are. */
export const NO_NAMES: BoardNames = {
  names: () => IDS,
  folded: () => Number.POSITIVE_INFINITY,
  fold: async () => {},
  isBarred: () => false,
  toldAt: () => [],
};

const same = (id: string): string => id;
const IDS: EventNames = { sidebar: same, finding: same, gold: same, media: same, context: same, priority: () => 'NORMAL', activeSidebars: () => [] };
const MOST_CHARACTERS = 8_000_000;
