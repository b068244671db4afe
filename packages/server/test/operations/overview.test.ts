import { beforeAll, expect, test } from 'vitest';
import { createStorage } from '../../src/operations/storage.ts';
import { makeBoard, type TestBoard } from './boards.ts';
import { prompt, reply, type Fields } from './records.ts';

const ONE = '11111111-0000-4000-8000-000000000001';

const spending = (uuid: string, day: string, model: string, output: number, more: Fields = {}): Fields => ({
  ...reply(uuid, 'p', 0, 'hm', more),
  timestamp: `${day}T10:00:00Z`,
  message: { id: `m-${uuid}`, role: 'assistant', model, content: [{ type: 'text', text: 'hm' }], usage: { ['output_tokens']: output } },
});

const OPUS = 'claude-opus-4-5';
const HAIKU = 'claude-haiku-4-5';

let board: TestBoard;
beforeAll(async () => {
  const inAgent = { isSidechain: true, agentId: 'a1', sessionId: ONE };
  board = await makeBoard({
    files: {
      [`-p/${ONE}.jsonl`]: [prompt('p', null, 0, 'go'), spending('r1', '2026-03-14', OPUS, 1000), spending('r2', '2026-03-15', OPUS, 2000)],
      [`-p/${ONE}/subagents/agent-a1.jsonl`]: [prompt('x', null, 0, 'count', inAgent), spending('x1', '2026-03-14', HAIKU, 4000, inAgent)],
      [`-p/${ONE}/subagents/agent-a1.meta.json`]: [{ agentType: 'Explore' }],
      [`-p/${ONE}/subagents/agent-a2.jsonl`]: [spending('y1', '2026-03-15', HAIKU, 200, { ...inAgent, agentId: 'a2' })],
    },
  });
});

type Row = { readonly day?: string; readonly key: string; readonly responses: number; readonly cost_usd: number };
const short = (rows: readonly Row[]): readonly unknown[] =>
  rows.map(({ day, key, responses, cost_usd: cost }) => [...(day === undefined ? [] : [day]), key, responses, cost]);

test('[API-35] what was spent is broken down by the main thread and by the kinds of sub-agents', async () => {
  const { by_agent: byAgent, by_day_split: byDaySplit, totals } = await board.get('stats');
  expect(short(byAgent)).toEqual([
    ['main', 2, 0.075],
    ['Explore', 1, 0.02],
    ['sub-agent', 1, 0.001],
  ]);
  expect(byAgent.reduce((sum, { cost_usd: cost }) => sum + cost, 0)).toBeCloseTo(totals.cost_usd, 9);
  expect(byDaySplit).toEqual([]);
});

test('[API-35] the days are broken down by model, project or agent, where somebody asks, within the same time', async () => {
  const split = async (by: string, more: object = {}): Promise<readonly unknown[]> =>
    short((await board.get('stats', { split: by, ...more })).by_day_split);
  expect(await split('model')).toEqual([
    ['2026-03-14', HAIKU, 1, 0.02],
    ['2026-03-14', OPUS, 1, 0.025],
    ['2026-03-15', HAIKU, 1, 0.001],
    ['2026-03-15', OPUS, 1, 0.05],
  ]);
  expect(await split('agent', { until: '2026-03-14' })).toEqual([
    ['2026-03-14', 'main', 1, 0.025],
    ['2026-03-14', 'Explore', 1, 0.02],
  ]);
  expect(await split('project', { since: '2026-03-15' })).toEqual([['2026-03-15', '/home/ada/loom', 2, 0.051]]);
  expect(await board.problem('/api/v1/stats?split=weather')).toMatchObject({ code: 'bad-request' });
});

test('[API-36] the status tells what is watched and what the database takes up', async () => {
  const { roots, storage } = await board.get('status');
  expect(roots).toEqual([`${board.folder}/projects`]);
  expect(storage.payload_bytes).toBeGreaterThan(500);
  expect(storage.bytes).toBeGreaterThan(storage.payload_bytes);
});

test('[API-36] storage is not counted again for everybody who asks, but after half a minute, while nobody waits, or when it could not be counted', async () => {
  let [at, counts, isDown] = [0, 0, false];
  const size = async (): Promise<{ readonly bytes: number; readonly payloadBytes: number }> => {
    counts += 1;
    if (isDown) throw new Error('no database');
    return { bytes: counts, payloadBytes: 0 };
  };
  const storage = createStorage({ size }, () => at);
  expect([(await storage()).bytes, (await storage()).bytes]).toEqual([1, 1]);
  at = 30_000;
  expect((await storage()).bytes).toBe(1);
  await expect.poll(async () => (await storage()).bytes).toBe(2);
  at = 60_000;
  isDown = true;
  expect((await storage()).bytes).toBe(2);
  await expect.poll(() => storage().catch((cause: unknown) => cause)).toEqual(new Error('no database'));
  isDown = false;
  const last = counts + 1;
  expect([(await storage()).bytes, (await storage()).bytes]).toEqual([last, last]);
});
