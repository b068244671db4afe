import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { addressOf, ended, expectWhole, testHome, until } from './home.ts';
import { findPostgres, type Postgres } from './postgres.ts';
import { findRedis, type TestRedis } from './redis.ts';

let postgres: Postgres | null = null;
let redis: TestRedis | null = null;
beforeAll(async () => {
  [postgres, redis] = [await findPostgres({ isDurable: true }), await findRedis()];
  if ((postgres === null || redis === null) && process.env['CI'] !== undefined) throw new Error('no PostgreSQL or no Redis to test with');
});
afterAll(async () => {
  await postgres?.stop();
  await redis?.stop();
});

const NONE = 'needs a PostgreSQL and a Redis that can be killed';

type Answer = { readonly status: number; readonly body: Record<string, unknown> };
type Listed = { readonly server_id: string; readonly state: string; readonly is_this: boolean; readonly agents: readonly string[] };

type Running = {
  readonly child: ChildProcess;
  readonly url: string;
  readonly post: (path: string, body: object) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
  readonly servers: () => Promise<readonly Listed[]>;
  readonly others: () => Promise<readonly Listed[]>;
  readonly isWell: () => Promise<true | null>;
  readonly presence: (agent: string) => Promise<unknown>;
};

const serve = async (database: string, settings: object = {}): Promise<Running> => {
  const home = testHome();
  mkdirSync(join(home.folder, 'home'), { mode: 0o700 });
  writeFileSync(join(home.folder, 'home/settings.json'), JSON.stringify(settings));
  const child = home.start('start', '--no-open', '--port', '0', '--db', database);
  const url = await addressOf(child);
  const token = readFileSync(join(home.folder, 'home/operator.token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' };
  const ask = async (path: string, more: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, { headers, ...more });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const servers = async (): Promise<readonly Listed[]> => (await ask('/api/v1/servers')).body['servers'] as readonly Listed[];
  return {
    child,
    url,
    post: (path, body) => ask(`/api/v1${path}`, { method: 'POST', body: JSON.stringify(body) }),
    get: (path) => ask(`/api/v1${path}`),
    servers,
    others: async () => (await servers()).filter((one) => !one.is_this),
    isWell: async () => ((await fetch(`${url}/healthz`)).status === 200 ? true : null),
    presence: async (agent) => {
      const { items } = (await ask('/api/v1/agents')).body as {
        readonly items: readonly { readonly agent_id: string; readonly availability: string }[];
      };
      return items.find(({ agent_id: id }) => id === agent)?.availability ?? null;
    },
  };
};

const boardOn = ({ url }: Postgres, name: string): string => `${url}${url.includes('?') ? '&' : '?'}board=${name}`;

const stop = async ({ child }: Running): Promise<void> => {
  child.kill('SIGTERM');
  await ended(child);
};

test('[MANY-16] a killed server is told apart from one that left: its agents go offline, and the others do what it would have done', async ({
  skip,
}) => {
  if (postgres === null) {
    skip(NONE);
    return;
  }
  const database = boardOn(postgres, 'many');
  const [mortal, other] = [await serve(database), await serve(database)];
  const { token } = (await mortal.post('/agents', { agent_id: 'scout' })).body as { readonly token: string };
  const socket = new WebSocket(`${mortal.url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } });
  socket.on('error', () => {});
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: 1 })));
  await until(async () => ((await other.presence('AGENT-scout')) === 'available' ? true : null));
  await until(async () => ((await other.others()).some(({ state, agents }) => state === 'up' && agents.includes('AGENT-scout')) ? true : null));
  await expect.poll(() => other.servers()).toHaveLength(2);
  expect(await mortal.post('/sidebars', { parent_id: null, task_description: 'wait for it' })).toMatchObject({ status: 200 });
  const waiting = await mortal.post('/sidebars/SB-1/waiting', { waiting_for: 'somebody', timeout_seconds: 1 });
  mortal.child.kill('SIGKILL');
  await ended(mortal.child);
  expect(waiting).toMatchObject({ status: 200 });
  await until(async () => ((await other.get('/sidebars/SB-1')).body['status'] === 'FAILED' ? true : null));
  await until(async () => ((await other.others()).some(({ state }) => state === 'lost') ? true : null));
  await until(async () => ((await other.presence('AGENT-scout')) === 'offline' ? true : null));
  const third = await serve(database);
  await until(async () => ((await other.others()).some(({ state }) => state === 'up') ? true : null));
  await stop(third);
  await until(async () => ((await other.others()).every(({ state }) => state === 'lost') ? true : null));
  await expect.poll(() => other.others()).toHaveLength(1);
  await stop(other);
});

test('[MANY-22] a Redis that is killed is reported; nothing is lost by it, servers hear of each other all the same, and go on with it when it is back', async ({
  skip,
}) => {
  if (postgres === null || redis?.kill == null || redis.revive === null) {
    skip(NONE);
    return;
  }
  const database = boardOn(postgres, 'redis');
  const [one, other] = [await serve(database, { redis: redis.url }), await serve(database, { redis: redis.url })];
  const isUp = async (): Promise<unknown> => ((await one.get('/servers')).body['redis'] as { readonly is_up: boolean } | null)?.is_up;
  await until(async () => ((await isUp()) === true ? true : null));
  expect(await one.post('/sidebars', { parent_id: null, task_description: 'before' })).toMatchObject({ status: 200 });
  await redis.kill();
  await until(async () => ((await isUp()) === false ? true : null));
  await expect
    .poll(async () => (await one.get('/status')).body['failing'])
    .toMatchObject([{ name: 'redis', effect: expect.stringContaining('up to a second later') as string }]);
  expect(await one.post('/sidebars/SB-1/messages', { content: 'without it' })).toMatchObject({ status: 200 });
  await until(async () => {
    const { items } = (await other.get('/sidebars')).body as { readonly items: readonly { readonly messages: number }[] };
    return items[0]?.messages === 1 ? true : null;
  });
  await redis.revive();
  await until(async () => ((await isUp()) === true ? true : null));
  await until(async () => ((await one.get('/status')).body['failing'] === undefined ? true : null));
  expect(await other.post('/sidebars/SB-1/messages', { content: 'with it' })).toMatchObject({ status: 200 });
  await Promise.all([stop(one), stop(other)]);
});

test('[MANY-23] what a killed server had queued is seen by every operator in Redis, and two servers that replay it at once put it there exactly once', async ({
  skip,
}) => {
  if (postgres?.kill == null || postgres.revive === null || redis === null) {
    skip(NONE);
    return;
  }
  const database = boardOn(postgres, 'queue');
  const serveWithRedis = (): Promise<Running> => serve(database, { redis: redis?.url });
  const [mortal, other, rival] = [await serveWithRedis(), await serveWithRedis(), await serveWithRedis()];
  expect(await mortal.post('/sidebars', { parent_id: null, task_description: 'talk on' })).toMatchObject({ status: 200 });
  expect(await mortal.post('/sidebars/SB-1/messages', { content: 'before' })).toMatchObject({ status: 200 });
  await postgres.kill();
  for (const content of ['one', 'two', 'three']) {
    expect(await mortal.post('/sidebars/SB-1/messages', { content })).toMatchObject({ status: 202, body: { queued: true } });
  }
  type Caches = { readonly caches: readonly { readonly cache_id: string; readonly own: boolean; readonly writes: { readonly pending: number } }[] };
  const cached = await until(async () => {
    const { caches } = (await other.get('/recovery')).body as Caches;
    return caches.find(({ own, writes }) => !own && writes.pending === 3) ?? null;
  });
  mortal.child.kill('SIGKILL');
  await ended(mortal.child);
  await postgres.revive();
  await Promise.all([until(other.isWell), until(rival.isWell)]);
  expect(await other.post(`/recovery/${cached.cache_id}/replay`, {})).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('other_home') as string },
  });
  const replays = await Promise.all([other, rival].map((server) => server.post(`/recovery/${cached.cache_id}/replay`, { other_home: true })));
  // Whoever comes later finds it known, or all of it resolved.
  const done = replays.filter(({ status }) => status === 200).map(({ body }) => body);
  expect(done.length).toBeGreaterThan(0);
  expect(replays.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  expect(done).toMatchObject(done.map(() => ({ is_resolved: true, writes: { pending: 0, conflict: 0, discarded: 0 } })));
  expect(await other.post(`/recovery/${cached.cache_id}/replay`, { other_home: true })).toMatchObject({ status: 409 });
  await Promise.all([stop(other), stop(rival)]);
  const store = await openStore(database, { prices: DEFAULT_PRICES, now: () => 0, newId: () => 'x', readOnly: true });
  await expectWhole(store);
  const payloads = await store.log.payloadsOf(await store.log.positionsOfType('chat.message'));
  expect([...payloads.values()].map((bytes) => (JSON.parse(Buffer.from(bytes).toString()) as { readonly content: string }).content)).toEqual([
    'before',
    'one',
    'two',
    'three',
  ]);
  const ends = await store.log.entriesAt(await store.log.positionsOfType('emergency.recorded'));
  expect(ends.filter(({ note }) => note === cached.cache_id)).toHaveLength(1);
  await store.close();
});
