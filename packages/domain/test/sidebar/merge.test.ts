import { describe, expect, test } from 'vitest';
import { branchedAt } from '../../src/sidebar/relations.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

/** A child with one confirmed finding, ready to be put together. */
const child = (stage: Stage, more: Parameters<Stage['spawnsChild']>[1] = {}): string => {
  const sidebar = stage.spawnsChild(stage.spawns(), more);
  stage.confirms(sidebar, 'the cache is cold');
  return sidebar;
};
const consolidated = (stage: Stage, sidebar: string) => payloadsOf(stage.does({ type: 'sidebar.consolidate', sidebar }), 'sidebar.consolidated');

describe('the package', () => {
  test('[MERGE-1] has what was confirmed, the citations made here and the confirmed GOLD, and nothing else', () => {
    const stage = given();
    const sidebar = child(stage);
    stage.submits(sidebar, 'something pending');
    stage.validates(sidebar, stage.submits(sidebar, 'something wrong'), 'rejected');
    stage.does({ type: 'citation.create', sidebar, source: { kind: 'external', url: 'https://example.org/', title: null } });
    const gold = stage.golds({ sidebar });
    stage.golds({ sidebar });
    stage.does({ type: 'gold.validate', gold, status: 'confirmed' });
    stage.does({ type: 'sidebar.move', sidebar, to: 'REVIEWING' });
    expect(consolidated(stage, sidebar)).toEqual([
      {
        from: 'REVIEWING',
        package: {
          summary: 'Look closer. Found: the cache is cold (SCRATCH-2:FINDING-1). One finding was never validated.',
          keyFindings: ['SCRATCH-2:FINDING-1'],
          newCitations: ['CITE-1'],
          recommendations: null,
          goldCandidates: [gold],
        },
      },
    ]);
  });

  test('[MERGE-1] what somebody chooses for it has to be confirmed, and of this sidebar', () => {
    const stage = given();
    const sidebar = child(stage);
    stage.validates(sidebar, stage.submits(sidebar, 'something wrong'), 'rejected');
    const other = stage.spawns();
    stage.confirms(other, 'elsewhere');
    const gold = stage.golds({ sidebar });
    const refusal = (more: object) => stage.refuses({ type: 'sidebar.consolidate', sidebar, ...more });
    expect(refusal({ keyFindings: ['FINDING-2'] })).toEqual({
      code: 'bad-request',
      reason: 'finding-not-confirmed',
      facts: { ref: 'SCRATCH-2:FINDING-2', status: 'rejected' },
    });
    expect(refusal({ keyFindings: ['SCRATCH-3:FINDING-1'] }).code).toBe('bad-reference');
    expect(refusal({ keyFindings: ['FINDING-9'] }).code).toBe('bad-reference');
    expect(refusal({ goldCandidates: ['GOLD-9'] }).code).toBe('bad-reference');
    expect(refusal({ goldCandidates: [gold] })).toEqual({
      code: 'bad-request',
      reason: 'gold-unproven',
      facts: { gold, because: 'unconfirmed', detail: 'pending', evidence: null },
    });
    stage.does({
      type: 'sidebar.consolidate',
      sidebar,
      keyFindings: ['FRAG-1', 'finding-1'],
      summary: 'It is cold',
      recommendations: 'Warm it',
      goldCandidates: [],
    });
    expect(stage.sidebar(sidebar).merge?.package).toEqual({
      summary: 'It is cold',
      keyFindings: ['SCRATCH-2:FINDING-1'],
      newCitations: [],
      recommendations: 'Warm it',
      goldCandidates: [],
    });
  });

  test('[MERGE-1] has no GOLD whose evidence was rejected or revised, or is pending, and no citation of such', () => {
    const stage = given();
    const sidebar = child(stage);
    for (const content of ['is rejected', 'is revised']) stage.confirms(sidebar, content);
    stage.submits(sidebar, 'is pending');
    const sources = ['SCRATCH-2:FINDING-1', 'SCRATCH-2:FINDING-2', 'FRAG-3', 'SCRATCH-2:FINDING-4', 'SB-1'];
    for (const ref of sources) {
      const gold = stage.golds({ sidebar, sourceRefs: ['SB-1', ref] });
      stage.does({ type: 'gold.validate', gold, status: 'confirmed' });
      stage.does({ type: 'citation.create', sidebar, source: { kind: 'reference', ref } });
    }
    stage.golds({ sidebar });
    for (const ref of ['GOLD-1', 'GOLD-2', 'GOLD-6', 'CITE-1', 'CITE-2', 'CITE-6'])
      stage.does({ type: 'citation.create', sidebar, source: { kind: 'reference', ref } });
    stage.validates(sidebar, 'FINDING-2', 'rejected');
    stage.validates(sidebar, stage.submits(sidebar, 'is better', { supersedes: '3' }), 'confirmed');
    stage.does({ type: 'sidebar.move', sidebar, to: 'REVIEWING' });
    expect(consolidated(stage, sidebar)).toMatchObject([
      { package: { goldCandidates: ['GOLD-1', 'GOLD-5'], newCitations: ['CITE-1', 'CITE-5', 'CITE-6', 'CITE-9', 'CITE-11'] } },
    ]);
    const refusals = ['GOLD-2', 'GOLD-3', 'GOLD-4'].map((gold) => stage.refuses({ type: 'sidebar.consolidate', sidebar, goldCandidates: [gold] }));
    expect(refusals).toEqual([
      restsOn('GOLD-2', 'SCRATCH-2:FINDING-2', 'rejected'),
      restsOn('GOLD-3', 'FRAG-3', 'revised'),
      restsOn('GOLD-4', 'SCRATCH-2:FINDING-4', 'pending'),
    ]);
  });

  test('[MERGE-1] without a summary one is made of the task and of what was found', () => {
    const stage = given();
    const sidebar = stage.spawns({ task: 'Find  the\ncause' });
    expect(consolidated(stage, sidebar)).toMatchObject([{ package: { summary: 'Find the cause. Nothing was found out.' } }]);
    for (const name of ['The cache is cold.', 'Backups run at noon', 'The pool has 5 connections.', 'Retries hold two locks'])
      stage.confirms(sidebar, name);
    expect(consolidated(stage, sidebar)).toMatchObject([
      { package: { summary: expect.stringMatching(/^Find the cause\. Found: .*\(SCRATCH-1:FINDING-\d\)\. And one more finding\.$/u) as unknown } },
    ]);
  });

  test('[MERGE-8] work goes straight to consolidation only when no finding is pending', () => {
    const stage = given();
    const sidebar = child(stage);
    stage.submits(sidebar, 'something pending');
    expect(stage.refuses({ type: 'sidebar.consolidate', sidebar })).toEqual({
      code: 'pending-findings',
      reason: 'pending-findings',
      facts: { sidebar: 'SB-2', findings: ['SCRATCH-2:FINDING-2'] },
    });
    stage.does({ type: 'sidebar.move', sidebar, to: 'REVIEWING' });
    expect(consolidated(stage, sidebar)).toMatchObject([{ package: { keyFindings: ['SCRATCH-2:FINDING-1'] } }]);
  });
});

