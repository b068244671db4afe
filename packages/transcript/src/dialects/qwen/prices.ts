import type { Price, PriceTable, Rates } from '../../prices.ts';

/** Nothing reports cache writes, so they count as other input. Cache reads cost a tenth, because the CLI asks for caching explicitly. */
const rates = (input: number, output: number): Rates => ({ input, output, cacheWrite5m: input, cacheWrite1h: input, cacheRead: input / 10 });

/** Each step: the largest prompt in tokens, and the price of a million tokens of input and output up to that size. */
const stepped = (...[[tokens, input, output], ...longer]: readonly [Step, ...Step[]]): Price => {
  const [next, ...rest] = longer;
  return { ...rates(input, output), ...(next === undefined ? {} : { above: { tokens, rates: stepped(next, ...rest) } }) };
};

type Step = readonly [tokens: number, input: number, output: number];

/** List prices of Alibaba Cloud's Model Studio outside of China as of the given date. Newer models count as unpriced (COST-5). */
export const ALIBABA_PRICES: PriceTable = {
  date: '2026-03-31',
  models: {
    'qwen3-coder-plus': stepped([32_000, 1, 5], [128_000, 1.8, 9], [256_000, 3, 15], [1_000_000, 6, 60]),
    'qwen3-coder-flash': stepped([32_000, 0.3, 1.5], [128_000, 0.5, 2.5], [256_000, 0.8, 4], [1_000_000, 1.6, 9.6]),
    'qwen3-max': stepped([32_000, 1.2, 6], [128_000, 2.4, 12], [252_000, 3, 15]),
    'qwen3.5-plus': stepped([256_000, 0.4, 2.4], [1_000_000, 0.5, 3]),
  },
};
