import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conflictEnd, openConflicts, standingFindings } from '../../src/index.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const findings = (stage: Stage, ref = 'SB-1') => stage.sidebar(ref).scratchpad.findings;

describe('a finding', () => {
  test('[PAD-21] that says again what was said is linked to the first that did', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const said = [
      'The cache is cold after a restart.',
      ' the  CACHE is “cold” after a restart',
      'The cache is cold after a restart, always.',
      'The cache is not cold after a restart.',
      'It takes 5 s.',
      'It takes 5 seconds.',
      'The cache is cold\nafter a restart!',
    ];
    for (const content of said) stage.submits(sidebar, content);
    const all = findings(stage, sidebar);
    expect(all.map(({ sameAs }) => all.findIndex(({ id }) => id === sameAs) + 1)).toEqual([0, 1, 0, 0, 0, 0, 1]);
  });

  test('[PAD-21] case, space and sentence marks make no other finding; any other word does', () => {
    const word = fc.stringMatching(/^[a-z0-9%<>/-]{1,8}$/u);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), fc.constantFrom(' ', '  ', '\n', '\t '), word, (words, space, other) => {
        const stage = given();
        const sidebar = stage.spawns();
        stage.submits(sidebar, words.join(' '));
        stage.submits(sidebar, `"${words.map((one) => one.toUpperCase()).join(space)}".`);
        stage.submits(sidebar, [...words, other].join(' '));
        const [first, again, more] = findings(stage, sidebar);
        expect([again?.sameAs, more?.sameAs]).toEqual([first?.id, null]);
      }),
    );
  });

  test('[PAD-1] waits for the curator, with its evidence, its relevance and its numbers', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.does({ type: 'chat.say', sidebar, content: 'look' });
    const submit = {
      type: 'finding.submit',
      sidebar,
      content: 'the cache is cold',
      sourceRefs: ['msg-1', 'MSG-1'],
      relevanceToTask: 'explains it',
    } as const;
    const [event] = stage.does(submit, { by: 'ada' });
    expect(event).toMatchObject({
      type: 'finding.submitted',
      refs: ['FRAG-1'],
      payload: { number: 1, content: 'the cache is cold', sourceRefs: ['MSG-1'], relevanceToTask: 'explains it', supersedes: null },
    });
    expect(findings(stage)).toMatchObject([
      { number: 1, ref: 'FRAG-1', submittedBy: 'AGENT-ada', status: 'pending', validatedBy: null, annotations: [] },
    ]);
    expect(stage.code({ ...submit, sourceRefs: ['MSG-9'] }, { by: 'ada' })).toBe('bad-reference');
    expect(stage.code(submit, { by: 'ben' })).toBe('not-participant');
  });

  test('[PAD-2] is confirmed, left pending or rejected by the curator, who says what was looked at', () => {
    const stage = given();
    const sidebar = stage.spawns({ curator: 'ben' });
    stage.submits(sidebar, 'the cache is cold');
    const validate = { type: 'finding.validate', sidebar, finding: 'FINDING-1', status: 'confirmed' } as const;
    expect(stage.refuses(validate, { by: 'ada' })).toEqual({
      code: 'not-curator',
      reason: 'not-curator',
      facts: { curator: 'AGENT-ben', sidebar: 'SB-1', what: 'validate findings', actor: 'AGENT-ada' },
    });
    expect(payloadsOf(stage.does({ ...validate, checks: { fitsTask: true } }, { by: 'ben' }), 'finding.validated')).toEqual([
      { finding: findings(stage)[0]?.id, status: 'confirmed', notes: null, checks: { fitsTask: true, evidenceSupports: null, contradicts: null } },
    ]);
    expect(stage.refuses(validate)).toEqual({
      code: 'already-there',
      reason: 'judged-already',
      facts: { ref: 'SCRATCH-1:FINDING-1', status: 'confirmed', by: 'AGENT-ben' },
    });
    expect(stage.code({ ...validate, status: 'rejected', notes: ' ' })).toBe('bad-request');
    stage.does({ ...validate, status: 'rejected', notes: 'it was warm' });
    expect(findings(stage)).toMatchObject([{ status: 'rejected', validatedBy: 'AGENT-operator', validationNotes: 'it was warm' }]);
    expect(stage.code({ ...validate, finding: 'FINDING-2' })).toBe('not-found');
  });

  test('[PAD-18] is not confirmed against the answers without a reason, and no verdict stands that all of them speak against', () => {
    const stage = given();
    const sidebar = stage.spawns({ curator: 'ben' });
    stage.submits(sidebar, 'the cache is cold');
    const judge = { type: 'finding.validate', sidebar, finding: 'FINDING-1' } as const;
    const by = { by: 'ben' };
    for (const checks of [{ fitsTask: false }, { evidenceSupports: false }, { contradicts: true }]) {
      expect(stage.refuses({ ...judge, status: 'confirmed', checks }, by)).toMatchObject({
        reason: 'notes-needed',
        facts: { field: 'notes', for: 'confirming-against' },
      });
    }
    const none = { fitsTask: false, evidenceSupports: false };
    expect(stage.refuses({ ...judge, status: 'confirmed', notes: 'all the same', checks: none }, by).reason).toBe('verdict-against-answers');
    const all = { fitsTask: true, evidenceSupports: true, contradicts: false };
    expect(stage.refuses({ ...judge, status: 'rejected', notes: 'no', checks: all }, by).reason).toBe('verdict-against-answers');
    expect(stage.doesKinds({ ...judge, status: 'confirmed', notes: 'seen it myself', checks: { evidenceSupports: false } }, by)).toContain(
      'finding.validated',
    );
  });

  test('[PAD-17] who judges what somebody else has judged since is told', () => {
    const stage = given();
    const sidebar = stage.spawns({ curator: 'ben' });
    stage.submits(sidebar, 'the cache is cold');
    const reject = { type: 'finding.validate', sidebar, finding: 'FINDING-1', status: 'rejected', notes: 'it was warm', seen: 'pending' } as const;
    stage.does({ type: 'finding.validate', sidebar, finding: 'FINDING-1', status: 'confirmed', seen: 'pending' }, { by: 'ben' });
    expect(stage.refuses(reject)).toEqual({
      code: 'changed-since',
      reason: 'judged-since',
      facts: { ref: 'SCRATCH-1:FINDING-1', status: 'confirmed', seen: 'pending', by: 'AGENT-ben' },
    });
    stage.does({ ...reject, seen: 'confirmed' });
    expect(findings(stage)).toMatchObject([{ status: 'rejected', validatedBy: 'AGENT-operator' }]);
  });

  test('[PAD-2] an agent does not validate its own', () => {
    const stage = given();
    const sidebar = stage.spawns({ curator: 'ada' });
    stage.submits(sidebar, 'the cache is cold');
    expect(stage.refuses({ type: 'finding.validate', sidebar, finding: '1', status: 'confirmed' }, { by: 'ada' })).toEqual({
      code: 'own-finding',
      reason: 'own-finding',
      facts: { ref: 'SCRATCH-1:FINDING-1' },
    });
    stage.does({ type: 'finding.submit', sidebar, content: 'the human’s own' });
    stage.does({ type: 'finding.validate', sidebar, finding: '2', status: 'confirmed' });
    expect(findings(stage).map(({ status }) => status)).toEqual(['pending', 'confirmed']);
  });

  test('[PAD-3] is annotated by whoever takes part, once it is confirmed', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada', 'ben'] });
    stage.submits(sidebar, 'the cache is cold');
    const annotate = { type: 'finding.annotate', sidebar, finding: 'FINDING-1', note: 'seen it, too' } as const;
    expect(stage.code(annotate, { by: 'ben' })).toBe('wrong-status');
    stage.validates(sidebar, 'FINDING-1', 'confirmed');
    stage.does(annotate, { by: 'ben' });
    expect(findings(stage)[0]?.annotations).toEqual([{ by: 'AGENT-ben', at: stage.world.now(), note: 'seen it, too' }]);
    expect(stage.code({ ...annotate, finding: '9' })).toBe('not-found');
  });

  test('[PAD-4] that is left pending is talked about', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.submits(sidebar, 'the cache is cold');
    const events = stage.does({ type: 'finding.validate', sidebar, finding: '1', status: 'pending', notes: 'how cold?' });
    expect(events.map(({ type }) => type)).toEqual(['finding.validated', 'chat.message']);
    expect(payloadsOf(events, 'chat.message')).toMatchObject([
      {
        role: 'system',
        content: '@ada: SCRATCH-1:FINDING-1 is left pending by @operator (how cold?). Please discuss.',
        citations: ['SCRATCH-1:FINDING-1'],
      },
    ]);
  });

  test('[PAD-7] that revises another takes its place when it is confirmed, and gives it back when it falls', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'the cache is cold');
    stage.submits(sidebar, 'the cache is cold at night', { supersedes: 'FINDING-1' });
    stage.submits(sidebar, 'the cache is cold on Mondays', { supersedes: 'FRAG-1' });
    const standing = () => standingFindings(stage.sidebar(sidebar).scratchpad).map(({ number }) => number);
    expect(standing()).toEqual([1]);
    stage.validates(sidebar, 'FINDING-2', 'confirmed');
    expect(standing()).toEqual([2]);
    expect(findings(stage)).toMatchObject([{ supersededBy: findings(stage)[1]?.id }, { supersedes: findings(stage)[0]?.id }, {}]);
    const refusal = {
      code: 'already-there',
      reason: 'finding-revised',
      facts: { ref: 'SCRATCH-1:FINDING-1', newer: 'SCRATCH-1:FINDING-2' },
    };
    expect(stage.refuses({ type: 'finding.validate', sidebar, finding: '3', status: 'confirmed' })).toEqual(refusal);
    expect(stage.refuses({ type: 'finding.validate', sidebar, finding: '1', status: 'rejected', notes: 'n' })).toEqual(refusal);
    expect(stage.refuses({ type: 'finding.submit', sidebar, content: 'x', supersedes: '1' })).toEqual(refusal);
    stage.validates(sidebar, 'FINDING-2', 'rejected');
    expect(standing()).toEqual([1]);
    expect(stage.code({ type: 'finding.submit', sidebar, content: 'x', supersedes: '9' })).toBe('bad-reference');
  });

  test('[PAD-9] stands when it is confirmed and was not revised', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'one thing');
    stage.submits(sidebar, 'another thing');
    stage.validates(sidebar, stage.submits(sidebar, 'a third thing'), 'rejected');
    expect(standingFindings(stage.sidebar(sidebar).scratchpad).map(({ number }) => number)).toEqual([1]);
  });

  test('[PAD-13] is named FINDING-n, n, FRAG-n, SCRATCH-n:FINDING-m or by its id; a name of another scratchpad is none of this one', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const other = stage.spawns();
    stage.submits(other, 'elsewhere');
    stage.submits(sidebar, 'the cache is cold');
    const { id } = findings(stage)[0] ?? { id: '' };
    const names = ['FINDING-1', 'finding-1', '1', 'FRAG-2', 'SCRATCH-1:FINDING-1', 'scratch-sb-1:finding-1', id];
    for (const finding of names) stage.does({ type: 'finding.validate', sidebar, finding, status: 'pending' });
    const code = (finding: string) => stage.code({ type: 'finding.validate', sidebar, finding, status: 'confirmed' });
    expect(['FRAG-1', 'SCRATCH-2:FINDING-1', 'SCRATCH-9:FINDING-1', 'FINDING-2', 'nothing'].map(code)).toEqual(Array(5).fill('not-found'));
  });

  test('[PAD-14] confirmed or rejected is told to everybody else who takes part', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada', 'ben'] });
    stage.submits(sidebar, 'the cache is cold');
    stage.validates(sidebar, '1', 'confirmed');
    const told = (agent: string) =>
      stage.world.board.notices
        .get(agent)
        ?.map(({ kind, text, refs }) => ({ kind, text, refs }))
        .at(-1);
    const notice = { kind: 'validated', text: 'AGENT-operator confirmed finding 1 of SB-1: it is confirmed', refs: ['FRAG-1', 'SB-1'] };
    expect([told('AGENT-ada'), told('AGENT-ben'), told('AGENT-operator')]).toEqual([notice, notice, undefined]);
  });

  test('[PAD-15] a scratchpad has at most 1000 findings', () => {
    const stage = given();
    const sidebar = stage.sidebar(stage.spawns());
    const [finding] = [stage.submits('SB-1', 'the cache is cold')].map(() => findings(stage)[0]);
    const many = Array.from({ length: 1000 }, (_, at) => ({ ...finding, number: at + 1 })) as typeof sidebar.scratchpad.findings;
    stage.world.board.sidebars.set(sidebar.id, { ...sidebar, scratchpad: { ...sidebar.scratchpad, findings: many } });
    expect(stage.refuses({ type: 'finding.submit', sidebar: 'SB-1', content: 'one more' })).toEqual({
      code: 'too-large',
      reason: 'full',
      facts: { where: 'SB-1', most: 1000, of: 'findings' },
    });
  });
});

