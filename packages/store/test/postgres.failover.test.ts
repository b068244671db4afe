import { randomUUID } from 'node:crypto';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { until } from '../../../tests/home.ts';
import { findPostgres, type Postgres } from '../../../tests/postgres.ts';
import type { Store } from '../src/port.ts';
import { addressesIn } from '../src/postgres/hosts.ts';
import { openPostgres } from '../src/postgres/store.ts';
import { append, faultOf, NOON } from '../src/testing/bench.ts';
import { said } from '../src/testing/records.ts';
import { verifyRange } from '../src/verify.ts';

// Servers of its own: they are killed here.
delete process.env['YARNBOARD_TEST_POSTGRES'];

type Pair = { readonly leader: Postgres; readonly standby: Postgres };

const openPair = async (): Promise<Pair | null> => {
  const leader = await findPostgres();
  if (leader === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
  if (leader === null || leader.follow === null) return null;
  return { leader, standby: await leader.follow() };
};

const ask = async <R extends pg.QueryResultRow>({ url }: Postgres, sql: string): Promise<readonly R[]> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
};

const hostOf = ({ url }: Postgres): string => new URL(url).host;

/** Both in one address, the standby first. */
const addressOf = ({ leader, standby }: Pair, board: string): string =>
  `${leader.url.replace(hostOf(leader), `${hostOf(standby)},${hostOf(leader)}`)}?board=${board}`;

const open = (url: string): Promise<Store> => openPostgres(url, { prices: DEFAULT_PRICES, now: () => NOON, newId: () => 'board-under-test' });

const promote = async (standby: Postgres): Promise<void> => {
  await ask(standby, 'SELECT pg_promote()');
  await until(async () => ((await ask<{ standby: boolean }>(standby, 'SELECT pg_is_in_recovery() AS standby'))[0]?.standby === false ? true : null));
};

/** Until the standby has all that the leader has. */
const caughtUp = async ({ leader, standby }: Pair): Promise<void> => {
  const [end] = await ask<{ at: string }>(leader, 'SELECT pg_current_wal_lsn()::text AS at');
  await until(async () => {
    const [row] = await ask<{ has: boolean }>(standby, `SELECT pg_last_wal_replay_lsn() >= '${end?.at ?? '0/0'}'::pg_lsn AS has`);
    return row?.has === true ? true : null;
  });
};

const messageOf = async (call: Promise<unknown>): Promise<string> => {
  const fault = await faultOf(call);
  return fault instanceof Error ? fault.message : '';
};

const NONE = 'no PostgreSQL here that can be followed';

test('[MANY-17] an address may name several hosts', () => {
  expect(addressesIn('postgres://u:p%40w@one:5432,two/name?x=1,2')).toEqual([
    'postgres://u:p%40w@one:5432/name?x=1,2',
    'postgres://u:p%40w@two/name?x=1,2',
  ]);
  expect(addressesIn('postgres://one,[::1]:5433')).toEqual(['postgres://one', 'postgres://[::1]:5433']);
  for (const plain of ['postgres://u@one:5432/name', 'postgres:///name?host=/run', 'postgres://u:a,b@one/name'])
    expect(addressesIn(plain)).toEqual([plain]);
});

describe('failover', () => {
  test('[MANY-17] hosts are tried in turn and a standby is passed over; after a failover that lost nothing, appending goes on where it was', async ({
    skip,
  }) => {
    const pair = await openPair();
    if (pair?.leader.kill == null) {
      skip(NONE);
      return;
    }
    const { leader, standby } = pair;
    const store = await open(addressOf(pair, `test_${randomUUID().slice(0, 8)}`));
    try {
      await append(store, [said('one')]);
      await append(store, [said('two')]);
      await caughtUp(pair);
      await leader.kill?.();
      // The other one is still a standby: nobody may be written to, and it is said of each why.
      const fault = await faultOf(append(store, [said('three')]));
      expect(fault).toMatchObject({ kind: 'unreachable' });
      expect(await messageOf(append(store, [said('three')]))).toContain(`${hostOf(standby)}: it is a read-only standby`);
      await promote(standby);
      expect((await append(store, [said('three')]))[0]).toMatchObject({ status: 'new', position: 3 });
      await store.log.probe();
      expect((await verifyRange(store.log, 1, 3, { forgotten: new Set() })).broken).toBeNull();
    } finally {
      await store.close();
      await standby.stop();
      await leader.stop();
    }
  });

  test('[MANY-18] after a failover that lost commits nothing is appended: the first entry known to be lost is named, and both heads', async ({
    skip,
  }) => {
    const pair = await openPair();
    if (pair?.leader.kill == null) {
      skip(NONE);
      return;
    }
    const { leader, standby } = pair;
    const board = `test_${randomUUID().slice(0, 8)}`;
    const store = await open(addressOf(pair, board));
    const reader = await open(addressOf(pair, board));
    try {
      await append(store, [said('one')]);
      await caughtUp(pair);
      await standby.kill?.();
      await append(store, [said('two')]);
      await append(store, [said('three')]);
      expect((await reader.log.head()).count).toBe(3);
      await leader.kill?.();
      await standby.revive?.();
      await promote(standby);
      expect(await faultOf(append(store, [said('four')]))).toMatchObject({ kind: 'went-back' });
      expect(await messageOf(append(store, [said('four')]))).toMatch(
        /missing is entry 2\. Here the log went to entry 3 \([0-9a-f]{12}\), and there it ends at entry 1 \([0-9a-f]{12}\)/u,
      );
      // Whoever only looks finds out as well.
      expect(await faultOf(store.log.probe())).toMatchObject({ kind: 'went-back' });
      expect(await faultOf(reader.log.probe())).toMatchObject({ kind: 'went-back' });
      // Somebody who knows nothing of it goes on there: now there is another entry at that place.
      const stranger = await open(addressOf(pair, board));
      for (const word of ['another two', 'another three', 'another four']) await append(stranger, [said(word)]);
      expect(await messageOf(append(store, [said('four')]))).toMatch(/another one now is entry 2\..*ends at entry 4/u);
      expect((await stranger.log.head()).count).toBe(4);
      await stranger.close();
    } finally {
      await store.close();
      await reader.close();
      await standby.stop();
      await leader.stop();
    }
  });
});
