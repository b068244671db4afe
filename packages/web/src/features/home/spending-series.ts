/** One day's cost and responses for one key. */
export type DaySpending = { readonly day: string; readonly key: string; readonly responses: number; readonly costUsd: number };

export type Measure = 'costUsd' | 'responses';

/** Every day of the period in order, with one value per key. */
export type Series = {
  readonly keys: readonly string[];
  readonly rows: readonly { readonly day: string; readonly values: readonly number[]; readonly total: number }[];
  readonly total: number;
};

/** The most expensive keys by name, plus one for all others, so that every chart has the same order and colours. */
export const keysOf = (spent: readonly DaySpending[], days: readonly string[]): readonly string[] => {
  const wanted = new Set(days);
  const sums = new Map<string, { cost: number; responses: number }>();
  for (const { day, key, costUsd, responses } of spent) {
    if (!wanted.has(day)) continue;
    const sum = sums.get(key) ?? { cost: 0, responses: 0 };
    sums.set(key, { cost: sum.cost + costUsd, responses: sum.responses + responses });
  }
  const ranked = [...sums].toSorted(([a, x], [b, y]) => y.cost - x.cost || y.responses - x.responses || (a < b ? -1 : 1)).map(([key]) => key);
  return ranked.length <= MOST_KEYS ? ranked : [...ranked.slice(0, MOST_KEYS - 1), OTHERS];
};

/** PAGE-49: includes days without any cost. */
export const seriesOf = (spent: readonly DaySpending[], measure: Measure, days: readonly string[], keys: readonly string[]): Series => {
  const place = new Map(keys.map((key, n) => [key, n]));
  const rows = new Map(days.map((day) => [day, keys.map(() => 0)]));
  for (const one of spent) {
    const values = rows.get(one.day);
    const at = place.get(one.key) ?? place.get(OTHERS);
    if (values !== undefined && at !== undefined) values[at] = (values[at] ?? 0) + one[measure];
  }
  const added = [...rows].map(([day, values]) => ({ day, values, total: values.reduce((sum, n) => sum + n, 0) }));
  return { keys, rows: added, total: added.reduce((sum, { total }) => sum + total, 0) };
};

/** The last days up to `now`, in UTC as the log counts them. */
export const lastDays = (now: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => new Date(now - (count - 1 - n) * DAY).toISOString().slice(0, 10));

export const OTHERS = 'others';
const MOST_KEYS = 7;
const DAY = 86_400_000;
