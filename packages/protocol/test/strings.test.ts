import { KINDS_OF_STRINGS } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { STRING_WORDS, wordOfString } from '../src/index.ts';

test('[TRACE-1] every kind of string has a word for each end, and only equals share one', () => {
  expect(Object.keys(STRING_WORDS)).toEqual(KINDS_OF_STRINGS);
  const same = KINDS_OF_STRINGS.filter((kind) => STRING_WORDS[kind].words === STRING_WORDS[kind].back);
  expect(same).toEqual(['compared-with', 'related', 'contradicts']);
  expect([wordOfString({ from: 'CITE-1', kind: 'cites' }, 'CITE-1'), wordOfString({ from: 'CITE-1', kind: 'cites' }, 'MSG-1')]).toEqual([
    'cites',
    'cited by',
  ]);
});
