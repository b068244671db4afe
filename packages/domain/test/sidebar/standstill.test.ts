import { describe, expect, test } from 'vitest';
import { cpuTimeOf } from '../../../../tests/cpu-time.ts';
import { OPERATOR } from '../../src/index.ts';
import { given, payloadsOf } from '../board/given.ts';

describe('a pause', () => {
  test('[LIFE-9] whoever resumes is told how long it was, why, and what happened meanwhile', () => {
    const stage = given();
    const sidebar = stage.spawns({ priority: 'LOW' });
    const other = stage.spawns({ task: 'Other work', priority: 'CRITICAL' });
    stage.does({ type: 'sidebar.archive', sidebar: stage.spawns() });
    stage.does({ type: 'sidebar.pause', sidebar, reason: 'lunch', resumeCondition: 'when full' });
    expect(stage.sidebar(sidebar).pause).toMatchObject({ reason: 'lunch', resumeCondition: 'when full' });
    stage.world.pass(60_000);
    stage.spawns({ task: 'New work' });
    stage.confirms(other, 'the cache is cold');
    stage.does({ type: 'citation.create', sidebar: other, source: { kind: 'reference', ref: other } });
    stage.golds({ sidebar: other });
    stage.does({ type: 'sidebar.archive', sidebar: other });
    const paused = stage.sidebar(sidebar).pause?.at ?? 0;
    expect(payloadsOf(stage.does({ type: 'sidebar.resume', sidebar, reason: 'back' }, { by: 'ada' }), 'sidebar.resumed')).toEqual([
      {
        from: 'PAUSED',
        reason: 'back',
        pausedFor: stage.world.now() - paused,
        pausedReason: 'lunch',
        whatHappened: [
          'SB-4 (NORMAL) spawned: New work',
          'SB-2 (CRITICAL) archived: manual',
          '1 new citation created',
          '1 new GOLD waypoint created',
          '1 finding confirmed elsewhere',
        ],
      },
    ]);
    expect(stage.sidebar(sidebar)).toMatchObject({ status: 'ACTIVE', pause: null });
    const told = stage.world.board.notices.get('AGENT-operator')?.filter(({ kind }) => kind === 'resumed');
    expect(told).toEqual([expect.objectContaining({ text: expect.stringContaining('SB-2 (CRITICAL) archived') })]);
  });

  test('[LIFE-9] of very much only a part is told', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.does({ type: 'sidebar.pause', sidebar, reason: 'lunch' });
    for (let n = 0; n < 25; n += 1) stage.spawns();
    const [event] = stage.does({ type: 'sidebar.resume', sidebar });
    expect(event).toMatchObject({ payload: { whatHappened: expect.objectContaining({ length: 21, 20: 'and 5 more' }) } });
  });

  test('[LIFE-9] only what stands still is resumed', () => {
    const stage = given();
    expect(stage.refuses({ type: 'sidebar.resume', sidebar: stage.spawns() })).toEqual({
      code: 'wrong-status',
      reason: 'wrong-status',
      facts: { sidebar: 'SB-1', status: 'ACTIVE', to: 'resume' },
    });
  });
});

