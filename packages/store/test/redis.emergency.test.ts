import { withAdditions, type EmergencyDocument } from '@yarnboard/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyAddition } from '../../domain/test/recovery/random-additions.ts';
import { anyDocument } from '../../domain/test/recovery/random-documents.ts';
import { until } from '../../../tests/home.ts';
import { findRedis, type TestRedis } from '../../../tests/redis.ts';
import { redisPlace } from '../src/emergency/broadcast.ts';
import { openRedis, type Redis } from '../src/redis/connection.ts';
import { describePlace, type PlaceBench } from '../src/testing/emergency.ts';

let redis: TestRedis | null = null;
beforeAll(async () => {
  redis = await findRedis();
  if (redis === null && process.env['CI'] !== undefined) throw new Error('no Redis to test with');
});
afterAll(async () => {
  await redis?.stop();
});

const NONE = 'no Redis here: set YARNBOARD_TEST_REDIS, or install it';
let benches = 0;

const connect = async (): Promise<Redis | null> => {
  if (redis === null) return null;
  const line = openRedis({ url: redis.url, now: () => Date.now() });
  await until(() => (line.state().isUp ? true : null));
  return line;
};

const openBench = async (): Promise<PlaceBench | null> => {
  const line = await connect();
  if (line === null) return null;
  benches += 1;
  const prefix = `bench-${process.pid}-${benches}:`;
  return {
    open: () => redisPlace(line, prefix),
    spoil: async (cacheId, change) => {
      const key = `${prefix}emergency:${cacheId}`;
      await line.send(['SET', key, change(String(await line.send(['GET', key])))]);
    },
    end: () => {
      line.close();
      return Promise.resolve();
    },
  };
};

describePlace(openBench, { documents: (cacheId) => anyDocument(cacheId), addition: anyAddition }, NONE);

test('[REC-5] a document that another server rewrites while it is read is found with everything that was added to it', async ({ skip }) => {
  const line = await connect();
  if (line === null) {
    skip(NONE);
    return;
  }
  const prefix = `torn-${process.pid}:`;
  const [[document, additions] = []] = fc.sample(fc.tuple(anyDocument('EC-1'), fc.array(anyAddition, { minLength: 3, maxLength: 3 })), 1);
  if (document === undefined || additions === undefined) throw new Error('no sample');
  const whole = withAdditions(document, additions);
  const writer = redisPlace(line, prefix);
  await writer.write(document);
  await writer.add('EC-1', additions);
  // Rewritten as soon as the reader has seen anything of it.
  const reader = redisPlace(
    {
      state: line.state,
      send: async (command) => {
        const answer = await line.send(command);
        if (command[0] !== 'SMEMBERS') await writer.write(whole);
        return answer;
      },
    },
    prefix,
  );
  expect((await reader.find()).documents).toEqual([whole]);
  await writer.remove('EC-1');
  line.close();
});

test('[REC-12] emergency:active stands as long as any server has an unresolved cache, and its end is reported to whoever listens', async ({
  skip,
}) => {
  const line = await connect();
  if (line === null) {
    skip(NONE);
    return;
  }
  const prefix = `active-${process.pid}:`;
  const [one, other] = [redisPlace(line, prefix), redisPlace(line, prefix)];
  const [first] = fc.sample(anyDocument('EC-1'), 1) as [EmergencyDocument];
  const [second] = fc.sample(anyDocument('EC-2'), 1) as [EmergencyDocument];
  const heard: unknown[] = [];
  line.subscribe(`${prefix}system:emergency_resolved`, (text) => heard.push(JSON.parse(text)));
  await until(async () => ((await line.send(['PUBSUB', 'NUMSUB', `${prefix}system:emergency_resolved`])) as readonly unknown[])[1] === 1 || null);
  const open = { resolvedAt: null, sidebarSnapshots: {}, reason: 'working_memory_down' } as const;
  const active = (): Promise<unknown> => line.send(['GET', `${prefix}emergency:active`]);
  await one.write({ ...first, ...open });
  await other.write({ ...second, ...open });
  expect(await active()).toBe('Working memory down since 14:32, 0 sidebars cached');
  await one.write({ ...first, resolvedAt: '2026-01-03T00:00:00.000Z', resolutionNotes: 'replayed' });
  expect(await active()).not.toBeNull();
  await other.write({ ...second, resolvedAt: '2026-01-03T00:00:00.000Z', resolutionNotes: null });
  expect(await active()).toBeNull();
  await until(() => (heard.length === 2 ? true : null));
  expect(heard[0]).toEqual({ cache_id: 'EC-1', reason: first.reason, resolved_at: '2026-01-03T00:00:00.000Z', resolution_notes: 'replayed' });
  line.close();
});
