import { countOf } from '../../ui/wording.ts';
import type { Step } from './flow-pages.ts';

type Usage = NonNullable<Step['usage']>;

/** Tokens newly read or written. Rereading the cache costs a tenth and is many times as much: added up, it would hide everything else. */
export const tokensIn = (usage: Usage): number => usage.inputTokens + usage.outputTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;

/** What the tokens were spent on, including the cache. */
export const tokensText = (usage: Usage): string =>
  [
    `${countOf(usage.inputTokens)} input`,
    `${countOf(usage.outputTokens)} output`,
    `${countOf(usage.cacheReadTokens)} read from cache`,
    `${countOf(usage.cacheWrite5mTokens + usage.cacheWrite1hTokens)} written to cache`,
  ].join(', ');