describe('waiting', () => {
  test('[LIFE-15] says what for, and until when', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const events = stage.does({ type: 'sidebar.wait', sidebar, waitingFor: 'an answer', description: ' ', dependencies: [], timeoutMs: 5000 });
    expect(payloadsOf(events, 'sidebar.waiting')).toEqual([
      { from: 'ACTIVE', waitingFor: 'an answer', description: null, dependencies: [], deadline: stage.world.now() + 5000 },
    ]);
    stage.does({ type: 'sidebar.resume', sidebar });
    expect(stage.code({ type: 'sidebar.wait', sidebar, waitingFor: 'x', timeoutMs: 0 })).toBe('bad-request');
    expect(stage.code({ type: 'sidebar.wait', sidebar, waitingFor: 'x', timeoutMs: 1e12 })).toBe('bad-request');
    expect(stage.code({ type: 'sidebar.wait', sidebar, waitingFor: 'x', dependencies: ['SB-99'] })).toBe('bad-reference');
  });

  test('[LIFE-15] nobody waits for itself, for what waits for it, for what it branched off, or for what is over', () => {
    const stage = given();
    const [a, b, c] = [stage.spawns(), stage.spawns(), stage.spawns()];
    const child = stage.spawnsChild(a);
    stage.does({ type: 'sidebar.wait', sidebar: b, waitingFor: 'a', dependencies: [a] });
    stage.does({ type: 'sidebar.wait', sidebar: c, waitingFor: 'b', dependencies: [b] });
    expect(stage.refuses({ type: 'sidebar.wait', sidebar: a, waitingFor: 'a', dependencies: [a] })).toEqual({
      code: 'bad-reference',
      reason: 'waits-in-circle',
      facts: { sidebar: 'SB-1', for: 'SB-1' },
    });
    expect(stage.refuses({ type: 'sidebar.wait', sidebar: a, waitingFor: 'c', dependencies: [c] })).toEqual({
      code: 'bad-reference',
      reason: 'waits-in-circle',
      facts: { sidebar: 'SB-1', for: 'SB-3' },
    });
    expect(stage.code({ type: 'sidebar.wait', sidebar: child, waitingFor: 'a', dependencies: [a] })).toBe('bad-reference');
    stage.does({ type: 'sidebar.archive', sidebar: c });
    expect(stage.code({ type: 'sidebar.wait', sidebar: a, waitingFor: 'c', dependencies: [c] })).toBe('already-there');
  });

  test('[LIFE-15] nobody waits for what has a child, at any depth, that waits for it', () => {
    const stage = given();
    const [parent, other] = [stage.spawns(), stage.spawns()];
    const grandchild = stage.spawnsChild(stage.spawnsChild(parent));
    stage.does({ type: 'sidebar.wait', sidebar: grandchild, waitingFor: 'other', dependencies: [other] });
    const wait = { type: 'sidebar.wait', sidebar: other, waitingFor: 'parent', dependencies: [parent] } as const;
    expect(stage.refuses(wait)).toEqual({
      code: 'bad-reference',
      reason: 'waits-in-circle',
      facts: { sidebar: 'SB-2', for: 'SB-1' },
    });
    stage.does({ type: 'sidebar.archive', sidebar: grandchild });
    expect(stage.doesKinds(wait)).toEqual(['sidebar.waiting']);
  });

  test('[LIFE-9] many that waited for the same are told each what happened since it came to stand still', () => {
    const stage = given();
    const [end, paused] = [stage.spawns(), stage.spawns()];
    stage.does({ type: 'sidebar.pause', sidebar: paused, reason: 'lunch' });
    const waiters = Array.from({ length: 30 }, (_, n) => {
      const sidebar = stage.spawns({ task: `Work ${n}` });
      stage.does({ type: 'sidebar.wait', sidebar, waitingFor: 'it', dependencies: [end] });
      stage.does({ type: 'citation.create', source: { kind: 'reference', ref: end } });
      return sidebar;
    });
    const told = payloadsOf(stage.does({ type: 'sidebar.archive', sidebar: end }), 'sidebar.resumed');
    expect(told.length).toBe(waiters.length);
    expect([told[0], told[7], told[28], told[29]]).toMatchObject([
      {
        whatHappened: expect.objectContaining({ 0: 'SB-4 (NORMAL) spawned: Work 1', 20: 'and 10 more', 21: '30 new citations created', length: 22 }),
      },
      {
        whatHappened: expect.objectContaining({ 0: 'SB-11 (NORMAL) spawned: Work 8', 20: 'and 3 more', 21: '23 new citations created', length: 22 }),
      },
      { whatHappened: ['SB-32 (NORMAL) spawned: Work 29', 'SB-1 (NORMAL) archived', '2 new citations created'] },
      { whatHappened: ['SB-1 (NORMAL) archived', '1 new citation created'] },
    ]);
  });

  test('[LIFE-16] a thousand and more that wait for the same go on at once, in no time', () => {
    const stage = given();
    const end = stage.spawns();
    for (let n = 0; n < 1500; n += 1) {
      const sidebar = stage.spawns();
      stage.world.perform({ type: 'sidebar.wait', sidebar, waitingFor: 'it', dependencies: [end] }, OPERATOR);
    }
    let resumed = 0;
    const took = cpuTimeOf(() => {
      const decision = stage.world.decide({ type: 'sidebar.archive', sidebar: end }, OPERATOR);
      resumed = decision.ok ? payloadsOf(decision.value, 'sidebar.resumed').length : 0;
    });
    expect(resumed).toBe(1500);
    expect(took).toBeLessThan(1000);
  });

  test('[LIFE-8] a parent goes on when the child it waits for has ended, however it ends', () => {
    const stage = given();
    const parent = stage.spawns();
    const ends = [
      (child: string) => stage.merges(child),
      (child: string) => stage.does({ type: 'sidebar.archive', sidebar: child }),
      (child: string) => stage.does({ type: 'sidebar.move', sidebar: child, to: 'FAILED', reason: 'it broke' }),
    ];
    const reasons = ends.map((end) => payloadsOf(end(stage.spawnsChild(parent, { isWaiting: true })), 'sidebar.resumed'));
    expect(reasons).toEqual(
      ['SB-2 merged, its child', 'SB-3 archived, its child', 'SB-4 failed, its child'].map((reason) => [
        expect.objectContaining({ from: 'WAITING', reason }),
      ]),
    );
    expect(stage.sidebar(parent).status).toBe('ACTIVE');
    expect(stage.world.log.filter(({ type }) => type === 'sidebar.resumed').map(({ by }) => by.id)).toEqual(['system', 'system', 'system']);
  });

  test('[LIFE-8] whoever waits for several goes on when the last of them has ended; other references do not hold it', () => {
    const stage = given();
    const [waiter, a, b] = [stage.spawns(), stage.spawns(), stage.spawns()];
    stage.does({ type: 'chat.say', sidebar: a, content: 'hello' });
    stage.does({ type: 'sidebar.wait', sidebar: waiter, waitingFor: 'both', dependencies: [a, b, 'MSG-1'] });
    expect(stage.doesKinds({ type: 'sidebar.archive', sidebar: a })).toEqual(['sidebar.archived', 'episodic.archived']);
    expect(stage.sidebar(waiter).status).toBe('WAITING');
    expect(stage.doesKinds({ type: 'sidebar.archive', sidebar: b })).toEqual(['sidebar.archived', 'episodic.archived', 'sidebar.resumed']);
    expect(stage.sidebar(waiter)).toMatchObject({ status: 'ACTIVE', waiting: null });
  });

  test('[LIFE-8] one that went on before is not resumed again', () => {
    const stage = given();
    const [waiter, other] = [stage.spawns(), stage.spawns()];
    stage.does({ type: 'sidebar.wait', sidebar: waiter, waitingFor: 'it', dependencies: [other] });
    stage.does({ type: 'sidebar.resume', sidebar: waiter });
    expect(stage.doesKinds({ type: 'sidebar.archive', sidebar: other })).toEqual(['sidebar.archived', 'episodic.archived']);
  });

  test('[LIFE-10] a deadline that has passed fails it; before that, and for one that went on, the clock is refused', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const late = { type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'its deadline passed' } as const;
    stage.does({ type: 'sidebar.wait', sidebar, waitingFor: 'ben', timeoutMs: 1000 });
    expect(stage.code(late, { by: 'system' })).toBe('changed-since');
    stage.world.pass(1000);
    stage.does({ type: 'sidebar.resume', sidebar });
    stage.does({ type: 'sidebar.wait', sidebar, waitingFor: 'ben' });
    expect(stage.code(late, { by: 'system' })).toBe('changed-since');
    stage.does({ type: 'sidebar.resume', sidebar });
    stage.does({ type: 'sidebar.wait', sidebar, waitingFor: 'ben', timeoutMs: 1000 });
    stage.world.pass(1000);
    stage.does(late, { by: 'system' });
    expect(stage.sidebar(sidebar)).toMatchObject({ status: 'FAILED', failureReason: 'its deadline passed' });
  });

  test('[LIFE-10] one with live children goes on instead, and the human is told', () => {
    const stage = given();
    const parent = stage.spawns();
    const child = stage.spawnsChild(parent);
    stage.does({ type: 'sidebar.wait', sidebar: parent, waitingFor: 'child', dependencies: [child], timeoutMs: 10 });
    stage.world.pass(10);
    const late = { type: 'sidebar.move', sidebar: parent, to: 'FAILED', reason: 'its deadline passed' } as const;
    expect(stage.doesKinds(late, { by: 'system' })).toEqual(['sidebar.resumed', 'sidebar.escalated']);
    expect(stage.sidebar(parent)).toMatchObject({ status: 'ACTIVE', escalatedTo: 'AGENT-operator', escalation: { by: 'system' } });
  });

  test('[LIFE-6] a sidebar with live children does not end, and the refusal names them', () => {
    const stage = given();
    const parent = stage.spawns();
    const child = stage.spawnsChild(parent);
    stage.does({ type: 'sidebar.pause', sidebar: child, reason: 'lunch' });
    const refusal = {
      code: 'live-children',
      reason: 'live-children',
      facts: { sidebar: 'SB-1', children: [{ sidebar: 'SB-2', status: 'PAUSED' }] },
    };
    expect(stage.refuses({ type: 'sidebar.archive', sidebar: parent })).toEqual(refusal);
    expect(stage.refuses({ type: 'sidebar.move', sidebar: parent, to: 'FAILED', reason: 'x' })).toEqual(refusal);
    stage.does({ type: 'sidebar.consolidate', sidebar: parent });
    stage.does({ type: 'merge.check', sidebar: parent, isFit: true });
    expect(stage.refuses({ type: 'sidebar.merge', sidebar: parent, target: { kind: 'session', sessionId: 's' } })).toEqual(refusal);
    stage.does({ type: 'sidebar.archive', sidebar: child });
    stage.does({ type: 'sidebar.merge', sidebar: parent, target: { kind: 'session', sessionId: 's' } });
    expect(stage.sidebar(parent).status).toBe('MERGED');
  });

  test('[LIFE-14] nothing more is said or done in what has ended', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const finding = stage.confirms(sidebar, 'the cache is cold');
    stage.does({ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'it broke' });
    const all = [
      { type: 'chat.say', sidebar, content: 'hello' },
      { type: 'finding.submit', sidebar, content: 'more' },
      { type: 'finding.validate', sidebar, finding, status: 'rejected', notes: 'no' },
      { type: 'finding.annotate', sidebar, finding, note: 'yes' },
      { type: 'checkpoint.create', sidebar, summary: 'so far' },
      { type: 'sidebar.change', sidebar, priority: 'LOW' },
      { type: 'agent.recruit', sidebar, agent: 'ben' },
      { type: 'agent.leave', sidebar, agent: 'ada' },
      { type: 'sidebar.escalate', sidebar, reason: 'help' },
    ] as const;
    expect(all.map((command) => stage.refuses(command))).toEqual(
      all.map(() => ({ code: 'wrong-status', reason: 'sidebar-ended', facts: { sidebar: 'SB-1', status: 'FAILED' } })),
    );
  });
});

