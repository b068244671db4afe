import { expect, test } from 'vitest';
import { OPERATOR, type CommandOf } from '../../src/index.ts';
import { given, type Stage } from '../board/given.ts';

const told = (stage: Stage, agent: string = OPERATOR.id): readonly string[] =>
  (stage.world.board.notices.get(agent) ?? []).map(({ level, text }) => `${level}: ${text}`);

const fails = (sidebar: string, agent = 'AGENT-ada'): CommandOf<'seat.tell'> => ({
  type: 'seat.tell',
  sidebar,
  agent,
  state: 'failed',
  runtime: 'lines',
  model: null,
  sessionId: 's',
  contextKind: 'briefing',
  why: 'it ended with code 7',
  isCrash: true,
});

test('[RT-14] a seat that keeps failing is told with who is free instead, also to those who still wait for its agent elsewhere', () => {
  const stage = given();
  for (const agent of ['ada', 'ben', 'cyd']) {
    stage.does({ type: 'agent.change', agent, specialties: agent === 'ben' ? ['looms'] : ['databases'] });
    stage.does({ type: 'agent.presence', agent, status: 'available' }, { by: agent });
  }
  stage.does({ type: 'agent.limit', agent: 'ada', maxConcurrentPerInstance: 1 });
  const taken = stage.spawns({ participants: ['ada'] });
  const wanted = stage.spawns({ participants: ['ben'] });
  stage.does({ type: 'agent.recruit', sidebar: wanted, agent: 'ada' }, { by: 'ben' });
  stage.does(fails(taken), { by: 'system' });
  expect(told(stage)).toContain(`escalate: AGENT-ada keeps failing in ${taken}: it ended with code 7. Free instead: AGENT-cyd`);
  expect(told(stage, 'AGENT-ben')).toContain(`warning: AGENT-ada, whom you want in ${wanted}, keeps failing elsewhere. Free instead: AGENT-cyd`);
  // Where nobody else can do it, nobody is named; whoever takes part already is nobody to take.
  stage.does({ type: 'agent.presence', agent: 'cyd', status: 'offline' }, { by: 'cyd' });
  stage.does(fails(taken), { by: 'system' });
  expect(told(stage).at(-1)).toBe(`escalate: AGENT-ada keeps failing in ${taken}: it ended with code 7`);
  expect(told(stage, 'AGENT-ben').at(-1)).toBe(`warning: AGENT-ada, whom you want in ${wanted}, keeps failing elsewhere`);
});

test('[RT-14] one that only rests or is ready again says nothing of others', () => {
  const stage = given();
  stage.does({ type: 'agent.presence', agent: 'ada', status: 'available' }, { by: 'ada' });
  const taken = stage.spawns({ participants: ['ada'] });
  const before = told(stage).length;
  for (const state of ['resting', 'ready', 'stopped'] as const) {
    const [event] = stage.does({ ...fails(taken), state, isCrash: false }, { by: 'system' });
    expect(event?.payload).not.toHaveProperty('alternatives');
  }
  expect(told(stage)).toHaveLength(before);
});
