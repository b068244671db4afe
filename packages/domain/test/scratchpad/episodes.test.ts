import { describe, expect, test } from 'vitest';
import { goldOf, rowsOf } from '../../src/index.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const episodes = (stage: Stage) => rowsOf(stage.world.board.episodes);
const checkpoint = (stage: Stage, sidebar = 'SB-1') => stage.does({ type: 'checkpoint.create', sidebar, summary: 'so far' }, { by: 'ada' });

describe('checkpoints', () => {
  test('[PAD-8] a checkpoint names what stands so far, and keeps it', () => {
    const stage = given();
    const sidebar = stage.spawns({ tags: ['login'] });
    stage.confirms(sidebar, 'one thing');
    stage.submits(sidebar, 'another thing');
    const [event, ...kept] = stage.does({ type: 'checkpoint.create', sidebar, summary: 'phase 1', annotations: { ada: 'mine' } }, { by: 'ada' });
    const finding = stage.sidebar(sidebar).scratchpad.findings[0]?.id;
    expect(event).toMatchObject({
      type: 'checkpoint.created',
      payload: { summary: 'phase 1', findings: [finding], annotations: { 'AGENT-ada': 'mine' } },
    });
    expect(payloadsOf(kept, 'episodic.archived')).toEqual([
      {
        about: null,
        sources: [],
        pointers: null,
        priority: 'normal',
        requiresValidation: false,
        mark: null,
        note: null,
        content: 'one thing',
        trigger: 'checkpoint',
        finding,
        gold: null,
        sourceSidebar: stage.sidebar(sidebar).id,
        sourceCheckpoint: event?.uuid,
        isProvisional: true,
        supersedes: null,
        tags: ['login'],
      },
    ]);
  });

  test('[PAD-8] which of the findings that stand it holds can be chosen; only these are kept', () => {
    const stage = given();
    const sidebar = stage.spawns();
    for (const content of ['one thing', 'another thing', 'a third thing']) stage.confirms(sidebar, content);
    stage.submits(sidebar, 'pending still');
    const [one, , three] = stage.sidebar(sidebar).scratchpad.findings;
    const create = { type: 'checkpoint.create', sidebar, summary: 'so far' } as const;
    const events = stage.does({ ...create, findings: ['FINDING-3', 'SCRATCH-1:FINDING-1', three?.ref ?? ''] });
    expect(payloadsOf(events, 'checkpoint.created')).toMatchObject([{ findings: [one?.id, three?.id] }]);
    expect(episodes(stage).map(({ content }) => content)).toEqual(['one thing', 'a third thing']);
    expect(payloadsOf(stage.does({ ...create, findings: [] }), 'checkpoint.created')).toMatchObject([{ findings: [] }]);
    expect(stage.refuses({ ...create, findings: ['4'] })).toMatchObject({ reason: 'finding-not-confirmed', facts: { status: 'pending' } });
    expect(stage.refuses({ ...create, findings: ['SCRATCH-2:FINDING-1'] })).toMatchObject({ reason: 'finding-not-here' });
    stage.does(create);
    expect(episodes(stage)).toHaveLength(3);
  });

  test('[PAD-11] everybody adds a note of their own to a checkpoint, and nobody another’s', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada', 'ben'] });
    expect(stage.refuses({ type: 'checkpoint.create', sidebar, summary: 's', annotations: { 'AGENT-ben': 'I agree' } }, { by: 'ada' })).toEqual({
      code: 'bad-request',
      reason: 'note-of-others',
      facts: { agent: 'AGENT-ben', actor: 'AGENT-ada' },
    });
    checkpoint(stage);
    stage.does({ type: 'checkpoint.annotate', sidebar, checkpoint: 'checkpoint-1', note: 'I agree' }, { by: 'ben' });
    stage.does({ type: 'checkpoint.annotate', sidebar, checkpoint: 'CHECKPOINT-1', note: 'me, too' }, { by: 'ada' });
    expect(stage.sidebar(sidebar).scratchpad.checkpoints).toMatchObject([
      { createdBy: 'AGENT-ada', annotations: { 'AGENT-ben': 'I agree', 'AGENT-ada': 'me, too' } },
    ]);
    expect(stage.code({ type: 'checkpoint.annotate', sidebar, checkpoint: 'CHECKPOINT-2', note: 'x' })).toBe('not-found');
  });

  test('[PAD-12] [GOLD-11] what changed since the last backup goes on the log once more, when it is built upon', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'one thing');
    const backedUp = () =>
      payloadsOf(
        stage.does({ type: 'gold.create', sidebar, sourceRefs: [sidebar], keyInsight: 'the insight', reusePattern: 'p', triggerConditions: ['t'] }),
        'scratchpad.backed_up',
      );
    const one = { ref: 'SCRATCH-1:FINDING-1', content: 'one thing', status: 'confirmed', sourceRefs: [] };
    const why = { reason: 'Contains GOLD', priority: 'high' };
    expect(backedUp()).toEqual([{ ...why, gold: goldOf(stage.world.board, 'GOLD-1')?.id, findings: [one] }]);
    expect(backedUp()).toEqual([{ ...why, gold: goldOf(stage.world.board, 'GOLD-2')?.id, findings: [] }]);
    stage.submits(sidebar, 'another thing');
    stage.validates(sidebar, 'FINDING-1', 'rejected');
    expect(backedUp()).toMatchObject([
      {
        findings: [
          { ...one, status: 'rejected' },
          { ref: 'SCRATCH-1:FINDING-2', status: 'pending' },
        ],
      },
    ]);
    expect(stage.sidebar(sidebar).scratchpad.backups.length).toBe(3);
  });
});

