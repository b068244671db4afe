import { atLeast, below, layOut, MB, type Verdict } from '../measure/table.ts';
import type { ClassName, SearchResult } from './job.ts';

export const describeSearch = (result: SearchResult): string => {
  if (result.kind === 'too slow') return `NOT MEASURED  ${result.messages} messages: after ${result.seconds} s only ${result.done} were in`;
  const { messages, payloadBytes, terms, appendSeconds, indexSeconds, settleSeconds, boardBytes, indexBytes, planted } = result;
  const header = ['milliseconds', 'queries', 'right', 'hits each', 'p50', 'p95', 'most', 'API p50', 'API p95'];
  const rows = result.classes.map(({ name, queries, right, hits, find, api }) => [
    name,
    String(queries),
    String(right),
    hits.toFixed(0),
    ...[find.p50, find.p95, find.most, api.p50, api.p95].map((ms) => ms.toFixed(1)),
  ]);
  const mb = (bytes: number): string => (bytes / MB).toFixed(0);
  return [
    `${messages} messages, ${mb(payloadBytes)} MB; board ${mb(boardBytes)} MB, index ${mb(indexBytes)} MB, ${terms} terms in the vocabulary`,
    `filled in ${(appendSeconds + indexSeconds + settleSeconds).toFixed(0)} s: append ${appendSeconds.toFixed(0)}, index ${indexSeconds.toFixed(0)}, vocabulary ${settleSeconds.toFixed(1)}; ${planted} planted words found, each exactly where it stands`,
    layOut([header, ...rows]),
    'API: GET /api/v1/search in the same process, with texts, highlights and masking of 50 hits',
  ].join('\n');
};

export const judgeSearch = (result: SearchResult): readonly Verdict[] => {
  if (result.kind === 'too slow') return [{ isMet: false, text: `${result.messages} messages are searchable within ${result.seconds} s` }];
  return result.classes.flatMap(({ name, queries, right, find, api }) => [
    below(find.p95, BUDGETS[name], `${result.messages} messages, ${name}, p95`, 'ms'),
    below(api.p95, BUDGETS[name], `${result.messages} messages, ${name}, p95 over the API`, 'ms'),
    ...(name === 'misspelled word'
      ? [atLeast(right / queries, 0.95, `${result.messages} messages, share of misspelled words that find the word that was meant`)]
      : []),
  ]);
};

const BUDGETS = {
  'rare word': 100,
  'common word': 100,
  phrase: 100,
  'misspelled word': 200,
  'code with punctuation': 100,
  'word with a filter': 100,
  'common word with a filter': 100,
} as const satisfies Record<ClassName, number>;
