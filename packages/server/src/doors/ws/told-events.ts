import { isDecided, type Entry, type Recorded } from '@yarnboard/domain';
import type { EventNames } from '@yarnboard/protocol';
import type { LogPort } from '@yarnboard/store';
import { decidedIn } from '../../engine/entry-items.ts';

/** Where events get their names from: the board that the engine folds. */
export type BoardNames = {
  readonly names: () => EventNames;
  /** The last decided entry that the board knows. */
  readonly folded: () => number;
  /** Takes in what was decided since, here or elsewhere. */
  readonly fold: () => Promise<void>;
};

/** Decided entries as events, with what they tell. */
export type ToldEvents = {
  /** By position. An entry whose payload was forgotten is left out: nothing but that it was there can be told. */
  readonly of: (entries: readonly Entry[]) => Promise<ReadonlyMap<number, Recorded>>;
  readonly names: () => EventNames;
};

export const createToldEvents = (log: LogPort, { names, folded, fold }: BoardNames): ToldEvents => ({
  names,
  of: async (entries) => {
    const found = await recordedIn(log, entries);
    // What an entry made has its number in the board once that has taken it in: before, it would be told by its id.
    const last = Math.max(0, ...found.keys());
    if (folded() < last) await fold();
    if (folded() < last) throw new Error(`what was decided up to ${last} cannot be told: the board knows it up to ${folded()} only`);
    return found;
  },
});

/** What decided entries say; other entries are passed over. */
export const recordedIn = async (log: LogPort, entries: readonly Entry[]): Promise<ReadonlyMap<number, Recorded>> => {
  const decided = entries.filter(({ type }) => isDecided(type));
  const found = new Map<number, Recorded>();
  for (let from = 0; from < decided.length;) {
    const part = decided.slice(from, endOf(decided, from));
    const payloads = await log.payloadsOf(part.map(({ position }) => position));
    for (const entry of part) {
      const payload = payloads.get(entry.position);
      if (payload !== undefined) found.set(entry.position, recordedOf(entry, payload));
    }
    from += part.length;
  }
  return found;
};

const recordedOf = ({ type, uuid, contextId, position, timestamp, refs, sender, senderType }: Entry, payload: Uint8Array): Recorded => {
  const told: unknown = decidedIn(payload);
  // What a decided entry has as payload is what was decided: nobody else writes such entries.
  const recorded = { type, uuid, contextId, position, at: timestamp, refs, by: { id: sender, type: senderType }, payload: told } as Recorded;
  // The bytes of a medium are told to nobody; kept for the latest frames they would fill the memory.
  return recorded.type === 'media.uploaded' ? { ...recorded, payload: { ...recorded.payload, content: '' } } : recorded;
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
};

const same = (id: string): string => id;
const IDS: EventNames = { sidebar: same, finding: same, gold: same, media: same, context: same, activeSidebars: () => [] };
const MOST_CHARACTERS = 8_000_000;
