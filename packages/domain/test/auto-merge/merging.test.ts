import { describe, expect, test } from 'vitest';
import { cleanRate, OPERATOR, type Recorded } from '../../src/index.ts';
import { payloadsOf } from '../board/given.ts';
import { routineStage, type RoutineStage } from './stage.ts';

const merged = (stage: RoutineStage): string => {
  const sidebar = stage.prepares();
  expect(stage.finds(sidebar).map(({ type }) => type)).toContain('automerge.done');
  return sidebar;
};
const typeOf = ({ world }: RoutineStage) => world.board.taskTypes.get('status_check');
const told = ({ world }: RoutineStage, agent: string): readonly string[] =>
  (world.board.notices.get(agent) ?? []).map(({ level, text }) => `${level}: ${text}`);
const kinds = (events: readonly Recorded[]): readonly string[] => events.map(({ type }) => type);

describe('merging by itself', () => {
  test('[AUTO-3] follows the curator’s word in the same commit, by the same events, said to be Yarnboard’s', () => {
    const stage = routineStage();
    const sidebar = stage.prepares();
    const events = stage.finds(sidebar);
    expect(kinds(events).slice(0, 3)).toEqual(['merge.checked', 'sidebar.merged', 'memory.merged']);
    expect(events.filter(({ type }) => type !== 'merge.checked').every(({ by }) => by.type === 'system')).toBe(true);
    expect(payloadsOf(events, 'automerge.done')).toMatchObject([{ taskType: 'status_check', checkedBy: 'AGENT-ben', config: { isEnabled: true } }]);
    expect(stage.sidebar(sidebar)).toMatchObject({ status: 'MERGED', mergedAs: { by: 'system' } });
    expect(told(stage, OPERATOR.id).at(-1)).toBe(`info: ${sidebar} merged automatically (status_check); please look at it when you have time`);
  });

  test('[AUTO-3] does nothing when the package is found unfit, while it is off, or in one step with the human', () => {
    const stage = routineStage();
    expect(kinds(stage.finds(stage.prepares(), false))).not.toContain('sidebar.merged');
    stage.does({ type: 'automerge.configure', isEnabled: false });
    expect(kinds(stage.finds(stage.prepares()))).not.toContain('sidebar.merged');
  });

  test('[AUTO-3] Yarnboard approves nothing that has an obstacle', () => {
    const stage = routineStage({ isEnabled: false });
    const sidebar = stage.prepares();
    stage.finds(sidebar);
    expect(stage.refuses({ type: 'sidebar.merge', sidebar }, { by: 'system' })).toMatchObject({
      reason: 'needs-approval',
      facts: { obstacles: ['off'] },
    });
    stage.does({ type: 'automerge.configure', isEnabled: true });
    expect(kinds(stage.does({ type: 'sidebar.merge', sidebar }, { by: 'system' }))).toContain('automerge.done');
  });

  test('[AUTO-1] only the operator changes what merges, and only to what there is', () => {
    const stage = routineStage();
    expect(stage.code({ type: 'automerge.configure', isEnabled: false }, { by: 'ada' })).toBe('operator-only');
    for (const wrong of ['debugging', '', 'stаtus_check']) {
      expect(stage.refuses({ type: 'automerge.configure', allowedTaskTypes: [wrong] })).toMatchObject({ reason: 'not-a-routine-task' });
    }
    expect(stage.refuses({ type: 'automerge.configure', isEnabled: true })).toMatchObject({ reason: 'nothing-to-change' });
    for (const requiredApprovals of [0, -1, 1.5, 11, Number.NaN])
      expect(stage.code({ type: 'automerge.configure', requiredApprovals })).toBe('bad-request');
    expect(stage.code({ type: 'automerge.configure', allowAgain: ['status_check'] })).toBe('bad-request');
  });

  test('[AUTO-21] the first merges of a type are to be looked at, later ones only now and then', () => {
    const stage = routineStage();
    const samples = Array.from({ length: 12 }, () => {
      const sidebar = merged(stage);
      return stage.world.board.mergeRecords.get(stage.sidebar(sidebar).id)?.isSample;
    });
    expect(samples).toEqual([true, true, true, true, true, false, true, false, true, false, true, false]);
  });
});