describe('the check', () => {
  test('[MERGE-2] is the curator’s; the human stands in, and the participants of the parent may look, too', () => {
    const stage = given();
    const sidebar = stage.spawnsChild(stage.spawns({ participants: ['cyd'] }), { participants: ['ada'], curator: 'ben' });
    const check = { type: 'merge.check', sidebar, isFit: true } as const;
    expect(stage.code(check, { by: 'ben' })).toBe('wrong-status');
    stage.does({ type: 'sidebar.consolidate', sidebar });
    expect(stage.code(check, { by: 'ada' })).toBe('not-curator');
    expect(stage.code({ ...check, isFit: false }, { by: 'ben' })).toBe('bad-request');
    stage.does({ ...check, isFit: false, notes: 'too long' }, { by: 'cyd' });
    stage.does(check, { by: 'ben' });
    expect(stage.doesKinds(check)).toEqual(['merge.checked', 'sidebar.intervened']);
    expect(stage.sidebar(sidebar).merge?.checks.map(({ as, by, isFit, notes }) => ({ as, by, isFit, notes }))).toEqual([
      { as: 'parent', by: 'AGENT-cyd', isFit: false, notes: 'too long' },
      { as: 'curator', by: 'AGENT-ben', isFit: true, notes: null },
      { as: 'curator', by: 'AGENT-operator', isFit: true, notes: null },
    ]);
  });

  test('[MERGE-4] a merge needs a package that the curator found fit since it was last put together', () => {
    const stage = given();
    const sidebar = child(stage);
    const merge = { type: 'sidebar.merge', sidebar } as const;
    stage.does({ type: 'sidebar.consolidate', sidebar });
    expect(stage.code(merge)).toBe('unchecked-package');
    stage.does({ type: 'merge.check', sidebar, isFit: false, notes: 'too long' });
    expect(stage.refuses(merge)).toEqual({ code: 'unchecked-package', reason: 'package-unfit', facts: { notes: 'too long' } });
    stage.does({ type: 'merge.check', sidebar, isFit: true });
    stage.does({ type: 'sidebar.consolidate', sidebar, summary: 'Shorter' });
    expect(stage.code(merge)).toBe('unchecked-package');
    stage.does({ type: 'merge.check', sidebar, isFit: true });
    expect(stage.doesKinds(merge)).toContain('sidebar.merged');
  });

  test('[MERGE-4] whoever says which findings they approve is refused another package', () => {
    const stage = given();
    const sidebar = child(stage);
    stage.does({ type: 'sidebar.consolidate', sidebar });
    stage.does({ type: 'merge.check', sidebar, isFit: true });
    expect(stage.refuses({ type: 'sidebar.merge', sidebar, keyFindings: [] })).toEqual({
      code: 'outdated-package',
      reason: 'package-differs',
      facts: { findings: ['SCRATCH-2:FINDING-1'] },
    });
    expect(payloadsOf(stage.does({ type: 'sidebar.merge', sidebar, keyFindings: ['scratch-2:finding-1'] }), 'sidebar.merged')).toHaveLength(1);
  });

  test('[MERGE-4] what fell since the check is not merged: a finding, a GOLD, or one that is contradicted', () => {
    const stage = given();
    const sidebar = child(stage);
    const gold = stage.golds({ sidebar });
    stage.does({ type: 'gold.validate', gold, status: 'confirmed' });
    const ready = () => {
      stage.does({ type: 'sidebar.consolidate', sidebar });
      stage.does({ type: 'merge.check', sidebar, isFit: true });
    };
    const merge = { type: 'sidebar.merge', sidebar } as const;
    ready();
    stage.validates(sidebar, 'FINDING-1', 'rejected');
    expect(stage.refuses(merge)).toEqual({ code: 'outdated-package', reason: 'package-outdated', facts: { fallen: ['SCRATCH-2:FINDING-1'] } });
    stage.confirms(sidebar, 'the timeout is 30 seconds');
    ready();
    stage.does({ type: 'gold.validate', gold, status: 'rejected', notes: 'no' });
    expect(stage.code(merge)).toBe('outdated-package');
    const shaky = stage.confirms(sidebar, 'the disk is full');
    stage.does({ type: 'gold.validate', gold: stage.golds({ sidebar, sourceRefs: [`SCRATCH-2:${shaky}`] }), status: 'confirmed' });
    stage.does({ type: 'citation.create', sidebar, source: { kind: 'reference', ref: `SCRATCH-2:${shaky}` } });
    ready();
    stage.validates(sidebar, shaky, 'rejected');
    expect(stage.refuses(merge)).toEqual({
      code: 'outdated-package',
      reason: 'package-outdated',
      facts: { fallen: [`SCRATCH-2:${shaky}`, 'GOLD-2', 'CITE-1'] },
    });
    ready();
    stage.submits(sidebar, 'the timeout is 90 seconds');
    expect(stage.sidebar(sidebar).scratchpad.conflicts.length).toBe(1);
    expect(stage.code(merge)).toBe('open-conflict');
    stage.does({ type: 'conflict.resolve', sidebar, conflict: 'CONFLICT-1', notes: 'two machines' });
    expect(stage.doesKinds(merge)).toContain('sidebar.merged');
  });
});

