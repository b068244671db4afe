import { printableLine } from '@yarnboard/transcript';
import { countOf } from '../../ui/wording.ts';
import type { Step } from './flow-pages.ts';

type Usage = NonNullable<Step['usage']>;

export const tokensIn = (usage: Usage): number =>
  usage.inputTokens + usage.outputTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens + usage.cacheReadTokens;

/** What tokens were spent on, in words. */
export const tokensText = (usage: Usage): string =>
  [
    `${countOf(usage.inputTokens)} read`,
    `${countOf(usage.outputTokens)} written`,
    `${countOf(usage.cacheReadTokens)} from the cache`,
    `${countOf(usage.cacheWrite5mTokens + usage.cacheWrite1hTokens)} into the cache`,
  ].join(', ');

/** "claude-opus-5-5-20260101" is called Opus 5.5. */
export const modelName = (model: string): string => {
  const [, family, version = ''] = /^claude-([a-z]+)-(\d+(?:-\d{1,2})?)(?:-\d{6,})?(?:\[.*\])?$/u.exec(model) ?? [];
  if (family !== undefined) return `${family.charAt(0).toUpperCase()}${family.slice(1)} ${version.replace('-', '.')}`;
  return model === '<synthetic>' ? 'not a model' : printableLine(model);
};
