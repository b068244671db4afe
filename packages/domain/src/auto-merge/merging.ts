import { isOperator, SYSTEM } from '../actors.ts';
import { happenIn, type Decider, type Decision, type Facts } from '../board/deciding.ts';
import { reject } from '../board/rejection.ts';
import { sidebarOf, type Board } from '../board/state.ts';
import type { CommandType, Happening } from '../messages/catalogue.ts';
import { autoMergeObstacles, type AutoMergeFacts } from './obstacles.ts';
import { isSwitch, type Obstacle } from './obstacle-kinds.ts';
import { ok } from '../result.ts';
import { withCheck, withPackage } from '../sidebar/finish.ts';
import { mergeCommands } from '../sidebar/merge.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { autoMergeConfigOf, normalType } from './state.ts';

/** The current obstacles to an automatic merge of this sidebar. */
export const obstaclesNow = (board: Board, sidebar: Sidebar, facts: Pick<Facts, 'now' | 'language' | 'writes'>): readonly Obstacle[] =>
  autoMergeObstacles(board, sidebar, autoMergeConfigOf(board), aboutMerging(board, sidebar, facts));

const aboutMerging = (board: Board, sidebar: Sidebar, { now, language, writes }: Pick<Facts, 'now' | 'language' | 'writes'>): AutoMergeFacts => {
  const asked = mergedBy(board, sidebar, {
    now,
    language,
    actor: SYSTEM,
    newId: () => '',
    refs: new Map(),
    isInherited: () => false,
    surfacings: () => [],
  });
  return { now, language, writes: writes?.(sidebar) ?? [], refusal: asked.ok ? null : asked.error.reason };
};

const mergedBy = (board: Board, sidebar: Sidebar, facts: Facts): Decision =>
  mergeCommands['sidebar.merge'](board, facts, { type: 'sidebar.merge', sidebar: sidebar.id });

/** AUTO-3: without obstacles, the merge follows the curator's approval in the same commit. */
const checkThenMerge: Decider<'merge.check'> = (board, facts, command) => {
  const checked = mergeCommands['merge.check'](board, facts, command);
  const sidebar = sidebarOf(board, command.sidebar);
  const isFit = checked.ok && checked.value.some(({ type, payload }) => type === 'merge.checked' && payload.as === 'curator' && payload.isFit);
  if (!isFit || sidebar === null || !autoMergeConfigOf(board).isEnabled) return checked;
  return ok([...checked.value, ...mergedAlone(withCheck(board, facts, sidebar.id), facts, sidebar.id, facts.actor.id)]);
};

/** AUTO-6: without a curator, a package whose findings were confirmed by others is merged as soon as it is consolidated. */
const consolidateThenMerge: Decider<'sidebar.consolidate'> = (board, facts, command) => {
  const consolidated = mergeCommands['sidebar.consolidate'](board, facts, command);
  const sidebar = sidebarOf(board, command.sidebar);
  const config = autoMergeConfigOf(board);
  if (!consolidated.ok || sidebar === null || !config.isEnabled || config.requireCuratorApproval) return consolidated;
  const system: Facts = { ...facts, actor: SYSTEM };
  const proposed = withPackage(board, facts, sidebar, consolidated.value);
  const merged = mergedAlone(withCheck(proposed, system, sidebar.id), facts, sidebar.id, SYSTEM.id);
  if (merged.length === 0) return consolidated;
  const checked = happenIn(system, sidebar, 'merge.checked', { as: 'curator', isFit: true, notes: 'every finding was confirmed by somebody else' });
  return ok([...consolidated.value, checked, ...merged]);
};

/**
 * AUTO-3: Yarnboard approves nothing that has an obstacle. AUTO-20: what the human approves while automatic merging is off shows whether it would
 * have merged.
 */
const mergeWithRecord: Decider<'sidebar.merge'> = (board, facts, command) => {
  const sidebar = sidebarOf(board, command.sidebar);
  if (sidebar !== null && facts.actor.type === 'system') {
    const obstacles = obstaclesNow(board, sidebar, facts);
    if (obstacles.length > 0) return reject('needs-approval', { obstacles: obstacles.map(({ kind }) => kind) });
    return ok(mergedAlone(board, facts, sidebar.id, sidebar.merge?.checks.findLast(({ as }) => as === 'curator')?.by ?? SYSTEM.id));
  }
  const merged = mergeCommands['sidebar.merge'](board, facts, command);
  if (!merged.ok || sidebar === null) return merged;
  return ok([...merged.value, ...foregone(board, facts, sidebar, merged.value)]);
};

/** Yarnboard's own merge if there are no obstacles; nothing otherwise. */
const mergedAlone = (board: Board, facts: Facts, sidebarId: string, checkedBy: string): readonly Happening[] => {
  const sidebar = board.sidebars.get(sidebarId);
  if (sidebar?.merge === undefined || sidebar.merge === null || obstaclesNow(board, sidebar, facts).length > 0) return [];
  const system: Facts = { ...facts, actor: SYSTEM };
  const merged = mergedBy(board, sidebar, system);
  const [first] = merged.ok ? merged.value : [];
  if (!merged.ok || first?.type !== 'sidebar.merged') return [];
  const taskType = normalType(sidebar.taskType);
  const { target } = first.payload;
  const isSample = isSampled(board.taskTypes.get(taskType)?.cleanSince ?? 0);
  const why = { taskType, target, config: autoMergeConfigOf(board), checkedBy, isSample };
  return [...merged.value, happenIn(system, sidebar, 'automerge.done', why)];
};

/** AUTO-20: without a type, there is nothing it could be evidence for. */
const foregone = (board: Board, facts: Facts, sidebar: Sidebar, events: readonly Happening[]): readonly Happening[] => {
  const taskType = normalType(sidebar.taskType);
  const config = autoMergeConfigOf(board);
  const isOpen = config.isEnabled && config.allowedTaskTypes.some((one) => one === taskType);
  if (taskType === '' || isOpen || !isOperator(facts.actor) || !events.some(({ type }) => type === 'sidebar.merged')) return [];
  const obstacles = obstaclesNow(board, sidebar, facts).filter((one) => !isSwitch(one));
  return [happenIn({ ...facts, actor: SYSTEM }, sidebar, 'automerge.foregone', { taskType, obstacles: obstacles.map(({ kind }) => kind) })];
};

/** AUTO-21: all of the first five since the last problem, then fewer and fewer; one in twenty is always sampled. */
const isSampled = (clean: number): boolean => clean < 5 || (clean < 20 ? clean % 2 === 0 : clean < 50 ? clean % 5 === 0 : clean % 20 === 0);

export const autoMergeSteps = {
  'merge.check': checkThenMerge,
  'sidebar.consolidate': consolidateThenMerge,
  'sidebar.merge': mergeWithRecord,
} satisfies Partial<{ readonly [K in CommandType]: Decider<K> }>;
