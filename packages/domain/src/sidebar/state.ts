import type { AgentId, ContextId, RequestId, SidebarId } from '../ids.ts';
import type { Claim } from '../claims/state.ts';
import type { Scratchpad } from '../scratchpad/state.ts';
import type { Proposal } from '../messages/proposals.ts';
import type { ArchiveReason, Context, MergePackage, Origin, Priority, Status } from '../messages/values.ts';

/** When a sidebar became idle, and how much was on the board by then. */
export type Standstill = {
  readonly at: number;
  readonly position: number;
  readonly citations: number;
  readonly golds: number;
  /** In the sidebar itself. */
  readonly messages: number;
  readonly findings: number;
};

export type Pause = Standstill & {
  readonly reason: string;
  readonly resumeCondition: string | null;
  /** The agent whose seat was needed elsewhere; null if somebody paused it. */
  readonly capacity: { readonly agent: AgentId; readonly request: RequestId } | null;
};

export type Waiting = Standstill & {
  readonly waitingFor: string;
  readonly description: string | null;
  readonly dependencies: readonly string[];
  readonly deadline: number | null;
};

export type TestResult = {
  readonly id: string;
  readonly description: string;
  readonly result: string;
  readonly findings: readonly string[];
  readonly by: string;
  readonly at: number;
};

export type MergeCheck = {
  readonly as: 'curator' | 'parent';
  readonly isFit: boolean;
  readonly notes: string | null;
  readonly by: string;
  readonly at: number;
};

/** The merge package, and who has reviewed it since it last changed. */
export type Merge = { readonly package: MergePackage; readonly proposedBy: string; readonly at: number; readonly checks: readonly MergeCheck[] };

export type Archive = {
  readonly at: number;
  readonly by: string;
  readonly position: number;
  readonly reason: ArchiveReason;
  readonly finalStatus: Status;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly note: string | null;
};

/** What a merge left in its target conversation. */
export type Merged = {
  /** MSG-n; empty until it has its number. */ readonly ref: string;
  readonly position: number;
  readonly at: number;
  readonly by: string;
};

export type Routine = {
  /** The type was set at the beginning, or by the coordinator or the human before the first finding. */
  readonly isTypeTrusted: boolean;
  readonly changed: readonly ('task' | 'task_type' | 'coordinator' | 'curator')[];
};

/** A proposal by somebody who may only ask. */
export type Proposed = { readonly id: string; readonly number: number; readonly proposal: Proposal; readonly by: string; readonly at: number };

/** Scores of one inherited exchange, by participant, from 0 to 1. */
export type Scores = Readonly<Record<string, number>>;

export type Dispute = { readonly exchange: string; readonly agents: readonly string[]; readonly at: number };

/** The facts independent of its status. */
export type SidebarFacts = {
  readonly id: SidebarId;
  /** SB-n; empty until it has its number. */
  readonly ref: string;
  readonly contextId: ContextId;
  /** With a known `upTo`: inherited memory is the origin's up to there. */
  readonly origin: Origin;
  readonly parent: Context | null;
  readonly children: readonly SidebarId[];
  readonly forkedFrom: SidebarId | null;
  readonly forkReason: string | null;
  readonly forkedInto: readonly SidebarId[];
  readonly mergeTarget: Context | null;
  readonly mergedInto: Context | null;
  readonly mergedAs: Merged | null;
  readonly resolves: string | null;

  readonly participants: readonly AgentId[];
  readonly coordinator: AgentId;
  readonly curator: AgentId;
  readonly escalation: { readonly by: AgentId; readonly reason: string; readonly at: number } | null;
  /** Who has the open escalation. It is open until they, or the human, do something here. */
  readonly escalatedTo: AgentId | null;
  readonly interventions: number;
  /** Whether anyone may join; otherwise the coordinator is asked. */
  readonly isOpen: boolean;
  /** PROP-1: unanswered proposals. */
  readonly proposals: readonly Proposed[];
  /** How many were ever made. */
  readonly proposed: number;

  readonly task: string;
  readonly successCriteria: string | null;
  readonly taskType: string | null;
  /** AUTO-9: who set its task type, and what was changed after the first finding. */
  readonly routine: Routine;
  readonly priority: Priority;
  readonly tags: readonly string[];
  readonly testGroup: string | null;
  readonly testResults: readonly TestResult[];

  readonly createdBy: string;
  readonly createdAt: number;
  readonly position: number;
  readonly lastActivity: number;
  /** The position of the latest entry of it. */
  readonly lastPosition: number;
  /** The position of the entry that ended its work; null while it goes on. */
  readonly endedPosition: number | null;
  readonly failureReason: string | null;
  /** The number of messages. The words themselves are on the log. */
  readonly messages: number;
  /** The latest message. */
  readonly latest: { readonly id: string; /** MSG-n; empty until it has its number. */ readonly ref: string } | null;
  readonly citations: readonly string[];
  readonly golds: readonly string[];
  readonly media: readonly string[];
  readonly crossRefs: readonly string[];
  /** Arbitrary data, by name. */
  readonly dataRefs: Readonly<Record<string, unknown>>;
  readonly relevance: Readonly<Record<string, Scores>>;
  readonly disputes: readonly Dispute[];
  /** Judgements of what it inherited: CLAIM-n is the nth. */
  readonly claims: readonly Claim[];
  /** What somebody added to the focus or removed, whatever the scores say. */
  readonly pinned: readonly string[];
  readonly unpinned: readonly string[];

  readonly scratchpad: Scratchpad;
  readonly sourceScratchpad: string | null;
  readonly merge: Merge | null;
};

/** The details of a pause, a wait or an archive exist exactly as long as that status. */
export type Standing =
  | { readonly status: 'PAUSED'; readonly pause: Pause; readonly waiting: null; readonly archive: null }
  | { readonly status: 'WAITING'; readonly pause: null; readonly waiting: Waiting; readonly archive: null }
  | { readonly status: 'ARCHIVED'; readonly pause: null; readonly waiting: null; readonly archive: Archive }
  | { readonly status: PlainStatus; readonly pause: null; readonly waiting: null; readonly archive: null };

/** A status without further details. */
export type PlainStatus = Exclude<Status, 'PAUSED' | 'WAITING' | 'ARCHIVED'>;

export const plain = (status: PlainStatus) => ({ status, pause: null, waiting: null, archive: null }) as const satisfies Standing;

export type Sidebar = SidebarFacts & Standing;

/** The status changes as a whole. */
export type SidebarChange = Partial<SidebarFacts> | (Partial<SidebarFacts> & Standing);
