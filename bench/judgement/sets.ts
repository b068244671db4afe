import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Only the frozen part says anything about texts that nobody has tuned on. */
export const PARTS = ['development', 'tuning', 'frozen'] as const;
/** Both parts of the set that was written before anybody had read a rule. */
export const BLIND = ['tuning', 'frozen'] as const;
export type Part = (typeof PARTS)[number];

/** The rows of a blind set (fixtures/labelled/judgement). */
export const rowsOf = <T>(name: string): readonly T[] =>
  rowsIn<T>(fileURLToPath(new URL(`../../fixtures/labelled/judgement/${name}.jsonl`, import.meta.url)));

/** The rows of any file of that form. */
export const rowsIn = <T>(path: string): readonly T[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T); // written in the form that the card describes

/** A share with the interval in which it lies with 95 % (Wilson). */
export const shareOf = (right: number, all: number): string => {
  if (all === 0) return 'none';
  const z = 1.96;
  const share = right / all;
  const middle = (share + (z * z) / (2 * all)) / (1 + (z * z) / all);
  const reach = (z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all))) / (1 + (z * z) / all);
  return `${share.toFixed(3)} (${Math.max(0, middle - reach).toFixed(2)}–${Math.min(1, middle + reach).toFixed(2)})`;
};

export const groupsOf = <T>(rows: readonly T[], keyOf: (row: T) => string): readonly (readonly [string, readonly T[]])[] => {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return [...groups].toSorted(([a], [b]) => a.localeCompare(b));
};
