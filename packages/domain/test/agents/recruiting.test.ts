import { createLanguage } from '@yarnboard/language';
import { describe, expect, test } from 'vitest';
import {
  limitsOf,
  loadOf,
  OPERATOR,
  placeOf,
  queueOf,
  readEvent,
  recruitmentsIn,
  requestFor,
  rowsOf,
  seatsOfAgent,
  sidebarOf,
  type CommandOf,
  type Notice,
  type Presence,
  type Priority,
} from '../../src/index.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const language = createLanguage({ mask: (text) => text });

const appears = (stage: Stage, agent: string, status: Presence = 'available'): void =>
  void stage.does({ type: 'agent.presence', agent, status }, { by: agent });

const limits = (stage: Stage, agent: string, maxConcurrentPerInstance: number, maxInstances = 1): void =>
  void stage.does({ type: 'agent.limit', agent, maxConcurrentPerInstance, maxInstances });

/** SB-n with nobody but the operator. */
const empty = (stage: Stage, priority: Priority = 'NORMAL'): string => stage.spawns({ participants: [], priority });

const recruits = (stage: Stage, sidebar: string, more: Partial<CommandOf<'agent.recruit'>> = { agent: 'ada' }, by = 'operator') =>
  stage.does({ type: 'agent.recruit', sidebar, ...more }, { by });

const toldTo = (stage: Stage, agent = OPERATOR.id): readonly Pick<Notice, 'level' | 'text'>[] =>
  (stage.world.board.notices.get(agent) ?? []).map(({ level, text }) => ({ level, text }));

/** ada is there and has one seat, which a sidebar of this priority takes. */
const full = (priority: Priority = 'NORMAL'): { readonly stage: Stage; readonly taken: string } => {
  const stage = given();
  appears(stage, 'ada');
  limits(stage, 'ada', 1);
  return { stage, taken: stage.spawns({ participants: ['ada'], priority }) };
};

const askFor = (stage: Stage, sidebar: string) => requestFor(stage.world.board, 'AGENT-ada', stage.sidebar(sidebar).id);

describe('limits', () => {
  test('[LOAD-4] are five seats on one instance, until the operator says otherwise; whatever is no count up to 100 is refused', () => {
    const stage = given();
    const limitsNow = () => limitsOf(stage.world.board.agents.get('AGENT-ada') ?? { limits: null });
    expect(limitsNow()).toEqual({ maxConcurrentPerInstance: 5, maxInstances: 1 });
    stage.does({ type: 'agent.limit', agent: 'ada', maxInstances: 2 });
    expect(limitsNow()).toEqual({ maxConcurrentPerInstance: 5, maxInstances: 2 });
    for (const wrong of [-1, 1.5, 101]) {
      const refused = stage.refuses({ type: 'agent.limit', agent: 'ada', maxInstances: wrong });
      expect(refused).toMatchObject({ reason: 'bad-limit', facts: { field: 'maxInstances', most: 100 } });
    }
    expect(stage.refuses({ type: 'agent.limit', agent: 'ada', maxInstances: Number.NaN })).toMatchObject({ reason: 'not-a-number' });
    expect(stage.code({ type: 'agent.limit', agent: 'ada', maxInstances: 1 }, { by: 'ada' })).toBe('operator-only');
    expect(stage.refuses({ type: 'agent.limit', agent: 'operator', maxInstances: 1 })).toMatchObject({ reason: 'people-have-no-limits' });
    expect(stage.refuses({ type: 'agent.limit', agent: 'ada' })).toMatchObject({ reason: 'nothing-to-change' });
  });

  test('[LOAD-4] that are lowered below what is used take nothing away, and give nothing until there is room', () => {
    const stage = given();
    appears(stage, 'ada');
    for (let count = 0; count < 3; count += 1) stage.spawns();
    limits(stage, 'ada', 1);
    expect(loadOf(stage.world.board, 'AGENT-ada')).toBe(3);
    recruits(stage, empty(stage));
    for (const sidebar of ['SB-1', 'SB-2']) stage.does({ type: 'sidebar.pause', sidebar, reason: 'later' });
    expect([loadOf(stage.world.board, 'AGENT-ada'), askFor(stage, 'SB-4')?.state]).toEqual([1, 'queued']);
    stage.does({ type: 'sidebar.pause', sidebar: 'SB-3', reason: 'later' });
    expect(askFor(stage, 'SB-4')?.state).toBe('joined');
  });

  test('[LOAD-3] another instance comes before spare capacity; then the least loaded and lowest is taken', () => {
    const stage = given();
    appears(stage, 'ada');
    limits(stage, 'ada', 2, 2);
    const events = [0, 1, 2].flatMap(() => recruits(stage, empty(stage), { agent: 'ada' }, 'operator'));
    const instances = () => seatsOfAgent(stage.world.board, 'AGENT-ada').map(({ instanceId }) => instanceId);
    expect(instances()).toEqual(['AGENT-ada#1', 'AGENT-ada#2', 'AGENT-ada#1']);
    expect(payloadsOf(events, 'agent.instance')).toEqual([{ agent: 'AGENT-ada', instance: 'AGENT-ada#2', state: 'spawned' }]);
    recruits(stage, empty(stage));
    expect(instances().at(-1)).toBe('AGENT-ada#2');
    expect(toldTo(stage)).toContainEqual({ level: 'info', text: 'Spawned AGENT-ada#2 to handle additional load' });
  });
});

