import type { AutoMergeConfig, ProblemKind } from '../messages/auto-merge.ts';
import type { Context, MergePackage } from '../messages/values.ts';
import type { Table } from '../board/tables.ts';

/** AUTO-1: everything is off until the operator enables it, and all constraints are on. */
const AUTO_MERGE_OFF: AutoMergeConfig = {
  isEnabled: false,
  allowedTaskTypes: [],
  requireCuratorApproval: true,
  requireNoConflicts: true,
  requireSourcesCited: true,
  blockIfProposesChanges: true,
  requiredApprovals: 3,
};

/** A problem with something that was merged. */
export type MergeProblem = {
  readonly kind: ProblemKind;
  readonly ref: string | null;
  readonly notes: string | null;
  readonly by: string;
  readonly at: number;
};

/** A merge of a sidebar with a task type: the seed's AutoMergeResult, and the same for human approvals. */
export type MergeRecord = {
  readonly sidebarId: string;
  readonly taskType: string;
  readonly target: Context;
  readonly at: number;
  readonly position: number;
  readonly package: MergePackage;
  /** The config of an automatic merge; null if somebody approved it. */
  readonly config: AutoMergeConfig | null;
  readonly checkedBy: string | null;
  readonly isSample: boolean;
  /** The obstacles it would have had if switched on; null if nobody looked. */
  readonly foregone: readonly string[] | null;
  readonly problems: readonly MergeProblem[];
};

/** The record of a task type on this board. */
export type TypeRecord = {
  readonly taskType: string;
  /** The human's latest decisions, in order. */
  readonly decisions: readonly { readonly sidebarId: string; readonly isApproval: boolean; readonly at: number }[];
  readonly automatic: number;
  /** Automatic merges with a problem. */
  readonly faulted: number;
  /** Automatic merges since the last problem. */
  readonly cleanSince: number;
  /** Human approvals that were evaluated while it was off: those without obstacles, and all. */
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

/** AUTO-19: null without merges: no merge isn't a clean one. */
export const cleanRate = ({ automatic, faulted }: Pick<TypeRecord, 'automatic' | 'faulted'>): number | null =>
  automatic === 0 ? null : (automatic - faulted) / automatic;

/** The key of the only row. */
export const CONFIG = 'config';
export const MOST_APPROVALS = 10;
