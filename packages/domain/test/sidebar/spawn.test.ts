import { describe, expect, test } from 'vitest';
import { given, payloadsOf } from '../board/given.ts';

const IN_SESSION = { kind: 'session', sessionId: 'session-1', leafUuid: 'leaf', upTo: 7 } as const;

describe('a new sidebar', () => {
  test('[LIFE-3] branches off nothing, a session or a sidebar, with a scratchpad of its own', () => {
    const stage = given();
    const events = stage.does(
      { type: 'sidebar.spawn', origin: IN_SESSION, task: 'Find the cause', successCriteria: 'It is known', taskType: 'debugging' },
      { by: 'ada' },
    );
    expect(events.map(({ type, payload, refs }) => ({ type, payload, refs }))).toEqual([
      {
        type: 'sidebar.spawned',
        refs: ['SB-1'],
        payload: {
          origin: IN_SESSION,
          parent: { kind: 'session', sessionId: 'session-1' },
          mergeTarget: { kind: 'session', sessionId: 'session-1' },
          task: 'Find the cause',
          successCriteria: 'It is known',
          taskType: 'debugging',
          participants: ['AGENT-ada'],
          coordinator: 'AGENT-operator',
          curator: 'AGENT-operator',
          priority: 'NORMAL',
          status: 'ACTIVE',
          testGroup: null,
          tags: [],
          forkedFrom: null,
          forkReason: null,
          sourceScratchpad: null,
          resolves: null,
          isOpen: true,
        },
      },
      {
        type: 'scratchpad.created',
        refs: [],
        payload: {
          sidebarId: stage.sidebar('SB-1').id,
          curator: 'AGENT-operator',
          taskDefinition: 'Find the cause',
          successCriteria: 'It is known',
          citableSources: [],
        },
      },
    ]);
    stage.does({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'Something new' });
    expect(stage.sidebar('SB-2')).toMatchObject({ parent: null, origin: { kind: 'none' }, mergeTarget: null, successCriteria: null });
    stage.does({ type: 'sidebar.spawn', origin: { kind: 'sidebar', sidebarId: stage.sidebar('SB-2').id, upTo: null }, task: 'Look closer' });
    expect(stage.sidebar('SB-3').parent).toEqual({ kind: 'sidebar', sidebarId: stage.sidebar('SB-2').id });
    expect(stage.sidebar('SB-2').children).toEqual([stage.sidebar('SB-3').id]);
  });

  test('[LIFE-3] is not spawned from a place that is none, nor as a fork', () => {
    const stage = given();
    expect(stage.code({ type: 'sidebar.spawn', origin: { ...IN_SESSION, upTo: -1 }, task: 't' })).toBe('bad-request');
    expect(stage.code({ type: 'sidebar.spawn', origin: { ...IN_SESSION, upTo: 1.5 }, task: 't' })).toBe('bad-request');
    expect(stage.code({ type: 'sidebar.spawn', origin: { kind: 'fork', sidebarId: 'x', upTo: null }, task: 't' })).toBe('bad-request');
    expect(stage.code({ type: 'sidebar.spawn', origin: { kind: 'sidebar', sidebarId: 'x', upTo: null }, task: 't' })).toBe('not-found');
    expect(stage.code({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 't', resolves: 'x' })).toBe('bad-request');
    const sidebar = stage.spawns();
    expect(stage.code({ type: 'sidebar.spawn', origin: { kind: 'sidebar', sidebarId: sidebar, upTo: null }, task: 't', resolves: 'x' })).toBe(
      'bad-reference',
    );
  });

  test('[LIFE-5] whoever spawns takes part, the human coordinates unless somebody is named, and the coordinator curates', () => {
    const stage = given();
    stage.spawns({ participants: ['ben', 'AGENT-ben'] }, { by: 'ada' });
    expect(stage.sidebar('SB-1')).toMatchObject({
      participants: ['AGENT-ada', 'AGENT-ben'],
      coordinator: 'AGENT-operator',
      curator: 'AGENT-operator',
    });
    stage.spawns({ participants: [], coordinator: 'cyd' });
    expect(stage.sidebar('SB-2')).toMatchObject({ participants: ['AGENT-operator'], coordinator: 'AGENT-cyd', curator: 'AGENT-cyd' });
    stage.spawns({ participants: [], curator: 'ben' }, { by: 'system' });
    expect(stage.sidebar('SB-3')).toMatchObject({ participants: ['AGENT-operator'], coordinator: 'AGENT-operator', curator: 'AGENT-ben' });
    expect(stage.refuses({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 't', participants: ['dan'] })).toEqual({
      code: 'not-found',
      reason: 'unknown-agent',
      facts: { agent: 'AGENT-dan' },
    });
  });

  test('[LIFE-4] whoever works in a sidebar takes part in it, coordinates, curates, or is the human', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada'], coordinator: 'ben' });
    for (const by of ['ada', 'ben', 'operator'])
      expect(stage.doesKinds({ type: 'chat.say', sidebar, content: 'hello' }, { by })).toEqual(['chat.message']);
    expect(stage.refuses({ type: 'chat.say', sidebar, content: 'hello' }, { by: 'cyd' })).toEqual({
      code: 'not-participant',
      reason: 'not-participant',
      facts: { actor: 'AGENT-cyd', sidebar: 'SB-1', to: 'work', ask: ['AGENT-operator', 'AGENT-ada'] },
    });
    expect(stage.code({ type: 'sidebar.pause', sidebar, reason: 'x' }, { by: 'cyd' })).toBe('not-participant');
    expect(stage.code({ type: 'sidebar.archive', sidebar }, { by: 'cyd' })).toBe('not-participant');
  });

  test('[LIFE-7] a parent at work passes through SPAWNING_CHILD, and goes on or waits for the child', () => {
    const stage = given();
    const parent = stage.spawns();
    expect(stage.does({ type: 'sidebar.spawn-child', sidebar: parent, upTo: null, task: 'a' }).map(({ type }) => type)).toEqual([
      'sidebar.moved',
      'sidebar.spawned',
      'scratchpad.created',
      'sidebar.moved',
    ]);
    expect(stage.sidebar(parent).status).toBe('ACTIVE');
    stage.spawnsChild(parent, { isWaiting: true });
    expect(stage.sidebar(parent)).toMatchObject({ status: 'WAITING', waiting: { waitingFor: 'child', dependencies: [stage.sidebar('SB-3').id] } });
    expect(stage.doesKinds({ type: 'sidebar.spawn-child', sidebar: parent, upTo: null, task: 'b' })).toEqual([
      'sidebar.spawned',
      'scratchpad.created',
    ]);
    expect(stage.code({ type: 'sidebar.spawn-child', sidebar: parent, upTo: null, task: 'c', isWaiting: true })).toBe('wrong-status');
  });

  test('[LIFE-7] anybody may spawn from a sidebar at work, but only who takes part lets it wait; what has ended has no more children', () => {
    const stage = given();
    const parent = stage.spawns({ participants: ['ada'] });
    stage.spawnsChild(parent, { participants: [] }, { by: 'cyd' });
    expect(stage.code({ type: 'sidebar.spawn-child', sidebar: parent, upTo: null, task: 'c', isWaiting: true }, { by: 'cyd' })).toBe(
      'not-participant',
    );
    stage.does({ type: 'sidebar.archive', sidebar: 'SB-2' });
    stage.does({ type: 'sidebar.archive', sidebar: parent });
    expect(stage.refuses({ type: 'sidebar.spawn-child', sidebar: parent, upTo: null, task: 'c' })).toEqual({
      code: 'parent-ended',
      reason: 'parent-ended',
      facts: { sidebar: 'SB-1', status: 'ARCHIVED' },
    });
  });
});

