import { randomUUID } from 'node:crypto';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { afterAll, describe, expect, test } from 'vitest';
import { findPostgres, type Postgres } from '../../../tests/postgres.ts';
import { StoreFault, type Appended, type Store } from '../src/port.ts';
import { openPostgres } from '../src/postgres/store.ts';
import { append, faultOf, NOON } from '../src/testing/bench.ts';
import { line, prompt, said } from '../src/testing/records.ts';
import { verifyRange } from '../src/verify.ts';

// Its own server: the one that is named for tests is somebody else's, and other test files use theirs meanwhile.
delete process.env['YARNBOARD_TEST_POSTGRES'];
const server = await findPostgres();
afterAll(async () => {
  await server?.stop();
});

const restart = async (): Promise<void> => {
  if (server?.restart === null || server?.restart === undefined) throw new Error('there is no server that could be restarted');
  await server.restart();
};

const someServer = async (): Promise<Postgres> => {
  const found = await findPostgres();
  if (found === null) throw new Error('there is no server to test with');
  return found;
};

const openTwo = async (): Promise<readonly [Store, Store]> => {
  const url = `${server?.url ?? ''}?board=test_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const options = { prices: DEFAULT_PRICES, now: () => NOON, newId: () => 'board-under-test' };
  return [await openPostgres(url, options), await openPostgres(url, options)];
};

describe.skipIf(server === null && process.env['CI'] === undefined)('failing PostgreSQL (skipped where there is none, but in CI)', () => {
  test('[STORE-8] a call that the server breaks off is a fault, and the next one works', async () => {
    const [store, other] = await openTwo();
    try {
      await append(store, [said('before')]);
      const slow = Array.from({ length: 20 }, (_, at) =>
        append(
          store,
          Array.from({ length: 200 }, (_, nth) => said(`slow-${at}-${nth}`)),
        ),
      );
      const settled = Promise.allSettled(slow);
      await restart();
      const faults = (await settled).flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.map((fault) => fault instanceof StoreFault && fault.kind)).toEqual(faults.map(() => 'unreachable'));
      expect((await append(store, [said('behind')]))[0]?.status).toBe('new');
      expect((await other.log.entryByUuid('behind'))?.uuid).toBe('behind');
    } finally {
      await store.close();
      await other.close();
    }
  });

  test('[STORE-8] restarted while two append, the log has all that was acknowledged, no gap, and a whole chain', async () => {
    const stores = await openTwo();
    try {
      const acknowledged = new Map<string, Appended>();
      let faults = 0;
      const over = new AbortController();
      // As a client does: what was not acknowledged is said again until it is.
      const writing = stores.map(async (store, writer) => {
        for (let batch = 0; !over.signal.aborted || batch % 5 !== 0; batch += 1) {
          const items = [0, 1, 2]
            .map((nth) => said(`${writer}-${batch}-${nth}`))
            .concat(line(`s${writer}`, prompt('asks', { uuid: `p-${writer}-${batch}` })));
          for (let isSaid = false; !isSaid;) {
            try {
              for (const one of await append(store, items)) acknowledged.set(one.uuid, one);
              isSaid = true;
            } catch (cause) {
              if (!(cause instanceof StoreFault) || cause.kind !== 'unreachable') throw cause;
              faults += 1;
              await new Promise((resolve) => {
                setTimeout(resolve, 20);
              });
            }
          }
        }
      });
      const all = Promise.all(writing);
      try {
        for (let round = 0; round < 3; round += 1) {
          const seen = acknowledged.size;
          while (acknowledged.size < seen + 100) await new Promise((resolve) => { setTimeout(resolve, 5); }); // prettier-ignore
          await restart();
        }
      } finally {
        over.abort();
      }
      await all;
      expect(faults).toBeGreaterThan(0);
      const [{ log, library }] = stores;
      const { count } = await log.head();
      expect(count).toBe(acknowledged.size);
      expect((await verifyRange(log, 1, count, { forgotten: new Set() })).broken).toBeNull();
      const entries = await log.entriesAfter(0, count);
      expect(entries.map(({ position }) => position)).toEqual(entries.map((_, at) => at + 1));
      expect(entries.map(({ uuid }) => [uuid, acknowledged.get(uuid)?.refs])).toEqual(entries.map(({ uuid, refs }) => [uuid, refs]));
      const numbers = entries.flatMap(({ refs }) => refs.filter((ref) => ref.startsWith('MSG-')));
      expect(numbers).toEqual(numbers.map((_, at) => `MSG-${at + 1}`));
      const dump = await library.dump();
      await library.rebuild();
      expect(await library.dump()).toEqual(dump);
    } finally {
      for (const store of stores) await store.close();
    }
  });

  test('[STORE-8] with the server gone every call says so', async () => {
    const own = await someServer();
    try {
      const store = await openPostgres(`${own.url}?board=gone`, { prices: DEFAULT_PRICES, now: () => NOON, newId: () => 'board' });
      await own.stop();
      for (const call of [() => append(store, [said('a')]), store.log.head, store.library.totals, store.search.position]) {
        expect(await faultOf(call())).toMatchObject({ name: 'StoreFault', kind: 'unreachable' });
      }
      await store.close();
    } finally {
      await own.stop();
    }
  });
});