describe('stepping in', () => {
  test('[LIFE-11] whoever cannot go on asks the coordinator, and the coordinator the human', () => {
    const stage = given();
    const sidebar = stage.spawns({ coordinator: 'ben' });
    const to = (by: string, reason: string) => payloadsOf(stage.does({ type: 'sidebar.escalate', sidebar, reason }, { by }), 'sidebar.escalated');
    expect(to('ada', 'stuck')).toEqual([{ from: 'AGENT-ada', to: 'AGENT-ben', reason: 'stuck' }]);
    expect(stage.sidebar(sidebar)).toMatchObject({ escalatedTo: 'AGENT-ben', escalation: { by: 'AGENT-ada', reason: 'stuck' } });
    stage.does({ type: 'chat.say', sidebar, content: 'try this' }, { by: 'ben' });
    expect(stage.sidebar(sidebar).escalation).toBeNull();
    to('ada', 'still stuck');
    expect(to('ada', 'nobody answers')).toEqual([{ from: 'AGENT-ada', to: 'AGENT-operator', reason: 'nobody answers' }]);
    expect(stage.code({ type: 'sidebar.escalate', sidebar, reason: 'hey' }, { by: 'ben' })).toBe('already-there');
    expect(stage.code({ type: 'sidebar.escalate', sidebar, reason: 'hey' })).toBe('bad-request');
    expect(stage.world.board.notices.get('AGENT-operator')?.map(({ kind, text }) => ({ kind, text }))).toEqual([
      { kind: 'escalation', text: 'AGENT-ada needs a decision in SB-1: nobody answers' },
    ]);
    stage.does({ type: 'chat.say', sidebar, content: 'do this' });
    expect(to('ben', 'I cannot')).toEqual([{ from: 'AGENT-ben', to: 'AGENT-operator', reason: 'I cannot' }]);
  });

  test('[LIFE-11] where the human coordinates, or the coordinator is gone, it comes to the human at once', () => {
    const stage = given();
    const own = stage.spawns();
    const orphaned = stage.spawns({ coordinator: 'ben' });
    stage.does({ type: 'agent.retire', agent: 'ben' });
    for (const sidebar of [own, orphaned]) {
      expect(payloadsOf(stage.does({ type: 'sidebar.escalate', sidebar, reason: 'stuck' }, { by: 'ada' }), 'sidebar.escalated')).toEqual([
        { from: 'AGENT-ada', to: 'AGENT-operator', reason: 'stuck' },
      ]);
    }
  });

  test('[LIFE-12] the human who does what an agent is there for, or answers an escalation, is counted by task type', () => {
    const stage = given();
    const sidebar = stage.spawns({ coordinator: 'ben', curator: 'cyd', taskType: 'debugging' });
    stage.submits(sidebar, 'the cache is cold');
    const intervened = (what: string, instead: string) => [{ instead, what, taskType: 'debugging' }];
    expect(payloadsOf(stage.does({ type: 'finding.validate', sidebar, finding: '1', status: 'confirmed' }), 'sidebar.intervened')).toEqual(
      intervened('validate findings', 'AGENT-cyd'),
    );
    expect(payloadsOf(stage.does({ type: 'chat.say', sidebar, content: 'hello' }), 'sidebar.intervened')).toEqual([]);
    stage.does({ type: 'sidebar.escalate', sidebar, reason: 'stuck' }, { by: 'ben' });
    expect(payloadsOf(stage.does({ type: 'chat.say', sidebar, content: 'do this' }), 'sidebar.intervened')).toEqual(
      intervened('answer an escalation', 'AGENT-ben'),
    );
    expect(payloadsOf(stage.does({ type: 'chat.say', sidebar, content: 'and this' }), 'sidebar.intervened')).toEqual([]);
    expect(stage.sidebar(sidebar)).toMatchObject({ interventions: 2, escalation: null });
    expect([...stage.world.board.interventions.entries()]).toEqual([['debugging', 2]]);
  });

  test('[LIFE-12] where the human coordinates and curates, nothing is counted', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'the cache is cold');
    stage.does({ type: 'sidebar.escalate', sidebar, reason: 'stuck' }, { by: 'ada' });
    stage.does({ type: 'chat.say', sidebar, content: 'do this' });
    expect(stage.sidebar(sidebar)).toMatchObject({ interventions: 0, escalation: null });
  });
});

