import { entriesIn, lookUp, NOTHING_LAYERED, put, type Layered } from './layered.ts';

/**
 * The calls with the same prompt. It shows whether exactly one is open, and which, without scanning the others: the indexes of open ones are summed
 * up, and with a single one the sum is its index.
 */
export type Asking = {
  readonly open: number;
  readonly sum: number;
  readonly all: number;
  readonly ids: Layered<string>;
  readonly places: Layered<number>;
};

export const NOBODY_ASKS: Asking = { open: 0, sum: 0, all: 0, ids: NOTHING_LAYERED, places: NOTHING_LAYERED };

export const addAsking = ({ open, sum, all, ids, places }: Asking, id: string): Asking => ({
  open: open + 1,
  sum: sum + all,
  all: all + 1,
  ids: put(ids, String(all), id),
  places: put(places, id, all),
});

/** It has its conversation, or its answer. */
export const settleAsking = (asking: Asking, id: string): Asking => {
  const place = lookUp(asking.places, id) ?? -1;
  return place < 0 ? asking : { ...asking, open: asking.open - 1, sum: asking.sum - place, places: put(asking.places, id, -1) };
};

export const onlyOneAsking = ({ open, sum, ids }: Asking): string | null => (open === 1 ? (lookUp(ids, String(sum)) ?? null) : null);

/** All that ever asked, in order. */
export const everAsking = ({ ids }: Asking): readonly string[] => entriesIn<string>(ids).map(([, id]) => id);
