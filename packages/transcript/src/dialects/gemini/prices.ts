import type { Price, PriceTable } from '../../prices.ts';

// Automatic caching costs nothing to write beyond the input itself.
const standard = (input: number, output: number, cacheRead = input / 10): Price => ({
  input,
  output,
  cacheWrite5m: input,
  cacheWrite1h: input,
  cacheRead,
});

/** Long prompts cost more. */
const tiered = (input: number, output: number, longInput: number, longOutput: number): Price => ({
  ...standard(input, output),
  above: { tokens: 200_000, rates: standard(longInput, longOutput) },
});

/** List prices of Google's API as of the given date. Newer models count as unpriced (COST-5). */
export const GOOGLE_PRICES: PriceTable = {
  date: '2025-12-20',
  models: {
    'gemini-3-pro-preview': tiered(2, 12, 4, 18),
    'gemini-3-flash-preview': standard(0.5, 3),
    'gemini-2.5-pro': tiered(1.25, 10, 2.5, 15),
    'gemini-2.5-flash': standard(0.3, 2.5),
    'gemini-2.5-flash-lite': standard(0.1, 0.4),
    'gemini-2.0-flash': standard(0.1, 0.4, 0.025),
  },
};
