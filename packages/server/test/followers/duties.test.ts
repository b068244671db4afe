import { AGENTS_SETTINGS } from '@yarnboard/protocol';
import { writeFileSync } from 'node:fs';
import { SYSTEM } from '@yarnboard/domain';
import { describe, expect, test } from 'vitest';
import { createKeeper } from '../../src/followers/duties.ts';
import { homeOf } from '../../src/home/home.ts';
import { readSettings, type Settings } from '../../src/home/settings.ts';
import { makeFolder } from '../operations/boards.ts';
import { DAY, dumpOf, openEngine, say, spawn, type EngineBench } from '../engine/bench.ts';

const keeperOf = ({ engine, clock }: EngineBench, settings = {}) => createKeeper({ engine, now: () => clock.now, settings });
const states = (bench: EngineBench, ...refs: readonly string[]) => refs.map((ref) => bench.sidebar(ref).status);
const child = (task: string, sidebar = 'SB-1') => ({ type: 'sidebar.spawn-child', sidebar, upTo: null, task }) as const;

const merge = async ({ run }: EngineBench, sidebar: string): Promise<void> => {
  await run({ type: 'sidebar.consolidate', sidebar, summary: 'done' });
  await run({ type: 'merge.check', sidebar, isFit: true });
  await run({ type: 'sidebar.merge', sidebar });
};

const settingsOf = (settings: object): Settings => {
  const folder = makeFolder();
  const home = homeOf({ env: { YARNBOARD_HOME: folder, YARNBOARD_STATE: folder }, home: folder });
  writeFileSync(home.settingsFile, JSON.stringify(settings));
  return readSettings(home);
};

