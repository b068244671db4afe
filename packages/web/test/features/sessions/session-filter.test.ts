import { expect, test } from 'vitest';
import { fits, lookedText, wordsIn } from '../../../src/features/sessions/session-filter.ts';

const session = { title: 'Weave the Second Sleeve', project: '/home/ada/loom', sessionId: 'ABC-def', tool: 'codex' };

test.each([
  ['', true],
  ['  sleeve  WEAVE ', true],
  ['loom second', true],
  ['abc', true],
  ['sleeve codex', true],
  ['claude', false],
  ['def', false],
  ['sleeve carpet', false],
])('[PAGE-52] "%s" fits: %s', (text, expected) => {
  expect(fits(session, wordsIn(text))).toBe(expected);
  expect(fits({ title: null, project: null, sessionId: 'x', tool: 'claude-code' }, wordsIn(text))).toBe(text.trim() === '');
});

test('[PAGE-53] how far it was looked is said as long as not everything is here', () => {
  const all = { shown: 3, loaded: 200, isWhole: false, isFiltered: true, hasFailed: false };
  expect([
    lookedText({ ...all, isWhole: true }),
    lookedText(all),
    lookedText({ ...all, hasFailed: true }),
    lookedText({ ...all, isFiltered: false, shown: 200 }),
    lookedText({ ...all, isFiltered: false, shown: 200, hasFailed: true }),
    lookedText({ ...all, isFiltered: false, shown: 0, loaded: 0 }),
    lookedText({ ...all, isFiltered: false, shown: 1, isWhole: true }),
  ]).toEqual([
    '3 of 200 sessions',
    '3 found in the latest 200 sessions, loading more…',
    '3 found in the latest 200 sessions, couldn’t load more',
    'Latest 200, scroll for more',
    'Latest 200, couldn’t load more',
    'Loading…',
    '1 session',
  ]);
});
