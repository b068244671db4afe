import { OPERATOR } from '../actors.ts';
import type { Evolver } from '../board/evolve.ts';
import { link } from '../board/links.ts';
import type { Board } from '../board/state.ts';
import type { FamilyEvent, Recorded } from '../messages/catalogue.ts';
import { NO_PACKAGE } from '../messages/merging.ts';
import { contextIdOf, sidebarIdOfContext } from '../messages/values.ts';
import { CONFIG, MOST_APPROVALS, newType, normalType, type MergeRecord, type TypeRecord } from './state.ts';

export const autoMergeEvents: { readonly [T in FamilyEvent<'auto-merge'>]: Evolver<T> } = {
  'automerge.configured': (board, { payload: { config, allowedAgain } }) => {
    board.autoMergeConfig.set(CONFIG, config);
    for (const taskType of allowedAgain) changeType(board, taskType, () => ({ suspended: null }));
  },
  'automerge.done': (board, event) => {
    const { taskType, target, config, checkedBy, isSample } = event.payload;
    const sidebarId = sidebarIdOfContext(event.contextId) ?? '';
    // As in `sidebar.merged` in the same commit: what is forgotten there is forgotten here.
    const merged = board.sidebars.get(sidebarId)?.merge?.package ?? NO_PACKAGE;
    keep(board, {
      sidebarId,
      taskType,
      target,
      at: event.at,
      position: event.position,
      package: merged,
      config,
      checkedBy,
      isSample,
      foregone: null,
      problems: [],
    });
    changeType(board, taskType, ({ automatic, cleanSince }) => ({ automatic: automatic + 1, cleanSince: cleanSince + 1 }));
  },
  'automerge.foregone': (board, event) => {
    const { taskType, obstacles } = event.payload;
    changeRecord(board, sidebarIdOfContext(event.contextId) ?? '', () => ({ foregone: obstacles }));
    changeType(board, taskType, ({ looked, wouldHave }) => ({ looked: looked + 1, wouldHave: wouldHave + (obstacles.length === 0 ? 1 : 0) }));
  },
  'automerge.faulted': (board, event) => {
    const { sidebarId, taskType, kind, ref, notes, isAutomatic } = event.payload;
    const isFirst = board.mergeRecords.get(sidebarId)?.problems.length === 0;
    changeRecord(board, sidebarId, ({ problems }) => ({ problems: [...problems, { kind, ref, notes, by: event.by.id, at: event.at }] }));
    if (isFirst && isAutomatic) changeType(board, taskType, ({ faulted }) => ({ faulted: faulted + 1, cleanSince: 0 }));
  },
  'automerge.suspended': (board, { payload: { taskType, sidebarId }, at }) => changeType(board, taskType, () => ({ suspended: { sidebarId, at } })),
};

/** AUTO-10: the human's decisions about merges of a type are counted, whichever command made them. */
export const followDecisions = (board: Board, event: Recorded): void => {
  if (event.by.id !== OPERATOR.id) return;
  const isApproval = event.type === 'sidebar.merged';
  const isRefusal =
    event.type === 'merge.refused' ||
    (event.type === 'merge.checked' && !event.payload.isFit) ||
    (event.type === 'sidebar.moved' && event.payload.from === 'CONSOLIDATING' && event.payload.to === 'ACTIVE');
  if (!isApproval && !isRefusal) return;
  const sidebar = board.sidebars.get(sidebarIdOfContext(event.contextId) ?? '');
  const taskType = normalType(sidebar?.taskType ?? null);
  if (sidebar === undefined || taskType === '') return;
  const decision = { sidebarId: sidebar.id, isApproval, at: event.at };
  changeType(board, taskType, ({ decisions }) => ({ decisions: [...decisions, decision].slice(-MOST_APPROVALS) }));
  if (event.type !== 'sidebar.merged') return;
  const { target, package: merged } = event.payload;
  const checkedBy = sidebar.merge?.checks.findLast(({ as }) => as === 'curator')?.by ?? null;
  const { id: sidebarId } = sidebar;
  keep(board, {
    sidebarId,
    taskType,
    target,
    at: event.at,
    position: event.position,
    package: merged,
    config: null,
    checkedBy,
    isSample: false,
    foregone: null,
    problems: [],
  });
};

const keep = (board: Board, record: MergeRecord): void => {
  board.mergeRecords.set(record.sidebarId, record);
  link(board, 'merged', contextIdOf(record.target), record.sidebarId);
  const message = board.sidebars.get(record.sidebarId)?.mergedAs?.ref ?? '';
  if (message !== '') link(board, 'merged', message, record.sidebarId);
  for (const gold of record.package.goldCandidates) link(board, 'merged', gold, record.sidebarId);
};

const changeRecord = (board: Board, id: string, next: (record: MergeRecord) => Partial<MergeRecord>): void => {
  const record = board.mergeRecords.get(id);
  if (record !== undefined) board.mergeRecords.set(id, { ...record, ...next(record) });
};

const changeType = (board: Board, taskType: string, next: (record: TypeRecord) => Partial<TypeRecord>): void => {
  const record = board.taskTypes.get(taskType) ?? newType(taskType);
  board.taskTypes.set(taskType, { ...record, ...next(record) });
};
