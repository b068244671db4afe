import { maskSecrets, OPERATOR } from '@yarnboard/domain';
import { createLanguage } from '@yarnboard/language';
import { expect, test } from 'vitest';
import type { Prepared } from '../../src/engine/batch.ts';
import { keyOf } from '../../src/engine/command-ids.ts';
import { createWaitingRoom, type WaitingRoom } from '../../src/engine/waiting-room.ts';
import { foldOf, newMessageId, openEngine, say, spawn } from './bench.ts';

const asking = (content: string): Prepared => {
  const messageId = newMessageId();
  const asked = { command: say('SB-1', content), actor: OPERATOR, messageId };
  return { asked, key: keyOf(OPERATOR.id, messageId), before: null, refs: new Map(), inherited: null };
};

/** A room on a board with one sidebar. Its clock and its count of free places fail when they are told to. */
const openRoom = async (): Promise<{ readonly room: WaitingRoom; readonly failing: { clock: boolean; count: boolean } }> => {
  const bench = await openEngine();
  await bench.run(spawn());
  const board = await foldOf(bench.store);
  const failing = { clock: false, count: false };
  const room = createWaitingRoom({
    board: () => board,
    position: () => 2,
    now: () => {
      if (failing.clock) throw new Error('the clock stands still');
      return bench.clock.now;
    },
    match: () => [],
    language: createLanguage({ mask: (text) => maskSecrets(text).text }),
    outage: () => ({ why: 'away', since: 0, isAllDown: false }),
    keeper: {
      keep: async () => ({ cacheId: 'cache', durableIn: ['home'] }),
      full: () => {
        if (failing.count) throw new Error('nobody counts');
        return null;
      },
      onQueued: () => {},
    },
  });
  return { room, failing };
};

test('[REC-88] a command that goes wrong while it is decided fails alone: those beside it and after it are queued', async () => {
  const { room, failing } = await openRoom();
  const one = await room.take(asking('one'));
  expect(one).toMatchObject({ kind: 'queued', position: 1 });

  for (const what of ['clock', 'count'] as const) {
    failing[what] = true;
    await expect(room.take(asking(`lost to the ${what}`))).rejects.toThrow(what === 'clock' ? 'the clock stands still' : 'nobody counts');
    failing[what] = false;
  }
  // In one turn: the first is decided at once, the others together behind it.
  const beside = [room.take(asking('two')), room.take({ ...asking('broken'), asked: null as never }), room.take(asking('three'))];
  const outcomes = await Promise.allSettled(beside);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(room.waiting().map(({ n, asked }) => [n, asked.command])).toEqual([
    [1, say('SB-1', 'one')],
    [2, say('SB-1', 'two')],
    [3, say('SB-1', 'three')],
  ]);
  expect(room.isBusy()).toBe(false);
});
