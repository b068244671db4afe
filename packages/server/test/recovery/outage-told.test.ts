import { SYSTEM, type EmergencyDocument, type Service } from '@yarnboard/domain';
import { StoreFault } from '@yarnboard/store';
import { describe, expect, test } from 'vitest';
import { idOf, keyOf } from '../../src/engine/command-ids.ts';
import { register, say, spawn } from '../engine/bench.ts';
import { AWAY, cutOff, openOutage } from './outage-bench.ts';

describe('a hiccup', () => {
  test('[REC-51] is tried again for a second, told as degraded, and nothing is queued', async () => {
    const bench = await openOutage();
    await bench.run(spawn());
    bench.log.fault = AWAY;
    const asked = bench.ask(say('SB-1', 'one'));
    await bench.reach('degraded');
    await bench.pass(300);
    bench.log.fault = null;
    await bench.pass(300);
    expect(await asked).toMatchObject({ kind: 'done' });
    expect([bench.watch.state().kind, bench.drawers[0].kept.size]).toEqual(['normal', 0]);
    expect(bench.told.emergencies).toMatchObject([{ state: 'degraded', blocked: [], pendingWrites: 0 }, { state: 'normal' }]);
  });

  test('[REC-76] what else is away is told and written down', async () => {
    const bench = await openOutage({}, undefined, () => ['redis']);
    await bench.run(spawn());
    bench.log.fault = AWAY;
    const asked = bench.ask(say('SB-1', 'one'));
    await bench.reach('emergency');
    await asked;
    expect(bench.told.emergencies.at(-1)?.servicesDown).toEqual(['working_memory', 'redis']);
    expect([...bench.drawers[0].kept.values()][0]?.servicesDown).toEqual(['working_memory', 'redis']);
  });

  test('[REC-89] with everything else away as well, the reason is that, and what cannot wait is refused as `emergency-only`', async () => {
    const down = new Set<Service>(['redis']);
    const bench = await openOutage({}, undefined, () => [...down]);
    await bench.run(spawn());
    bench.log.fault = AWAY;
    const asked = bench.ask(say('SB-1', 'one'));
    await bench.reach('emergency');
    await asked;
    expect(bench.watch.news()).toMatchObject({ reason: 'working_memory_down' });
    expect(await bench.ask(spawn('not now'))).toMatchObject({ kind: 'rejected', code: 'blocked-in-emergency' });
    down.add('episodic_memory');
    await bench.pass(2000);
    expect(bench.told.emergencies.at(-1)).toMatchObject({
      state: 'emergency',
      reason: 'all_services_down',
      servicesDown: ['working_memory', 'redis', 'episodic_memory'],
      message: 'All services down, operating in cached mode: no space left on device',
    });
    expect(await bench.ask(spawn('not now'))).toMatchObject({ kind: 'rejected', code: 'emergency-only', facts: { why: 'no space left on device' } });
    expect(await bench.ask(say('SB-1', 'two'))).toMatchObject({ kind: 'queued' });
    down.clear();
    bench.log.fault = null;
    await bench.reach('normal');
    expect(bench.watch.announced()).toBeNull();
  });

  test('[REC-89] a cache that is begun with everything away says so', async () => {
    const bench = await openOutage({}, undefined, () => ['episodic_memory', 'redis']);
    await bench.run(spawn());
    bench.log.fault = async () => {
      throw new StoreFault('exchanged', 'another database is there');
    };
    await bench.reach('emergency');
    expect(await bench.ask(say('SB-1', 'one'))).toMatchObject({ kind: 'queued' });
    expect([...bench.drawers[0].kept.values()]).toMatchObject([{ reason: 'all_services_down', pendingWrites: [{ n: 1 }] }]);
  });

  test('[REC-89] another service that is away is told by its own reason while the log goes on, and nothing waits', async () => {
    const down = new Set<Service>();
    const bench = await openOutage({}, undefined, () => [...down]);
    await bench.run(spawn());
    expect([bench.watch.announced(), bench.told.emergencies]).toEqual([null, []]);
    for (const [service, reason] of [
      ['redis', 'redis_lost'],
      ['episodic_memory', 'episodic_memory_down'],
    ] as const) {
      down.clear();
      down.add(service);
      await bench.pass(2000);
      expect(bench.told.emergencies.at(-1)).toMatchObject({ state: 'normal', reason, servicesDown: [service], blocked: [] });
      expect(bench.watch.announced()).toMatchObject({ state: 'normal', reason });
      expect(bench.watch.news()).toBeNull();
      expect(await bench.ask(say('SB-1', service))).toMatchObject({ kind: 'done' });
    }
    expect(bench.told.emergencies).toHaveLength(2);
    down.clear();
    await bench.pass(2000);
    expect(bench.told.emergencies.at(-1)).toMatchObject({ state: 'normal', reason: null, servicesDown: [], message: 'All services are back' });
    expect([bench.watch.announced(), bench.drawers[0].kept.size]).toEqual([null, 0]);
  });

  test('[REC-65] an outage is told when it begins and when it is over', async () => {
    const bench = await cutOff();
    expect(bench.watch.news()).toMatchObject({
      state: 'emergency',
      reason: 'working_memory_down',
      servicesDown: ['working_memory'],
      pendingWrites: 1,
    });
    expect(bench.watch.news()?.blocked).toContain('sidebar_spawn');
    bench.log.fault = null;
    await bench.reach('normal');
    const states = bench.told.emergencies.map(({ state }) => state);
    expect(states.filter((state, i) => state !== states[i - 1])).toEqual(['degraded', 'emergency', 'resuming', 'normal']);
    expect(bench.watch.news()).toBeNull();
  });
});

