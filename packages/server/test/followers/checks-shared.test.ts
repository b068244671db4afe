import { randomUUID } from 'node:crypto';
import { rowsOf } from '@yarnboard/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, type Postgres } from '../../../../tests/postgres.ts';
import { automaticChecks } from '../../src/followers/checks.ts';
import { createChecker } from '../../src/validators/checker.ts';
import { createClaimChecks } from '../../src/validators/claim-checks.ts';
import { NOON, openBoardStore, openEngine, openSqliteBoard, say, spawn, type EngineBench } from '../engine/bench.ts';

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await findPostgres();
  if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
});
afterAll(async () => {
  await postgres?.stop();
});

const databaseFor = async (kind: 'sqlite' | 'postgres'): Promise<string | null> => {
  if (kind === 'sqlite') return (await openSqliteBoard()).database;
  if (postgres === null) return null;
  return `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=test_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
};

const PLACE = { roots: { folders: [], closed: [], problems: [] }, cwd: null, services: [], mayAskContainers: false, ownPids: [], calls: null };

const followerOf = ({ engine }: EngineBench, clock: { now: number }) => {
  const checker = createChecker({ command: null, now: () => clock.now });
  const checks = createClaimChecks({ engine, checker, placeFor: async () => PLACE, now: () => clock.now });
  return { follower: automaticChecks({ engine, checks }), checks };
};

const signal = new AbortController().signal;
const drain = async ({ engine }: EngineBench, { follower }: ReturnType<typeof followerOf>): Promise<void> => {
  await engine.follow();
  for (let passes = 0; passes < 20 && (await follower.pass(signal)) === 0; passes += 1);
};

const runsOf = (bench: EngineBench): number => rowsOf(bench.engine.board().validations).length;

describe.each(['sqlite', 'postgres'] as const)('checks of two servers on one board, on %s', (kind) => {
  test('[VAL-10] each claim has one result, whichever of them looked first, also after a restart', async ({ skip }) => {
    const database = await databaseFor(kind);
    if (database === null) {
      skip('no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it');
      return;
    }
    const clock = { now: NOON };
    const one = await openEngine({ store: await openBoardStore(database, clock), clock });
    await one.run({ type: 'validation.configure', isOn: true, allowed: ['file_exists'] });
    await one.run(spawn());
    await one.run(say('SB-1', 'The file src/a.ts exists. The file src/b.ts exists. The file src/c.ts is there.'));
    clock.now += 1000;
    await one.run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'closer' });
    const other = await openEngine({ store: await openBoardStore(database, clock), clock });
    const both = [one, other].map((bench) => [bench, followerOf(bench, clock)] as const);
    await Promise.all(both.map(([bench, follower]) => drain(bench, follower)));
    await Promise.all([one.engine.follow(), other.engine.follow()]);
    expect([runsOf(one), runsOf(other)]).toEqual([3, 3]);
    const again = await openEngine({ store: await openBoardStore(database, clock), clock });
    await drain(again, followerOf(again, clock));
    expect(runsOf(again)).toBe(3);
    expect([...one.faults, ...other.faults, ...again.faults]).toEqual([]);
  });

  test('[AUTO-3] the curator’s word and the merge are one: when it cannot be kept, neither is there, and asked again it merges once', async ({
    skip,
  }) => {
    const database = await databaseFor(kind);
    if (database === null) {
      skip('no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it');
      return;
    }
    const clock = { now: NOON };
    const bench = await openEngine({ store: await openBoardStore(database, clock), clock });
    await bench.run(spawn());
    await bench.run(say('SB-1', 'Have a look at the queue'));
    const prepare = async (sidebar: string): Promise<void> => {
      await bench.run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'Is the queue empty?', taskType: 'status_check' });
      await bench.run({ type: 'finding.submit', sidebar, content: 'The queue is empty.', sourceRefs: ['MSG-1'] });
      await bench.run({ type: 'finding.validate', sidebar, finding: 'FINDING-1', status: 'confirmed' });
      await bench.run({ type: 'sidebar.consolidate', sidebar });
    };
    await prepare('SB-2');
    await bench.run({ type: 'merge.check', sidebar: 'SB-2', isFit: true });
    await bench.run({ type: 'sidebar.merge', sidebar: 'SB-2' });
    await bench.run({ type: 'automerge.configure', isEnabled: true, allowedTaskTypes: ['status_check'], requiredApprovals: 1 });
    await prepare('SB-3');
    const messageId = randomUUID();
    bench.gate = () => Promise.reject(new Error('killed'));
    await expect(bench.ask({ type: 'merge.check', sidebar: 'SB-3', isFit: true }, { messageId })).rejects.toThrow('killed');
    const after = await openEngine({ store: await openBoardStore(database, clock), clock });
    expect([after.sidebar('SB-3').status, after.sidebar('SB-3').merge?.checks]).toEqual(['CONSOLIDATING', []]);
    await after.run({ type: 'merge.check', sidebar: 'SB-3', isFit: true }, { messageId });
    expect(await after.ask({ type: 'merge.check', sidebar: 'SB-3', isFit: true }, { messageId })).toMatchObject({ kind: 'duplicate' });
    expect(after.sidebar('SB-3').status).toBe('MERGED');
    expect(rowsOf(after.engine.board().mergeRecords).filter(({ config }) => config !== null)).toHaveLength(1);
  });
});
