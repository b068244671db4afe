import { isOperator } from '../actors.ts';
import { foundSidebar, happen, named, takesPart, worded, type Deciders, type Decision, type Facts } from '../board/deciding.ts';
import { knownRefs } from '../board/references.ts';
import { reject } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import type { AutoMergeConfig, RoutineTask } from '../messages/auto-merge.ts';
import type { CommandOf, FamilyCommand } from '../messages/catalogue.ts';
import { BOARD_CONTEXT } from '../messages/values.ts';
import { isRoutineTask } from './obstacles.ts';
import { cutText } from '../policies/cutting.ts';
import { ok } from '../result.ts';
import { faulted } from './problems.ts';
import { autoMergeConfigOf, MOST_APPROVALS, normalType } from './state.ts';

/** AUTO-1: the operator and nobody else, through whichever door. */
const configure = (board: Board, facts: Facts, command: CommandOf<'automerge.configure'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'configure-auto-merge' });
  const { type: _, allowAgain = [], allowedTaskTypes, requiredApprovals, ...flags } = command;
  const before = autoMergeConfigOf(board);
  const allowed: RoutineTask[] = [];
  for (const wanted of allowedTaskTypes ?? before.allowedTaskTypes) {
    const taskType = normalType(wanted);
    if (!isRoutineTask(taskType)) return reject('not-a-routine-task', { asked: cutText(wanted, 100) });
    if (!allowed.includes(taskType)) allowed.push(taskType);
  }
  const again: string[] = [];
  for (const wanted of allowAgain) {
    const taskType = normalType(wanted);
    if ((board.taskTypes.get(taskType)?.suspended ?? null) === null) return reject('not-suspended', { asked: cutText(wanted, 100) });
    if (!again.includes(taskType)) again.push(taskType);
  }
  const needed = requiredApprovals ?? before.requiredApprovals;
  if (!Number.isInteger(needed) || needed < 1 || needed > MOST_APPROVALS)
    return reject('out-of-range', { field: 'requiredApprovals', least: 1, most: MOST_APPROVALS });
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const config: AutoMergeConfig = { ...before, ...given, allowedTaskTypes: allowed, requiredApprovals: needed };
  if (again.length === 0 && JSON.stringify(config) === JSON.stringify(before)) return reject('nothing-to-change', { in: 'auto-merge' });
  return ok([happen(facts, 'automerge.configured', BOARD_CONTEXT, { config, allowedAgain: again })]);
};

/** AUTO-16: those affected by what was merged report that it did harm. */
const report = (board: Board, facts: Facts, command: CommandOf<'automerge.report'>): Decision => {
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const sidebar = found.value;
  const record = board.mergeRecords.get(sidebar.id);
  if (record?.config === undefined || record.config === null) return reject('not-merged-automatically', { sidebar: named(sidebar) });
  const target = record.target.kind === 'sidebar' ? board.sidebars.get(record.target.sidebarId) : undefined;
  if (!isOperator(facts.actor) && (target === undefined || !takesPart(target, facts.actor)))
    return reject('not-participant', { actor: facts.actor.id, sidebar: target === undefined ? named(sidebar) : named(target), to: 'work', ask: [] });
  const notes = worded('notes', command.notes);
  if (!notes.ok) return notes;
  const refs = knownRefs(board, facts, [command.ref]);
  if (!refs.ok) return refs;
  if (record.problems.length >= MOST_PROBLEMS) return reject('full', { where: named(sidebar), most: MOST_PROBLEMS, of: 'problems' });
  return ok(faulted(board, facts, record, { kind: 'reported', ref: refs.value[0] ?? command.ref, notes: notes.value }));
};

const MOST_PROBLEMS = 100;

export const autoMergeCommands = { 'automerge.configure': configure, 'automerge.report': report } satisfies Deciders<FamilyCommand<'auto-merge'>>;