test('[MANY-18] a log that went back is told as what it is at the first look, what is said waits, and it ends when the right one is back', async () => {
  const bench = await openOutage();
  await bench.run(spawn());
  bench.log.fault = async () => {
    throw new StoreFault('went-back', 'the first known to be missing is entry 2');
  };
  await bench.reach('emergency');
  expect(bench.watch.news()).toMatchObject({
    state: 'emergency',
    reason: 'log_went_back',
    message: 'The log went back, operating in cached mode: the first known to be missing is entry 2',
  });
  expect(await bench.ask(say('SB-1', 'it waits'))).toMatchObject({ kind: 'queued' });
  expect([...bench.drawers[0].kept.values()]).toMatchObject([{ reason: 'log_went_back', pendingWrites: [{ n: 1 }] }]);
  expect(bench.watch.inUse()).toHaveLength(1);
  bench.log.fault = null;
  await bench.reach('normal');
  expect(bench.watch.news()).toBeNull();
  bench.log.fault = AWAY;
  await bench.reach('emergency');
  expect(bench.watch.news()).toMatchObject({ reason: 'working_memory_down' });
});

test('[MANY-24] what was said before something was forgotten is not offered: it may be what was forgotten', async () => {
  const bench = await openOutage();
  await bench.run(spawn());
  await bench.run(say('SB-1', 'to be forgotten'));
  await bench.engine.refold();
  await bench.run(say('SB-1', 'said since'));
  const { entryByUuid } = bench.store.log;
  Object.assign(bench.store.log, { entryByUuid: async () => null });
  bench.log.fault = async () => {
    throw new StoreFault('went-back', 'all of it is gone');
  };
  await bench.reach('emergency');
  await bench.pass(5000);
  Object.assign(bench.store.log, { entryByUuid });
  const lost = [...bench.drawers[0].kept.values()].filter(({ cacheId }) => cacheId.startsWith('lost-'));
  expect(lost.flatMap(({ pendingWrites }) => pendingWrites.map(({ command }) => command))).toEqual([say('SB-1', 'said since')]);
});

test('[MANY-24] what was acknowledged and is gone is cached with the numbers it had; where the log that has it comes back, it is known', async () => {
  const bench = await openOutage();
  await bench.run(spawn());
  await bench.run(say('SB-1', 'it stays'));
  await bench.run(say('SB-1', 'it is lost'));
  const { entryByUuid } = bench.store.log;
  const position = bench.engine.position();
  const lostUuid = (await bench.store.log.entryAt(position))?.uuid ?? '';
  Object.assign(bench.store.log, { entryByUuid: async (uuid: string) => (uuid === lostUuid ? null : entryByUuid(uuid)) });
  bench.log.fault = async () => {
    throw new StoreFault('went-back', `the first known to be missing is entry ${position}`);
  };
  await bench.reach('emergency');
  await bench.pass(5000);
  const offered = (): readonly EmergencyDocument[] => [...bench.drawers[0].kept.values()].filter(({ cacheId }) => cacheId.startsWith('lost-'));
  const gone = `it was entry ${position} (MSG-2, EXCH-2) of the log, and is gone from it`;
  expect(offered()).toMatchObject([
    {
      reason: 'log_went_back',
      head: { position },
      pendingWrites: [
        { n: 1, uuid: lostUuid, command: { content: 'it is lost' }, outcome: { kind: 'conflict', code: 'log-went-back', message: gone } },
      ],
      recoveryNotes: [expect.stringContaining(gone) as string],
      resolvedAt: null,
    },
  ]);
  expect(bench.watch.inUse()).toContain(offered()[0]?.cacheId);
  Object.assign(bench.store.log, { entryByUuid });
  bench.log.fault = null;
  await bench.reach('normal');
  await bench.pass(100);
  expect(offered()).toMatchObject([
    { pendingWrites: [{ outcome: { kind: 'known', position } }], recoveryNotes: [], resolvedAt: expect.any(String) as string },
  ]);
  expect(bench.watch.inUse()).toEqual([]);
  expect((await bench.store.log.entriesAfter(position, 100)).map(({ type, note }) => [type, note])).toEqual([
    ['emergency.recorded', offered()[0]?.cacheId],
  ]);
});

