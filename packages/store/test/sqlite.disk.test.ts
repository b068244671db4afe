import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withFailingDisk } from '../../../tests/failing-disk.ts';
import type { Store } from '../src/port.ts';
import { refusalFor } from '../src/sqlite/disk.ts';
import { openSqlite } from '../src/sqlite/store.ts';
import { append, faultOf } from '../src/testing/bench.ts';
import { said } from '../src/testing/records.ts';
import { verifyRange } from '../src/verify.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): Promise<Store> =>
  openSqlite(join(folder, 'board.db'), { prices: DEFAULT_PRICES, now: () => 0, newId: () => '0b0a0d00-0000-4000-8000-000000000000' });

describe('a commit that fails under SQLite is looked for before anything is said of it', () => {
  test('[STORE-44] one that is on the log is acknowledged, one that is not is refused for certain', () =>
    withFailingDisk(async (disk) => {
      const store = await open();
      await append(store, [said('one')]);
      disk.commit = 'kept';
      expect(await append(store, [said('two')])).toMatchObject([{ status: 'new', position: 2 }]);
      disk.commit = 'lost';
      expect(await faultOf(append(store, [said('three')]))).toMatchObject({ kind: 'io', outcome: 'nothing' });
      disk.commit = null;
      expect(await append(store, [said('three')])).toMatchObject([{ status: 'new', position: 3 }]);
      await store.close();
    }));

  test('[STORE-44] where nobody can find out it is said so, and what is sent again is on the log once, whatever had become of it', () =>
    withFailingDisk((disk) =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom('kept' as const, 'lost' as const, null), { minLength: 1, maxLength: 8 }), async (fates) => {
          const store = await open();
          const { count: before } = await store.log.head();
          for (const [i, fate] of fates.entries()) {
            const item = said(`${before}-${i}`);
            Object.assign(disk, { commit: fate, isStuck: fate !== null });
            const tried = await append(store, [item]).catch((cause: unknown) => cause);
            expect(tried).toMatchObject(fate === null ? [{ status: 'new' }] : { kind: 'io', outcome: 'unknown' });
            Object.assign(disk, { commit: null, isStuck: false });
            expect(await append(store, [item])).toMatchObject([{ status: fate === 'lost' ? 'new' : 'known', position: before + i + 1 }]);
          }
          const { count } = await store.log.head();
          expect(count).toBe(before + fates.length);
          expect((await verifyRange(store.log, 1, count, { forgotten: new Set() })).broken).toBeNull();
          await store.close();
        }),
        { numRuns: 8 },
      ),
    ));
});

test('[SRV-33] what the system says of a disk is told by its name, and only a full one is called full', () => {
  const told = (code: string) => refusalFor(code, join(folder, 'board.db'));
  expect(told('ENOSPC')).toMatchObject({
    kind: 'full',
    advice: expect.stringMatching(/^the disk is full \([\d.]+ MB left; Yarnboard needs at least 16 MB\)/u) as string,
  });
  expect(told('EDQUOT')).toMatchObject({ kind: 'full', advice: expect.stringContaining('quota') as string });
  expect(told('EROFS')).toMatchObject({ kind: 'read-only', advice: expect.stringContaining('read-only') as string });
  expect(told('EIO')).toMatchObject({ kind: 'io', advice: expect.stringContaining('EIO') as string });
  for (const code of ['EDQUOT', 'EROFS', 'EIO']) expect(told(code).advice).not.toContain('is full');
});
