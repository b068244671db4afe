import { describe, expect, test } from 'vitest';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const archived = (stage: Stage, sidebar: string, by = 'operator', facts = {}) =>
  payloadsOf(stage.does({ type: 'sidebar.archive', sidebar }, { by, facts }), 'sidebar.archived');

describe('archiving', () => {
  test('[KEEP-1] loses nothing: everything that was known of the sidebar is still there, with when, by whom and why', () => {
    const stage = given();
    const sidebar = stage.spawns({ tags: ['login'], taskType: 'debugging' });
    stage.confirms(sidebar, 'the cache is cold');
    stage.submits(sidebar, 'something pending');
    stage.golds({ sidebar });
    const before = stage.sidebar(sidebar);
    stage.does({ type: 'sidebar.archive', sidebar, tags: ['done'], note: 'for later' });
    const after = stage.sidebar(sidebar);
    expect(after).toEqual({
      ...before,
      status: 'ARCHIVED',
      lastActivity: after.lastActivity,
      lastPosition: after.lastPosition,
      endedPosition: after.archive?.position,
      tags: ['login', 'done', 'debugging', 'cache', 'cold', 'gold'],
      scratchpad: {
        ...before.scratchpad,
        finalSummary: 'Find the cause. Found: the cache is cold (SCRATCH-1:FINDING-1). One finding was never validated.',
      },
      archive: {
        at: stage.world.now(),
        by: 'AGENT-operator',
        position: after.archive?.position,
        reason: 'manual',
        finalStatus: 'ACTIVE',
        tags: ['done', 'debugging', 'cache', 'cold', 'gold'],
        summary: 'Find the cause. Found: the cache is cold (SCRATCH-1:FINDING-1). One finding was never validated.',
        note: 'for later',
      },
    });
  });

  test('[KEEP-2] why follows from where it stands, and another reason is refused', () => {
    const stage = given();
    const failed = stage.spawns();
    stage.does({ type: 'sidebar.move', sidebar: failed, to: 'FAILED', reason: 'it broke' });
    const merged = stage.spawnsChild(stage.spawns());
    stage.merges(merged);
    expect(stage.refuses({ type: 'sidebar.archive', sidebar: merged, reason: 'manual' })).toEqual({
      code: 'bad-request',
      reason: 'other-archive-reason',
      facts: { sidebar: 'SB-3', status: 'MERGED', actual: 'merged', given: 'manual' },
    });
    expect([
      archived(stage, failed),
      archived(stage, merged),
      archived(stage, stage.spawns()),
      archived(stage, stage.spawns({ isTesting: true })),
    ]).toMatchObject([
      [{ reason: 'failed', finalStatus: 'FAILED' }],
      [{ reason: 'merged', finalStatus: 'MERGED' }],
      [{ reason: 'manual', finalStatus: 'ACTIVE' }],
      [{ reason: 'test_discard', finalStatus: 'TESTING' }],
    ]);
  });

  test('[KEEP-3] only what stands still times out, and only by the clock', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const isStale = { isStale: true };
    expect(stage.code({ type: 'sidebar.archive', sidebar }, { by: 'system', facts: isStale })).toBe('changed-since');
    stage.does({ type: 'sidebar.pause', sidebar, reason: 'lunch' });
    expect(stage.code({ type: 'sidebar.archive', sidebar, reason: 'timeout' }, { facts: isStale })).toBe('bad-request');
    expect(archived(stage, sidebar, 'system', isStale)).toMatchObject([{ reason: 'timeout', finalStatus: 'PAUSED' }]);
  });

  test('[KEEP-4] tags and a summary are made without anybody’s help', () => {
    const stage = given();
    const sidebar = stage.spawns({ priority: 'HIGH' });
    stage.submits(sidebar, 'the timeout is 30 seconds');
    stage.submits(sidebar, 'the timeout is 90 seconds');
    stage.does({ type: 'sidebar.archive', sidebar });
    stage.does({ type: 'sidebar.fork', sidebar, reason: 'again' });
    expect(stage.sidebar(sidebar).archive).toMatchObject({
      tags: ['conflict'],
      summary: 'Find the cause. 2 findings were never validated. One conflict was left open.',
    });
    stage.does({ type: 'sidebar.archive', sidebar: 'SB-2' });
    expect(stage.sidebar('SB-2').archive?.tags).toEqual(['fork']);
  });

  test('[KEEP-5] what is done about it afterwards does not make it active again', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const gold = stage.golds({ sidebar });
    stage.does({ type: 'sidebar.archive', sidebar });
    const { lastActivity } = stage.sidebar(sidebar);
    stage.world.pass(1000);
    stage.does({ type: 'gold.validate', gold, status: 'confirmed' });
    stage.does({ type: 'sidebar.fork', sidebar, reason: 'again' });
    expect(stage.sidebar(sidebar).lastActivity).toBe(lastActivity);
  });
});

