import { printableLine } from '@yarnboard/transcript';
import { countOf } from '../../ui/wording.ts';
import type { Step } from './flow-pages.ts';

type Usage = NonNullable<Step['usage']>;

/** What was read anew or written. Rereading the cache costs a tenth and is many times as much: added up, it would hide all the rest. */
export const tokensIn = (usage: Usage): number => usage.inputTokens + usage.outputTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;

/** What tokens were spent on, the cache included. */
export const tokensText = (usage: Usage): string =>
  [
    `${countOf(usage.inputTokens)} input`,
    `${countOf(usage.outputTokens)} output`,
    `${countOf(usage.cacheReadTokens)} read from cache`,
    `${countOf(usage.cacheWrite5mTokens + usage.cacheWrite1hTokens)} written to cache`,
  ].join(', ');

/** "claude-opus-5-5-20260101" is called Opus 5.5. */
export const modelName = (model: string): string => {
  const [, family, version = ''] = /^claude-([a-z]+)-(\d+(?:-\d{1,2})?)(?:-\d{6,})?(?:\[.*\])?$/u.exec(model) ?? [];
  if (family !== undefined) return `${family.charAt(0).toUpperCase()}${family.slice(1)} ${version.replace('-', '.')}`;
  return model === '<synthetic>' ? 'No model' : printableLine(model);
};
