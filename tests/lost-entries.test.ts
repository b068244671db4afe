import { randomUUID } from 'node:crypto';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testHome, until, type TestHome } from './home.ts';
import { openServer, serve, wordsOn } from './outage-server.ts';
import { findPostgres, type Postgres } from './postgres.ts';

// Servers of its own: they are killed here.
delete process.env['YARNBOARD_TEST_POSTGRES'];

const ask = async <R extends pg.QueryResultRow>({ url }: Postgres, sql: string): Promise<R | undefined> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows[0];
  } finally {
    await client.end();
  }
};

type Cache = { readonly cache_id: string; readonly reason: string; readonly recovery_notes: readonly string[]; readonly writes: object };
type Message = { readonly ref: string; readonly content: string };

test('[MANY-24] a failover loses what was acknowledged: the server that has it still offers it, and the operator replays it beside what was said since', async ({
  skip,
}) => {
  const leader = await findPostgres();
  if (leader === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
  if (leader?.follow == null || leader.kill === null) {
    skip('no PostgreSQL here that can be followed');
    return;
  }
  const standby = await leader.follow();
  const [one, other] = [leader, standby].map(({ url }) => new URL(url).host);
  const board = `test_${randomUUID().slice(0, 8)}`;
  const url = `${leader.url.replace(`${one}`, `${other},${one}`)}?board=${board}`;
  const home = testHome();
  try {
    const server = await serve(home, '--db', url);
    const end = (await ask<{ at: string }>(leader, 'SELECT pg_current_wal_lsn()::text AS at'))?.at ?? '';
    await until(async () => {
      const row = await ask<{ has: boolean }>(standby, `SELECT pg_last_wal_replay_lsn() >= '${end}'::pg_lsn AS has`);
      return row?.has === true ? true : null;
    });
    await standby.kill?.();
    // Acknowledged, and not on the standby.
    expect(await server.say('it is lost')).toMatchObject({ status: 200, body: { ref: 'MSG-2' } });
    expect(await server.say('an answer to it', { in_reply_to: 'MSG-2' })).toMatchObject({ status: 200, body: { ref: 'MSG-3' } });
    await leader.kill();
    await standby.revive?.();
    await ask(standby, 'SELECT pg_promote()');
    await until(async () => {
      const row = await ask<{ standby: boolean }>(standby, 'SELECT pg_is_in_recovery() AS standby');
      return row?.standby === false ? true : null;
    });
    const lostIn = (caches: readonly Cache[]): Cache | null => caches.find(({ cache_id: id }) => id.startsWith('lost-')) ?? null;
    const lost = await until(async () => lostIn((await server.read('/api/v1/recovery'))['caches'] as readonly Cache[]));
    expect(lost).toMatchObject({ reason: 'log_went_back', writes: { conflict: 2, pending: 0 } });
    expect(lost.recovery_notes.join()).toMatch(/it was entry \d+ \(MSG-2, EXCH-2\) of the log, and is gone from it/u);
    // As long as the server has not given it up, nobody puts it anywhere.
    expect(await server.post(`/recovery/${lost.cache_id}/replay`, {})).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('belongs to an outage that is not over') as string },
    });
    // Somebody who knows nothing of it goes on: other words have those numbers now.
    const stranger = await openServer(testHome(), '--db', url);
    expect(await stranger.say('somebody else')).toMatchObject({ status: 200, body: { ref: 'MSG-2' } });
    await stranger.stop();
    await server.kill();

    const next = await openServer(home, '--db', url);
    expect(await next.say('not yet')).toMatchObject({ status: 503, body: { code: 'recovery-needed' } });
    const { pending_writes: writes } = (await next.read(`/api/v1/recovery/${lost.cache_id}`)) as { readonly pending_writes: readonly object[] };
    expect(writes).toMatchObject([
      { outcome: 'conflict', code: 'log-went-back', now: { kind: 'done' } },
      { outcome: 'conflict', now: { kind: 'conflict', message: 'it names MSG-2, which was lost with the log; replay that first' } },
    ]);
    // One by one from the last: what it names is not there yet, and nothing else is taken for it.
    expect(await next.post(`/recovery/${lost.cache_id}/replay`, { writes: [2] })).toMatchObject({ status: 200, body: { writes: { conflict: 2 } } });
    expect(await next.post(`/recovery/${lost.cache_id}/replay`, {})).toMatchObject({
      status: 200,
      body: { is_resolved: true, writes: { replayed: 2, conflict: 0 } },
    });
    const { items } = (await next.read('/api/v1/sidebars/SB-1/memory?part=local&limit=100')) as { readonly items: readonly Message[] };
    expect(items.map(({ ref, content }) => [ref, content])).toEqual([
      ['MSG-1', 'before'],
      ['MSG-2', 'somebody else'],
      ['MSG-3', 'it is lost'],
      ['MSG-4', 'an answer to it'],
    ]);
    await next.stop();
    const open = (): ReturnType<TestHome['open']> => openStore(url, { prices: DEFAULT_PRICES, now: () => 0, newId: () => 'x', readOnly: true });
    expect(await wordsOn({ open })).toEqual(['before', 'somebody else', 'it is lost', 'an answer to it']);
    const store = await open();
    const [answer] = await store.log.payloadsOf([(await store.log.positionsOfType('chat.message')).at(-1) ?? 0]);
    expect(JSON.parse(Buffer.from(answer?.[1] ?? []).toString())).toMatchObject({
      inReplyTo: expect.stringMatching(/MSG-3|[0-9a-f-]{36}/u) as string,
    });
    await store.close();
  } finally {
    await standby.stop();
    await leader.stop();
  }
});
