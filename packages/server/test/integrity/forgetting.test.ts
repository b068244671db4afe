import { randomUUID } from 'node:crypto';
import { draftOfDeed, ENTRY_TYPES } from '@yarnboard/domain';
import { openStore, type Store } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { expect, test } from 'vitest';
import { verifierOf } from '../../src/threads/threads.ts';
import type { Home } from '../../src/home/home.ts';
import { makeBoard } from '../operations/boards.ts';

/** A board on which two things were said and indexed, opened by whoever may forget them. */
const said = async (): Promise<{ readonly home: Home; readonly store: Store; readonly positions: readonly number[] }> => {
  const one = await makeBoard({ isFollowing: true });
  await one.command('sidebar_spawn', { parent_id: null, task_description: 'what is forgotten?' });
  for (const content of ['unspeakable words', 'unthinkable thoughts']) await one.command('chat_message', { sidebar_id: 'SB-1', content });
  await one.close();
  const store = await openStore(one.home.database, { prices: DEFAULT_PRICES, now: () => Date.now(), newId: () => randomUUID(), isIndexing: true });
  while ((await store.search.advance(100)) > 0);
  return { home: one.home, store, positions: await store.log.positionsOfType('chat.message') };
};

/** The first half of forgetting: it is announced, and gone from the log, and not yet from the indexes. */
const beginForgetting = async ({ log }: Store, position: number): Promise<void> => {
  const { payloadHash: hash } = (await log.entryAt(position)) ?? {};
  if (hash == null) throw new Error(`entry ${position} says nothing`);
  const draft = draftOfDeed({
    uuid: randomUUID(),
    type: ENTRY_TYPES.forgotten,
    timestamp: Date.now(),
    sender: 'AGENT-operator',
    senderType: 'human',
    contextId: 'board',
    sessionId: 'board',
    contentLength: 0,
    note: hash,
  });
  await log.append({ items: [{ draft, payload: null, reading: null }], files: [] });
  expect(await log.dropPayload(hash)).toBe(true);
};

test('[VERIFY-11] a verification in the middle of a forget looks again until the indexes have followed', async () => {
  const { home, store, positions } = await said();
  const [first = 0, second = 0] = positions;
  let pauses = 0;
  let onPause = async (): Promise<void> => {};
  const verify = verifierOf({
    home,
    programs: null,
    store,
    kept: async () => [],
    pause: async () => {
      pauses += 1;
      await onPause();
    },
  });
  expect(await verify({ deep: true })).toMatchObject({ isWhole: true, damages: [] });
  expect(pauses).toBe(0);

  await beginForgetting(store, first);
  onPause = async () => {
    if (pauses === 2) await store.search.drop([first]);
  };
  expect(await verify({ deep: true })).toMatchObject({ isWhole: true, damages: [], forgotten: 1 });
  expect(pauses).toBe(2);

  // Nobody finishes this one: it is a damage, and told in the end.
  pauses = 0;
  await beginForgetting(store, second);
  const { isWhole, damages } = await verify({ deep: true });
  expect([isWhole, damages.some(({ part, what }) => part === 'search' && what.includes('which is not said there'))]).toEqual([false, true]);
  expect(pauses).toBe(4);
  await store.close();
});
