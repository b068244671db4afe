import type { Price, PriceTable } from '../../prices.ts';

// Writing to the cache costs the same as other input.
const standard = (input: number, output: number, cacheRead = input / 10): Price => ({
  input,
  output,
  cacheWrite5m: input,
  cacheWrite1h: input,
  cacheRead,
});

// Long prompts cost more: twice as much for input, one and a half times as much for output.
const tiered = (input: number, output: number): Price => ({
  ...standard(input, output),
  above: { tokens: 272_000, rates: standard(input * 2, output * 1.5) },
});

/** List prices of OpenAI's API as of the given date. Newer models count as unpriced (COST-5). */
export const OPENAI_PRICES: PriceTable = {
  date: '2026-06-12',
  models: {
    'gpt-5.5': tiered(5, 30),
    'gpt-5.4': tiered(2.5, 15),
    'gpt-5.4-mini': standard(0.75, 4.5),
    'gpt-5.4-nano': standard(0.2, 1.25),
    'gpt-5.3-codex': standard(1.75, 14),
    'gpt-5.2-codex': standard(1.75, 14),
    'gpt-5.2': standard(1.75, 14),
    'gpt-5.1-codex-max': standard(1.25, 10),
    'gpt-5.1-codex': standard(1.25, 10),
    'gpt-5.1-codex-mini': standard(0.25, 2),
    'gpt-5.1': standard(1.25, 10),
    'gpt-5-codex': standard(1.25, 10),
    'gpt-5-codex-mini': standard(0.25, 2),
    'gpt-5': standard(1.25, 10),
    'gpt-5-mini': standard(0.25, 2),
    'gpt-5-nano': standard(0.05, 0.4),
    'codex-mini': standard(1.5, 6, 0.375),
    o3: standard(2, 8, 0.5),
    'o4-mini': standard(1.1, 4.4, 0.275),
    'gpt-4.1': standard(2, 8, 0.5),
    'gpt-4.1-mini': standard(0.4, 1.6, 0.1),
  },
};
