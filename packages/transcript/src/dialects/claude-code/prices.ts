import type { Price, PriceTable, Rates } from '../../prices.ts';

const standard = (input: number, output: number, cacheRead = input / 10): Rates => ({
  input,
  output,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 2,
  cacheRead,
});

const fast = (times: number, rates: Rates): Price => ({ ...rates, fast: times });

/**
 * List prices as of the given date (COST-9 has a cell for each kind). A test checks those of claude-opus-5-5, claude-opus-5, claude-sonnet-4-5 and
 * claude-haiku-4-5 against the costs that the CLI itself recorded.
 */
export const CLAUDE_PRICES: PriceTable = {
  date: '2026-11-15',
  webSearch: 0.01,
  us: 1.1,
  models: {
    'claude-fable-5-1': standard(10, 50, 0.25),
    'claude-mythos-5-1': standard(10, 50, 0.25),
    'claude-fable-5': standard(10, 50),
    'claude-mythos-5': standard(10, 50),
    'claude-opus-5-5': fast(2, standard(4, 20, 0.2)),
    'claude-opus-5': fast(2, standard(5, 25)),
    'claude-opus-4-8': fast(2, standard(5, 25)),
    'claude-opus-4-7': fast(6, standard(5, 25)),
    'claude-opus-4-6': fast(6, standard(5, 25)),
    'claude-opus-4-5': standard(5, 25),
    'claude-opus-4-1': standard(15, 75),
    'claude-opus-4': standard(15, 75),
    'claude-3-opus': standard(15, 75),
    'claude-sonnet-5-5': standard(2, 10, 0.1),
    'claude-sonnet-5': standard(2, 10),
    'claude-sonnet-4-6': standard(3, 15),
    'claude-sonnet-4-5': standard(3, 15),
    'claude-sonnet-4': standard(3, 15),
    'claude-3-7-sonnet': standard(3, 15),
    'claude-3-5-sonnet': standard(3, 15),
    'claude-haiku-5-5': { ...standard(0.1, 0.5), above: { tokens: 100_000, rates: standard(0.5, 2.5) } },
    'claude-haiku-4-5': standard(1, 5),
    'claude-3-5-haiku': standard(0.8, 4),
    'claude-3-haiku': { input: 0.25, output: 1.25, cacheWrite5m: 0.3, cacheWrite1h: 0.5, cacheRead: 0.03 },
  },
};
