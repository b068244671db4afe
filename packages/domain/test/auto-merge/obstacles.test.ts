import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLanguage } from '@yarnboard/language';
import { autoMergeConfigOf, obstaclesNow, ROUTINE_TASKS, type AutoMergeConfig, type Sidebar } from '../../src/index.ts';
import { autoMergeObstacles, type AutoMergeFacts } from '../../src/auto-merge/obstacles.ts';
import { OBSTACLES } from '../../src/auto-merge/obstacle-kinds.ts';
import { routineStage, type RoutineStage } from './stage.ts';

const language = createLanguage({ mask: (text) => text });

const kindsOf = (stage: RoutineStage, sidebar: string): readonly string[] =>
  obstaclesNow(stage.world.board, stage.sidebar(sidebar), { now: stage.world.now(), language }).map(({ kind }) => kind);

/** What is in the way once the curator has found it fit. */
const left = (stage: RoutineStage, sidebar: string): readonly string[] => {
  stage.finds(sidebar);
  return stage.sidebar(sidebar).status === 'MERGED' ? [] : kindsOf(stage, sidebar);
};

describe('what is in the way', () => {
  test('[AUTO-1] everything, as long as nobody switched it on', () => {
    const stage = routineStage({}, 0);
    expect(autoMergeConfigOf(routineStage().world.board).allowedTaskTypes).toEqual(['status_check']);
    stage.does({ type: 'automerge.configure', isEnabled: false, allowedTaskTypes: [] });
    expect(kindsOf(stage, stage.prepares())).toEqual(['off', 'type-not-allowed', 'unchecked', 'first-time']);
  });

  test('[AUTO-2] nothing, for a routine result that a curator found fit; all of it, in the order of the seed, for one that has everything wrong', () => {
    const stage = routineStage();
    expect(left(stage, stage.prepares())).toEqual([]);
    const wrong = stage.prepares({
      content: 'We should split the billing service; its API key leaked. That is the better design.',
      sources: [],
      spawn: { taskType: 'Status_Check ', testGroup: 'both' },
      meanwhile: (sidebar) => {
        stage.does({ type: 'sidebar.change', sidebar, task: 'Something else' });
        stage.does({ type: 'sidebar.escalate', sidebar, reason: 'unsure' }, { by: 'ada' });
      },
    });
    const kinds = left(stage, wrong);
    expect(kinds).toEqual(['no-source', 'changes', 'architecture', 'security', 'changed-late', 'not-routine', 'escalated', 'test']);
    const order = Object.keys(OBSTACLES);
    expect(kinds).toEqual(kinds.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  });

  test('[AUTO-5] types compare trimmed and in lower case; look-alikes are another type', () => {
    const stage = routineStage();
    expect(left(stage, stage.prepares({ spawn: { taskType: '  STATUS_check ' } }))).toEqual([]);
    expect(left(stage, stage.prepares({ spawn: { taskType: 'stаtus_check' } }))).toContain('type-not-allowed');
    expect(left(stage, stage.prepares({ spawn: { taskType: ' ' } }))).toContain('no-type');
  });

  test('[AUTO-6] without the curator every finding has to be confirmed by somebody else, and then it merges as soon as it is put together', () => {
    const stage = routineStage({ requireCuratorApproval: false });
    expect(stage.sidebar(stage.prepares()).status).toBe('MERGED');
    const own = stage.spawnsChild('SB-1', { task: 'Is it up?', taskType: 'status_check', participants: ['ada', 'ben'], curator: 'ben' });
    stage.does({ type: 'finding.submit', sidebar: own, content: 'It is up.', sourceRefs: ['MSG-1'] });
    stage.does({ type: 'finding.validate', sidebar: own, finding: 'FINDING-1', status: 'confirmed' });
    stage.does({ type: 'sidebar.consolidate', sidebar: own }, { by: 'ada' });
    expect(kindsOf(stage, own)).toContain('own-findings');
  });

  test('[AUTO-7] exclusions hold although the constraints are off', () => {
    const stage = routineStage({ requireNoConflicts: false, blockIfProposesChanges: false, requireSourcesCited: false });
    expect(left(stage, stage.prepares({ content: 'Rename `getData()` to `loadOrders()`.' }))).toContain('changes');
    expect(left(stage, stage.prepares({ content: 'The password is 8 characters long.' }))).toEqual(['security']);
    expect(left(stage, stage.prepares({ sources: [], recommendations: 'Water the plants.' }))).toEqual([]);
  });

  test('[AUTO-8] each type has a condition that its findings have to meet', () => {
    const stage = routineStage({ allowedTaskTypes: [...ROUTINE_TASKS], requiredApprovals: 1 });
    const routineFor = (taskType: string, content: string, sources: readonly string[] = ['MSG-1']): boolean =>
      !left(stage, stage.prepares({ content, sources, spawn: { taskType } })).includes('not-routine');
    expect(routineFor('status_check', 'It is a long story, and nobody can say how it ended')).toBe(false);
    expect(routineFor('documentation_lookup', 'The guide names no limit', [])).toBe(false);
    expect(routineFor('documentation_lookup', 'The guide names no limit')).toBe(true);
    expect(routineFor('definition_retrieval', 'It is defined there')).toBe(false);
    expect(routineFor('search_discovery', 'src/a.ts:3, src/b.ts:9')).toBe(true);
    expect(routineFor('search_discovery', 'Both places look quite similar to me')).toBe(false);
    expect(routineFor('format_validation', 'All 12 tests passed')).toBe(true);
    expect(routineFor('format_validation', 'It looks good')).toBe(false);
  });

  test('[AUTO-9] a type that was set late, or by somebody else, opens no door; nor does a change after the first finding', () => {
    const stage = routineStage();
    const early = stage.prepares({ spawn: { taskType: 'research', curator: 'ben' }, meanwhile: () => {} });
    stage.does({ type: 'sidebar.change', sidebar: early, taskType: 'status_check' });
    expect(left(stage, early)).toEqual(['type-set-late', 'changed-late']);
    for (const change of [{ task: 'Another' }, { curator: 'cyd' }, { coordinator: 'cyd' }]) {
      const sidebar = stage.prepares();
      stage.does({ type: 'sidebar.change', sidebar, ...change });
      expect(kindsOf(stage, sidebar)).toContain('changed-late');
    }
    const child = stage.spawnsChild('SB-1', { task: 'Is it up?', participants: ['ada', 'ben'] });
    stage.does({ type: 'sidebar.change', sidebar: child, taskType: 'status_check' });
    expect(kindsOf(stage, child)).toEqual(['no-package']);
  });

  test('[AUTO-10] the latest decisions of the human on a type have to be approvals; automatic ones do not count', () => {
    const stage = routineStage({}, 2);
    const sidebar = stage.prepares();
    expect(left(stage, sidebar)).toEqual(['first-time']);
    stage.does({ type: 'sidebar.merge', sidebar });
    expect(left(stage, stage.prepares())).toEqual([]);
    const refused = stage.prepares();
    stage.does({ type: 'sidebar.merge', sidebar: refused, isApproved: false, reason: 'wrong question' });
    expect(left(stage, stage.prepares())).toEqual(['first-time']);
    const once = routineStage({ requiredApprovals: 1 }, 1);
    expect(left(once, once.prepares())).toEqual([]);
  });

  test('[AUTO-15] a finding that rests on something contradicted, provisional or superseded needs somebody', () => {
    const stage = routineStage();
    const gold = stage.golds({ sourceRefs: ['SB-1'] });
    expect(left(stage, stage.prepares({ sources: [gold] }))).toContain('rests-on-provisional');
    const first = stage.submits('SB-1', 'The old queue is empty.');
    stage.validates('SB-1', first, 'confirmed');
    const second = stage.submits('SB-1', 'The old queue has been gone for a year.', { supersedes: first });
    stage.validates('SB-1', second, 'confirmed');
    expect(left(stage, stage.prepares({ sources: ['MSG-1', `SCRATCH-1:${first}`] }))).toContain('rests-on-superseded');
  });

  test('[AUTO-12] work that wrote files needs somebody, whatever is said about it', () => {
    const stage = routineStage();
    const sidebar = stage.prepares();
    stage.does({ type: 'merge.check', sidebar, isFit: true }, { by: 'ben', facts: { writes: () => ['MSG-1'] } });
    expect(stage.sidebar(sidebar).status).toBe('CONSOLIDATING');
  });
});

describe('obstacles', () => {
  const stage = routineStage();
  const { board } = stage.world;
  const sidebar = stage.sidebar(stage.prepares());
  const facts: AutoMergeFacts = { now: stage.world.now(), language, writes: [], refusal: null };
  const checked: Sidebar = {
    ...sidebar,
    merge: sidebar.merge === null ? null : { ...sidebar.merge, checks: [{ as: 'curator', isFit: true, notes: null, by: 'AGENT-ben', at: 1 }] },
  };
  const kinds = (one: Sidebar, config: AutoMergeConfig = autoMergeConfigOf(board), more: Partial<AutoMergeFacts> = {}): readonly string[] =>
    autoMergeObstacles(board, one, config, { ...facts, ...more }).map(({ kind }) => kind);

  /** Each makes it worse in one way. */
  const WORSE: readonly ((one: Sidebar) => Sidebar)[] = [
    (one) => ({ ...one, testGroup: 'x' }),
    (one) => ({ ...one, escalation: { by: 'AGENT-ada', reason: 'stuck', at: 1 } }),
    (one) => ({ ...one, routine: { ...one.routine, isTypeTrusted: false } }),
    (one) => ({ ...one, routine: { ...one.routine, changed: ['task'] } }),
    (one) => ({ ...one, tags: [...one.tags, 'security'] }),
    (one) => ({ ...one, task: `${one.task} Which architecture?` }),
    (one) => ({ ...one, merge: one.merge === null ? null : { ...one.merge, package: { ...one.merge.package, recommendations: 'Rename it.' } } }),
    (one) => ({ ...one, scratchpad: { ...one.scratchpad, findings: one.scratchpad.findings.map((finding) => ({ ...finding, sourceRefs: [] })) } }),
  ];

  test('[AUTO-2] only grow when anything gets worse', () => {
    expect(kinds(checked)).toEqual([]);
    fc.assert(
      fc.property(fc.subarray([...WORSE.keys()]), fc.constantFrom(...WORSE.keys()), (some, more) => {
        const worse = (one: Sidebar, at: number): Sidebar => WORSE[at]?.(one) ?? one;
        const before = some.reduce(worse, checked);
        expect(kinds(worse(before, more))).toEqual(expect.arrayContaining([...kinds(before)]));
        expect(kinds(worse(before, more)).length).toBeGreaterThan(0);
      }),
    );
  });

  test('[AUTO-7] no configuration takes an exclusion away', () => {
    const flags = { isEnabled: fc.boolean(), requireCuratorApproval: fc.boolean(), requireNoConflicts: fc.boolean() };
    const config = fc.record({
      ...flags,
      requireSourcesCited: fc.boolean(),
      blockIfProposesChanges: fc.boolean(),
      requiredApprovals: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(config, (some) => {
        const all: AutoMergeConfig = { ...some, allowedTaskTypes: [...ROUTINE_TASKS] };
        const bad = { ...checked, tags: ['security'], task: 'Which architecture?' };
        expect(kinds(bad, all)).toEqual(expect.arrayContaining(['architecture', 'security']));
        expect(kinds(checked, all, { writes: ['MSG-1'] })).toContain('wrote-files');
      }),
    );
  });

  test('[AUTO-2] a refusal that nothing else names is an obstacle', () => {
    expect(kinds(checked, undefined, { refusal: 'live-children' })).toEqual(['refused']);
  });
});
