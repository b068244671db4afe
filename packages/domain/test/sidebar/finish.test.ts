import { describe, expect, test } from 'vitest';
import { given, payloadsOf } from '../board/given.ts';

describe('merging in one step', () => {
  test('[MERGE-11] whoever coordinates and curates puts together, checks and merges at once, with the same entries', () => {
    const [steps, once] = [given(), given()].map((stage) => {
      const sidebar = stage.spawnsChild(stage.spawns());
      stage.confirms(sidebar, 'the cache is cold');
      return { stage, sidebar };
    });
    if (steps === undefined || once === undefined) throw new Error('two stages were made');
    const before = steps.stage.world.log.length;
    steps.stage.merges(steps.sidebar);
    const kinds = steps.stage.world.log.slice(before).map(({ type, payload }) => ({ type, payload }));
    const events = once.stage.does({ type: 'sidebar.finish', sidebar: once.sidebar }).map(({ type, payload }) => ({ type, payload }));
    expect(events.map(({ type }) => type)).toEqual(kinds.map(({ type }) => type));
    expect(payloadsOf(once.stage.world.log, 'sidebar.merged')).toEqual(payloadsOf(steps.stage.world.log, 'sidebar.merged'));
    expect(once.stage.sidebar(once.sidebar)).toMatchObject({ status: 'MERGED', merge: { checks: [{ as: 'curator', isFit: true }] } });
  });

  test('[MERGE-11] where somebody else has a say, or a step would be refused, nothing is done', () => {
    const stage = given();
    const curated = stage.spawnsChild(stage.spawns(), { curator: 'ben' });
    expect(stage.code({ type: 'sidebar.finish', sidebar: curated })).toBe('not-coordinator');
    const own = stage.spawnsChild('SB-1', { coordinator: 'ada' });
    expect(stage.code({ type: 'sidebar.finish', sidebar: own }, { by: 'ada' })).toBe('not-curator');
    const pending = stage.spawnsChild('SB-1');
    stage.submits(pending, 'the cache is cold');
    expect(stage.code({ type: 'sidebar.finish', sidebar: pending })).toBe('pending-findings');
    expect(stage.code({ type: 'sidebar.finish', sidebar: 'SB-1' })).toBe('no-target');
  });
});
