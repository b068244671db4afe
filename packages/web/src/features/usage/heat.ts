import type { InsideOutput } from '@yarnboard/protocol';

type Usage = InsideOutput<'usage'>;

/** How warm a cell is, from 0 to 1. Uses the square root, so that one long day does not make all others look cold. */
export const heatOf = (value: number, most: number): number => (value <= 0 || most <= 0 ? 0 : Math.max(0.12, Math.sqrt(value / most)));

export type DayCell = { readonly day: string; readonly costUsd: number; readonly responses: number };
export type Week = { readonly first: string; readonly days: readonly (DayCell | null)[] };

/** PAGE-571: whole weeks, starting on Monday, from the first active day to the last; at most a year. */
export const weeksOf = (byDay: Usage['byDay']): readonly Week[] => {
  const known = new Map(byDay.map((one) => [one.day, one]));
  const [first, last] = [byDay[0]?.day, byDay.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  const end = Date.parse(last);
  const begin = Math.max(mondayOf(Date.parse(first)), mondayOf(end) - (MOST_WEEKS - 1) * WEEK);
  const weeks: Week[] = [];
  for (let monday = begin; monday <= end; monday += WEEK) {
    const days = Array.from({ length: 7 }, (_, n): DayCell | null => {
      const at = monday + n * DAY;
      const day = new Date(at).toISOString().slice(0, 10);
      const spent = known.get(day);
      return at > end || at < Date.parse(first) ? null : { day, costUsd: spent?.costUsd ?? 0, responses: spent?.responses ?? 0 };
    });
    weeks.push({ first: new Date(monday).toISOString().slice(0, 10), days });
  }
  return weeks;
};

const mondayOf = (at: number): number => at - ((new Date(at).getUTCDay() + 6) % 7) * DAY;

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const MOST_WEEKS = 53;
