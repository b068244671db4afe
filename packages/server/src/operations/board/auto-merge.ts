import {
  approvalsInARow,
  autoMergeConfigOf,
  cleanRate,
  isRoutineTask,
  normalType,
  obstaclesNow,
  ROUTINE_TASKS,
  rowsOf,
  shownText,
  type Board,
  type Language,
  type MergeRecord,
  type Sidebar,
  type TypeRecord,
} from '@yarnboard/domain';
import { CONDITIONS, encodeAutoMergeConfig, encodePackage, foreign, nextTrust, obstacleWords, type InputOf } from '@yarnboard/protocol';
import type { Store } from '@yarnboard/store';
import { writesIn } from '../../engine/writes.ts';
import { latestPageOf } from '../request/cursor.ts';

export type AutoMergeNeeds = {
  readonly store: Pick<Store, 'log' | 'library'>;
  readonly now: () => number;
  readonly engine: { readonly language: Language };
};

/** AUTO-2: works at any time, even while auto-merge is off. */
export const showObstacles = async ({ store, now, engine: { language } }: AutoMergeNeeds, board: Board, sidebar: Sidebar): Promise<object> => {
  const writes = await writesIn(store, board, sidebar);
  const obstacles = obstaclesNow(board, sidebar, { now: now(), language, writes: () => writes });
  return {
    sidebarId: sidebar.ref,
    taskType: sidebar.taskType,
    wouldMerge: obstacles.length === 0,
    obstacles: obstacles.map((one) => ({
      obstacle: one.kind,
      message: obstacleWords(one, 'ws'),
      refs: 'refs' in one.facts ? [...one.facts.refs] : 'sidebar' in one.facts ? [one.facts.sidebar] : [],
      facts: foreign({ ...one.facts }),
    })),
  };
};

/** AUTO-19: what merged automatically, and each type's clean rate. Merges that the human approved don't count toward the rates. */
export const showHistory = (board: Board, input: InputOf<'auto_merge_history'>): object => {
  const config = autoMergeConfigOf(board);
  const wanted = input.task_type === undefined ? null : shownText(normalType(input.task_type));
  const merges = rowsOf(board.mergeRecords).filter(
    ({ config: then, taskType }) => then !== null && (wanted === null || shownText(taskType) === wanted),
  );
  const { items, nextCursor } = latestPageOf(merges, ({ sidebarId, position }) => ({ id: sidebarId, position }), input);
  const known = rowsOf(board.taskTypes).map(({ taskType }) => taskType);
  const types = [...new Set([...ROUTINE_TASKS, ...known])].map((taskType) => typeView(board, taskType));
  return {
    config: encodeAutoMergeConfig(config),
    types,
    nextStep: nextTrust(config, types),
    items: items.flatMap((record) => resultView(board, record) ?? []),
    nextCursor,
  };
};

const typeView = (board: Board, taskType: string) => {
  const record: TypeRecord | undefined = board.taskTypes.get(taskType);
  const suspended = record?.suspended ?? null;
  return {
    taskType,
    condition: isRoutineTask(taskType) ? CONDITIONS[taskType] : null,
    allowed: autoMergeConfigOf(board).allowedTaskTypes.some((one) => one === taskType),
    autoMerges: record?.automatic ?? 0,
    withProblems: record?.faulted ?? 0,
    cleanRate: record === undefined ? null : cleanRate(record),
    approvalsInARow: approvalsInARow(board, taskType),
    wouldHaveMerged: record?.wouldHave ?? 0,
    lookedAt: record?.looked ?? 0,
    suspended: suspended === null ? null : { sidebarId: nameOf(board, suspended.sidebarId), at: instant(suspended.at) },
  };
};

const resultView = (board: Board, record: MergeRecord): object | null =>
  record.config === null
    ? null
    : {
        sidebarId: nameOf(board, record.sidebarId),
        taskType: record.taskType,
        target: record.target.kind === 'session' ? record.target.sessionId : nameOf(board, record.target.sidebarId),
        mergedAt: instant(record.at),
        mergePackage: encodePackage(record.package),
        config: encodeAutoMergeConfig(record.config),
        checkedBy: record.checkedBy ?? '',
        sample: record.isSample,
        problems: record.problems.map(({ at, ...problem }) => ({ ...problem, at: instant(at) })),
      };

const nameOf = (board: Board, id: string): string => board.sidebars.get(id)?.ref || id;
const instant = (at: number): string => new Date(at).toISOString();
