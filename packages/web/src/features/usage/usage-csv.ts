import type { InsideOutput } from '@yarnboard/protocol';

type Day = InsideOutput<'usage'>['byDay'][number];

/** PAGE-572: one line per day. Tokens read from the cache have a column of their own. */
export const csvOf = (days: readonly Day[]): string =>
  [
    HEAD,
    ...days.map(({ day, responses, usage, costUsd, unpriced }) =>
      [
        day,
        responses,
        usage.inputTokens,
        usage.outputTokens,
        usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
        usage.cacheReadTokens,
        costUsd,
        unpriced,
      ].join(','),
    ),
  ]
    .map((line) => `${line}\r\n`)
    .join('');

const HEAD = 'day,responses,input_tokens,output_tokens,cache_write_tokens,cache_read_tokens,cost_usd,responses_without_price';
