import { openRedis, type Redis } from '@yarnboard/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../tests/home.ts';
import { findRedis, type TestRedis } from '../../../tests/redis.ts';
import { createWakeUps } from '../src/wake-ups.ts';

let redis: TestRedis | null = null;
beforeAll(async () => {
  redis = await findRedis();
  if (redis === null && process.env['CI'] !== undefined) throw new Error('no Redis to test with');
});
afterAll(async () => {
  await redis?.stop();
});

const NONE = 'no Redis here: set YARNBOARD_TEST_REDIS, or install it';

const openOne = async (url: string, boardId: string, run: string, prefix = '') => {
  const line = openRedis({ url, now: () => Date.now() });
  await until(() => (line.state().isUp ? true : null));
  const heard: (number | string)[] = [];
  const wakeUps = createWakeUps({
    redis: line,
    prefix,
    boardId,
    run,
    onCommitted: (position) => void heard.push(position),
    onServers: () => void heard.push('servers'),
  });
  return { line, heard, ...wakeUps };
};

/** Whatever was published before it has arrived when this comes back. */
const settle = async (lines: readonly Redis[], name: string): Promise<void> => {
  const back = new Set<Redis>();
  for (const line of lines) line.subscribe(name, () => void back.add(line));
  await until(() => {
    lines[0]?.publish(name, 'now');
    return back.size === lines.length ? true : null;
  });
};

test('[MANY-21] servers of one board wake each other through Redis: what was committed, and that somebody came or went; nobody wakes itself', async ({
  skip,
}) => {
  if (redis === null) {
    skip(NONE);
    return;
  }
  const board = `board-${process.pid}`;
  const [one, other, elsewhere, beside] = [
    await openOne(redis.url, board, 'run-1'),
    await openOne(redis.url, board, 'run-2'),
    await openOne(redis.url, `${board}-2`, 'run-3'),
    await openOne(redis.url, board, 'run-4', 'beside:'),
  ];
  const all = [one, other, elsewhere, beside];
  await settle(all.map(({ line }) => line), `ready-${board}`); // prettier-ignore
  one.tellCommitted(7);
  one.tellServers();
  // What no server of ours says is no position.
  for (const text of ['run-9 -1', 'run-9', 'run-9 1e99', '{"a":1}', '']) one.line.publish(`yarnboard:${board}:committed`, text);
  other.tellCommitted(8);
  await settle(all.map(({ line }) => line), `done-${board}`); // prettier-ignore
  expect(one.heard).toEqual([8]);
  expect(other.heard).toEqual([7, 'servers']);
  expect([...elsewhere.heard, ...beside.heard]).toEqual([]);
  for (const { line } of all) line.close();
});
