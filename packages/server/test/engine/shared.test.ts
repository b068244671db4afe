import { randomUUID } from 'node:crypto';
import { OPERATOR, type Command } from '@yarnboard/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, type Postgres } from '../../../../tests/postgres.ts';
import { idOf, keyOf } from '../../src/engine/command-ids.ts';
import type { Outcome } from '../../src/engine/outcomes.ts';
import { dumpOf, foldOf, newMessageId, NOON, openBoardStore, openEngine, openSqliteBoard, say, spawn, type EngineBench } from './bench.ts';

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

const SIDEBARS = ['SB-1', 'SB-2', 'SB-3', 'SB-4'] as const;

/** The n-th thing that one of two servers is asked to do: talk, findings, moves that only one of them can make, children. */
const commandFor = (n: number): Command => {
  const sidebar = SIDEBARS[n % SIDEBARS.length] ?? 'SB-1';
  switch (n % 7) {
    case 0:
      return { type: 'sidebar.pause', sidebar, reason: `pause ${n}` };
    case 1:
      return { type: 'sidebar.resume', sidebar };
    case 2:
      return { type: 'finding.submit', sidebar, content: `finding ${n}` };
    case 3:
      return { type: 'finding.validate', sidebar, finding: String((n % 5) + 1), status: 'confirmed' };
    case 4:
      return { type: 'sidebar.spawn-child', sidebar, upTo: null, task: `child ${n}` };
    default:
      return say(sidebar, `message ${n}`);
  }
};

type Told = { readonly messageId: string; readonly outcome: Outcome };

const work = async (bench: EngineBench, offset: number): Promise<readonly Told[]> => {
  const told: Promise<Told>[] = [];
  for (let n = 0; n < 200; n += 1) {
    const messageId = newMessageId();
    told.push(bench.ask(commandFor(n + offset), { messageId }).then((outcome) => ({ messageId, outcome })));
    // Not all at once: they would be one commit.
    if (n % 5 === 4) await told.at(-1);
  }
  return Promise.all(told);
};

describe.each(['sqlite', 'postgres'] as const)('two servers on one board, on %s', (kind) => {
  test('[ENGINE-6] decide 200 things each: whatever was answered is on the log, and both boards are what the log says', async ({ skip }) => {
    const database = await databaseFor(kind);
    if (database === null) {
      skip('no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it');
      return;
    }
    const clock = { now: NOON };
    const one = await openEngine({ store: await openBoardStore(database, clock), clock });
    for (const name of SIDEBARS) await one.run(spawn(name));
    const other = await openEngine({ store: await openBoardStore(database, clock), clock });
    const told = (await Promise.all([work(one, 0), work(other, 3)])).flat();
    await Promise.all([one.engine.follow(), other.engine.follow()]);
    const board = dumpOf(await foldOf(one.store));
    expect(dumpOf(one.engine.board())).toEqual(board);
    expect(dumpOf(other.engine.board())).toEqual(board);
    for (const { messageId, outcome } of told) {
      const entry = await one.store.log.entryByUuid(idOf(keyOf(OPERATOR.id, messageId), 0));
      expect(entry !== null).toBe(outcome.kind === 'done');
    }
    const kinds = told.map(({ outcome }) => outcome.kind);
    expect(kinds.filter((one_) => one_ === 'done').length).toBeGreaterThan(200);
    expect([...new Set(kinds)].sort()).toEqual(['done', 'rejected']);
    expect([...one.faults, ...other.faults]).toEqual([]);
  });

  test('[ENGINE-4] what is sent to both is done by one of them', async ({ skip }) => {
    const database = await databaseFor(kind);
    if (database === null) {
      skip('no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it');
      return;
    }
    const clock = { now: NOON };
    const one = await openEngine({ store: await openBoardStore(database, clock), clock });
    await one.run(spawn());
    const other = await openEngine({ store: await openBoardStore(database, clock), clock });
    for (let n = 0; n < 20; n += 1) {
      const messageId = newMessageId();
      const outcomes = await Promise.all([one, other].map((bench) => bench.ask(say('SB-1', `message ${n}`), { messageId })));
      expect(outcomes.map(({ kind: how }) => how).sort()).toEqual(['done', 'duplicate']);
    }
    await one.engine.follow();
    expect(one.sidebar('SB-1').messages).toBe(20);
  });
});
