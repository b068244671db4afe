import { OPERATOR } from '../actors.ts';
import { autoMergeConfigOf, normalType } from './state.ts';
import { named } from '../board/deciding.ts';
import type { Language } from '../board/language.ts';
import { findingNamed } from '../board/references.ts';
import { goldOf, type Board } from '../board/state.ts';
import { standingCitations, whyUnproven } from '../citations/evidence.ts';
import { restingOnContradicted } from '../claims/resting.ts';
import { reviewsOpenBelow } from '../claims/reviews.ts';
import { stateTtl } from '../claims/validation-history.ts';
import { ROUTINE_TASKS, type AutoMergeConfig, type RoutineTask } from '../messages/auto-merge.ts';
import type { MergePackage } from '../messages/values.ts';
import { openConflicts, refOfFinding, stands, type Finding } from '../scratchpad/state.ts';
import { isRoutine } from './routine-results.ts';
import type { Sidebar } from '../sidebar/state.ts';
import type { Obstacle, ObstacleFacts, ObstacleKind } from './obstacle-kinds.ts';

export type AutoMergeFacts = {
  readonly now: number;
  readonly language: Language;
  /** References to work that wrote files, among what the package rests on and what was done in the sidebar. */
  readonly writes: readonly string[];
  /** The reason an approval would be refused, besides those named here. */
  readonly refusal: string | null;
};

/**
 * AUTO-2: lists every obstacle to an automatic merge, in the order of the seed; if there are none, Yarnboard merges. Exclusions apply whatever is
 * switched off (AUTO-7).
 */
export const autoMergeObstacles = (
  board: Board,
  sidebar: Sidebar,
  config: AutoMergeConfig = autoMergeConfigOf(board),
  facts: AutoMergeFacts,
): readonly Obstacle[] => {
  const found: Obstacle[] = [];
  const add = <K extends ObstacleKind>(kind: K, about: ObstacleFacts<K>): void => void found.push({ kind, facts: about } as Obstacle); // both by K
  const name = (findings: readonly Finding[]): readonly string[] => findings.slice(0, MOST_NAMED).map((one) => refOfFinding(named(sidebar), one));
  const proposed = sidebar.merge?.package ?? null;
  const findings = findingsIn(sidebar, proposed);
  const taskType = normalType(sidebar.taskType);

  if (!config.isEnabled) add('off', {});
  if (taskType === '') add('no-type', {});
  else if (!config.allowedTaskTypes.some((one) => one === taskType)) add('type-not-allowed', { taskType, isRoutine: isRoutineTask(taskType) });
  const record = board.taskTypes.get(taskType);
  const suspended = record?.suspended ?? null;
  if (suspended !== null) add('type-suspended', { taskType, sidebar: nameOfId(board, suspended.sidebarId) });

  if (proposed === null) add('no-package', { status: sidebar.status });
  else addConstraints(board, sidebar, config, findings, add, name);

  const nature = facts.language.packageNature(textOf(board, sidebar, proposed, findings));
  if (nature.changes.length > 0 && (config.blockIfProposesChanges || nature.isCode)) add('changes', { words: nature.changes, isCode: nature.isCode });
  if (facts.writes.length > 0) add('wrote-files', { refs: facts.writes.slice(0, MOST_NAMED) });
  if (nature.architecture.length > 0) add('architecture', { words: nature.architecture });
  if (nature.security.length > 0) add('security', { words: nature.security });

  const approvals = approvalsInARow(board, taskType);
  if (taskType !== '' && approvals < config.requiredApprovals) add('first-time', { taskType, approvals, needed: config.requiredApprovals });
  if (taskType !== '' && !sidebar.routine.isTypeTrusted) add('type-set-late', { taskType });
  if (sidebar.routine.changed.length > 0) add('changed-late', { what: sidebar.routine.changed });

  if (proposed !== null && isRoutineTask(taskType)) {
    const others = findings.filter((finding) => !isRoutine(board, sidebar, taskType, finding, facts.language));
    if (findings.length === 0 || others.length > 0) add('not-routine', { taskType, refs: name(others) });
  }

  addDoubts(board, sidebar, findings, proposed, facts, add);
  if (sidebar.escalation !== null) add('escalated', { by: sidebar.escalation.by });
  if (sidebar.testGroup !== null || sidebar.testResults.length > 0 || sidebar.status === 'TESTING') add('test', {});
  const fallen = proposed === null ? [] : fallenIn(board, sidebar, proposed, findings);
  if (fallen.length > 0) add('outdated', { refs: fallen.slice(0, MOST_NAMED) });
  // Anything named above would be refused again: only other reasons are new.
  if (facts.refusal !== null && !NAMED_ALREADY.has(facts.refusal)) add('refused', { reason: facts.refusal });
  return found;
};

