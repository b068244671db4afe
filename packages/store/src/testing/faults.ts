import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreFault } from '../port.ts';
import { verifyRange } from '../verify.ts';
import { append, faultOf, indexAll, withBoard, type Part } from './bench.ts';
import { mark, said } from './records.ts';
import { BOTH } from './session.ts';

export const describeFaults: Part = (open) => {
  test('[STORE-10] a store that was opened for reading reads everything and refuses to write', () =>
    withBoard(open, async ({ store, reader }) => {
      await append(store, BOTH, [mark('/one')]);
      await indexAll(store);
      const reading = await reader();
      expect(await reading.library.dump()).toEqual(await store.library.dump());
      expect([(await reading.log.head()).count, (await reading.log.files()).length]).toEqual([19, 1]);
      expect((await reading.search.find({ text: 'carpet', filters: {}, limit: 5, cursor: null })).hits.length).toBeGreaterThan(0);
      for (const refused of [
        append(reading, [said('a')]),
        reading.library.rebuild(),
        reading.log.forgetFile('/one'),
        reading.log.dropPayload('00'.repeat(32)),
      ]) {
        const fault = await faultOf(refused);
        expect(fault).toBeInstanceOf(StoreFault);
        expect(fault).toMatchObject({ kind: 'read-only' });
      }
      expect([(await store.log.head()).count, (await store.log.files()).length]).toEqual([19, 1]);
    }));

  test('[STORE-5] a board that was closed is as it was when it is opened again', () =>
    withBoard(open, async ({ store, reopen }) => {
      await append(store, BOTH, [mark('/one')]);
      const before = [await store.log.head(), await store.library.dump(), await store.log.files(), await store.log.entriesAfter(0, 100)];
      const again = await reopen();
      expect([await again.log.head(), await again.library.dump(), await again.log.files(), await again.log.entriesAfter(0, 100)]).toEqual(before);
      expect((await append(again, [said('next')]))[0]).toMatchObject({ position: 20, refs: ['MSG-14'] });
    }));

  test('[STORE-6] one version of the schema back and forth again nothing of the log is lost, and the library is folded anew', () =>
    withBoard(open, async ({ store, migrate, reopen }) => {
      await append(store, BOTH, [mark('/one')]);
      const dump = await store.library.dump();
      const head = await store.log.head();
      await migrate(1);
      const again = await reopen();
      expect(await again.log.head()).toEqual(head);
      expect(await again.library.dump()).toEqual(dump);
      expect(await again.log.files()).toHaveLength(1);
      expect((await verifyRange(again.log, 1, 19, { forgotten: new Set() })).broken).toBeNull();
    }));

  test('[DIALECT-4] a mark keeps the dialect of its file; one from before dialects were told apart says claude-code', () =>
    withBoard(open, async ({ store, migrate, reopen }) => {
      await append(store, BOTH, [mark('/one', { dialect: 'tidings' })]);
      expect(await store.log.files()).toEqual([mark('/one', { dialect: 'tidings' })]);
      await migrate(3);
      expect(await (await reopen()).log.files()).toEqual([mark('/one')]);
    }));

  test('[STORE-7] [STORE-15] a store backs up into a file exactly when it says so', () =>
    withBoard(open, async ({ store }) => {
      await append(store, BOTH);
      const folder = mkdtempSync(join(tmpdir(), 'yarnboard-backup-'));
      const path = join(folder, 'copy');
      try {
        const wasBackedUp = await store.backup(path).then(
          () => true,
          (cause: unknown) => {
            expect(cause).toBeInstanceOf(StoreFault);
            return false;
          },
        );
        expect([wasBackedUp, existsSync(path)]).toEqual([store.capabilities.hasFileBackup, store.capabilities.hasFileBackup]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }));

  test('[STORE-6] below the first version there is no way back, and a newer one is not touched', () =>
    withBoard(open, async ({ migrate }) => {
      expect(await faultOf(migrate(0))).toMatchObject({ name: 'StoreFault', kind: 'failed' });
    }));
};