describe('the keeper', () => {
  test('[ENGINE-20] lets waiting fail when its time is over, and not before', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    await bench.run({ type: 'sidebar.wait', sidebar: 'SB-1', waitingFor: 'a review', timeoutMs: 3 * 3_600_000 });
    const keeper = keeperOf(bench);
    await keeper.tick();
    bench.clock.now += 3 * 3_600_000 - 1;
    await keeper.tick();
    expect(states(bench, 'SB-1')).toEqual(['WAITING']);
    bench.clock.now += 1;
    await keeper.tick();
    expect(bench.sidebar('SB-1')).toMatchObject({ status: 'FAILED', failureReason: 'nothing came within 3 h' });
    expect((await bench.store.log.entriesAfter(0, 100)).at(-1)).toMatchObject({ sender: SYSTEM.id, originatingClient: 'yarnboard' });
  });

  test('[ENGINE-21] leaves what waits with a deadline alone until then, however long that is', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    await bench.run({ type: 'sidebar.wait', sidebar: 'SB-1', waitingFor: 'the next release', timeoutMs: 90 * DAY });
    const keeper = keeperOf(bench);
    const seen: unknown[] = [];
    for (const days of [31, 58, 1]) {
      bench.clock.now += days * DAY;
      await keeper.tick();
      seen.push(...states(bench, 'SB-1'));
    }
    expect(seen).toEqual(['WAITING', 'WAITING', 'FAILED']);
  });

  test('[ENGINE-25] waits as long as the settings say', async () => {
    const { keeping } = settingsOf({ stale_after_days: 2, archive_merged_after_hours: 0.5 });
    expect(keeping).toEqual({ staleAfter: 2 * DAY, archiveMergedAfter: 1_800_000 });
    const bench = await openEngine();
    for (const task of ['a', 'b']) await bench.run(spawn(task));
    await bench.run(child('c'));
    await bench.run({ type: 'sidebar.pause', sidebar: 'SB-2', reason: 'holidays' });
    await merge(bench, 'SB-3');
    const keeper = keeperOf(bench, keeping);
    bench.clock.now += 1_800_000;
    await keeper.tick();
    expect(states(bench, 'SB-2', 'SB-3')).toEqual(['PAUSED', 'ARCHIVED']);
    bench.clock.now += 2 * DAY;
    await keeper.tick();
    expect(states(bench, 'SB-1', 'SB-2')).toEqual(['ACTIVE', 'ARCHIVED']);
  });

  test('[ENGINE-25] settings that are no spans of time are refused with the place', () => {
    for (const odd of [0, -1, '30', null, 1e9, true]) {
      expect(() => settingsOf({ stale_after_days: odd })).toThrow(/settings\.json: "stale_after_days" must be a number above 0, at most 36500$/u);
      expect(() => settingsOf({ archive_merged_after_hours: odd })).toThrow(
        /"archive_merged_after_hours" must be a number above 0, at most 876000$/u,
      );
    }
    expect(() => settingsOf({ stale_after: 1 })).toThrow(
      'there is no setting "stale_after"; there are exclude_projects, roots, open_reading, runtimes, agents, validation, embedding, emergency, redis, redis_prefix, stale_after_days, archive_merged_after_hours',
    );
    const noValidation = { roots: [], areProjectsRoots: false, services: [], programs: [], mayAskContainers: false };
    expect(settingsOf({})).toEqual({
      agents: AGENTS_SETTINGS,
      embedding: null,
      excludedProjects: [],
      roots: [],
      isOpenToRead: false,
      runtimes: [],
      validation: noValidation,
      emergency: expect.objectContaining({ places: null }),
      keeping: {},
      redis: { url: null, prefix: '' },
    });
  });

  test('[ENGINE-21] archives what was left alone while it was paused or waited', async () => {
    const bench = await openEngine();
    for (const task of ['a', 'b', 'c']) await bench.run(spawn(task));
    await bench.run({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'holidays' });
    await bench.run({ type: 'sidebar.wait', sidebar: 'SB-2', waitingFor: 'a review' });
    const keeper = keeperOf(bench);
    bench.clock.now += 29 * DAY;
    await bench.run(say('SB-1', 'still on holiday'));
    bench.clock.now += DAY;
    await keeper.tick();
    expect(states(bench, 'SB-1', 'SB-2', 'SB-3')).toEqual(['PAUSED', 'ARCHIVED', 'ACTIVE']);
    expect(bench.sidebar('SB-2').archive).toMatchObject({ reason: 'timeout', by: SYSTEM.id });
    bench.clock.now += 29 * DAY;
    await keeper.tick();
    expect(states(bench, 'SB-1', 'SB-3')).toEqual(['ARCHIVED', 'ACTIVE']);
  });

  test('[ENGINE-22] archives what was merged a day ago, or after the time that is set', async () => {
    for (const [settings, wait] of [
      [{}, DAY],
      [{ archiveMergedAfter: 1000 }, 1000],
    ] as const) {
      const bench = await openEngine();
      await bench.run(spawn('parent'));
      await bench.run(child('child'));
      await merge(bench, 'SB-2');
      const keeper = keeperOf(bench, settings);
      bench.clock.now += wait - 1;
      await keeper.tick();
      expect(states(bench, 'SB-2')).toEqual(['MERGED']);
      bench.clock.now += 1;
      await keeper.tick();
      expect(bench.sidebar('SB-2').archive).toMatchObject({ reason: 'merged' });
    }
  });

  test('[ENGINE-23] begins with the children, and tries again later where some are at work', async () => {
    const bench = await openEngine();
    await bench.run(spawn('parent'));
    await bench.run(child('child'));
    await bench.run(child('grandchild', 'SB-2'));
    await bench.run(spawn('busy'));
    await bench.run(child('at work', 'SB-4'));
    for (const sidebar of ['SB-1', 'SB-2', 'SB-3', 'SB-4']) await bench.run({ type: 'sidebar.pause', sidebar, reason: 'holidays' });
    const keeper = keeperOf(bench);
    bench.clock.now += 30 * DAY;
    await keeper.tick();
    expect(states(bench, 'SB-1', 'SB-2', 'SB-3', 'SB-4', 'SB-5')).toEqual(['ARCHIVED', 'ARCHIVED', 'ARCHIVED', 'PAUSED', 'ACTIVE']);
    await bench.run({ type: 'sidebar.archive', sidebar: 'SB-5' });
    bench.clock.now += 3_600_000;
    await keeper.tick();
    expect(states(bench, 'SB-4')).toEqual(['ARCHIVED']);
  });

  test('[ENGINE-23] does nothing to what is at work again by the time it is decided', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    await bench.run({ type: 'sidebar.wait', sidebar: 'SB-1', waitingFor: 'a review', timeoutMs: 1000 });
    const keeper = keeperOf(bench);
    bench.clock.now += 1000;
    const resumed = bench.run({ type: 'sidebar.resume', sidebar: 'SB-1' });
    await Promise.all([resumed, keeper.tick()]);
    expect(states(bench, 'SB-1')).toEqual(['ACTIVE']);
  });

  test('[ENGINE-24] looks at nothing before something is due', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    let looks = 0;
    const engine = {
      ...bench.engine,
      board: () => {
        looks += 1;
        return bench.engine.board();
      },
    };
    const keeper = createKeeper({ engine, now: () => bench.clock.now });
    await keeper.tick();
    const first = looks;
    for (let i = 0; i < 100; i += 1) await keeper.tick();
    expect(looks).toBe(first);
    await bench.run({ type: 'sidebar.wait', sidebar: 'SB-1', waitingFor: 'a review', timeoutMs: 1000 });
    bench.clock.now += 1000;
    await keeper.tick();
    expect(states(bench, 'SB-1')).toEqual(['FAILED']);
    keeper.close();
  });

  test('[ENGINE-24] of two servers one does it', async () => {
    const one = await openEngine();
    await one.run(spawn());
    await one.run({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'holidays' });
    const other = await openEngine({ store: one.store, clock: one.clock });
    one.clock.now += 30 * DAY;
    await Promise.all([keeperOf(one).tick(), keeperOf(other).tick()]);
    await Promise.all([one.engine.follow(), other.engine.follow()]);
    const types = (await one.store.log.entriesAfter(0, 100)).map(({ type }) => type);
    expect(types.filter((type) => type === 'sidebar.archived')).toEqual(['sidebar.archived']);
    expect(dumpOf(one.engine.board())).toEqual(dumpOf(other.engine.board()));
  });

  test('[ENGINE-20] what could not be kept is tried again', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    await bench.run({ type: 'sidebar.wait', sidebar: 'SB-1', waitingFor: 'a review', timeoutMs: 90_000 });
    const keeper = keeperOf(bench);
    bench.clock.now += 90_000;
    bench.gate = () => Promise.reject(new Error('full'));
    await expect(keeper.tick()).rejects.toThrow('full');
    bench.gate = null;
    bench.clock.now += 3_600_000;
    await keeper.tick();
    expect(bench.sidebar('SB-1')).toMatchObject({ status: 'FAILED', failureReason: 'nothing came within 90 s' });
  });
});
