import type { Spent } from './rows.ts';

/** What was spent, as a row of a database. */
export type SpentSqlRow = {
  readonly responses: number;
  readonly input: number;
  readonly output: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
  readonly costNano: number;
  readonly unpriced: number;
};

/** Its columns, in the order of `spentValues`. */
export const SPENT = ['responses', 'input', 'output', 'cache_write_5m', 'cache_write_1h', 'cache_read', 'cost_nano', 'unpriced'] as const;

export const spentFrom = (row: SpentSqlRow): Spent => ({
  responses: row.responses,
  usage: { input: row.input, output: row.output, cacheWrite5m: row.cacheWrite5m, cacheWrite1h: row.cacheWrite1h, cacheRead: row.cacheRead },
  costNano: row.costNano,
  unpriced: row.unpriced,
});

export const spentValues = ({ responses, usage, costNano, unpriced }: Spent): readonly number[] => [
  responses,
  usage.input,
  usage.output,
  usage.cacheWrite5m,
  usage.cacheWrite1h,
  usage.cacheRead,
  costNano,
  unpriced,
];
