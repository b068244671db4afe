import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keysOf, lastDays, seriesOf, type DaySpending } from '../../../src/features/home/spending-series.ts';

const spent = (day: string, key: string, costUsd: number, responses = 1): DaySpending => ({ day, key, costUsd, responses });
const DAYS = ['2026-03-13', '2026-03-14', '2026-03-15'];

test('[PAGE-49] every day of the span is shown, and what lies outside is not', () => {
  const all = [spent('2026-03-13', 'a', 1), spent('2026-03-15', 'a', 2, 3), spent('2026-03-15', 'b', 4), spent('2026-03-12', 'c', 100)];
  const keys = keysOf(all, DAYS);
  expect(seriesOf(all, 'costUsd', DAYS, keys)).toEqual({
    keys: ['b', 'a'],
    rows: [
      { day: '2026-03-13', values: [0, 1], total: 1 },
      { day: '2026-03-14', values: [0, 0], total: 0 },
      { day: '2026-03-15', values: [4, 2], total: 6 },
    ],
    total: 7,
  });
  expect(seriesOf(all, 'responses', DAYS, keys)).toMatchObject({ keys: ['b', 'a'], total: 5 });
  expect(seriesOf([], 'costUsd', DAYS, keysOf([], DAYS))).toMatchObject({ keys: [], total: 0 });
});

test('[PAGE-49] the dearest have a name and a colour, all others share one', () => {
  const many = Array.from({ length: 12 }, (_, n) => spent('2026-03-14', `k${n}`, n));
  const keys = keysOf(many, DAYS);
  expect(keys).toEqual(['k11', 'k10', 'k9', 'k8', 'k7', 'k6', 'others']);
  expect(seriesOf(many, 'costUsd', DAYS, keys).rows[1]?.values).toEqual([11, 10, 9, 8, 7, 6, 15]);
});

test('[PAGE-49] what is plotted adds up to what was spent, however it is split', () => {
  const anySpent = fc.record({ day: fc.constantFrom(...DAYS), key: fc.stringMatching(/^[a-m]$/u), costUsd: fc.nat(1000), responses: fc.nat(50) });
  fc.assert(
    fc.property(fc.array(anySpent), (all) => {
      const keys = keysOf(all, DAYS);
      const { rows, total } = seriesOf(all, 'costUsd', DAYS, keys);
      expect(total).toBe(all.reduce((sum, { costUsd }) => sum + costUsd, 0));
      expect(rows.every(({ values }) => values.length === keys.length)).toBe(true);
      expect(keys.length).toBeLessThanOrEqual(7);
    }),
  );
});

test('[PAGE-49] the last days end today, in UTC', () => {
  expect(lastDays(Date.UTC(2026, 2, 1, 23, 59), 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
});
