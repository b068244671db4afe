import { SYSTEM } from '../actors.ts';
import { happen, type Facts } from '../board/deciding.ts';
import { linked } from '../board/links.ts';
import { goldOf, type Board } from '../board/state.ts';
import type { Happening } from '../messages/catalogue.ts';
import { BOARD_CONTEXT, sidebarIdOfContext } from '../messages/values.ts';
import { findingOf, refOfFinding } from '../scratchpad/state.ts';
import { named } from '../board/deciding.ts';
import type { MergeRecord } from './state.ts';

type Fault = { readonly record: MergeRecord; readonly kind: 'contradicted' | 'superseded'; readonly ref: string | null };

/** AUTO-18: later events show that a merge was wrong, whether or not anyone reports it. */
export const noticedProblems = (board: Board, facts: Facts, events: readonly Happening[]): readonly Happening[] => {
  if (board.mergeRecords.size() === 0) return [];
  const found = new Map<string, Fault>();
  for (const fault of events.flatMap((event) => faultsFrom(board, facts, event)))
    if (!isKnown(fault) && !found.has(fault.record.sidebarId)) found.set(fault.record.sidebarId, fault);
  return [...found.values()].flatMap(({ record, kind, ref }) => faulted(board, { ...facts, actor: SYSTEM }, record, { kind, ref, notes: null }));
};

/** AUTO-17: a problem suspends its type at once. */
export const faulted = (
  board: Board,
  facts: Facts,
  { sidebarId, taskType, config }: MergeRecord,
  about: { readonly kind: 'reported' | 'contradicted' | 'superseded'; readonly ref: string | null; readonly notes: string | null },
): readonly Happening[] => {
  const isAutomatic = config !== null;
  const problem = happen(facts, 'automerge.faulted', BOARD_CONTEXT, { sidebarId, taskType, isAutomatic, ...about });
  if (!isAutomatic || (board.taskTypes.get(taskType)?.suspended ?? null) !== null) return [problem];
  return [problem, happen({ ...facts, actor: SYSTEM }, 'automerge.suspended', BOARD_CONTEXT, { taskType, sidebarId })];
};

/** The same problem is reported once. */
const isKnown = ({ record, kind, ref }: Fault): boolean => record.problems.some((problem) => problem.kind === kind && problem.ref === ref);

const faultsFrom = (board: Board, facts: Facts, event: Happening): readonly Fault[] => {
  if (event.type === 'gold.superseded') {
    const ref = goldOf(board, event.payload.gold)?.ref ?? '';
    return recordsAt(board, ref).map((record) => ({ record, kind: 'superseded', ref }));
  }
  const sidebarId = sidebarIdOfContext(event.contextId);
  const sidebar = board.sidebars.get(sidebarId ?? '');
  if (sidebar === undefined) return [];
  if (event.type === 'finding.validated' && event.payload.status === 'confirmed') {
    const finding = findingOf(sidebar.scratchpad, event.payload.finding);
    if (finding === null) return [];
    const fork = board.mergeRecords.get(sidebar.forkedFrom ?? '');
    const records = [...recordsAt(board, sidebar.contextId), ...(fork === undefined ? [] : [fork])];
    return records
      .filter((record) => facts.language.contradictions(finding.content, contentsOf(board, record), 1).some(({ kind }) => kind !== 'changed'))
      .map((record) => ({ record, kind: 'contradicted', ref: refOfFinding(named(sidebar), finding) }));
  }
  if (isContradiction(event)) {
    const claim = sidebar.claims.find(({ id }) => id === event.payload.claim);
    return (claim?.messages ?? [])
      .flatMap((ref) => recordsAt(board, ref))
      .map((record) => ({ record, kind: 'contradicted', ref: claim?.exchange ?? null }));
  }
  return [];
};

type Judged = Happening<'claim.verified' | 'claim.settled' | 'claim.validated'>;

const isContradiction = (event: Happening): event is Judged =>
  ((event.type === 'claim.verified' || event.type === 'claim.settled') && event.payload.verification === 'contradicted') ||
  (event.type === 'claim.validated' && event.payload.outcome === 'contradicted');

const recordsAt = (board: Board, of: string): readonly MergeRecord[] =>
  of === ''
    ? []
    : linked(board, 'merged', of)
        .slice(-MOST_COMPARED)
        .flatMap((id) => board.mergeRecords.get(id) ?? []);

const contentsOf = (board: Board, { sidebarId, package: merged }: MergeRecord): readonly string[] => {
  const sidebar = board.sidebars.get(sidebarId);
  if (sidebar === undefined) return [];
  return merged.keyFindings.slice(0, MOST_COMPARED).flatMap((ref) => findingOf(sidebar.scratchpad, ref)?.content ?? []);
};

const MOST_COMPARED = 50;
