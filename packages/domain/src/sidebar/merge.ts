import { isOperator } from '../actors.ts';
import {
  asParticipant,
  foundSidebar,
  happen,
  happenIn,
  maybeWorded,
  moving,
  named,
  standIn,
  takesPart,
  worded,
  type Decision,
  type Facts,
  type Deciders,
} from '../board/deciding.ts';
import { findingIn } from '../board/references.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import { goldOf, type Board } from '../board/state.ts';
import { standingCitations, whyUnproven } from '../citations/evidence.ts';
import { cutText } from '../policies/cutting.ts';
import { ok, type Result } from '../result.ts';
import { complete } from '../scratchpad/completion.ts';
import { openConflicts, pendingFindings, refOfFinding, standingFindings } from '../scratchpad/state.ts';
import { stillAtWork, unblock } from './moves.ts';
import { summaryOf } from './summary.ts';
import { isBelow, liveChildren } from './relations.ts';
import type { Sidebar } from './state.ts';
import type { CommandOf, FamilyCommand, Happening } from '../messages/catalogue.ts';
import { type Context, type MergePackage, contextIdOf } from '../messages/values.ts';
import { isEnded } from './lifecycle.ts';

/** MERGE-1: the package is made from what was confirmed here, and from nothing else. */
const consolidate = (board: Board, facts: Facts, command: CommandOf<'sidebar.consolidate'>): Decision => {
  const found = asParticipant(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const isRevision = sidebar.status === 'CONSOLIDATING';
  const movable = isRevision ? ok(sidebar) : moving(sidebar, 'CONSOLIDATING');
  if (!movable.ok) return movable;
  const pending = pendingFindings(sidebar.scratchpad);
  if (sidebar.status === 'ACTIVE' && pending.length > 0) {
    const findings = pending.slice(0, 20).map((finding) => refOfFinding(named(sidebar), finding));
    return reject('pending-findings', { sidebar: named(sidebar), findings });
  }
  const made = packageOf(board, facts, sidebar, command);
  return made.ok ? ok([happenIn(facts, sidebar, 'sidebar.consolidated', { from: sidebar.status, package: made.value })]) : made;
};

const packageOf = (board: Board, facts: Facts, sidebar: Sidebar, command: CommandOf<'sidebar.consolidate'>): Result<MergePackage, Rejection> => {
  const { scratchpad } = sidebar;
  const standing = standingFindings(scratchpad);
  const chosen: string[] = [];
  for (const text of command.keyFindings ?? standing.map(({ id }) => id)) {
    const finding = findingIn(board, sidebar, text);
    if (finding === null) return reject('finding-not-here', { sidebar: named(sidebar), asked: cutText(text, 100) });
    if (!standing.includes(finding)) {
      const status = finding.supersededBy === null ? finding.status : 'revised';
      return reject('finding-not-confirmed', { ref: refOfFinding(named(sidebar), finding), status });
    }
    chosen.push(refOfFinding(named(sidebar), finding));
  }
  const golds: string[] = [];
  const proven = sidebar.golds.filter((id) => isProven(board, id));
  for (const text of command.goldCandidates ?? proven) {
    const gold = goldOf(board, text);
    if (gold === null || !sidebar.golds.includes(gold.id)) return reject('gold-not-here', { sidebar: named(sidebar), asked: cutText(text, 100) });
    const why = whyUnproven(board, gold);
    if (why !== null) return reject('gold-unproven', { gold: gold.ref, ...why });
    golds.push(gold.ref);
  }
  const summary = command.summary ?? summaryOf(board, facts, sidebar);
  const fit = worded('summary', summary);
  if (!fit.ok) return fit;
  return ok({
    summary,
    keyFindings: [...new Set(chosen)],
    newCitations: standingCitations(board, sidebar.citations).map(({ ref }) => ref),
    recommendations: maybeWorded(command.recommendations),
    goldCandidates: [...new Set(golds)],
  });
};

const isProven = (board: Board, text: string): boolean => {
  const gold = goldOf(board, text);
  return gold !== null && whyUnproven(board, gold) === null;
};

/** MERGE-2: the curator reviews the package; the parent's participants may, too. */
const checkMerge = (board: Board, facts: Facts, command: CommandOf<'merge.check'>): Decision => {
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const sidebar = found.value;
  if (sidebar.status !== 'CONSOLIDATING' || sidebar.merge === null) {
    return reject('wrong-status', { sidebar: named(sidebar), status: sidebar.status, to: 'check-merge' });
  }
  const { isFit } = command;
  if (isOwn(sidebar, facts)) return reject('own-package-to-check', { others: sidebar.curator === facts.actor.id ? [] : [sidebar.curator] });
  const notes = maybeWorded(command.notes);
  if (!isFit && notes === null) return reject('notes-needed', { field: 'notes', for: 'requesting-changes' });
  if (sidebar.merge.checks.length >= MOST_CHECKS) return reject('full', { where: named(sidebar), most: MOST_CHECKS, of: 'checks' });
  const target = sidebar.mergeTarget?.kind === 'sidebar' ? board.sidebars.get(sidebar.mergeTarget.sidebarId) : undefined;
  // The human takes part in most parents, and would otherwise never count as standing in for a curator.
  const isOfParent = target?.participants.includes(facts.actor.id) === true && !isOperator(facts.actor);
  if (isOfParent && facts.actor.id !== sidebar.curator) {
    return ok([happenIn(facts, sidebar, 'merge.checked', { as: 'parent', isFit, notes })]);
  }
  const allowed = standIn(sidebar, facts, 'curator', 'check what is to be merged');
  if (!allowed.ok) return allowed;
  return ok([happenIn(facts, sidebar, 'merge.checked', { as: 'curator', isFit, notes }), ...allowed.value]);
};

/** MERGE-3: the coordinator approves, and the parent gets an exchange. */
const merge = (board: Board, facts: Facts, command: CommandOf<'sidebar.merge'>): Decision => {
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const sidebar = found.value;
  const movable = moving(sidebar, 'MERGED');
  if (!movable.ok) return movable;
  const allowed = standIn(sidebar, facts, 'coordinator', 'approve a merge');
  if (!allowed.ok) return allowed;
  if (command.isApproved === false) {
    const reason = worded('reason', command.reason ?? '');
    if (!reason.ok) return reason;
    const target = sidebar.parent ?? sidebar.mergeTarget;
    const keyFindings = sidebar.merge?.package.keyFindings ?? [];
    return ok([happenIn(facts, sidebar, 'merge.refused', { target, keyFindings, reason: reason.value }), ...allowed.value]);
  }
  const ready = readyToMerge(board, sidebar, command.keyFindings);
  if (!ready.ok) return ready;
  const target = targetOf(board, sidebar, command.target);
  if (!target.ok) return target;
  const entitled = mayApprove(board, facts, sidebar, target.value);
  if (!entitled.ok) return entitled;
  const children = liveChildren(board, sidebar);
  if (children.length > 0) return stillAtWork(sidebar, children);
  const merged = ready.value;
  const citations = [sidebar.ref, ...merged.keyFindings, ...merged.newCitations, ...merged.goldCandidates].filter((ref) => ref !== '');
  const events: readonly Happening[] = [
    happenIn(facts, sidebar, 'sidebar.merged', { target: target.value, package: merged, finalSummary: merged.summary }),
    happen(facts, 'memory.merged', contextIdOf(target.value), {
      sidebarId: sidebar.id,
      text: `Sidebar ${named(sidebar)} completed: ${merged.summary}`,
      citations,
      package: merged,
    }),
    ...complete(board, facts, sidebar, merged.summary),
    ...allowed.value,
    ...unblock(board, facts, sidebar, 'MERGED'),
  ];
  return ok(events);
};

const isOwn = ({ merge: proposed }: Sidebar, { actor }: Facts): boolean => proposed?.proposedBy === actor.id && !isOperator(actor);

/** MERGE-9, MERGE-10: an agent alone doesn't put words into a conversation. */
const mayApprove = (board: Board, facts: Facts, sidebar: Sidebar, target: Context): Decision => {
  const { actor } = facts;
  if (isOperator(actor) || actor.type === 'system') return ok([]);
  if (isOwn(sidebar, facts)) return reject('own-package-to-merge', {});
  if (target.kind === 'session') {
    const check = sidebar.merge?.checks.findLast(({ as }) => as === 'curator');
    if (check?.by !== actor.id) return ok([]);
    return reject('own-check-to-merge', {});
  }
  const into = board.sidebars.get(target.sidebarId);
  if (into === undefined || takesPart(into, actor)) return ok([]);
  return reject('not-participant', { actor: actor.id, sidebar: named(into), to: 'merge', ask: [] });
};

/** MERGE-4: checked by the curator since it was last consolidated, and still true. */
const readyToMerge = (board: Board, sidebar: Sidebar, believed: readonly string[] | undefined): Result<MergePackage, Rejection> => {
  const { merge: proposed, scratchpad } = sidebar;
  if (proposed === null) return reject('no-package', {});
  const { keyFindings } = proposed.package;
  if (believed !== undefined && (believed.length !== keyFindings.length || believed.some((ref) => !keyFindings.includes(ref.toUpperCase())))) {
    return reject('package-differs', { findings: keyFindings });
  }
  const check = proposed.checks.findLast(({ as }) => as === 'curator');
  if (check === undefined) return reject('package-unchecked', { curator: sidebar.curator });
  if (!check.isFit) return reject('package-unfit', { notes: check.notes ?? '' });
  const standing = new Set(standingFindings(scratchpad).map((finding) => refOfFinding(named(sidebar), finding)));
  const cited = new Set(standingCitations(board, sidebar.citations).map(({ ref }) => ref));
  const fallen = [
    ...proposed.package.keyFindings.filter((ref) => !standing.has(ref)),
    ...proposed.package.goldCandidates.filter((ref) => !isProven(board, ref)),
    ...proposed.package.newCitations.filter((ref) => !cited.has(ref)),
  ];
  if (fallen.length > 0) return reject('package-outdated', { fallen: fallen.slice(0, 20) });
  const open = openConflicts(scratchpad).filter(({ findings }) =>
    scratchpad.findings.some(
      (finding) => findings.includes(finding.id) && proposed.package.keyFindings.includes(refOfFinding(named(sidebar), finding)),
    ),
  );
  if (open.length > 0) return reject('package-contradicted', { description: open[0]?.description ?? '' });
  return ok(proposed.package);
};

/** MERGE-6: nothing is merged into an ended sidebar; forks and roots need an explicit target. */
const targetOf = (board: Board, sidebar: Sidebar, wanted: Context | undefined): Result<Context, Rejection> => {
  const known = sidebar.parent ?? sidebar.mergeTarget;
  if (sidebar.parent !== null && wanted !== undefined && contextIdOf(wanted) !== contextIdOf(sidebar.parent)) {
    return reject('merges-into-parent-only', { sidebar: named(sidebar) });
  }
  const target = wanted ?? known;
  if (target === null) return reject('no-merge-target', { sidebar: named(sidebar) });
  if (target.kind === 'session') return ok(target);
  const into = board.sidebars.get(target.sidebarId);
  if (into === undefined) return reject('unknown-sidebar', { asked: target.sidebarId });
  if (into.id === sidebar.id || isBelow(board, into, sidebar)) return reject('merges-into-itself', { sidebar: named(sidebar) });
  if (!isEnded(into.status)) return ok(target);
  return reject('target-ended', { sidebar: named(sidebar), into: named(into), status: into.status, child: sidebar.parent !== null });
};

const MOST_CHECKS = 100;

export const mergeCommands = { 'sidebar.consolidate': consolidate, 'merge.check': checkMerge, 'sidebar.merge': merge } satisfies Deciders<
  Exclude<FamilyCommand<'merging'>, 'sidebar.archive' | 'sidebar.reopen' | 'sidebar.finish'>
>;
