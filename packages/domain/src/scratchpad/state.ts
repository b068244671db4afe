import type { FindingCheck } from '../claims/conclusion.ts';
import type { Checks, FindingStatus } from '../messages/values.ts';

export type Annotation = { readonly by: string; readonly at: number; readonly note: string };

export type Finding = {
  readonly id: string;
  /** From 1, within its sidebar. */
  readonly number: number;
  /** FRAG-n; empty until it has its number. */
  readonly ref: string;
  readonly content: string;
  readonly submittedBy: string;
  /** CRASH-2: who is responsible for it while its author is gone. */
  readonly owner: string | null;
  readonly submittedAt: number;
  readonly sourceRefs: readonly string[];
  readonly relevanceToTask: string | null;
  readonly status: FindingStatus;
  readonly validatedBy: string | null;
  readonly validatedAt: number | null;
  readonly validationNotes: string | null;
  readonly checks: Checks;
  readonly annotations: readonly Annotation[];
  /** The finding it is meant to replace; it has done so if that one's `supersededBy` is this. */
  readonly supersedes: string | null;
  readonly supersededBy: string | null;
  /** PAD-21: the first finding here that says the same. */
  readonly sameAs: string | null;
  /** VAL-31: the result of its latest machine check. */
  readonly machineCheck: FindingCheck | null;
  /** The entry that submitted it, and the one that last changed it. */
  readonly position: number;
  readonly changedPosition: number;
};

export type Conflict = {
  readonly id: string;
  readonly findings: readonly string[];
  readonly description: string;
  readonly at: number;
  /** The sidebar that was spawned for it. */
  readonly resolution: string | null;
  readonly resolved: { readonly by: string; readonly at: number; readonly notes: string } | null;
};

export type Checkpoint = {
  readonly id: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly summary: string;
  readonly findings: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
};

export type Backup = {
  readonly at: number;
  readonly position: number;
  readonly reason: string;
  readonly priority: 'high' | 'normal';
  /** The GOLD it was made for. */
  readonly gold: string | null;
  readonly id: string;
};

export type Scratchpad = {
  readonly findings: readonly Finding[];
  readonly conflicts: readonly Conflict[];
  readonly checkpoints: readonly Checkpoint[];
  readonly citableSources: readonly string[];
  readonly finalSummary: string | null;
  readonly backups: readonly Backup[];
};

export const EMPTY_SCRATCHPAD: Scratchpad = {
  findings: [],
  conflicts: [],
  checkpoints: [],
  citableSources: [],
  finalSummary: null,
  backups: [],
};

export const NO_CHECKS: Checks = { fitsTask: null, evidenceSupports: null, contradicts: null };

/** The full reference of a finding: SCRATCH-89:FINDING-3. */
export const refOfFinding = (sidebarRef: string, { number }: Pick<Finding, 'number'>): string => `${scratchpadRefOf(sidebarRef)}:FINDING-${number}`;

export const scratchpadRefOf = (sidebarRef: string): string => `SCRATCH-${sidebarRef.replace(/^SB-/u, '')}`;

/** A finding of this scratchpad by its FINDING-n, n, FRAG-n, SCRATCH-n:FINDING-m or id. */
export const findingOf = ({ findings }: Scratchpad, text: string): Finding | null => {
  const wanted = text.trim();
  const [, digits = ''] = /^(?:SCRATCH-(?:SB-)?\d+:)?(?:FINDING-)?(\d+)$/iu.exec(wanted) ?? [];
  if (digits !== '') return findings[Number(digits) - 1] ?? null;
  const ref = wanted.toUpperCase();
  return findings.find((finding) => finding.id === wanted || finding.ref === ref) ?? null;
};

/** PAD-9: confirmed, and not revised since. Only these are ever merged. */
export const standingFindings = ({ findings }: Scratchpad): readonly Finding[] => findings.filter(stands);

export const stands = ({ status, supersededBy }: Pick<Finding, 'status' | 'supersededBy'>): boolean =>
  status === 'confirmed' && supersededBy === null;

export const pendingFindings = ({ findings }: Scratchpad): readonly Finding[] =>
  findings.filter(({ status, supersededBy }) => status === 'pending' && supersededBy === null);

/** PAD-10: the number of findings, as every view counts them. Revised ones are counted separately: their revisions represent them. */
export const countFindings = ({ findings }: Scratchpad): Readonly<Record<FindingStatus | 'revised', number>> => {
  const counts = { confirmed: 0, pending: 0, rejected: 0, revised: 0 };
  for (const { status, supersededBy } of findings) counts[supersededBy === null ? status : 'revised'] += 1;
  return counts;
};

/** PAD-19: how a conflict ended, by whom, when and why; null while it is open. */
export type ConflictEnd =
  | { readonly outcome: 'settled'; readonly by: string; readonly at: number; readonly notes: string }
  | {
      readonly outcome: 'rejected' | 'revised';
      /** The finding that was rejected or revised. */
      readonly finding: string;
      readonly by: string | null;
      readonly at: number | null;
      readonly notes: string | null;
    };

export const conflictEnd = ({ findings }: Pick<Scratchpad, 'findings'>, { findings: both, resolved }: Conflict): ConflictEnd | null => {
  if (resolved !== null) return { outcome: 'settled', ...resolved };
  const sides = findings.filter(({ id }) => both.includes(id));
  const ends = sides.flatMap((finding): readonly Exclude<ConflictEnd, { outcome: 'settled' }>[] => {
    const judged = finding.supersededBy === null ? finding : findings.find(({ id }) => id === finding.supersededBy);
    if (finding.supersededBy === null && finding.status !== 'rejected') return [];
    return [
      {
        outcome: finding.supersededBy === null ? 'rejected' : 'revised',
        finding: finding.id,
        by: judged?.validatedBy ?? null,
        at: judged?.validatedAt ?? null,
        notes: judged?.validationNotes ?? null,
      },
    ];
  });
  const [first] = ends.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  return first ?? null;
};

/** Unsettled conflicts: neither settled explicitly, nor by rejecting or revising one side. */
export const openConflicts = ({ conflicts, findings }: Scratchpad): readonly Conflict[] => {
  const open = conflicts.filter(({ resolved }) => resolved === null);
  if (open.length === 0) return open;
  const alive = new Set(findings.filter(({ status, supersededBy }) => status !== 'rejected' && supersededBy === null).map(({ id }) => id));
  return open.filter((conflict) => new Set(conflict.findings.filter((id) => alive.has(id))).size > 1);
};
