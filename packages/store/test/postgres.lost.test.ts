import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { afterAll, describe, expect, test } from 'vitest';
import { openWay, type Way } from '../../../tests/black-hole.ts';
import { findPostgres } from '../../../tests/postgres.ts';
import { StoreFault, type Store } from '../src/port.ts';
import { openDatabase } from '../src/postgres/database.ts';
import { openPostgres } from '../src/postgres/store.ts';
import { append, faultOf, NOON } from '../src/testing/bench.ts';
import { said } from '../src/testing/records.ts';
import { verifyRange } from '../src/verify.ts';

// Its own server: the one that is named for tests is somebody else's, and connections are lost here.
delete process.env['YARNBOARD_TEST_POSTGRES'];
const server = await findPostgres();
afterAll(async () => {
  await server?.stop();
});

const wayTo = (): Promise<Way> => openWay(Number(/:(\d+)\//u.exec(server?.url ?? '')?.[1]));
const urlOver = ({ port }: Way, board: string): string => `${(server?.url ?? '').replace(/:\d+\//u, `:${port}/`)}?board=${board}`;
const openOver = (way: Way, board: string): Promise<Store> =>
  openPostgres(urlOver(way, board), { prices: DEFAULT_PRICES, now: () => NOON, newId: () => 'board-under-test' });

describe.skipIf(server === null && process.env['CI'] === undefined)(
  'a network that swallows packets (skipped where there is no PostgreSQL, but in CI)',
  () => {
    test('[MANY-19] a connection that was lost without a word fails the calls that use it, holds no lock, and the next call has another', async () => {
      const way = await wayTo();
      const store = await openOver(way, 'lost');
      try {
        await append(store, [said('before')]);
        // Some of them are in the middle of a transaction, which has the board's row.
        const under = [0, 1, 2, 3].map((n) =>
          append(
            store,
            Array.from({ length: 500 }, (_, i) => said(`under-${n}-${i}`)),
          ),
        );
        const settled = Promise.allSettled(under);
        way.swallow();
        const outcomes = await settled;
        const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
        expect(faults.length).toBeGreaterThan(0);
        expect(faults.map((fault) => fault instanceof StoreFault && fault.kind)).toEqual(faults.map(() => 'unreachable'));
        expect((await append(store, [said('behind')]))[0]?.status).toBe('new');
        const { count } = await store.log.head();
        expect((await verifyRange(store.log, 1, count, { forgotten: new Set() })).broken).toBeNull();
      } finally {
        await store.close();
        await way.close();
      }
    });

    test('[MANY-19] while nobody gets through, every call is a fault in the end; when the way is open again, calls get through', async () => {
      const way = await wayTo();
      const store = await openOver(way, 'hanging');
      try {
        await append(store, [said('before')]);
        way.hang();
        for (const call of [() => append(store, [said('meanwhile')]), store.log.head])
          expect(await faultOf(call())).toMatchObject({ name: 'StoreFault', kind: 'unreachable' });
        way.open();
        expect((await append(store, [said('behind')]))[0]?.status).toBe('new');
      } finally {
        await store.close();
        await way.close();
      }
    });

    test('[MANY-19] a statement that takes long is waited for, as long as the server is at work for it', async () => {
      const way = await wayTo();
      const db = await openDatabase(urlOver(way, 'slow'), false);
      try {
        expect(await db.run("SELECT 'done' AS said FROM pg_sleep(13)")).toEqual([{ said: 'done' }]);
      } finally {
        await db.close();
        await way.close();
      }
    });
  },
);
