import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelledDays, scaleTo } from '../../../src/features/home/plot-scale.ts';

test('[PAGE-49] the axis of a plot goes up in steps that people can read between', () => {
  expect(scaleTo(38).ticks).toEqual([0, 10, 20, 30, 40]);
  expect(scaleTo(7).ticks).toEqual([0, 2, 4, 6, 8]);
  expect(scaleTo(0.05).ticks.map((tick) => tick.toFixed(2))).toEqual(['0.00', '0.02', '0.04', '0.06']);
  expect(scaleTo(20_000)).toEqual({ top: 20_000, ticks: [0, 5000, 10_000, 15_000, 20_000] });
  expect(scaleTo(0)).toEqual({ top: 1, ticks: [0, 1] });
  expect(scaleTo(2, 1).ticks).toEqual([0, 1, 2]);
});

test('[PAGE-49] whatever is plotted fits below the top of its axis and takes up more than half of it', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (most) => {
      const { top, ticks } = scaleTo(most);
      expect(top).toBeGreaterThanOrEqual(most * (1 - 1e-8));
      expect(most / top).toBeGreaterThan(0.5);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.at(-1)).toBe(top);
    }),
  );
});

test('[PAGE-49] the latest day has a label, and no span has more of them than a phone has room for', () => {
  for (const count of [7, 30, 90]) {
    const labels = labelledDays(Array.from({ length: count }, (_, n) => n));
    expect(labels.at(-1)).toBe(count - 1);
    expect(labels.filter((label) => label !== null).length).toBeLessThanOrEqual(5);
  }
});