describe('at capacity', () => {
  const warning = { level: 'warning', text: 'Agent AGENT-ada at capacity, no hardware for new instance' } as const;

  test('[LOAD-6] HIGH and NORMAL wait at their place, alternatives are offered, and nobody is interrupted', () => {
    const { stage, taken } = full('LOW');
    for (const agent of ['ada', 'ben', 'cyd']) stage.does({ type: 'agent.change', agent, specialties: ['databases'] });
    appears(stage, 'ben');
    const asking = empty(stage, 'HIGH');
    const kinds = recruits(stage, asking).map(({ type }) => type);
    expect(kinds).toEqual(['recruitment.requested', 'capacity.noticed', 'recruitment.queued']);
    expect(stage.sidebar(taken).status).toBe('ACTIVE');
    expect(toldTo(stage).slice(-2)).toEqual([
      warning,
      { level: 'info', text: `AGENT-ada is full: the request for ${asking} is at place 1. Free instead: AGENT-ben` },
    ]);
  });

  test('[LOAD-6] LOW and BACKGROUND wait without limit', () => {
    const { stage } = full();
    recruits(stage, empty(stage, 'BACKGROUND'));
    expect(toldTo(stage).at(-1)).toEqual({
      level: 'info',
      text: 'Queued for when capacity available: AGENT-ada is full: the request for SB-2 is at place 1',
    });
  });

  test('[LOAD-7] CRITICAL pauses one that may be paused, is seated, and both sides are told; it goes on by itself when there is room', () => {
    const { stage, taken } = full('LOW');
    const critical = empty(stage, 'CRITICAL');
    const events = recruits(stage, critical);
    expect(events.map(({ type }) => type)).toEqual([
      'recruitment.requested',
      'capacity.noticed',
      'sidebar.paused',
      'capacity.noticed',
      'agent.joined',
    ]);
    expect(payloadsOf(events, 'sidebar.paused')).toMatchObject([{ from: 'ACTIVE', reason: 'CRITICAL task needed capacity' }]);
    expect(toldTo(stage)).toContainEqual({ level: 'warning', text: `Paused ${taken} (LOW) for CRITICAL task ${critical}` });
    expect(toldTo(stage, 'AGENT-ada')).toContainEqual({ level: 'warning', text: `Paused ${taken} (LOW) for CRITICAL task ${critical}` });
    expect(seatsOfAgent(stage.world.board, 'AGENT-ada').map(({ sidebarId }) => sidebarId)).toEqual([stage.sidebar(critical).id]);
    const ending = stage.does({ type: 'sidebar.move', sidebar: critical, to: 'FAILED', reason: 'no way' });
    expect(payloadsOf(ending, 'sidebar.resumed')).toMatchObject([
      { pausedReason: 'CRITICAL task needed capacity', reason: 'there is capacity again' },
    ]);
    expect([stage.sidebar(taken).status, loadOf(stage.world.board, 'AGENT-ada')]).toEqual(['ACTIVE', 1]);
  });

  test('[LOAD-6] CRITICAL with nothing to pause waits, and the coordinator has to decide', () => {
    const { stage } = full('HIGH');
    const critical = empty(stage, 'CRITICAL');
    const events = recruits(stage, critical);
    expect(payloadsOf(events, 'recruitment.queued')).toMatchObject([{ place: 1, urgency: 'high' }]);
    expect(toldTo(stage).at(-1)).toEqual({
      level: 'escalate',
      text: `CRITICAL task ${critical} queued: nothing could be paused, all current work is HIGH (1)`,
    });
  });

  test('[LOAD-7] BACKGROUND is paused before LOW, and only what is ACTIVE; among equals what was not active for longest', () => {
    const stage = given();
    appears(stage, 'ada');
    const [low = '', testing = '', first = '', second = '', normal = ''] = (['LOW', 'BACKGROUND', 'BACKGROUND', 'BACKGROUND', 'NORMAL'] as const).map(
      (priority, at) => stage.spawns({ priority, isTesting: at === 1 }),
    );
    stage.does({ type: 'chat.say', sidebar: first, content: 'still here' });
    for (let count = 0; count < 3; count += 1) recruits(stage, empty(stage, 'CRITICAL'));
    const statuses = [low, testing, first, second, normal].map((ref) => stage.sidebar(ref).status);
    expect(statuses).toEqual(['PAUSED', 'TESTING', 'PAUSED', 'PAUSED', 'ACTIVE']);
    const order = stage.world.log
      .filter(({ type }) => type === 'sidebar.paused')
      .map(({ contextId }) => sidebarOf(stage.world.board, contextId.slice(8))?.ref);
    expect(order).toEqual([second, first, low]);
  });

  test('[LOAD-7] what a person paused is not resumed by Yarnboard', () => {
    const { stage, taken } = full();
    stage.does({ type: 'sidebar.pause', sidebar: taken, reason: 'lunch' });
    appears(stage, 'ada', 'busy');
    appears(stage, 'ada');
    expect(stage.sidebar(taken).status).toBe('PAUSED');
  });

  test('[LOAD-7] a person’s own resume always happens; its agent waits for a seat', () => {
    const { stage, taken } = full();
    stage.does({ type: 'sidebar.pause', sidebar: taken, reason: 'lunch' });
    const other = stage.spawns();
    const events = stage.does({ type: 'sidebar.resume', sidebar: taken });
    expect(stage.sidebar(taken).status).toBe('ACTIVE');
    expect(payloadsOf(events, 'recruitment.requested')).toMatchObject([{ agent: 'AGENT-ada', kind: 'return' }]);
    const freed = stage.does({ type: 'sidebar.pause', sidebar: other, reason: 'later' });
    expect(payloadsOf(freed, 'agent.seated')).toHaveLength(1);
  });

  test('[LOAD-8] where the coordinator is the agent itself, the human is told as well', () => {
    const { stage } = full();
    const asking = stage.spawns({ participants: ['ben'], coordinator: 'ada' });
    recruits(stage, asking, { agent: 'ada' }, 'ben');
    expect([toldTo(stage).at(-2), toldTo(stage, 'AGENT-ada').at(-2)]).toEqual([warning, warning]);
  });

  test('[LOAD-9] the queue is by priority, then by position; it moves when a priority changes, and is served from the front', () => {
    const { stage, taken } = full();
    const [low = '', first = '', second = ''] = (['LOW', 'NORMAL', 'NORMAL'] as const).map((priority) => empty(stage, priority));
    for (const sidebar of [low, first, second]) recruits(stage, sidebar, { agent: 'ada' });
    const order = () => queueOf(stage.world.board, 'AGENT-ada').map(({ sidebarId }) => stage.world.board.sidebars.get(sidebarId)?.ref);
    expect(order()).toEqual([first, second, low]);
    const moved = stage.does({ type: 'sidebar.change', sidebar: low, priority: 'HIGH' });
    expect(order()).toEqual([low, first, second]);
    expect(payloadsOf(moved, 'queue.moved')).toMatchObject([{ places: [{ place: 1 }, { place: 2 }, { place: 3 }] }]);
    const freed = stage.does({ type: 'agent.leave', sidebar: taken, agent: 'ada' });
    expect(payloadsOf(freed, 'agent.joined')).toMatchObject([{ agent: 'AGENT-ada', recruitedBy: OPERATOR.id }]);
    expect(stage.sidebar(low).participants).toContain('AGENT-ada');
    const request = askFor(stage, second);
    expect(request === null ? null : placeOf(stage.world.board, request)).toBe(2);
    limits(stage, 'ada', 3);
    expect([order(), loadOf(stage.world.board, 'AGENT-ada')]).toEqual([[], 3]);
  });

  test('[LOAD-6] busy by its own word is as good as full, until it is available again', () => {
    const stage = given();
    appears(stage, 'ada', 'busy');
    const asking = empty(stage);
    recruits(stage, asking);
    expect(askFor(stage, asking)?.state).toBe('queued');
    appears(stage, 'ada');
    expect(askFor(stage, asking)?.state).toBe('joined');
  });

  test('[LOAD-11] who would rather not wait is refused, and told who is free', () => {
    const { stage } = full();
    const asking = empty(stage);
    expect(stage.refuses({ type: 'agent.recruit', sidebar: asking, agent: 'ada', queue: false })).toMatchObject({ code: 'at-capacity' });
  });
});

