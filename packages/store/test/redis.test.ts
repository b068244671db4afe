import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../tests/home.ts';
import { freePort } from '../../../tests/postgres.ts';
import { findRedis, type TestRedis } from '../../../tests/redis.ts';
import { openRedis, type RedisState } from '../src/redis/connection.ts';
import { loadRedis } from '../src/redis/driver.ts';

let redis: TestRedis | null = null;
beforeAll(async () => {
  redis = await findRedis();
  if (redis === null && process.env['CI'] !== undefined) throw new Error('no Redis to test with');
});
afterAll(async () => {
  await redis?.stop();
});

const NONE = 'no Redis here: set YARNBOARD_TEST_REDIS, or install it';
const now = (): number => Date.now();
const upOf = (one: { readonly state: () => RedisState }, isUp = true) => until(() => (one.state().isUp === isUp ? true : null));

test('[MANY-13] what one server tells, the others hear; any command is answered', async ({ skip }) => {
  if (redis === null) {
    skip(NONE);
    return;
  }
  const [one, other] = [openRedis({ url: redis.url, now }), openRedis({ url: redis.url, now })];
  const heard: string[] = [];
  other.subscribe('board:news', (text) => heard.push(text)); // before it is connected
  await Promise.all([upOf(one), upOf(other)]);
  other.subscribe('board:more', (text) => heard.push(`more ${text}`)); // and after
  await until(
    async () =>
      ((await one.send(['PUBSUB', 'NUMSUB', 'board:news', 'board:more'])) as readonly unknown[]).filter((n) => n === 1).length === 2 || null,
  );
  one.publish('board:news', 'a commit');
  one.publish('board:more', 'words');
  await until(() => (heard.length === 2 ? true : null));
  expect(heard).toEqual(['a commit', 'more words']);
  expect(await one.send(['SET', 'key', 'ö'])).toBe('OK');
  expect(await other.send(['GET', 'key'])).toBe('ö');
  one.close();
  other.close();
});

test('[MANY-13] a Redis that is killed is reported as away with the reason, and is back by itself, listeners included', async ({ skip }) => {
  if (redis?.kill == null || redis.revive === null) {
    skip(redis === null ? NONE : 'this Redis is not ours to kill');
    return;
  }
  const told: RedisState[] = [];
  const one = openRedis({ url: redis.url, now, onChange: (state) => told.push(state) });
  const heard: string[] = [];
  one.subscribe('news', (text) => heard.push(text));
  await upOf(one);
  await redis.kill();
  await upOf(one, false);
  await expect(one.send(['PING'])).rejects.toThrow(/127\.0\.0\.1/u);
  expect(told.at(-1)).toMatchObject({ isUp: false, why: expect.stringContaining('Redis 127.0.0.1') as string });
  await redis.revive();
  await upOf(one);
  await until(async () => {
    one.publish('news', 'again');
    await new Promise((resolve) => setTimeout(resolve, 20));
    return heard.length > 0 ? true : null;
  });
  one.close();
});

test('[MANY-13] a Redis that hangs is reported as away, and is back when it goes on', async ({ skip }) => {
  if (redis?.pause == null || redis.resume === null) {
    skip(redis === null ? NONE : 'this Redis is not ours to stop');
    return;
  }
  const one = openRedis({ url: redis.url, now });
  await upOf(one);
  redis.pause();
  try {
    await upOf(one, false);
    expect(one.state().why).toContain('Redis 127.0.0.1');
  } finally {
    redis.resume();
  }
  await upOf(one);
  expect(one.state().why).toBeNull();
  one.close();
});

test('[MANY-13] where there is no Redis, or something else, it is said why, without the password, and nobody waits', async () => {
  const stranger = createServer((socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await new Promise<void>((resolve) => {
    stranger.listen(0, '127.0.0.1', resolve);
  });
  const address = stranger.address();
  const ports = [await freePort(), typeof address === 'object' && address !== null ? address.port : 0];
  for (const port of ports) {
    const told: RedisState[] = [];
    const one = openRedis({ url: `redis://somebody:hunter2secret@127.0.0.1:${port}/3`, now, onChange: (state) => told.push(state) });
    expect(one.name).toBe(`Redis 127.0.0.1:${port}/3`);
    await until(() => (told.length > 0 ? true : null));
    expect(one.state().isUp).toBe(false);
    expect(told[0]?.why).toContain(`Redis 127.0.0.1:${port}/3: `);
    expect(JSON.stringify(told)).not.toContain('hunter2secret');
    await expect(one.send(['PING'])).rejects.toThrow('Redis 127.0.0.1');
    one.publish('news', 'nobody hears this');
    one.close();
  }
  stranger.close();
});

test('[MANY-12] without the package, what to install is said', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(loadRedis(() => Promise.reject(missing))).rejects.toThrow('npm install @redis/client');
  await expect(loadRedis(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const one = openRedis({ url: 'redis://127.0.0.1:1', now, load: () => Promise.reject(missing) });
  await until(() => (one.state().why?.includes('npm install @redis/client') === true ? true : null));
  one.close();
});
