import { randomUUID } from 'node:crypto';
import { SYSTEM } from '@yarnboard/domain';
import { openServers, type ServersPort } from '@yarnboard/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../tests/home.ts';
import { findPostgres, type Postgres } from '../../../../tests/postgres.ts';
import { createCompany, type Company, type CompanyTiming } from '../../src/followers/company.ts';
import { NOON, openBoardStore, openEngine, register, type EngineBench } from '../engine/bench.ts';

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await findPostgres();
  if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
});
afterAll(async () => {
  await postgres?.stop();
});

const NONE = 'no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it';
const signal = new AbortController().signal;

type Member = EngineBench & {
  readonly company: Company;
  readonly leases: ServersPort;
  readonly lease: { readonly id: string; readonly run: string; readonly host: string; readonly version: string };
  readonly here: Set<string>;
  readonly missed: string[];
  readonly pass: () => Promise<void>;
};

type Stage = { readonly open: (id: string, timing?: Partial<CompanyTiming>) => Promise<Member>; readonly steady: { now: number } };

const openStage = (): Stage | null => {
  if (postgres === null) return null;
  const database = `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=test_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const clock = { now: NOON };
  const steady = { now: 0 };
  return {
    steady,
    open: async (id, timing = { lasts: 3_600_000 }) => {
      const bench = await openEngine({ store: await openBoardStore(database, clock), clock });
      const leases = await openServers(database);
      if (leases === null) throw new Error('PostgreSQL has leases');
      const here = new Set<string>();
      const missed: string[] = [];
      const lease = { id, run: randomUUID(), host: `host of ${id}`, version: '1' };
      const company = createCompany({
        servers: leases,
        me: lease,
        engine: bench.engine,
        here: () => [...here],
        onMissed: (agent) => void missed.push(agent),
        now: () => steady.now,
        wallClock: () => clock.now,
        timing,
      });
      const pass = async (): Promise<void> => {
        await bench.engine.follow();
        await company.follower.pass(signal);
      };
      return { ...bench, company, leases, lease, here, missed, pass };
    },
  };
};

const presenceOf = ({ engine }: Member): string | undefined => engine.board().agents.get('AGENT-scout')?.presence;
const arrive = async (member: Member): Promise<void> => {
  member.here.add('AGENT-scout');
  await member.run({ type: 'agent.presence', agent: 'AGENT-scout', status: 'available' }, { actor: SYSTEM });
};

test('[MANY-14] servers are listed by leases that end by the database’s clock; a start of the same home takes its place', async ({ skip }) => {
  const stage = openStage();
  if (stage === null) {
    skip(NONE);
    return;
  }
  const [one, other] = [await stage.open('one'), await stage.open('other')];
  one.here.add('AGENT-scout');
  await one.pass();
  await other.pass();
  const seen = other.company.seen();
  expect(seen?.servers.map(({ id, host, agents }) => [id, host, agents])).toEqual([
    ['one', 'host of one', ['AGENT-scout']],
    ['other', 'host of other', []],
  ]);
  expect(seen?.servers.every(({ since, until: end }) => since <= (seen?.now ?? 0) && end > (seen?.now ?? 0))).toBe(true);
  // What the clocks of servers show does not matter.
  one.clock.now = 0;
  await one.pass();
  const before = one.company.seen()?.servers.find(({ id }) => id === 'one');
  expect(before?.since).toBe(seen?.servers[0]?.since);
  // Leaving is at once; what is left of an earlier start takes nobody off the list.
  await one.leases.leave({ id: 'other', run: 'an earlier one' });
  await one.leases.leave(one.lease);
  await other.pass();
  expect(other.company.seen()?.servers.map(({ id }) => id)).toEqual(['other']);
  for (const { leases } of [one, other]) await leases.close();
});

test('[MANY-15] an agent that no server answers for any more is offline, once, however many servers notice', async ({ skip }) => {
  const stage = openStage();
  if (stage === null) {
    skip(NONE);
    return;
  }
  const mortal = await stage.open('mortal', { lasts: 1 });
  const [one, other] = [await stage.open('one'), await stage.open('other')];
  await mortal.run(register('scout'));
  await arrive(mortal);
  await mortal.pass();
  // Its lease is over, and nobody hears of it again; for a while it may be on its way to another server.
  await until(async () => {
    await one.pass();
    const seen = one.company.seen();
    return seen !== null && seen.servers.some(({ id, until: end }) => id === 'mortal' && end <= seen.now) ? true : null;
  });
  await other.pass();
  expect(presenceOf(one)).toBe('available');
  stage.steady.now += 60_000;
  await Promise.all([one.pass(), other.pass()]);
  await Promise.all([one.pass(), other.pass()]);
  expect([presenceOf(one), presenceOf(other)]).toEqual(['offline', 'offline']);
  expect(one.engine.board().agents.get('AGENT-scout')?.absence).toMatchObject({ kind: 'lost' });
  expect(await one.store.log.positionsOfType('agent.presence')).toHaveLength(2);
  // It was only cut off: who is there is there again.
  await mortal.pass();
  expect(mortal.missed).toEqual(['AGENT-scout']);
  expect([...one.faults, ...other.faults, ...mortal.faults]).toEqual([]);
  for (const { leases } of [mortal, one, other]) await leases.close();
});

test('[MANY-15] whoever connects to another server in time was never gone, and whoever said that it goes is not called back', async ({ skip }) => {
  const stage = openStage();
  if (stage === null) {
    skip(NONE);
    return;
  }
  const [one, other] = [await stage.open('one'), await stage.open('other')];
  await one.run(register('scout'));
  await arrive(one);
  await one.pass();
  await one.leases.leave(one.lease);
  await other.pass();
  other.here.add('AGENT-scout');
  stage.steady.now += 60_000;
  await other.pass();
  expect(presenceOf(other)).toBe('available');
  await other.run({ type: 'agent.presence', agent: 'AGENT-scout', status: 'offline' }, { actor: { id: 'AGENT-scout', type: 'agent' } });
  await other.pass();
  expect(other.missed).toEqual([]);
  for (const { leases } of [one, other]) await leases.close();
});

test('[MANY-15] after the database was away nobody is taken for gone before everybody could say that they are there', async ({ skip }) => {
  const stage = openStage();
  if (stage === null) {
    skip(NONE);
    return;
  }
  const one = await stage.open('one');
  await one.run(register('scout'));
  await one.run({ type: 'agent.presence', agent: 'AGENT-scout', status: 'available' }, { actor: SYSTEM });
  await one.pass();
  let isAway = true;
  const company = createCompany({
    servers: { ...one.leases, renew: (lease, lasts) => (isAway ? Promise.reject(new Error('away')) : one.leases.renew(lease, lasts)) },
    me: one.lease,
    engine: one.engine,
    here: () => [],
    onMissed: () => {},
    now: () => stage.steady.now,
    wallClock: () => one.clock.now,
  });
  isAway = false;
  await company.follower.pass(signal);
  isAway = true;
  stage.steady.now += 60_000;
  await expect(company.follower.pass(signal)).rejects.toThrow('away');
  isAway = false;
  await company.follower.pass(signal);
  expect(presenceOf(one)).toBe('available');
  stage.steady.now += 60_000;
  await company.follower.pass(signal);
  expect(presenceOf(one)).toBe('offline');
  await one.leases.close();
});