describe('requests', () => {
  const asking = (): { readonly stage: Stage; readonly sidebar: string } => {
    const stage = given();
    stage.does({ type: 'agent.change', agent: 'ada', accepts: 'ask' }, { by: 'ada' });
    const sidebar = empty(stage);
    recruits(stage, sidebar, { agent: 'ada', reason: 'you know this' });
    return { stage, sidebar };
  };

  test('[LOAD-11] whoever wants to be asked is, and people are unless they said otherwise', () => {
    const { stage, sidebar } = asking();
    expect(stage.sidebar(sidebar).participants).toEqual([OPERATOR.id]);
    expect(toldTo(stage, 'AGENT-ada')).toEqual([
      { level: 'escalate', text: `AGENT-operator asks you to take part in ${sidebar}: you know this. Please accept or decline` },
    ]);
    expect(stage.refuses({ type: 'agent.recruit', sidebar, agent: 'ada' })).toMatchObject({ reason: 'recruited-already' });
    stage.does({ type: 'recruitment.answer', request: sidebar, isAccepted: true }, { by: 'ada' });
    expect([stage.sidebar(sidebar).participants, askFor(stage, sidebar)?.state]).toEqual([[OPERATOR.id, 'AGENT-ada'], 'joined']);
    const own = stage.spawns({ participants: ['ben'] }, { by: 'ben' });
    expect(recruits(stage, own, { agent: 'operator' }, 'ben').map(({ type }) => type)).toEqual(['recruitment.requested']);
    stage.does({ type: 'agent.change', agent: 'operator', accepts: 'auto' });
    const other = stage.spawns({ participants: ['ben'] }, { by: 'ben' });
    expect(recruits(stage, other, { agent: 'operator' }, 'ben').map(({ type }) => type)).toEqual(['agent.joined']);
  });

  test('[LOAD-12] a decline has a reason, and the requester is told with alternatives', () => {
    const { stage, sidebar } = asking();
    const request = askFor(stage, sidebar)?.id ?? '';
    const no = { type: 'recruitment.answer', request, isAccepted: false } as const;
    expect(stage.refuses(no, { by: 'ada' })).toMatchObject({ reason: 'decline-needs-code' });
    expect(stage.refuses({ ...no, code: 'other' }, { by: 'ada' })).toMatchObject({ reason: 'decline-needs-code' });
    expect(stage.refuses({ ...no, code: 'overloaded' }, { by: 'ben' })).toMatchObject({ reason: 'not-yours-to-answer' });
    stage.does({ ...no, code: 'outside_expertise', note: 'ask ben' }, { by: 'ada' });
    expect(toldTo(stage).at(-1)).toEqual({ level: 'warning', text: `AGENT-ada declined to take part in ${sidebar} (outside expertise): ask ben` });
    expect(stage.refuses({ ...no, code: 'overloaded' }, { by: 'ada' })).toMatchObject({ reason: 'request-over', facts: { state: 'declined' } });
    expect(stage.refuses({ ...no, request: 'nothing' }, { by: 'ada' })).toMatchObject({ reason: 'unknown-recruitment' });
  });

  test('[LOAD-12] one may decline until the first thing one does there, and leaves after that', () => {
    const stage = given();
    const [first, second] = [empty(stage), empty(stage)];
    for (const sidebar of [first, second]) recruits(stage, sidebar);
    const no = (request: string) => ({ type: 'recruitment.answer', request, isAccepted: false, code: 'overloaded' }) as const;
    expect(stage.doesKinds(no(first), { by: 'ada' })).toEqual(['recruitment.declined', 'agent.left']);
    stage.does({ type: 'chat.say', sidebar: second, content: 'looking' }, { by: 'ada' });
    expect(stage.refuses(no(second), { by: 'ada' })).toMatchObject({ reason: 'acted-already' });
  });

  test('[LOAD-12] whoever asked takes it back, and nobody else but the coordinator', () => {
    const { stage, sidebar } = asking();
    const request = askFor(stage, sidebar)?.id ?? '';
    expect(stage.refuses({ type: 'recruitment.withdraw', request }, { by: 'ben' })).toMatchObject({ reason: 'not-yours-to-withdraw' });
    stage.does({ type: 'recruitment.withdraw', request });
    expect(askFor(stage, sidebar)?.state).toBe('withdrawn');
    expect(stage.refuses({ type: 'recruitment.withdraw', request })).toMatchObject({ reason: 'request-over' });
  });

  test('[LOAD-10] a request ends with its sidebar, and with its agent', () => {
    const { stage, sidebar } = asking();
    stage.does({ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'no way' });
    expect(askFor(stage, sidebar)?.state).toBe('dropped');
    const other = empty(stage);
    recruits(stage, other);
    stage.does({ type: 'agent.retire', agent: 'ada' });
    expect(askFor(stage, other)?.state).toBe('dropped');
  });

  test('[LOAD-13] whoever is away takes part at once; who recruited it is told when it appears, once', () => {
    const stage = given();
    const sidebar = empty(stage);
    recruits(stage, sidebar);
    appears(stage, 'ada');
    appears(stage, 'ada', 'busy');
    expect(toldTo(stage).filter(({ text }) => text.includes('here now'))).toEqual([
      { level: 'info', text: `AGENT-ada, whom you recruited into ${sidebar}, is here now` },
    ]);
  });

  test('[LOAD-15] a team at the start passes the same check, and the spawn never fails for it', () => {
    const { stage } = full();
    stage.does({ type: 'agent.change', agent: 'cyd', accepts: 'ask' });
    const ref = stage.spawns({ participants: ['ada', 'ben', 'cyd'] });
    expect(stage.sidebar(ref).participants).toEqual([OPERATOR.id, 'AGENT-ben']);
    const states = rowsOf(stage.world.board.requests)
      .filter(({ sidebarId }) => sidebarId === stage.sidebar(ref).id)
      .map(({ agent, state }) => [agent, state]);
    expect(states).toEqual([
      ['AGENT-ada', 'queued'],
      ['AGENT-cyd', 'asked'],
    ]);
  });
});