describe('a fork', () => {
  test('[FORK-1] is made of what is archived, and of nothing else', () => {
    const stage = given();
    const sidebar = stage.spawns();
    expect(stage.refuses({ type: 'sidebar.fork', sidebar, reason: 'again' })).toEqual({
      code: 'not-archived',
      reason: 'not-archived',
      facts: { sidebar: 'SB-1', status: 'ACTIVE' },
    });
    stage.does({ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'it broke' });
    expect(stage.refuses({ type: 'sidebar.fork', sidebar, reason: 'again' }).facts).toEqual({ sidebar: 'SB-1', status: 'FAILED' });
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(stage.doesKinds({ type: 'sidebar.fork', sidebar, reason: 'again' }, { by: 'cyd' })).toEqual([
      'sidebar.spawned',
      'scratchpad.created',
      'sidebar.forked',
      'scratchpad.backed_up',
    ]);
  });

  test('[FORK-2] has no parent, the task unless another is given, a fresh scratchpad that knows the old one, and a team of its own', () => {
    const stage = given();
    const top = stage.spawns();
    const original = stage.spawnsChild(top, {
      task: 'Find it',
      successCriteria: 'Found',
      taskType: 'debugging',
      participants: ['ada'],
      coordinator: 'ben',
    });
    stage.confirms(original, 'the cache is cold');
    stage.does({ type: 'sidebar.archive', sidebar: original });
    stage.does({ type: 'sidebar.fork', sidebar: original, reason: 'again' }, { by: 'cyd' });
    const { id, archive } = stage.sidebar(original);
    expect(stage.sidebar('SB-3')).toMatchObject({
      parent: null,
      origin: { kind: 'fork', sidebarId: id, upTo: archive?.position },
      forkedFrom: id,
      forkReason: 'again',
      mergeTarget: { kind: 'sidebar', sidebarId: stage.sidebar(top).id },
      task: 'Find it',
      successCriteria: 'Found',
      taskType: 'debugging',
      participants: ['AGENT-cyd'],
      coordinator: 'AGENT-operator',
      status: 'ACTIVE',
      sourceScratchpad: 'SCRATCH-2',
      scratchpad: { findings: [], citableSources: ['SCRATCH-2'] },
    });
    stage.does({ type: 'sidebar.fork', sidebar: original, reason: 'otherwise', task: 'Another way', isTesting: true });
    expect(stage.sidebar('SB-4')).toMatchObject({ task: 'Another way', status: 'TESTING' });
  });

  test('[FORK-3] both ends know each other, and the old scratchpad is backed up and can be cited', () => {
    const stage = given();
    const original = stage.spawns();
    stage.confirms(original, 'the cache is cold');
    stage.does({ type: 'sidebar.archive', sidebar: original });
    const events = stage.does({ type: 'sidebar.fork', sidebar: original, reason: 'again' });
    expect(payloadsOf(events, 'scratchpad.backed_up')).toEqual([
      {
        reason: 'Referenced by fork: again',
        priority: 'high',
        gold: null,
        findings: [{ ref: 'SCRATCH-1:FINDING-1', content: 'the cache is cold', status: 'confirmed', sourceRefs: [] }],
      },
    ]);
    expect(stage.sidebar(original)).toMatchObject({ forkedInto: [stage.sidebar('SB-2').id], scratchpad: { backups: [{ priority: 'high' }] } });
    expect(
      payloadsOf(
        stage.does({ type: 'finding.submit', sidebar: 'SB-2', content: 'still so', sourceRefs: ['SCRATCH-SB-1:FINDING-1'] }),
        'finding.submitted',
      ),
    ).toMatchObject([{ sourceRefs: ['SCRATCH-1:FINDING-1'] }]);
  });
});