describe('problems', () => {
  test('[AUTO-16] are reported by whoever takes part where it went, or the human, with a reference', () => {
    const stage = routineStage();
    const sidebar = merged(stage);
    const report = { type: 'automerge.report', sidebar, ref: 'MSG-1', notes: 'it was not empty' } as const;
    stage.does({ type: 'agent.register', agent: 'dan', kind: 'agent', specialties: [], preferredCollaborators: [], tokenHash: 'd'.repeat(64) });
    expect(stage.code(report, { by: 'dan' })).toBe('not-participant');
    expect(stage.code({ ...report, ref: 'MSG-9999' })).toBe('bad-reference');
    expect(stage.code({ ...report, notes: ' ' })).toBe('bad-request');
    expect(stage.refuses({ ...report, sidebar: 'SB-2' })).toMatchObject({ reason: 'not-merged-automatically' });
    expect(kinds(stage.does(report, { by: 'cyd' }))).toEqual(['automerge.faulted', 'automerge.suspended']);
  });

  test('[AUTO-17] suspend their type at once, until the operator allows it again', () => {
    const stage = routineStage();
    const sidebar = merged(stage);
    stage.does({ type: 'automerge.report', sidebar, ref: 'MSG-1', notes: 'it was not empty' }, { by: 'cyd' });
    expect(told(stage, OPERATOR.id).slice(-2)).toEqual([
      `warning: a problem with the automatic merge of ${sidebar} (reported): it was not empty`,
      `warning: status_check no longer merges automatically, after a problem with ${sidebar}; only you can allow it again`,
    ]);
    expect(kinds(stage.finds(stage.prepares()))).not.toContain('sidebar.merged');
    stage.does({ type: 'automerge.configure', allowAgain: [' Status_check'] });
    expect(typeOf(stage)?.suspended).toBeNull();
    merged(stage);
  });

  test('[AUTO-18] are noticed: a confirmed finding where it went contradicts what was merged', () => {
    const stage = routineStage();
    const sidebar = stage.prepares({ content: 'The retry limit is 3.' });
    stage.finds(sidebar);
    const finding = stage.submits('SB-1', 'The retry limit is 5.');
    const events = stage.does({ type: 'finding.validate', sidebar: 'SB-1', finding, status: 'confirmed', notes: 'seen' });
    expect(payloadsOf(events, 'automerge.faulted')).toMatchObject([{ kind: 'contradicted', ref: `SCRATCH-1:${finding}`, isAutomatic: true }]);
    expect(kinds(events)).toContain('automerge.suspended');
  });

  test('[AUTO-18] are noticed: the exchange that it left is contradicted', () => {
    const stage = routineStage();
    const sidebar = merged(stage);
    const exchange = stage.world.log.findLast(({ type }) => type === 'memory.merged')?.refs ?? [];
    const message = exchange.find((ref) => ref.startsWith('MSG-')) ?? '';
    const child = stage.spawnsChild('SB-1');
    const said = { messages: [{ ref: message, by: 'system', text: 'The queue is empty.', confidence: null }] };
    const name = exchange.find((ref) => ref.startsWith('EXCH-')) ?? '';
    const facts = { exchange: () => said };
    stage.does({ type: 'claim.verify', sidebar: child, claim: name, verification: 'confirmed' }, { by: 'ada', facts });
    const events = stage.does({ type: 'claim.verify', sidebar: child, claim: 'CLAIM-1', verification: 'contradicted' }, { facts });
    expect(payloadsOf(events, 'automerge.faulted')).toMatchObject([{ sidebarId: stage.sidebar(sidebar).id, kind: 'contradicted', ref: name }]);
  });

  test('[AUTO-10] what the human approved and turned out wrong is no approval any more, and suspends nothing', () => {
    const stage = routineStage();
    const approved = stage.prepares({ content: 'The retry limit is 3.', recommendations: 'Raise it.' });
    stage.approves(approved);
    const finding = stage.submits('SB-1', 'The retry limit is 5.');
    const events = stage.does({ type: 'finding.validate', sidebar: 'SB-1', finding, status: 'confirmed', notes: 'seen' });
    expect(kinds(events)).toContain('automerge.faulted');
    expect(kinds(events)).not.toContain('automerge.suspended');
    expect(kinds(stage.finds(stage.prepares()))).not.toContain('sidebar.merged');
  });
});

describe('history', () => {
  test('[AUTO-19] a type is as clean as its automatic merges; there is no rate without any', () => {
    const stage = routineStage();
    const record = typeOf(stage);
    expect(record === undefined ? undefined : cleanRate(record)).toBeNull();
    const [first] = [merged(stage), merged(stage), merged(stage), merged(stage)];
    stage.does({ type: 'automerge.report', sidebar: first ?? '', ref: 'MSG-1', notes: 'wrong' });
    stage.does({ type: 'automerge.report', sidebar: first ?? '', ref: 'MSG-1', notes: 'very wrong' });
    const after = typeOf(stage);
    expect(after === undefined ? undefined : cleanRate(after)).toBe(0.75);
  });

  test('[AUTO-20] while it is off, what the human approves tells whether it would have merged', () => {
    const stage = routineStage({ isEnabled: false });
    expect(typeOf(stage)).toMatchObject({ looked: 3, wouldHave: 0 });
    const events = stage.approves(stage.prepares());
    expect(payloadsOf(events, 'automerge.foregone')).toEqual([{ taskType: 'status_check', obstacles: [] }]);
    expect(payloadsOf(stage.approves(stage.prepares({ recommendations: 'Rename it.' })), 'automerge.foregone')).toMatchObject([
      { obstacles: ['changes'] },
    ]);
    expect(typeOf(stage)).toMatchObject({ looked: 5, wouldHave: 1, automatic: 0 });
  });
});
