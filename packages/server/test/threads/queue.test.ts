import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draftOfLine, openStore, StoreFault, verifyRange, type Item, type LogPort } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { afterAll, describe, expect, test } from 'vitest';
import { createAppendQueue } from '../../src/threads/queue.ts';

const folder = mkdtempSync(join(tmpdir(), 'yarnboard-queue-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const openLog = async (name: string): Promise<LogPort> =>
  (await openStore(`sqlite:${join(folder, name, 'board.db')}`, { prices: DEFAULT_PRICES, now: () => 1, newId: () => 'board' })).log;

const said = (uuid: string): Item => ({
  draft: {
    ...draftOfLine({ context: { sessionId: 's', agentId: null }, reading: null, fault: null, length: uuid.length, occurrence: 1, fallbackAt: 1 }),
    uuid,
    occurrence: null,
    numbers: ['MSG'],
  },
  payload: Buffer.from(uuid),
  reading: null,
});

describe('the append queue', () => {
  test('[STORE-3] 128 writers at once share a few commits, and each gets its own result', async () => {
    const log = await openLog('many');
    let commits = 0;
    const queue = createAppendQueue({ ...log, append: (batch) => ((commits += 1), log.append(batch)) });
    const results = await Promise.all(Array.from({ length: 128 }, (_, i) => queue.append([said(`u${i}`)])));
    expect(commits).toBeLessThanOrEqual(2);
    expect(results.map(([result]) => result?.refs[0])).toEqual(Array.from({ length: 128 }, (_, i) => `MSG-${i + 1}`));
    expect(results.map(([result]) => result?.uuid)).toEqual(Array.from({ length: 128 }, (_, i) => `u${i}`));
    expect((await verifyRange(log, 1, 128, { forgotten: new Set() })).broken).toBeNull();
  });

  test('[STORE-3] a commit that fails fails everybody in it; the next one goes on', async () => {
    const log = await openLog('failing');
    let isFull = true;
    const queue = createAppendQueue({
      ...log,
      append: (batch) => (isFull ? Promise.reject(new StoreFault('full', 'the disk is full')) : log.append(batch)),
    });
    const refused = await Promise.allSettled([queue.append([said('a')]), queue.append([said('b')])]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isFull = false;
    expect(await queue.append([said('a')])).toMatchObject([{ status: 'new', position: 1 }]);
    expect((await log.head()).count).toBe(1);
  });

  test('[STORE-3] one that says many things at once does not make the others wait for all of it', async () => {
    const log = await openLog('large');
    const sizes: number[] = [];
    const queue = createAppendQueue({ ...log, append: (batch) => (sizes.push(batch.items.length), log.append(batch)) });
    const large = queue.append(Array.from({ length: 6000 }, (_, i) => said(`l${i}`)));
    const small = queue.append([said('small')]);
    expect((await large).length).toBe(6000);
    expect((await small)[0]?.position).toBe(6001);
    expect(sizes).toEqual([6000, 1]);
  });
});