describe('a recruitment by capability', () => {
  const skilled = (): Stage => {
    const stage = given();
    for (const agent of ['ada', 'ben', 'cyd']) {
      appears(stage, agent);
      stage.does({ type: 'agent.change', agent, specialties: ['databases'] });
    }
    limits(stage, 'ada', 1);
    return stage;
  };
  const capability = 'databases';

  test('[LOAD-11] that is answered at once keeps its note and capability; its answer names the reason and who else there is', () => {
    const stage = skilled();
    const sidebar = empty(stage);
    const events = recruits(stage, sidebar, { capability, reason: 'the slow query' });
    expect(payloadsOf(events, 'agent.joined')).toEqual([{ agent: 'AGENT-ada', recruitedBy: OPERATOR.id, note: 'the slow query', capability }]);
    expect(askFor(stage, sidebar)).toMatchObject({ state: 'joined', note: 'the slow query', capability });
    expect(toldTo(stage, 'AGENT-ada').at(-1)?.text).toBe(`${OPERATOR.id} asks you to take part in ${sidebar}: the slow query`);
    expect(recruitmentsIn(stage.world.board, language, events)).toMatchObject([
      { agentId: 'AGENT-ada', status: 'joined', why: 'good at databases', alternatives: ['AGENT-ben', 'AGENT-cyd'] },
    ]);
  });

  test('[LOAD-11] that waits says so too, and its note reaches the recruit once it joins', () => {
    const stage = skilled();
    for (const agent of ['ben', 'cyd']) stage.does({ type: 'agent.change', agent, specialties: ['gardening'] });
    const [taken, waiting] = [empty(stage), empty(stage)];
    recruits(stage, taken, { agent: 'ada' });
    const events = recruits(stage, waiting, { capability, reason: 'the slow query' });
    expect(recruitmentsIn(stage.world.board, language, events)).toMatchObject([{ status: 'queued', why: 'good at databases', alternatives: [] }]);
    const before = toldTo(stage, 'AGENT-ada').length;
    stage.does({ type: 'sidebar.pause', sidebar: taken, reason: 'later' });
    expect(
      toldTo(stage, 'AGENT-ada')
        .slice(before)
        .map(({ text }) => text),
    ).toContain(`${OPERATOR.id} asks you to take part in ${waiting}: the slow query`);
  });

  test('[LOAD-11] by name gives no reason, and what was said before version 3 is read as it was', () => {
    const stage = skilled();
    const events = recruits(stage, empty(stage));
    expect(recruitmentsIn(stage.world.board, language, events)).toMatchObject([{ status: 'joined', why: null, alternatives: [] }]);
    const old = { agent: 'AGENT-ada', recruitedBy: OPERATOR.id, request: 'r' };
    expect(readEvent({ type: 'agent.joined', version: 2, payload: old })).toMatchObject({ ok: true, value: { payload: old } });
    expect(readEvent({ type: 'agent.joined', version: 2, payload: { ...old, note: 'n' } })).toMatchObject({ ok: false });
  });
});
