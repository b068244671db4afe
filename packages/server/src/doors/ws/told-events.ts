import { definitionOf, isDecided, type Entry, type Recorded } from '@yarnboard/domain';
import type { EventNames } from '@yarnboard/protocol';
import type { LogPort } from '@yarnboard/store';
import { storedEvent } from '../../engine/stored-events.ts';

/** The source of names for events: the engine's board. */
export type BoardNames = {
  readonly names: () => EventNames;
  /** The last decided entry that the board knows. */
  readonly folded: () => number;
  /** Folds what was decided since, here or elsewhere. */
  readonly fold: () => Promise<void>;
  /** NOTE-3: the log positions of somebody's unread notices, in order. */
  readonly toldAt: (agent: string) => readonly number[];
  /** Whether it can't continue: only a newer version can read what comes next. */
  readonly isBarred: () => boolean;
};

/** Decided entries as events, with their notices. */
export type ToldEvents = {
  /** By position. Entries whose payload was forgotten are left out: nothing but their existence is known. */
  readonly of: (entries: readonly Entry[]) => Promise<ReadonlyMap<number, Recorded>>;
  readonly names: () => EventNames;
  readonly toldAt: (agent: string) => readonly number[];
};

export const createToldEvents = (log: LogPort, { names, folded, fold, isBarred, toldAt }: BoardNames): ToldEvents => ({
  names,
  toldAt,
  of: async (entries) => {
    const found = await recordedIn(log, entries);
    // The board knows the number of a new thing once it has folded the entry: before, the id would be sent.
    const last = Math.max(0, ...found.keys());
    if (folded() < last) await fold();
    const upTo = folded();
    if (upTo >= last) return found;
    if (!isBarred()) throw new Error(`what was decided up to ${last} cannot be told: the board knows it up to ${upTo} only`);
    // WIRE-31: a board that can't be read further names nothing after that; such entries are sent as plain entries.
    return new Map([...found].filter(([position]) => position <= upTo));
  },
});

/** The content of decided entries. Others, and unreadable ones, are skipped. */
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

// What nobody receives isn't kept either: the bytes of media in the latest frames would fill the memory.
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

/** For a hub without a board: ids are sent as they are. */
export const NO_NAMES: BoardNames = {
  names: () => IDS,
  folded: () => Number.POSITIVE_INFINITY,
  fold: async () => {},
  isBarred: () => false,
  toldAt: () => [],
};

const same = (id: string): string => id;
const IDS: EventNames = {
  sidebar: same,
  finding: same,
  gold: same,
  media: same,
  item: (_, id) => id,
  episode: same,
  context: same,
  priority: () => 'NORMAL',
  activeSidebars: () => [],
};
const MOST_CHARACTERS = 8_000_000;