describe('episodic memory', () => {
  test('[EPI-1] a finding is kept once, at the first checkpoint that has it, and may still be taken back', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'one thing');
    checkpoint(stage);
    stage.confirms(sidebar, 'another thing');
    checkpoint(stage);
    expect(episodes(stage).map(({ content, isProvisional, finalisedAt }) => ({ content, isProvisional, finalisedAt }))).toEqual([
      { content: 'one thing', isProvisional: true, finalisedAt: null },
      { content: 'another thing', isProvisional: true, finalisedAt: null },
    ]);
  });

  test('[EPI-2] a revision and what it revises are linked both ways, also past one that was never kept', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'first');
    checkpoint(stage);
    stage.validates(sidebar, stage.submits(sidebar, 'second', { supersedes: '1' }), 'confirmed');
    stage.validates(sidebar, stage.submits(sidebar, 'third', { supersedes: '2' }), 'confirmed');
    const events = checkpoint(stage);
    const [first, third] = episodes(stage);
    expect(first).toMatchObject({
      content: 'first',
      isSuperseded: true,
      supersededBy: third?.id,
      isProvisional: false,
      why: 'its finding was revised',
    });
    expect(third).toMatchObject({ content: 'third', isSuperseded: false, supersedes: first?.id, isProvisional: true });
    expect(payloadsOf(events, 'episodic.superseded')).toEqual([{ episode: first?.id, by: third?.id, why: 'its finding was revised' }]);
  });

  test('[EPI-3] at the end of a sidebar everything kept of it is finalised, or superseded with the reason', () => {
    const stage = given();
    const sidebar = stage.spawnsChild(stage.spawns());
    for (const content of ['holds', 'is rejected', 'is doubted', 'is revised']) stage.confirms(sidebar, content);
    checkpoint(stage, sidebar);
    stage.validates(sidebar, '2', 'rejected');
    stage.does({ type: 'finding.validate', sidebar, finding: '3', status: 'pending' });
    stage.validates(sidebar, stage.submits(sidebar, 'is better', { supersedes: '4' }), 'confirmed');
    stage.confirms(sidebar, 'came late');
    stage.does({ type: 'sidebar.move', sidebar, to: 'REVIEWING' });
    stage.merges(sidebar);
    expect(
      episodes(stage).map(({ content, isProvisional, isSuperseded, why, trigger }) => ({ content, isProvisional, isSuperseded, why, trigger })),
    ).toEqual([
      { content: 'holds', isProvisional: false, isSuperseded: false, why: null, trigger: 'checkpoint' },
      { content: 'is rejected', isProvisional: false, isSuperseded: true, why: 'its finding was rejected', trigger: 'checkpoint' },
      { content: 'is doubted', isProvisional: false, isSuperseded: true, why: 'its finding is no longer confirmed', trigger: 'checkpoint' },
      { content: 'is revised', isProvisional: false, isSuperseded: true, why: 'its finding was revised', trigger: 'checkpoint' },
      { content: 'is better', isProvisional: false, isSuperseded: false, why: null, trigger: 'completion' },
      { content: 'came late', isProvisional: false, isSuperseded: false, why: null, trigger: 'completion' },
      { content: stage.sidebar(sidebar).scratchpad.finalSummary, isProvisional: false, isSuperseded: false, why: null, trigger: 'completion' },
    ]);
    expect(episodes(stage)[4]?.supersedes).toBe(episodes(stage)[3]?.id);
    expect(stage.doesKinds({ type: 'sidebar.archive', sidebar })).toEqual(['sidebar.archived']);
  });

  test('[EPI-3] what failed keeps what it had, and is gone through when it is archived', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'one thing');
    checkpoint(stage);
    stage.does({ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'it broke' });
    expect(episodes(stage)).toMatchObject([{ isProvisional: true }]);
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(episodes(stage)).toMatchObject([{ isProvisional: false, isSuperseded: false, finalisedAt: stage.world.now() }, { about: 'SB-1' }]);
  });

  test('[EPI-4] the scratchpad gets its final summary when the work is over', () => {
    const stage = given();
    const archived = stage.spawns();
    const merged = stage.spawnsChild(archived);
    stage.does({ type: 'sidebar.consolidate', sidebar: merged, summary: 'It is cold' });
    stage.does({ type: 'merge.check', sidebar: merged, isFit: true });
    stage.does({ type: 'sidebar.merge', sidebar: merged });
    stage.does({ type: 'sidebar.archive', sidebar: merged });
    stage.does({ type: 'sidebar.archive', sidebar: archived });
    expect([merged, archived].map((ref) => stage.sidebar(ref).scratchpad.finalSummary)).toEqual([
      'It is cold',
      'Find the cause. Nothing was found out.',
    ]);
    expect(stage.sidebar(merged).archive?.summary).toBe('It is cold');
  });
});
