import { describe, expect, test } from 'vitest';
import { endOfDay, OPERATOR, SYSTEM, todayOf, type CommandOf } from '../../src/index.ts';
import { given, type Stage } from '../board/given.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const toldTo = (stage: Stage): readonly string[] =>
  (stage.world.board.notices.get(OPERATOR.id) ?? []).filter(({ kind }) => kind === 'seat').map(({ text }) => text);

/** ada has a runtime, ben has none. */
const equipped = (): Stage => {
  const stage = given();
  stage.does({ type: 'agent.equip', agent: 'ada', runtime: 'local' });
  return stage;
};

const later = (stage: Stage, ms: number): { readonly now: number } => ({ now: stage.world.now() + ms });

const SPAWN: CommandOf<'sidebar.spawn'> = { type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'Find the cause', participants: [] };

describe('what an agent with a runtime sets going', () => {
  test('[RT-60] twenty sidebars an hour: told at 80 %, told with the last one, then refused until the hour is over', () => {
    const stage = equipped();
    for (let i = 0; i < 16; i += 1) stage.does(SPAWN, { by: 'ada' });
    expect(toldTo(stage)).toEqual([expect.stringContaining('AGENT-ada has used 80 % of its sidebars for this hour')]);
    for (let i = 0; i < 4; i += 1) stage.does(SPAWN, { by: 'ada' });
    expect(toldTo(stage)).toEqual([expect.stringContaining('80 %'), expect.stringContaining('AGENT-ada has used up its sidebars for this hour')]);
    expect(stage.refuses(SPAWN, { by: 'ada' })).toMatchObject({ code: 'limit-reached', facts: { of: 'spawns', most: 20 } });
    // Nobody else is limited by it.
    for (let i = 0; i < 25; i += 1) stage.does(SPAWN, { by: 'ben' });
    stage.does(SPAWN);
    stage.does(SPAWN, { by: 'ada', facts: later(stage, HOUR + 1) });
  });

  test('[RT-60] three sidebars below each other, counted as far as agents started them', () => {
    const stage = equipped();
    let sidebar = stage.spawns({ participants: ['ada'] });
    for (let depth = 1; depth <= 3; depth += 1) sidebar = stage.spawnsChild(sidebar, { participants: [] }, { by: 'ada' });
    expect(toldTo(stage)).toEqual([expect.stringContaining('3 deep')]);
    const deeper: CommandOf<'sidebar.spawn-child'> = { type: 'sidebar.spawn-child', sidebar, upTo: null, task: 'Deeper', participants: [] };
    expect(stage.refuses(deeper, { by: 'ada' })).toMatchObject({ code: 'limit-reached', facts: { of: 'depth', most: 3 } });
    const humans = stage.spawnsChild(sidebar, { participants: ['ada'] });
    stage.spawnsChild(humans, { participants: [] }, { by: 'ada' });
  });

  test('[RT-60] forty recruitments an hour, with those it names in a team; who volunteers recruits nobody', () => {
    const stage = equipped();
    for (let i = 0; i < 20; i += 1) stage.does({ ...SPAWN, participants: ['ben', 'cyd'] }, { by: 'ada' });
    const sidebar = stage.spawns({ participants: ['ada'] });
    const recruit: CommandOf<'agent.recruit'> = { type: 'agent.recruit', sidebar, agent: 'ben' };
    expect(stage.refuses(recruit, { by: 'ada' })).toMatchObject({ code: 'limit-reached', facts: { of: 'recruitments', most: 40 } });
    expect(toldTo(stage).filter((text) => text.includes('recruitments'))).toHaveLength(2);
    stage.does({ type: 'agent.recruit', sidebar: stage.spawns({ participants: [], isOpen: true }) }, { by: 'ada' });
    stage.does(recruit);
  });
});

describe('what a day has cost', () => {
  const spend = (stage: Stage, sidebar: string, agent: string, usd: number, ms = 0): void => {
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: usd };
    const told = { turn: 't', upTo: 0, isAgain: false, model: null, why: null, briefing: null };
    stage.world.pass(ms);
    stage.world.perform({ type: 'turn.tell', sidebar, agent, status: 'completed', usage, ...told }, SYSTEM);
  };

  test('[RT-11] is counted per agent and for all of them, wherever it was spent; leaving gives nothing back, nor does a clock that goes back', () => {
    const stage = equipped();
    const now = stage.world.now();
    const [first, second] = [stage.spawns({ participants: ['ada'] }), stage.spawns({ participants: ['ada', 'ben'] })];
    spend(stage, first, 'AGENT-ada', 2);
    spend(stage, second, 'AGENT-ada', 3);
    spend(stage, second, 'AGENT-ben', 4);
    stage.does({ type: 'agent.leave', sidebar: second, agent: 'ada' });
    const usdAt = (at: number): readonly number[] => ['AGENT-ada', 'AGENT-ben', null].map((one) => todayOf(stage.world.board, one, at).usd);
    expect(usdAt(now)).toEqual([5, 4, 9]);
    expect(usdAt(now - 3 * DAY)).toEqual([5, 4, 9]);
    expect(usdAt(endOfDay(now))).toEqual([0, 0, 0]);
    // Told by a clock that was a day behind: it still belongs to the latest day there was.
    spend(stage, first, 'AGENT-ada', 1, -DAY);
    expect(usdAt(now)).toEqual([6, 4, 10]);
    spend(stage, first, 'AGENT-ada', 7, 2 * DAY);
    expect(usdAt(now + DAY)).toEqual([7, 0, 7]);
  });

  test('[RT-11] the operator grants more for the day, to an agent or to all; tomorrow it is gone', () => {
    const stage = equipped();
    const sidebar = stage.spawns({ participants: ['ada'] });
    stage.does({ type: 'budget.grant', sidebar, agent: 'ada', usdToday: 5, boardUsdToday: 30 });
    const now = stage.world.now();
    expect([todayOf(stage.world.board, 'AGENT-ada', now).granted, todayOf(stage.world.board, null, now).granted]).toEqual([5, 30]);
    expect(todayOf(stage.world.board, 'AGENT-ada', endOfDay(now)).granted).toBe(0);
    expect(stage.refuses({ type: 'budget.grant', sidebar, agent: 'ada', usdToday: -1 })).toMatchObject({ reason: 'not-a-number' });
  });
});