test('[MANY-24] what is gone is offered until a place has kept it, and without the marks of what was read, who was there, and what Yarnboard does again', async () => {
  const bench = await openOutage();
  await bench.run(spawn());
  await bench.run(say('SB-1', 'it is lost'));
  await bench.run({ type: 'inbox.read', upTo: bench.engine.position() });
  await bench.run({ type: 'agent.presence', agent: 'AGENT-operator', status: 'available' }, { actor: SYSTEM });
  await bench.run({ type: 'sidebar.archive', sidebar: 'SB-1' }, { actor: SYSTEM });
  Object.assign(bench.store.log, { entryByUuid: async () => null });
  bench.log.fault = async () => {
    throw new StoreFault('went-back', 'all of it is gone');
  };
  for (const drawer of bench.drawers) drawer.isAway = true;
  await bench.reach('emergency');
  await bench.pass(5000);
  for (const drawer of bench.drawers) drawer.isAway = false;
  await bench.pass(10_000);
  for (const { kept } of bench.drawers) {
    const lost = [...kept.values()].filter(({ cacheId }) => cacheId.startsWith('lost-'));
    expect(lost.map(({ pendingWrites }) => pendingWrites.map(({ command }) => command.type))).toEqual([['sidebar.spawn', 'chat.say']]);
  }
});

test('[MANY-24] what is gone is offered under the id that a replay takes, also where another entry of it came first', async () => {
  const bench = await openOutage();
  await bench.run(register('chief'));
  await bench.run(spawn('parent', { coordinator: 'chief' }));
  await bench.run({ type: 'finding.submit', sidebar: 'SB-1', content: 'The pool has 10 connections.' });
  const { events } = await bench.run({ type: 'finding.validate', sidebar: 'SB-1', finding: '1', status: 'confirmed' });
  expect(events.map(({ type }) => type)).toEqual(['finding.validated', 'sidebar.intervened']);
  Object.assign(bench.store.log, { entryByUuid: async () => null });
  bench.log.fault = async () => {
    throw new StoreFault('went-back', 'all of it is gone');
  };
  await bench.reach('emergency');
  await bench.pass(5000);
  const lost = [...bench.drawers[0].kept.values()].filter(({ cacheId }) => cacheId.startsWith('lost-')).flatMap((one) => one.pendingWrites);
  expect(lost.map(({ command }) => command.type)).toEqual(['agent.register', 'sidebar.spawn', 'finding.submit', 'finding.validate']);
  for (const { uuid, sender, messageId } of lost) expect(uuid).toBe(idOf(keyOf(sender.id, messageId), 0));
});

test('[REC-87] once a server has resolved its caches by itself, forgotten words are looked for in them', async () => {
  const bench = await openOutage();
  await bench.run(spawn());
  await bench.run(say('SB-1', 'it was gone for a while'));
  const { entryByUuid } = bench.store.log;
  Object.assign(bench.store.log, { entryByUuid: async () => null });
  bench.log.fault = async () => {
    throw new StoreFault('went-back', 'all of it is gone');
  };
  await bench.reach('emergency');
  expect(await bench.ask(say('SB-1', 'it waits'))).toMatchObject({ kind: 'queued' });
  await bench.pass(5000);
  const looks: (readonly boolean[])[] = [];
  bench.watch.onResolved(async () => void looks.push([...bench.drawers[0].kept.values()].map(({ resolvedAt }) => resolvedAt !== null)));
  Object.assign(bench.store.log, { entryByUuid });
  bench.log.fault = null;
  await bench.reach('normal');
  await bench.pass(100);
  expect(looks).toEqual([[true, true]]);
});

test('[MANY-25] an idle server notices that the end of the log is gone, or another one, and does not write behind it', async () => {
  for (const change of ['gone', 'another one now']) {
    const bench = await openOutage();
    await bench.run(spawn());
    await bench.pass(3000);
    await bench.run(say('SB-1', 'acknowledged'));
    const position = bench.engine.position();
    const { head } = bench.store.log;
    const before = await bench.store.log.entryAt(position - 1);
    Object.assign(bench.store.log, {
      head: async () => ({
        count: change === 'gone' ? position - 1 : position,
        checksum: Buffer.from(before?.checksum ?? '', 'hex'),
      }),
    });
    await bench.pass(3000);
    expect(bench.watch.news()).toMatchObject({
      state: 'emergency',
      reason: 'log_went_back',
      message: expect.stringContaining(`entry ${position} was acknowledged and is ${change}`) as string,
    });
    Object.assign(bench.store.log, { head });
    await bench.reach('normal');
    expect(await bench.run(say('SB-1', 'and on'))).toMatchObject({ kind: 'done' });
  }
});