describe('tests', () => {
  test('[TEST-1] results belong to what is TESTING', () => {
    const stage = given();
    const sidebar = stage.spawns({ isTesting: true });
    const result = { type: 'sidebar.test-result', sidebar, description: 'login', result: 'pass', findings: ['it holds'] } as const;
    expect(payloadsOf(stage.does(result, { by: 'ada' }), 'sidebar.tested')).toEqual([
      { description: 'login', result: 'pass', findings: ['it holds'] },
    ]);
    expect(stage.sidebar(sidebar).testResults).toMatchObject([{ description: 'login', result: 'pass', by: 'AGENT-ada' }]);
    expect(stage.code({ ...result, sidebar: stage.spawns() })).toBe('wrong-status');
  });

  test('[TEST-2] the coordinator promotes a test to real work, or discards it', () => {
    const stage = given();
    const promoted = stage.spawns({ isTesting: true, coordinator: 'ben' });
    expect(stage.code({ type: 'sidebar.move', sidebar: promoted, to: 'ACTIVE' }, { by: 'ada' })).toBe('not-coordinator');
    stage.does({ type: 'sidebar.move', sidebar: promoted, to: 'ACTIVE' }, { by: 'ben' });
    expect(stage.sidebar(promoted)).toMatchObject({ status: 'ACTIVE', interventions: 0 });
    const discarded = stage.spawns({ isTesting: true, coordinator: 'ben' });
    expect(payloadsOf(stage.does({ type: 'sidebar.archive', sidebar: discarded }, { by: 'ben' }), 'sidebar.archived')).toMatchObject([
      { reason: 'test_discard', finalStatus: 'TESTING' },
    ]);
  });

  test('[TEST-3] a test is not merged before it is promoted', () => {
    const stage = given();
    const sidebar = stage.spawns({ isTesting: true });
    stage.confirms(sidebar, 'the cache is cold');
    expect(stage.code({ type: 'sidebar.consolidate', sidebar })).toBe('wrong-status');
    stage.does({ type: 'sidebar.move', sidebar, to: 'ACTIVE' });
    expect(stage.doesKinds({ type: 'sidebar.consolidate', sidebar })).toEqual(['sidebar.consolidated']);
  });

  test('[TEST-4] tests of one group are compared, and those at work in the others are told each result', () => {
    const stage = given();
    const [one, two, three] = ['ada', 'ben', 'cyd'].map((agent) => stage.spawns({ isTesting: true, testGroup: 'cache', participants: [agent] }));
    stage.spawns({ isTesting: true, participants: ['ben'] });
    stage.does({ type: 'sidebar.move', sidebar: three ?? '', to: 'ACTIVE' });
    stage.does({ type: 'sidebar.test-result', sidebar: one ?? '', description: 'cold', result: 'pass' }, { by: 'ada' });
    const told = (agent: string) => stage.world.board.notices.get(agent)?.map(({ kind, text, refs }) => ({ kind, text, refs })) ?? [];
    const results = (agent: string) => told(agent).filter(({ kind }) => kind === 'tested');
    expect(results('AGENT-ben')).toEqual([{ kind: 'tested', text: 'SB-1 tested: cold: pass', refs: [one] }]);
    expect([results('AGENT-ada'), results('AGENT-cyd')]).toEqual([[], []]);
    expect(two).toBe('SB-2');
  });
});
