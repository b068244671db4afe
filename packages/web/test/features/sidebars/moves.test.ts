import { MOVES, STATUSES } from '@yarnboard/domain';
import { describe, expect, test } from 'vitest';
import { mentionAt, namesFitting, withMention } from '../../../src/features/sidebars/mention.ts';
import { LIKELIEST, stepsFrom } from '../../../src/features/sidebars/moves.ts';

describe('moves', () => {
  test('[PAGE-84] there is a button for each move of the table and none besides, but to fork what is archived', () => {
    expect(Object.fromEntries(STATUSES.map((status) => [status, stepsFrom(status)]))).toEqual({
      ACTIVE: ['consolidate', 'pause', 'wait', 'spawn-child', 'review', 'fail', 'archive'],
      TESTING: ['promote', 'discard', 'fail'],
      PAUSED: ['resume', 'archive'],
      WAITING: ['resume', 'fail', 'archive'],
      REVIEWING: ['consolidate', 'go-on'],
      SPAWNING_CHILD: ['go-on', 'wait'],
      CONSOLIDATING: ['merge', 'send-back'],
      MERGED: ['archive'],
      ARCHIVED: ['fork'],
      FAILED: ['archive'],
    });
    for (const status of STATUSES) {
      expect(new Set(stepsFrom(status)).size).toBe(Math.max(1, MOVES[status].length));
      expect(stepsFrom(status)[0]).toBe(LIKELIEST[status]);
    }
  });
});

describe('mentions', () => {
  test('[PAGE-88] a name is offered where an @ begins one, and nowhere else', () => {
    const at = (text: string) => mentionAt(text, text.length);
    expect([at('@'), at('hello @we'), at('@scout.2'), at('(@x')]).toEqual([
      { from: 0, typed: '' },
      { from: 6, typed: 'we' },
      { from: 0, typed: 'scout.2' },
      { from: 1, typed: 'x' },
    ]);
    expect([at('mail me@home'), at('a/@x'), at('@we '), at('nobody')]).toEqual([null, null, null, null]);
    expect(mentionAt('@weaver and', 3)).toEqual({ from: 0, typed: 'we' });
  });

  test('[PAGE-88] the name takes the place of what was typed, and the cursor stands behind it', () => {
    expect(withMention('ask @we now', { from: 4, typed: 'we' }, 'weaver')).toEqual({ text: 'ask @weaver now', cursor: 12 });
    expect(withMention('@', { from: 0, typed: '' }, 'mia')).toEqual({ text: '@mia ', cursor: 5 });
  });

  test('[PAGE-88] names that begin with it come first', () => {
    expect(namesFitting(['beaver', 'Eve', 'weaver', 'mia'], 'e')).toEqual(['Eve', 'beaver', 'weaver']);
    expect(namesFitting(['a', 'b'], '')).toEqual(['a', 'b']);
  });
});
