import { expect, test } from 'vitest';
import { fits, wordsIn } from '../../../src/features/sessions/session-filter.ts';

const session = { title: 'Weave the Second Sleeve', project: '/home/ada/loom', sessionId: 'ABC-def' };

test.each([
  ['', true],
  ['  sleeve  WEAVE ', true],
  ['loom second', true],
  ['abc', true],
  ['def', false],
  ['sleeve carpet', false],
])('[PAGE-52] "%s" fits: %s', (text, expected) => {
  expect(fits(session, wordsIn(text))).toBe(expected);
  expect(fits({ title: null, project: null, sessionId: 'x' }, wordsIn(text))).toBe(text.trim() === '');
});
