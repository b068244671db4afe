import { expect, test } from 'vitest';
import { doingText, sessionTitle } from '../../../src/features/home/titles.ts';

test('[PAGE-48] a session is called by one line, and by something in any case', () => {
  expect([sessionTitle(' weave\n\na  basket '), sessionTitle(null), sessionTitle(' \n')]).toEqual([
    'weave a basket',
    'Untitled session',
    'Untitled session',
  ]);
});

test('[PAGE-40] what is being done is told without the sign in front of it', () => {
  expect(['✏️ Editing /a', '💻 Running ls', 'It is done', '🤖', '1 of 2'].map(doingText)).toEqual([
    'Editing /a',
    'Running ls',
    'It is done',
    '🤖',
    '1 of 2',
  ]);
});