type Add = <K extends ObstacleKind>(kind: K, about: ObstacleFacts<K>) => void;

/** AUTO-6: the seed's constraints. Even when switched off, part of each remains. */
const addConstraints = (
  board: Board,
  sidebar: Sidebar,
  config: AutoMergeConfig,
  findings: readonly Finding[],
  add: Add,
  name: (findings: readonly Finding[]) => readonly string[],
): void => {
  const check = sidebar.merge?.checks.findLast(({ as }) => as === 'curator');
  if (config.requireCuratorApproval) {
    if (check === undefined) add('unchecked', { curator: sidebar.curator });
    else if (!check.isFit) add('unfit', { by: check.by, notes: check.notes });
    else if (check.by === sidebar.merge?.proposedBy && check.by !== OPERATOR.id) add('own-check', { by: check.by });
  } else {
    if (check?.isFit === false) add('unfit', { by: check.by, notes: check.notes });
    const own = findings.filter(({ validatedBy, submittedBy }) => validatedBy === null || validatedBy === submittedBy);
    if (own.length > 0) add('own-findings', { refs: name(own) });
  }
  const open = openConflicts(sidebar.scratchpad);
  const ids = new Set(findings.map(({ id }) => id));
  const inside = open.filter((conflict) => conflict.findings.some((id) => ids.has(id)));
  const wrong = config.requireNoConflicts ? open : inside;
  if (wrong.length > 0) {
    const both = new Set(wrong.flatMap((conflict) => conflict.findings));
    add('conflict', { refs: name(sidebar.scratchpad.findings.filter(({ id }) => both.has(id))), isInPackage: inside.length > 0 });
  }
  if (!config.requireSourcesCited) return;
  const bare = findings.filter(({ sourceRefs }) => !sourceRefs.some((ref) => isStandingSource(board, ref)));
  if (bare.length > 0) add('no-source', { refs: name(bare) });
};

/** AUTO-15: what the findings rest on, directly or indirectly. */
const addDoubts = (
  board: Board,
  sidebar: Sidebar,
  findings: readonly Finding[],
  proposed: MergePackage | null,
  { now }: AutoMergeFacts,
  add: Add,
): void => {
  const own = findings.map((finding) => refOfFinding(named(sidebar), finding));
  const refs = [...own, ...findings.flatMap(({ sourceRefs }) => sourceRefs), ...(proposed?.goldCandidates ?? [])];
  const wrong = restingOnContradicted(board, sidebar, refs, now);
  if (wrong.length > 0) add('rests-on-contradicted', { refs: wrong.slice(0, MOST_NAMED) });
  const { below, isWhole } = allBelow(board, refs);
  const provisional = below.filter((ref) => {
    const finding = findingNamed(board, ref)?.finding;
    return goldOf(board, ref)?.isProvisional === true || (finding !== undefined && finding.status !== 'confirmed');
  });
  if (provisional.length > 0) add('rests-on-provisional', { refs: provisional.slice(0, MOST_NAMED) });
  const superseded = below.filter(
    (ref) => (goldOf(board, ref)?.superseded ?? null) !== null || (findingNamed(board, ref)?.finding.supersededBy ?? null) !== null,
  );
  if (superseded.length > 0) add('rests-on-superseded', { refs: superseded.slice(0, MOST_NAMED) });
  // VAL-31: a check of a finding is evidence; if it speaks against it, somebody has to look.
  const doubted = findings.filter(({ machineCheck }) => machineCheck?.outcome === 'contradicted' || machineCheck?.needsReview === true);
  const reviews = [...reviewsOpenBelow(sidebar, below, now, stateTtl(board)), ...doubted.map((finding) => refOfFinding(named(sidebar), finding))];
  // It rests on more than we follow: somebody has to look.
  if (reviews.length > 0 || !isWhole) add('needs-review', { refs: (isWhole ? reviews : own).slice(0, MOST_NAMED) });
};

