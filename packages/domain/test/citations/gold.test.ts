import { describe, expect, test } from 'vitest';
import { goldOf, isGoldResting, isStanding, rowsOf, type Command } from '../../src/index.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const gold = (stage: Stage, ref = 'GOLD-1') => goldOf(stage.world.board, ref);
const episodes = (stage: Stage) => rowsOf(stage.world.board.episodes).filter(({ gold: of }) => of !== null);

describe('a waypoint', () => {
  test('[GOLD-1] is protected at once, with the scratchpad it came from, and is still provisional', () => {
    const stage = given();
    const sidebar = stage.spawns({ tags: ['login'] });
    stage.confirms(sidebar, 'the cache is cold');
    const events = stage.does(
      {
        type: 'gold.create',
        sidebar,
        sourceRefs: ['scratch-1:finding-1'],
        keyInsight: 'X breaks the login',
        reusePattern: 'check X',
        triggerConditions: ['timeout'],
        confidence: 0.8,
      },
      { by: 'ada' },
    );
    expect(events.map(({ type, by }) => ({ type, by: by.id }))).toEqual([
      { type: 'gold.created', by: 'AGENT-ada' },
      { type: 'episodic.archived', by: 'system' },
      { type: 'scratchpad.backed_up', by: 'system' },
    ]);
    expect(gold(stage)).toEqual({
      id: events[0]?.uuid,
      ref: 'GOLD-1',
      sourceRefs: ['SCRATCH-1:FINDING-1'],
      keyInsight: 'X breaks the login',
      reusePattern: 'check X',
      triggerConditions: ['timeout'],
      confidence: 0.8,
      createdBy: 'AGENT-ada',
      createdIn: stage.sidebar(sidebar).contextId,
      createdAt: stage.world.now(),
      position: events[0]?.position,
      timesReferenced: 0,
      timesSurfaced: 0,
      shown: [],
      timesUseful: 0,
      timesNotNow: 0,
      notNowInARow: 0,
      status: 'pending',
      validatedBy: null,
      validatedAt: null,
      validationNotes: null,
      isProvisional: true,
      superseded: null,
    });
    expect(episodes(stage)).toMatchObject([{ content: 'X breaks the login', trigger: 'gold', isProvisional: true, tags: ['gold', 'login'] }]);
  });

  test('[GOLD-2] says what it is about, the insight, how to use it again, and when to remember it', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const create = { type: 'gold.create', sidebar, sourceRefs: ['SB-1'], keyInsight: 'i', reusePattern: 'p', triggerConditions: ['t'] } as const;
    const code = (more: object) => stage.code({ ...create, ...more });
    const long = 'x'.repeat(1001);
    const wrong = [
      { sourceRefs: [] },
      { keyInsight: ' ' },
      { reusePattern: '' },
      { triggerConditions: [] },
      { triggerConditions: [' '] },
      { triggerConditions: [long] },
      { confidence: 2 },
    ];
    expect(wrong.map(code)).toEqual(wrong.map(() => 'bad-request'));
    expect(code({ triggerConditions: Array.from({ length: 21 }, (_, at) => `t${at}`) })).toBe('bad-request');
    expect(code({ sourceRefs: ['SB-9'] })).toBe('bad-reference');
    expect(stage.code(create, { by: 'ben' })).toBe('not-participant');
  });

  test('[GOLD-3] is validated by the curator like anything else, and never by the agent that found it', () => {
    const stage = given();
    const sidebar = stage.spawns({ curator: 'ben', participants: ['ada', 'ben'] });
    stage.golds({ sidebar }, { by: 'ada' });
    stage.golds({ sidebar }, { by: 'ben' });
    const validate = { type: 'gold.validate', gold: 'gold-1', status: 'confirmed' } as const;
    expect(stage.code(validate, { by: 'ada' })).toBe('not-curator');
    expect(stage.code({ ...validate, gold: 'GOLD-2' }, { by: 'ben' })).toBe('own-finding');
    expect(stage.code({ ...validate, status: 'rejected' }, { by: 'ben' })).toBe('bad-request');
    expect(stage.code({ ...validate, gold: 'GOLD-9' })).toBe('not-found');
    expect(stage.doesKinds(validate, { by: 'ben' })).toEqual(['gold.validated']);
    expect(gold(stage)).toMatchObject({ status: 'confirmed', validatedBy: 'AGENT-ben', isProvisional: true });
    expect(stage.code(validate, { by: 'ben' })).toBe('already-there');
    expect(stage.code({ ...validate, status: 'rejected', notes: 'no', seen: 'pending' })).toBe('changed-since');
    expect(stage.doesKinds({ ...validate, gold: 'GOLD-2' })).toEqual(['gold.validated', 'sidebar.intervened']);
  });

  test('[GOLD-4] is final when it is confirmed and its sidebar is done, in either order', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.golds({ sidebar });
    stage.golds({ sidebar });
    stage.does({ type: 'gold.validate', gold: 'GOLD-1', status: 'confirmed' });
    stage.does({ type: 'sidebar.archive', sidebar });
    expect([gold(stage), gold(stage, 'GOLD-2')]).toMatchObject([{ isProvisional: false }, { isProvisional: true, status: 'pending' }]);
    expect(episodes(stage).map(({ isProvisional }) => isProvisional)).toEqual([false, true]);
    expect(stage.doesKinds({ type: 'gold.validate', gold: 'GOLD-2', status: 'confirmed' })).toEqual(['gold.validated', 'episodic.finalised']);
    expect(gold(stage, 'GOLD-2')).toMatchObject({ isProvisional: false, status: 'confirmed' });
    expect(episodes(stage).map(({ isProvisional }) => isProvisional)).toEqual([false, false]);
  });

  test('[GOLD-4] is not final while its evidence is pending, whatever ends, and is when that is confirmed and done', () => {
    const stage = given();
    const [sidebar, elsewhere] = [stage.spawns(), stage.spawns()];
    stage.submits(sidebar, 'nobody validates it');
    stage.submits(elsewhere, 'is confirmed later');
    stage.golds({ sidebar, sourceRefs: ['SCRATCH-1:FINDING-1'] });
    stage.golds({ sidebar, sourceRefs: ['SCRATCH-2:FINDING-1'] });
    stage.golds({ sourceRefs: ['FRAG-2'] });
    for (const one of ['GOLD-1', 'GOLD-2', 'GOLD-3']) stage.does({ type: 'gold.validate', gold: one, status: 'confirmed' });
    stage.does({ type: 'sidebar.archive', sidebar });
    const provisional = () => [
      ...['GOLD-1', 'GOLD-2', 'GOLD-3'].map((ref) => gold(stage, ref)?.isProvisional),
      ...episodes(stage).map(({ isProvisional }) => isProvisional),
    ];
    expect(provisional()).toEqual([true, true, true, true, true, true]);
    stage.validates(elsewhere, '1', 'confirmed');
    expect(stage.doesKinds({ type: 'sidebar.archive', sidebar: elsewhere }).filter((type) => type === 'gold.finalised').length).toBe(2);
    expect(provisional()).toEqual([true, false, false, true, false, false]);
    expect(rowsOf(stage.world.board.golds).map(({ superseded }) => superseded)).toEqual([null, null, null]);
  });

  test('[GOLD-5] is superseded at the end of its sidebar when it was rejected, or its evidence was rejected or revised', () => {
    const stage = given();
    const sidebar = stage.spawns();
    for (const content of ['is rejected', 'is revised', 'holds']) stage.confirms(sidebar, content);
    for (const ref of ['SCRATCH-1:FINDING-1', 'FRAG-2', 'SCRATCH-1:FINDING-3', 'SB-1']) stage.golds({ sidebar, sourceRefs: [ref] });
    for (const one of ['GOLD-1', 'GOLD-2', 'GOLD-3']) stage.does({ type: 'gold.validate', gold: one, status: 'confirmed' });
    stage.does({ type: 'gold.validate', gold: 'GOLD-4', status: 'rejected', notes: 'no insight' });
    stage.validates(sidebar, '1', 'rejected');
    stage.validates(sidebar, stage.submits(sidebar, 'is better', { supersedes: '2' }), 'confirmed');
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(['GOLD-1', 'GOLD-2', 'GOLD-3', 'GOLD-4'].map((ref) => gold(stage, ref)?.superseded ?? null)).toEqual([
      { by: null, why: 'SCRATCH-1:FINDING-1 was rejected' },
      { by: null, why: 'FRAG-2 was revised' },
      null,
      { by: null, why: 'no insight' },
    ]);
    expect(episodes(stage).map(({ isSuperseded }) => isSuperseded)).toEqual([true, true, false, true]);
    expect(stage.code({ type: 'gold.validate', gold: 'GOLD-1', status: 'confirmed' })).toBe('already-there');
  });

  test('[GOLD-5] is superseded, too, when the evidence it took from another sidebar does not hold there', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'the cache is cold');
    stage.golds({ sourceRefs: ['SCRATCH-1:FINDING-1'] });
    stage.does({ type: 'gold.validate', gold: 'GOLD-1', status: 'confirmed' });
    stage.validates(sidebar, '1', 'rejected');
    expect(gold(stage)).toMatchObject({ superseded: null });
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(gold(stage)).toMatchObject({ superseded: { why: 'SCRATCH-1:FINDING-1 was rejected' } });
    expect(episodes(stage)).toMatchObject([{ isSuperseded: true }]);
  });

  test('[GOLD-6] is counted whenever something cites it: a message, a finding, a citation, another waypoint', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.golds();
    stage.does({ type: 'chat.say', sidebar, content: 'see GOLD-1, yes, GOLD-1' });
    stage.does({ type: 'finding.submit', sidebar, content: 'it is so', sourceRefs: ['GOLD-1'] });
    stage.does({ type: 'citation.create', source: { kind: 'reference', ref: 'GOLD-1' } });
    stage.golds({ sourceRefs: ['GOLD-1'] });
    expect(gold(stage)?.timesReferenced).toBe(4);
  });

  test('[GOLD-7] is shown once in a conversation where its symptoms appear, unless it is cited already or was found there', () => {
    const stage = given();
    const home = stage.spawns();
    const sidebar = stage.spawns();
    stage.golds({ sidebar: home });
    const say = (where: string, content = 'a timeout with partial state') =>
      payloadsOf(stage.does({ type: 'chat.say', sidebar: where, content }, { by: 'ada' }), 'gold.surfaced');
    expect(say(sidebar, 'a timeout with partial state, as in GOLD-1')).toEqual([]);
    expect(say(sidebar)).toEqual([{ gold: gold(stage)?.id, score: 1, condition: 'timeout with partial state', about: expect.any(String) }]);
    expect([say(sidebar), say(home), say(sidebar, 'nothing')]).toEqual([[], [], []]);
    expect(gold(stage)).toMatchObject({ timesSurfaced: 1 });
    expect(stage.world.board.notices.get('AGENT-ada')?.at(-1)).toMatchObject({
      kind: 'gold',
      refs: ['GOLD-1', sidebar],
      text: expect.stringContaining('GOLD-1 dealt with something like this'),
    });
    stage.does({ type: 'gold.validate', gold: 'GOLD-1', status: 'rejected', notes: 'no' });
    expect(rowsOf(stage.world.board.golds).map(isStanding)).toEqual([false]);
    expect(say(stage.spawns())).toEqual([]);
  });

  test('[GOLD-7] is shown where work begins: in the task of a new sidebar or a fork, and in a finding', () => {
    const stage = given();
    stage.golds({ sourceRefs: ['AGENT-ada'] });
    const task = 'find out about the timeout with partial state';
    const shown = (command: Command): readonly unknown[] =>
      payloadsOf(stage.does(command), 'gold.surfaced').map((payload) => (payload as { readonly gold: string }).gold);
    const gold1 = [gold(stage)?.id];
    expect(shown({ type: 'sidebar.spawn', origin: { kind: 'none' }, task })).toEqual(gold1);
    expect(shown({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task })).toEqual(gold1);
    const old = stage.spawns();
    expect(shown({ type: 'finding.submit', sidebar: old, content: 'there is a timeout with partial state' })).toEqual(gold1);
    stage.does({ type: 'sidebar.archive', sidebar: old });
    expect(shown({ type: 'sidebar.fork', sidebar: old, reason: 'it is back', task })).toEqual(gold1);
    expect(shown({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'something else' })).toEqual([]);
  });

  test('[GOLD-7] in a session it is shown by Yarnboard itself, once', () => {
    const stage = given();
    stage.golds({ sourceRefs: ['AGENT-ada'] });
    const surface = { type: 'gold.surface', gold: 'GOLD-1', contextId: 'session-1', score: 0.9, condition: 'timeout', about: 'MSG-1' } as const;
    expect(stage.code(surface)).toBe('operator-only');
    expect(stage.doesKinds(surface, { by: 'system' })).toEqual(['gold.surfaced']);
    expect(stage.code(surface, { by: 'system' })).toBe('already-there');
    expect(stage.doesKinds({ ...surface, contextId: 'session-2' }, { by: 'system' })).toEqual(['gold.surfaced']);
    expect(stage.code({ ...surface, gold: 'GOLD-2' }, { by: 'system' })).toBe('not-found');
  });

  test('[GOLD-12] each time that it was shown takes one answer, by whoever works there, or by the operator in a session', () => {
    const stage = given();
    stage.golds({ sourceRefs: ['AGENT-ada'] });
    const sidebar = stage.spawns();
    stage.does({ type: 'chat.say', sidebar, content: 'a timeout with partial state' }, { by: 'ada' });
    stage.does({ type: 'gold.surface', gold: 'GOLD-1', contextId: 'session-1', score: 0.9, condition: 'timeout', about: 'MSG-1' }, { by: 'system' });
    const answer = { type: 'gold.answer', gold: 'GOLD-1', answer: 'useful' } as const;
    expect(stage.code({ ...answer, gold: 'GOLD-2' })).toBe('not-found');
    expect(stage.code({ ...answer, where: 'session-2' })).toBe('already-there');
    expect(stage.code({ ...answer, where: sidebar }, { by: 'cyd' })).toBe('not-participant');
    expect(stage.code({ ...answer, where: 'session-1' }, { by: 'ada' })).toBe('operator-only');
    expect(payloadsOf(stage.does({ ...answer, answer: 'not_now' }, { by: 'ada' }), 'gold.answered')).toEqual([
      { gold: gold(stage)?.id, answer: 'not_now', rests: false },
    ]);
    expect(stage.code({ ...answer, where: sidebar }, { by: 'ada' })).toBe('already-there');
    stage.does(answer);
    expect(gold(stage)).toMatchObject({
      timesUseful: 1,
      timesNotNow: 1,
      notNowInARow: 0,
      shown: [
        { contextId: stage.sidebar(sidebar).contextId, answer: 'not_now', answeredBy: 'AGENT-ada' },
        { contextId: 'session-1', answer: 'useful', answeredBy: 'AGENT-operator' },
      ],
    });
    expect(stage.code(answer)).toBe('already-there');
  });

  test('[GOLD-12] the last twenty places it was shown in can be answered', () => {
    const stage = given();
    stage.golds({ sourceRefs: ['AGENT-ada'] });
    const surface = { type: 'gold.surface', gold: 'GOLD-1', score: 0.9, condition: 'timeout', about: 'MSG-1' } as const;
    for (let n = 0; n < 22; n += 1) stage.does({ ...surface, contextId: `session-${n}` }, { by: 'system' });
    expect(gold(stage)).toMatchObject({ timesSurfaced: 22, shown: { length: 20 } });
    expect(stage.code({ type: 'gold.answer', gold: 'GOLD-1', answer: 'useful', where: 'session-1' })).toBe('already-there');
    expect(stage.doesKinds({ type: 'gold.answer', gold: 'GOLD-1', answer: 'useful', where: 'session-2' })).toEqual(['gold.answered']);
  });

  test('[GOLD-13] not wanted three times in a row it rests and says so, until somebody finds it useful', () => {
    const stage = given();
    stage.golds({ sourceRefs: ['AGENT-ada'] }, { by: 'ada' });
    const answer = { type: 'gold.answer', gold: 'GOLD-1', answer: 'not_now' } as const;
    const comesUp = (): boolean =>
      stage
        .does({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'a timeout with partial state' })
        .some(({ type }) => type === 'gold.surfaced');
    for (const how of ['not_now', 'not_now', 'useful', 'not_now', 'not_now'] as const) {
      expect(comesUp()).toBe(true);
      stage.does({ ...answer, answer: how });
    }
    expect(rowsOf(stage.world.board.golds).map(isGoldResting)).toEqual([false]);
    expect(comesUp()).toBe(true);
    expect(payloadsOf(stage.does(answer), 'gold.answered')).toMatchObject([{ rests: true }]);
    expect(rowsOf(stage.world.board.golds).map(isGoldResting)).toEqual([true]);
    expect(stage.world.board.notices.get('AGENT-ada')?.at(-1)).toMatchObject({
      kind: 'gold',
      refs: ['GOLD-1'],
      text: expect.stringContaining('no longer comes up'),
    });
    expect(comesUp()).toBe(false);
    const surface = { type: 'gold.surface', gold: 'GOLD-1', contextId: 'session-1', score: 0.9, condition: 'timeout', about: 'MSG-1' } as const;
    expect(stage.code(surface, { by: 'system' })).toBe('not-found');
    expect(stage.code(answer)).toBe('already-there');
    expect(stage.code({ ...answer, answer: 'useful' }, { by: 'cyd' })).toBe('operator-only');
    stage.does({ ...answer, answer: 'useful' });
    expect(comesUp()).toBe(true);
  });

  test('[GOLD-8] that was found in no sidebar is validated by the human, and that is the last word', () => {
    const stage = given();
    stage.golds({ sourceRefs: ['AGENT-ada'] }, { by: 'ada' });
    stage.golds({ sourceRefs: ['AGENT-ada'] }, { by: 'ada' });
    expect(stage.code({ type: 'gold.validate', gold: 'GOLD-1', status: 'confirmed' }, { by: 'ben' })).toBe('not-curator');
    stage.does({ type: 'gold.validate', gold: 'GOLD-1', status: 'confirmed' });
    expect(stage.doesKinds({ type: 'gold.validate', gold: 'GOLD-2', status: 'rejected', notes: 'no' })).toEqual([
      'gold.validated',
      'gold.superseded',
      'episodic.superseded',
    ]);
    expect([gold(stage), gold(stage, 'GOLD-2')]).toMatchObject([{ isProvisional: false }, { superseded: { why: 'no' } }]);
    expect(episodes(stage).map(({ isProvisional, isSuperseded }) => ({ isProvisional, isSuperseded }))).toEqual([
      { isProvisional: false, isSuperseded: false },
      { isProvisional: false, isSuperseded: true },
    ]);
  });
});