describe('findings that contradict each other', () => {
  test('[PAD-5] one is talked over where it came up; both stay, and nobody wins by coming first', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada', 'ben'] });
    stage.confirms(sidebar, 'the timeout is 30 seconds');
    const events = stage.does({ type: 'finding.submit', sidebar, content: 'the timeout is 90 seconds' }, { by: 'ben' });
    expect(events.map(({ type, by }) => ({ type, by: by.id }))).toEqual([
      { type: 'finding.submitted', by: 'AGENT-ben' },
      { type: 'conflict.detected', by: 'system' },
      { type: 'chat.message', by: 'system' },
    ]);
    expect(payloadsOf(events, 'conflict.detected')).toEqual([
      { findings: findings(stage).map(({ id }) => id), description: expect.stringContaining('SCRATCH-1:FINDING-2 and SCRATCH-1:FINDING-1: ') },
    ]);
    expect(payloadsOf(events, 'chat.message')).toMatchObject([
      {
        content: expect.stringContaining('@ben and @ada: SCRATCH-1:FINDING-2 contradicts SCRATCH-1:FINDING-1'),
        citations: ['SCRATCH-1:FINDING-2', 'SCRATCH-1:FINDING-1'],
      },
    ]);
    expect(findings(stage).map(({ status }) => status)).toEqual(['confirmed', 'pending']);
    expect(stage.world.board.notices.get('AGENT-ada')?.at(-1)).toMatchObject({ kind: 'conflict' });
  });

  test('[PAD-22] what has changed since is reported, and is no conflict', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada', 'ben'] });
    stage.confirms(sidebar, 'The mac runner is offline.');
    const events = stage.does({ type: 'finding.submit', sidebar, content: 'The mac runner is online again since 14:10.' }, { by: 'ben' });
    expect(events.map(({ type }) => type)).toEqual(['finding.submitted', 'chat.message']);
    expect(payloadsOf(events, 'chat.message')).toMatchObject([
      {
        content: 'SCRATCH-1:FINDING-2 reports a change since SCRATCH-1:FINDING-1. Revise or reject what no longer holds.',
        citations: ['SCRATCH-1:FINDING-2', 'SCRATCH-1:FINDING-1'],
      },
    ]);
  });

  const tangle = () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada', 'ben'], coordinator: 'cyd', curator: 'ben', priority: 'HIGH' });
    stage.submits(sidebar, 'the timeout is 30 seconds');
    stage.does({ type: 'finding.submit', sidebar, content: 'the timeout is 90 seconds' }, { by: 'ben' });
    const events = stage.does({ type: 'finding.submit', sidebar, content: 'the timeout is 120 seconds' }, { by: 'ada' });
    return { stage, sidebar, events };
  };

  test('[PAD-5] several get a resolution sidebar, with those who found them, and all of them are linked to it', () => {
    const { stage, sidebar, events } = tangle();
    expect(events.map(({ type }) => type)).toEqual([
      'finding.submitted',
      'conflict.detected',
      'conflict.detected',
      'sidebar.moved',
      'sidebar.spawned',
      'scratchpad.created',
      'sidebar.moved',
    ]);
    const child = stage.sidebar('SB-2');
    expect(child).toMatchObject({
      taskType: 'conflict_resolution',
      participants: ['AGENT-ada', 'AGENT-ben'],
      coordinator: 'AGENT-cyd',
      curator: 'AGENT-ben',
      priority: 'HIGH',
      parent: { kind: 'sidebar', sidebarId: stage.sidebar(sidebar).id },
    });
    expect(stage.sidebar(sidebar).scratchpad.conflicts.map(({ resolution }) => resolution)).toEqual([null, child.id, child.id]);
  });

  test('[PAD-5] while one is at work, further contradictions go there, too', () => {
    const { stage, sidebar } = tangle();
    const events = stage.does({ type: 'finding.submit', sidebar, content: 'the timeout is 300 seconds' }, { by: 'ada' });
    const child = stage.sidebar('SB-2');
    expect(events.map(({ type, contextId }) => ({ type, isThere: contextId === child.contextId }))).toEqual([
      { type: 'finding.submitted', isThere: false },
      ...Array.from({ length: 3 }, () => ({ type: 'conflict.detected', isThere: false })),
      { type: 'chat.message', isThere: true },
    ]);
    expect(
      stage
        .sidebar(sidebar)
        .scratchpad.conflicts.slice(-3)
        .map(({ resolution }) => resolution),
    ).toEqual([child.id, child.id, child.id]);
  });

  test('[PAD-6] the end of a resolution sidebar decides nothing; the curator does, with a word, a rejection or a revision', () => {
    const { stage, sidebar } = tangle();
    const open = () => openConflicts(stage.sidebar(sidebar).scratchpad).length;
    stage.confirms('SB-2', 'the first one holds');
    stage.merges('SB-2');
    expect(open()).toBe(3);
    const resolve = { type: 'conflict.resolve', sidebar, conflict: 'conflict-1', notes: 'two machines' } as const;
    expect(stage.code(resolve, { by: 'ada' })).toBe('not-curator');
    stage.does(resolve, { by: 'ben' });
    expect(open()).toBe(2);
    expect(stage.refuses(resolve)).toMatchObject({ reason: 'conflict-over', facts: { by: 'AGENT-ben' } });
    stage.validates(sidebar, 'FINDING-3', 'rejected');
    expect(open()).toBe(0);
    expect(stage.refuses({ ...resolve, conflict: 'CONFLICT-2' })).toMatchObject({ reason: 'conflict-over', facts: { by: null } });
    expect(stage.code({ ...resolve, conflict: 'CONFLICT-9' })).toBe('not-found');
  });

  test('[PAD-19] a conflict that is over says how, by whom, when and why; one that opens again does not', () => {
    const { stage, sidebar } = tangle();
    const ends = () => stage.sidebar(sidebar).scratchpad.conflicts.map((conflict) => conflictEnd(stage.sidebar(sidebar).scratchpad, conflict));
    const [, , third] = findings(stage, sidebar);
    expect(ends()).toEqual([null, null, null]);
    stage.does({ type: 'conflict.resolve', sidebar, conflict: `${sidebar}:CONFLICT-1`, notes: 'two machines' }, { by: 'ben' });
    stage.does({ type: 'finding.validate', sidebar, finding: 'FINDING-3', status: 'rejected', notes: 'measured again' }, { by: 'ben' });
    const rejected = { outcome: 'rejected', finding: third?.id, by: 'AGENT-ben', notes: 'measured again', at: stage.world.now() };
    expect(ends()).toMatchObject([{ outcome: 'settled', by: 'AGENT-ben', notes: 'two machines' }, rejected, rejected]);
    stage.validates(sidebar, 'FINDING-3', 'pending', { by: 'ben' });
    expect(ends().map((end) => end?.outcome ?? null)).toEqual(['settled', null, null]);
    const revision = stage.submits(sidebar, 'it depends on the machine', { supersedes: 'FINDING-3' });
    stage.validates(sidebar, revision, 'confirmed', { by: 'ben' });
    expect(ends()[2]).toMatchObject({ outcome: 'revised', finding: third?.id, by: 'AGENT-ben', notes: 'it is confirmed' });
    expect(openConflicts(stage.sidebar(sidebar).scratchpad)).toEqual([]);
  });

  test('[REF-11] a conflict and a checkpoint are named within their sidebar, or in full; the name of another sidebar’s is none', () => {
    const { stage, sidebar } = tangle();
    stage.does({ type: 'checkpoint.create', sidebar, summary: 'so far' });
    const other = stage.spawns();
    const resolve = { type: 'conflict.resolve', sidebar, notes: 'two machines' } as const;
    for (const conflict of [`${other}:CONFLICT-1`, `${sidebar}:CHECKPOINT-1`, 'CHECKPOINT-1', 'CONFLICT-0', '']) {
      expect([conflict, stage.code({ ...resolve, conflict })]).toEqual([conflict, 'not-found']);
    }
    for (const conflict of ['1', 'conflict-2', `${sidebar.toLowerCase()}:conflict-3`]) stage.does({ ...resolve, conflict });
    stage.does({ type: 'checkpoint.annotate', sidebar, checkpoint: `${sidebar}:CHECKPOINT-1`, note: 'good' });
    const cite = (ref: string) => ({ type: 'citation.create', sidebar: other, source: { kind: 'reference', ref } }) as const;
    stage.confirms(other, 'one thing');
    stage.does({ type: 'checkpoint.create', sidebar: other, summary: 'so far' });
    const known = [`${sidebar}:CONFLICT-1`, `${sidebar}:CHECKPOINT-1`, `${other}:EPISODE-1`, `${stage.golds({ sidebar: other })}:EPISODE-1`];
    for (const ref of known) expect(payloadsOf(stage.does(cite(ref)), 'citation.created')).toMatchObject([{ source: { ref } }]);
    for (const ref of [`${sidebar}:CONFLICT-4`, `${sidebar}:CHECKPOINT-2`, `${other}:EPISODE-9`, 'SB-99:CONFLICT-1', 'GOLD-9:EPISODE-1']) {
      expect(stage.refuses(cite(ref))).toMatchObject({ reason: 'unknown-reference', facts: { ref } });
    }
  });

  test('[PAD-10] what contradicts something confirmed is not confirmed until that is settled', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'the timeout is 30 seconds');
    stage.submits(sidebar, 'the timeout is 90 seconds');
    const confirm = { type: 'finding.validate', sidebar, finding: 'FINDING-2', status: 'confirmed' } as const;
    expect(stage.refuses(confirm)).toEqual({
      code: 'open-conflict',
      reason: 'contradicts-confirmed',
      facts: { ref: 'SCRATCH-1:FINDING-2', others: ['SCRATCH-1:FINDING-1'] },
    });
    stage.does({ type: 'conflict.resolve', sidebar, conflict: 'CONFLICT-1', notes: 'two machines' });
    stage.does(confirm);
    expect(findings(stage).map(({ status }) => status)).toEqual(['confirmed', 'confirmed']);
  });
});