describe('the merge', () => {
  test('[MERGE-3] is the coordinator’s word, and the parent gets an exchange with citations', () => {
    const stage = given();
    const sidebar = child(stage, { coordinator: 'ben', curator: 'cyd' });
    stage.does({ type: 'agent.recruit', sidebar: 'SB-1', agent: 'ben' });
    stage.does({ type: 'sidebar.consolidate', sidebar });
    stage.does({ type: 'merge.check', sidebar, isFit: true }, { by: 'cyd' });
    expect(stage.refuses({ type: 'sidebar.merge', sidebar }, { by: 'ada' })).toEqual({
      code: 'not-coordinator',
      reason: 'not-coordinator',
      facts: { coordinator: 'AGENT-ben', sidebar: 'SB-2', what: 'approve a merge', actor: 'AGENT-ada' },
    });
    const events = stage.does({ type: 'sidebar.merge', sidebar }, { by: 'ben' });
    expect(events.map(({ type }) => type)).toEqual(['sidebar.merged', 'memory.merged', 'episodic.archived', 'episodic.archived']);
    expect(events[1]).toMatchObject({
      contextId: stage.sidebar('SB-1').contextId,
      refs: [expect.stringMatching(/^MSG-/u), expect.stringMatching(/^EXCH-/u)],
      payload: {
        sidebarId: stage.sidebar(sidebar).id,
        text: 'Sidebar SB-2 completed: Look closer. Found: the cache is cold (SCRATCH-2:FINDING-1).',
        citations: ['SB-2', 'SCRATCH-2:FINDING-1'],
      },
    });
    expect(stage.sidebar(sidebar)).toMatchObject({
      status: 'MERGED',
      mergedInto: { kind: 'sidebar', sidebarId: stage.sidebar('SB-1').id },
      mergedAs: { ref: events[1]?.refs[0], position: events[1]?.position, at: events[1]?.at, by: 'AGENT-ben' },
      scratchpad: { finalSummary: 'Look closer. Found: the cache is cold (SCRATCH-2:FINDING-1).' },
    });
    expect(stage.sidebar('SB-1').crossRefs).toEqual(['SB-2']);
    expect(stage.world.board.notices.get('AGENT-ada')?.at(-1)).toMatchObject({ kind: 'merge', from: 'AGENT-ben' });
  });

  test('[MERGE-3] what is merged into a session stands where its sidebar branched off, a fork and what goes on from it as well', () => {
    const stage = given();
    const session = { kind: 'session', sessionId: 'session-1' } as const;
    const merges = (sidebar: string): number => {
      stage.does({ type: 'sidebar.consolidate', sidebar });
      stage.does({ type: 'merge.check', sidebar, isFit: true });
      return stage.does({ type: 'sidebar.merge', sidebar, target: session }).find(({ type }) => type === 'memory.merged')?.position ?? 0;
    };
    stage.does({ type: 'sidebar.spawn', origin: { ...session, leafUuid: 'leaf', upTo: null }, task: 'Find the cause' });
    const upTo = merges('SB-1');
    stage.does({ type: 'sidebar.archive', sidebar: 'SB-1' });
    stage.does({ type: 'sidebar.fork', sidebar: 'SB-1', reason: 'again' });
    stage.does({ type: 'sidebar.spawn', origin: { ...session, leafUuid: null, upTo }, task: 'And then?' });
    stage.does({ type: 'sidebar.spawn', origin: { ...session, leafUuid: null, upTo: 1 }, task: 'At a place that nobody knows' });
    stage.does({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'From nowhere' });
    merges('SB-5');
    const placeOf = (ref: string, sessionId: string): string | null => branchedAt(stage.world.board, stage.sidebar(ref), sessionId);
    expect(['SB-1', 'SB-2', 'SB-3', 'SB-4', 'SB-5'].map((ref) => placeOf(ref, 'session-1'))).toEqual(['leaf', 'leaf', 'leaf', null, null]);
    expect(placeOf('SB-1', 'session-2')).toBeNull();
  });

  test('[MERGE-5] the coordinator sends it back to work with a reason, and then it has to be put together again', () => {
    const stage = given();
    const sidebar = child(stage);
    stage.does({ type: 'sidebar.consolidate', sidebar });
    stage.does({ type: 'merge.check', sidebar, isFit: true });
    expect(stage.code({ type: 'sidebar.merge', sidebar, isApproved: false })).toBe('bad-request');
    expect(payloadsOf(stage.does({ type: 'sidebar.merge', sidebar, isApproved: false, reason: 'more proof' }), 'merge.refused')).toEqual([
      { target: { kind: 'sidebar', sidebarId: stage.sidebar('SB-1').id }, keyFindings: ['SCRATCH-2:FINDING-1'], reason: 'more proof' },
    ]);
    expect(stage.sidebar(sidebar)).toMatchObject({ status: 'ACTIVE', merge: null });
    stage.does({ type: 'sidebar.consolidate', sidebar });
    expect(stage.code({ type: 'sidebar.merge', sidebar })).toBe('unchecked-package');
  });

  test('[MERGE-5] a package is not thrown away by anybody’s move, nor without a reason', () => {
    const stage = given();
    stage.does({ type: 'agent.register', agent: 'eve', kind: 'agent', specialties: [], preferredCollaborators: [], tokenHash: 'e'.repeat(64) });
    const sidebar = child(stage, { participants: ['ada', 'eve'], coordinator: 'ben', curator: 'cyd' });
    const back = { type: 'sidebar.move', sidebar, to: 'ACTIVE', reason: 'more proof' } as const;
    const ready = () => {
      stage.does({ type: 'sidebar.consolidate', sidebar }, { by: 'ada' });
      stage.does({ type: 'merge.check', sidebar, isFit: true }, { by: 'cyd' });
    };
    ready();
    expect(stage.refuses(back, { by: 'eve' })).toEqual({
      code: 'not-coordinator',
      reason: 'not-yours-to-send-back',
      facts: { coordinator: 'AGENT-ben', curator: 'AGENT-cyd', proposer: 'AGENT-ada', sidebar: 'SB-2', actor: 'AGENT-eve' },
    });
    expect(stage.refuses({ ...back, reason: ' ' }, { by: 'ben' })).toEqual({ code: 'bad-request', reason: 'empty', facts: { field: 'reason' } });
    expect(stage.sidebar(sidebar).merge?.checks.length).toBe(1);
    const told = ['ada', 'ben', 'cyd', 'operator'].map((by) => {
      const kinds = stage.doesKinds(back, { by });
      ready();
      return kinds;
    });
    expect(told).toEqual([['sidebar.moved'], ['sidebar.moved'], ['sidebar.moved'], ['sidebar.moved', 'sidebar.intervened']]);
    stage.does(back);
    stage.does({ type: 'sidebar.move', sidebar, to: 'REVIEWING' });
    expect(stage.doesKinds({ type: 'sidebar.move', sidebar, to: 'ACTIVE' }, { by: 'eve' })).toEqual(['sidebar.moved']);
  });

  test('[MERGE-9] whoever put a package together neither checks nor approves it, unless it is the human', () => {
    const stage = given();
    const sidebar = child(stage, { coordinator: 'ben', curator: 'ben' });
    const [check, merge] = [{ type: 'merge.check', sidebar, isFit: true } as const, { type: 'sidebar.merge', sidebar } as const];
    stage.does({ type: 'agent.recruit', sidebar: 'SB-1', agent: 'ben' });
    stage.does({ type: 'sidebar.consolidate', sidebar }, { by: 'ben' });
    expect(stage.refuses(check, { by: 'ben' })).toEqual({ code: 'not-curator', reason: 'own-package-to-check', facts: { others: [] } });
    stage.does(check);
    expect(stage.refuses(merge, { by: 'ben' })).toEqual({ code: 'not-coordinator', reason: 'own-package-to-merge', facts: {} });
    expect(stage.doesKinds({ ...merge, isApproved: false, reason: 'not yet' }, { by: 'ben' })).toEqual(['merge.refused']);
    stage.does({ type: 'sidebar.consolidate', sidebar }, { by: 'ada' });
    expect(stage.refuses(check, { by: 'ada' })).toEqual({ code: 'not-curator', reason: 'own-package-to-check', facts: { others: ['AGENT-ben'] } });
    stage.does(check, { by: 'ben' });
    expect(stage.doesKinds(merge, { by: 'ben' })).toContain('sidebar.merged');
    expect(stage.merges(stage.spawnsChild('SB-1')).map(({ type }) => type)).toContain('sidebar.merged');
  });

  test('[MERGE-10] an agent approves a merge only into a sidebar in which it takes part', () => {
    const stage = given();
    const sidebar = child(stage, { coordinator: 'ben' });
    const merge = { type: 'sidebar.merge', sidebar } as const;
    stage.does({ type: 'sidebar.consolidate', sidebar });
    stage.does({ type: 'merge.check', sidebar, isFit: true });
    expect(stage.refuses(merge, { by: 'ben' })).toEqual({
      code: 'not-participant',
      reason: 'not-participant',
      facts: { actor: 'AGENT-ben', sidebar: 'SB-1', to: 'merge', ask: [] },
    });
    stage.does({ type: 'agent.recruit', sidebar: 'SB-1', agent: 'ben' });
    expect(stage.doesKinds(merge, { by: 'ben' })).toContain('memory.merged');
  });

  test('[MERGE-10] into a session an agent approves only what somebody else checked', () => {
    const stage = given();
    const sidebar = stage.spawns({ coordinator: 'ben', curator: 'ben' });
    const merge = { type: 'sidebar.merge', sidebar, target: { kind: 'session', sessionId: 's' } } as const;
    stage.does({ type: 'sidebar.consolidate', sidebar }, { by: 'ada' });
    stage.does({ type: 'merge.check', sidebar, isFit: true }, { by: 'ben' });
    expect(stage.refuses(merge, { by: 'ben' })).toEqual({ code: 'not-coordinator', reason: 'own-check-to-merge', facts: {} });
    stage.does({ type: 'merge.check', sidebar, isFit: true });
    expect(stage.doesKinds(merge, { by: 'ben' })).toContain('memory.merged');
  });

  test('[MERGE-6] a child goes to its parent and nowhere else; what has no parent is told where to', () => {
    const stage = given();
    const ready = (sidebar: string) => {
      stage.does({ type: 'sidebar.consolidate', sidebar });
      stage.does({ type: 'merge.check', sidebar, isFit: true });
      return sidebar;
    };
    const session = { kind: 'session', sessionId: 's' } as const;
    const kid = ready(child(stage));
    expect(stage.code({ type: 'sidebar.merge', sidebar: kid, target: session })).toBe('no-target');
    const root = ready(stage.spawns());
    expect(stage.code({ type: 'sidebar.merge', sidebar: root })).toBe('no-target');
    const into = (ref: string) => ({ kind: 'sidebar', sidebarId: stage.sidebar(ref).id }) as const;
    expect(stage.code({ type: 'sidebar.merge', sidebar: root, target: into(root) })).toBe('no-target');
    expect(stage.code({ type: 'sidebar.merge', sidebar: root, target: { kind: 'sidebar', sidebarId: 'x' } })).toBe('not-found');
    stage.does({ type: 'sidebar.merge', sidebar: kid, target: into('SB-1') });
    expect(stage.code({ type: 'sidebar.merge', sidebar: root, target: into(kid) })).toBe('parent-ended');
    const grandchild = stage.spawnsChild(root);
    expect(stage.code({ type: 'sidebar.merge', sidebar: root, target: into(grandchild) })).toBe('no-target');
    stage.does({ type: 'sidebar.archive', sidebar: grandchild });
    expect(payloadsOf(stage.does({ type: 'sidebar.merge', sidebar: root, target: session }), 'sidebar.merged')).toMatchObject([{ target: session }]);
  });

  test('[MERGE-6] a fork is merged where its original would have gone, unless that has ended', () => {
    const stage = given();
    const original = child(stage);
    stage.does({ type: 'sidebar.archive', sidebar: original });
    for (const reason of ['once', 'twice']) stage.does({ type: 'sidebar.fork', sidebar: original, reason });
    expect(payloadsOf(stage.merges('SB-3'), 'sidebar.merged')).toMatchObject([{ target: { kind: 'sidebar', sidebarId: stage.sidebar('SB-1').id } }]);
    stage.does({ type: 'sidebar.archive', sidebar: 'SB-1' });
    stage.does({ type: 'sidebar.consolidate', sidebar: 'SB-4' });
    stage.does({ type: 'merge.check', sidebar: 'SB-4', isFit: true });
    expect(stage.refuses({ type: 'sidebar.merge', sidebar: 'SB-4' })).toEqual({
      code: 'parent-ended',
      reason: 'target-ended',
      facts: { sidebar: expect.stringMatching(/^SB-/u) as unknown, into: 'SB-1', status: 'ARCHIVED', child: false },
    });
  });

  test('[MERGE-7] the parent may move on, pause or consolidate meanwhile', () => {
    const stage = given();
    const sidebar = child(stage);
    stage.does({ type: 'sidebar.consolidate', sidebar });
    stage.does({ type: 'chat.say', sidebar: 'SB-1', content: 'meanwhile' });
    stage.does({ type: 'merge.check', sidebar, isFit: true });
    stage.does({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'lunch' });
    stage.does({ type: 'sidebar.merge', sidebar });
    expect([stage.sidebar(sidebar).status, stage.sidebar('SB-1').status]).toEqual(['MERGED', 'PAUSED']);
  });
});

const restsOn = (gold: string, evidence: string, detail: string) => ({
  code: 'bad-request',
  reason: 'gold-unproven',
  facts: { gold, because: 'weak-evidence', detail, evidence },
});
