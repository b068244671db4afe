import { expect, test } from 'vitest';
import { createApp } from '../../src/doors/http/app.ts';
import { createMeters } from '../../src/doors/http/metrics.ts';
import type { FollowerState } from '../../src/followers/runner.ts';
import { createCount, createShared } from '../../src/operations/request/questions.ts';
import { counterOn } from '../../src/threads/counter.ts';
import { makeBoard } from '../operations/boards.ts';

const ADDRESS = '127.0.0.1:4747';

test('[FOLLOW-7] what follows the log is counted by name, and a failure is reported with its reason and since when', async () => {
  const { board, ask } = await makeBoard({ files: {} });
  const metrics = await (await ask('/metrics')).text();
  for (const name of ['listeners', 'turns', 'symptoms', 'duties']) expect(metrics).toContain(`yarnboard_follower_failing{follower="${name}"} 0`);
  expect(await (await ask('/healthz')).json()).not.toHaveProperty('failing');

  const why = 'the disk is full; sk-ant-api03-q7wm2kx9lp4vt8rb3nc6yd1hf5jg0zAAAAAAAAAA';
  const followers: readonly FollowerState[] = [
    { name: 'search', passes: 3, failure: { why, since: Date.parse('2026-01-04T09:00:00Z'), times: 2 } },
    { name: 'duties', passes: 4, failure: null },
  ];
  const app = createApp({
    needs: {
      store: board.store,
      engine: { readOnly: () => null },
      pending: () => [],
      servers: () => ({ seenAt: null, servers: [], redis: null }),
      storage: () => board.store.log.size(),
      count: createCount(
        counterOn(board.store),
        createShared(async () => (await board.store.log.head()).count),
      ),
      state: () => ({
        live: { kind: 'watching', watched: 0 },
        progress: null,
        troubles: [],
        version: '0',
        pid: 0,
        startedAt: 0,
        home: '',
        database: '',
        roots: [],
      }),
      sweptMedia: () => ({ uploads: 0, files: 0, bytes: 0 }),
      clients: () => ({ clients: 0, frames: 0, bytes: 0, droppedSlow: 0, dropped: 0, refused: 0, lag: 0 }),
      followers: () => followers,
      recovery: { news: () => null, startup: () => ({ state: 'CLEAN', alert: null, unresolved: [], others: [] }) },
    },
    door: { token: '', port: () => 4747, memberWith: () => null },
    meters: createMeters(),
    perform: () => Promise.reject(new Error('nothing else is asked')),
    onFault: (cause) => {
      throw cause;
    },
  });
  const get = (path: string) => app.request(`http://${ADDRESS}${path}`, { headers: { host: ADDRESS } });
  const health = await get('/healthz');
  expect(health.status).toBe(200);
  const told: unknown = await health.json();
  expect(told).toMatchObject({
    status: 'ok',
    failing: [{ name: 'search', effect: 'Search doesn’t find new entries', since: '2026-01-04T09:00:00.000Z' }],
  });
  expect(JSON.stringify(told)).toContain('the disk is full');
  expect(JSON.stringify(told)).not.toContain('AAAAAAAA');
  const counted = await (await get('/metrics')).text();
  expect(counted).toContain('yarnboard_follower_failing{follower="search"} 1');
  expect(counted).toContain('yarnboard_follower_passes_total{follower="duties"} 4');
});