/** These references, and everything they rest on in turn. */
const allBelow = (board: Board, refs: readonly string[]): { readonly below: readonly string[]; readonly isWhole: boolean } => {
  const seen = new Set<string>();
  const queue = [...refs];
  for (let ref = queue.pop(); ref !== undefined; ref = queue.pop()) {
    if (seen.has(ref)) continue;
    if (seen.size >= MOST_FOLLOWED) return { below: [...seen], isWhole: false };
    seen.add(ref);
    const citation = board.citations.get(board.ids.get(ref) ?? '');
    const cited = citation?.source.kind === 'reference' ? [citation.source.ref] : [];
    queue.push(...(findingNamed(board, ref)?.finding.sourceRefs ?? goldOf(board, ref)?.sourceRefs ?? cited));
  }
  return { below: [...seen], isWhole: true };
};

/** AUTO-10: how many of the human's latest decisions on merges of this type were approvals without a later problem. Automatic merges don't count. */
export const approvalsInARow = (board: Board, taskType: string): number => {
  const decisions = board.taskTypes.get(taskType)?.decisions ?? [];
  const last = decisions.findLastIndex(({ isApproval, sidebarId }) => !isApproval || (board.mergeRecords.get(sidebarId)?.problems.length ?? 0) > 0);
  return decisions.length - 1 - last;
};

export const isRoutineTask = (taskType: string): taskType is RoutineTask => (ROUTINE_TASKS as readonly string[]).includes(taskType);

const findingsIn = (sidebar: Sidebar, proposed: MergePackage | null): readonly Finding[] => {
  const { findings } = sidebar.scratchpad;
  if (proposed === null) return findings.filter(stands);
  const wanted = new Set(proposed.keyFindings);
  return findings.filter((finding) => wanted.has(refOfFinding(named(sidebar), finding)));
};

const textOf = (board: Board, { task, tags, citations }: Sidebar, proposed: MergePackage | null, findings: readonly Finding[]) => ({
  task,
  tags,
  summary: proposed?.summary ?? '',
  findings: findings.map(({ content }) => content),
  recommendations: proposed?.recommendations ?? null,
  paths: citations.flatMap((id) => {
    const source = board.citations.get(id)?.source;
    return source?.kind === 'file' ? [source.path] : [];
  }),
});

const isStandingSource = (board: Board, ref: string): boolean => {
  const finding = findingNamed(board, ref)?.finding;
  if (finding !== undefined) return stands(finding);
  const gold = goldOf(board, ref);
  if (gold !== null) return whyUnproven(board, gold) === null;
  const citation = board.citations.get(board.ids.get(ref) ?? '');
  return citation === undefined || standingCitations(board, [citation.id]).length > 0;
};

const fallenIn = (board: Board, sidebar: Sidebar, proposed: MergePackage, findings: readonly Finding[]): readonly string[] => {
  const standing = new Set(findings.filter(stands).map((finding) => refOfFinding(named(sidebar), finding)));
  const cited = new Set(standingCitations(board, sidebar.citations).map(({ ref }) => ref));
  return [
    ...proposed.keyFindings.filter((ref) => !standing.has(ref)),
    ...proposed.goldCandidates.filter((ref) => {
      const gold = goldOf(board, ref);
      return gold === null || whyUnproven(board, gold) !== null;
    }),
    ...proposed.newCitations.filter((ref) => !cited.has(ref)),
  ];
};

const nameOfId = (board: Board, id: string): string => {
  const sidebar = board.sidebars.get(id);
  return sidebar === undefined ? id : named(sidebar);
};

const NAMED_ALREADY: ReadonlySet<string> = new Set([
  'no-such-move',
  'no-package',
  'package-unchecked',
  'package-unfit',
  'package-outdated',
  'package-contradicted',
]);
const MOST_NAMED = 20;
const MOST_FOLLOWED = 1000;
