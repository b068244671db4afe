import { SYSTEM } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { crashDuties } from '../../src/followers/crash-duties.ts';
import { AGENT, openEngine, register, say, spawn } from '../engine/bench.ts';

test('[CRASH-1] an agent that is gone for a minute is told to its coordinator once, with its last words, however often it is looked at', async () => {
  const bench = await openEngine();
  await bench.run(register('scout'));
  await bench.run(spawn('look', { participants: ['scout'] }));
  await bench.run(say('SB-1', 'I look at the pool'), { actor: AGENT });
  await bench.run(say('SB-1', 'go on'));
  await bench.run({ type: 'finding.submit', sidebar: 'SB-1', content: 'The pool has 10 connections.' }, { actor: AGENT });
  const there = (status: 'available' | 'offline') => bench.run({ type: 'agent.presence', agent: 'scout', status }, { actor: SYSTEM });
  const duties = crashDuties({ engine: bench.engine, log: bench.store.log, now: () => bench.clock.now });
  const look = async (): Promise<void> => void (await duties.pass(new AbortController().signal));
  const told = () =>
    bench.engine
      .board()
      .notices.get('AGENT-operator')
      ?.filter(({ kind }) => kind === 'left') ?? [];
  const owner = () => bench.sidebar('SB-1').scratchpad.findings[0]?.owner;
  await there('available');
  await there('offline');
  bench.clock.now += 59_999;
  await look();
  expect(told()).toEqual([]);
  bench.clock.now += 1;
  await look();
  await look();
  expect(told()).toHaveLength(1);
  expect(told()[0]?.refs).toEqual(['SB-1', 'SCRATCH-1:FINDING-1', 'MSG-1']);
  expect(owner()).toBe('AGENT-operator');
  await there('available');
  expect(owner()).toBeNull();
  // Gone again is another time.
  await there('offline');
  bench.clock.now += 60_000;
  await look();
  expect([told().length, owner()]).toEqual([2, 'AGENT-operator']);
});
