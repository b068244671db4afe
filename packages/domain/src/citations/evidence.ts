import { findingNamed } from '../board/references.ts';
import { goldOf, type Board } from '../board/state.ts';
import { stands } from '../scratchpad/state.ts';
import type { Citation, Gold } from './state.ts';
import { sidebarIdOfContext } from '../messages/values.ts';

/** GOLD-5: why a waypoint no longer holds: its evidence was rejected or revised, or it was rejected itself. */
export const whyFallen = (board: Board, gold: Gold): string | null => {
  if (gold.status === 'rejected') return gold.validationNotes ?? 'it was rejected';
  const fallen = weakEvidence(board, gold).find(({ how }) => how !== 'pending');
  return fallen === undefined ? null : `${fallen.ref} was ${fallen.how}`;
};

/** GOLD-4: what prevents a waypoint from being merged and from being final; nothing if it and its evidence are confirmed. */
export const whyUnproven = (board: Board, gold: Gold): Unproven | null => {
  if (gold.superseded !== null) return { because: 'superseded', detail: gold.superseded.why, evidence: null };
  if (gold.status !== 'confirmed') return { because: 'unconfirmed', detail: gold.status, evidence: null };
  const [weak] = weakEvidence(board, gold);
  return weak === undefined ? null : { because: 'weak-evidence', detail: weak.how, evidence: weak.ref };
};

type Unproven = { readonly because: 'superseded' | 'unconfirmed' | 'weak-evidence'; readonly detail: string; readonly evidence: string | null };

/** Findings in the evidence of a waypoint that don't stand. */
export const weakEvidence = (board: Board, { sourceRefs }: Pick<Gold, 'sourceRefs'>): readonly Weak[] =>
  sourceRefs.flatMap((ref) => {
    const finding = findingNamed(board, ref)?.finding;
    if (finding === undefined || stands(finding)) return [];
    return [{ ref, how: finding.status === 'rejected' ? finding.status : finding.supersededBy === null ? 'pending' : 'revised' }];
  });

type Weak = { readonly ref: string; readonly how: 'pending' | 'rejected' | 'revised' };

/** MERGE-1: the citations that don't point, directly or indirectly, at an unconfirmed finding or waypoint. */
export const standingCitations = (board: Board, ids: readonly string[]): readonly Citation[] => {
  // Each is judged once: chains of citations may be arbitrarily long.
  const judged = new Map<string, boolean>();
  const doesStand = (citation: Citation): boolean => {
    const passed = new Set<string>();
    let verdict: boolean | null = null;
    for (let at: Citation | undefined = citation; at !== undefined && verdict === null && !passed.has(at.id); at = citedBy(board, at)) {
      passed.add(at.id);
      verdict = judged.get(at.id) ?? pointsAtWhatStands(board, at);
    }
    for (const id of passed) judged.set(id, verdict ?? true);
    return verdict ?? true;
  };
  return ids.flatMap((id) => board.citations.get(id) ?? []).filter(doesStand);
};

/** Null if it points at nothing that is ever confirmed. */
const pointsAtWhatStands = (board: Board, { source }: Citation): boolean | null => {
  if (source.kind !== 'reference') return true;
  const finding = findingNamed(board, source.ref)?.finding;
  if (finding !== undefined) return stands(finding);
  const gold = goldOf(board, source.ref);
  return gold === null ? null : whyUnproven(board, gold) === null;
};

const citedBy = (board: Board, { source }: Citation): Citation | undefined =>
  source.kind === 'reference' ? board.citations.get(board.ids.get(source.ref) ?? '') : undefined;

/** Whether the place where something was made can still decide about it. */
export const isAtWork = (board: Board, contextId: string): boolean => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '');
  return sidebar !== undefined && sidebar.status !== 'MERGED' && sidebar.status !== 'ARCHIVED';
};