describe('what can be changed later', () => {
  test('[LIFE-17] the coordinator and whoever spawned it change task, criteria, type and priority; participants tags and cross references', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.spawns();
    const change = { type: 'sidebar.change', sidebar, task: 'Find it all', priority: 'CRITICAL', tags: ['login'], crossRefs: ['sb-2'] } as const;
    expect(stage.code(change, { by: 'ada' })).toBe('bad-request');
    expect(payloadsOf(stage.does({ type: 'sidebar.change', sidebar, tags: ['first'] }, { by: 'ada' }), 'sidebar.changed')).toEqual([
      { tags: ['first'] },
    ]);
    expect(payloadsOf(stage.does(change), 'sidebar.changed')).toEqual([
      { task: 'Find it all', priority: 'CRITICAL', tags: ['login'], crossRefs: ['SB-2'] },
    ]);
    expect(stage.sidebar(sidebar)).toMatchObject({ task: 'Find it all', priority: 'CRITICAL', tags: ['login'], crossRefs: ['SB-2'] });
    expect(stage.code({ type: 'sidebar.change', sidebar })).toBe('bad-request');
    expect(stage.code({ type: 'sidebar.change', sidebar, crossRefs: ['SB-99'] })).toBe('bad-reference');
  });

  test('[LIFE-17] only the coordinator, or the human, names another coordinator or curator', () => {
    const stage = given();
    const sidebar = stage.spawns({ coordinator: 'ben' });
    expect(stage.code({ type: 'sidebar.change', sidebar, curator: 'ada' }, { by: 'ada' })).toBe('not-coordinator');
    expect(stage.code({ type: 'sidebar.change', sidebar, curator: 'dan' }, { by: 'ben' })).toBe('not-found');
    stage.does({ type: 'sidebar.change', sidebar, curator: 'cyd' }, { by: 'ben' });
    expect(stage.sidebar(sidebar)).toMatchObject({ coordinator: 'AGENT-ben', curator: 'AGENT-cyd', interventions: 0 });
    stage.does({ type: 'sidebar.change', sidebar, coordinator: 'human' });
    expect(stage.sidebar(sidebar)).toMatchObject({ coordinator: 'AGENT-operator', interventions: 1 });
  });
});
