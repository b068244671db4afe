import type { AutoMergeConfig, ProblemKind } from '../messages/auto-merge.ts';
import type { Context, MergePackage } from '../messages/values.ts';
import type { Table } from '../board/tables.ts';

/** AUTO-1: everything is off until the operator says otherwise, and all constraints are on. */
export const AUTO_MERGE_OFF: AutoMergeConfig = {
  isEnabled: false,
  allowedTaskTypes: [],
  requireCuratorApproval: true,
  requireNoConflicts: true,
  requireSourcesCited: true,
  blockIfProposesChanges: true,
  requiredApprovals: 3,
};

/** Something that went wrong with what was merged. */
export type MergeProblem = {
  readonly kind: ProblemKind;
  readonly ref: string | null;
  readonly notes: string | null;
  readonly by: string;
  readonly at: number;
};

/** A merge of a sidebar that had a task type: the seed's AutoMergeResult, and the same of what the human approved. */
export type MergeRecord = {
  readonly sidebarId: string;
  readonly taskType: string;
  readonly target: Context;
  readonly at: number;
  readonly position: number;
  readonly package: MergePackage;
  /** What it was when it merged by itself; null when somebody approved it. */
  readonly config: AutoMergeConfig | null;
  readonly checkedBy: string | null;
  readonly isSample: boolean;
  /** What would have been in the way, had it been switched on; null where nobody looked. */
  readonly foregone: readonly string[] | null;
  readonly problems: readonly MergeProblem[];
};

/** What is known of a type of task on this board. */
export type TypeRecord = {
  readonly taskType: string;
  /** The human's latest decisions, in order. */
  readonly decisions: readonly { readonly sidebarId: string; readonly isApproval: boolean; readonly at: number }[];
  readonly automatic: number;
  /** Automatic merges with a problem. */
  readonly faulted: number;
  /** Automatic merges since the last problem. */
  readonly cleanSince: number;
  /** Human approvals that were looked at while it was off: those without obstacles, and all. */
  readonly wouldHave: number;
  readonly looked: number;
  readonly suspended: { readonly sidebarId: string; readonly at: number } | null;
};

export const newType = (taskType: string): TypeRecord => ({
  taskType,
  decisions: [],
  automatic: 0,
  faulted: 0,
  cleanSince: 0,
  wouldHave: 0,
  looked: 0,
  suspended: null,
});

/** AUTO-5: types compare exactly, trimmed and in lower case. */
export const normalType = (taskType: string | null): string => (taskType ?? '').trim().toLowerCase();

export const autoMergeConfigOf = ({ autoMergeConfig }: { readonly autoMergeConfig: Table<AutoMergeConfig> }): AutoMergeConfig =>
  autoMergeConfig.get(CONFIG) ?? AUTO_MERGE_OFF;

/** AUTO-19: null when there are none: no merge is not a clean one. */
export const cleanRate = ({ automatic, faulted }: Pick<TypeRecord, 'automatic' | 'faulted'>): number | null =>
  automatic === 0 ? null : (automatic - faulted) / automatic;

/** The key of the only row. */
export const CONFIG = 'config';
export const MOST_APPROVALS = 10;
