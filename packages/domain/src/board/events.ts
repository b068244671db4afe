import type { SenderType } from '../entry.ts';
import type { NumberedType } from '../refs.ts';
import type { ArchiveReason, Priority, Status } from '../sidebar/lifecycle.ts';

/** A conversation that something can be merged into or inherited from: a Claude Code session, or a sidebar by its id. */
export type Context = { readonly kind: 'session'; readonly sessionId: string } | { readonly kind: 'sidebar'; readonly sidebarId: string };

/**
 * MEM-1: where inherited memory comes from, as a place and never as a copy. `upTo` is a position on the log; null is the sidebar's own. Of a session
 * the branch is told by its last message.
 */
export type Origin =
  | { readonly kind: 'none' }
  | { readonly kind: 'session'; readonly sessionId: string; readonly leafUuid: string | null; readonly upTo: number | null }
  | { readonly kind: 'sidebar'; readonly sidebarId: string; readonly upTo: number | null }
  /** Everything that an archived sidebar inherited and did. */
  | { readonly kind: 'fork'; readonly sidebarId: string; readonly upTo: number | null };

/** Section 7.3 of the seed. References, so that every detail can be followed. */
export type MergePackage = {
  readonly summary: string;
  readonly keyFindings: readonly string[];
  readonly newCitations: readonly string[];
  readonly recommendations: string | null;
  readonly goldCandidates: readonly string[];
};

export type Checks = { readonly fitsTask: boolean | null; readonly evidenceSupports: boolean | null; readonly contradicts: boolean | null };

export const FINDING_STATUSES = ['pending', 'confirmed', 'rejected'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

export const MEDIA_TYPES = ['video', 'audio', 'document', 'image', 'code'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

export const PRESENCES = ['available', 'busy', 'offline'] as const;
export type Presence = (typeof PRESENCES)[number];

/** What a citation points at. */
export type CitationSource =
  | { readonly kind: 'reference'; readonly ref: string }
  | { readonly kind: 'file'; readonly path: string; readonly hash: string | null; readonly from: number | null; readonly to: number | null }
  | { readonly kind: 'external'; readonly url: string | null; readonly title: string | null };

/** Why something is kept in episodic memory already. */
export type EpisodeTrigger = 'checkpoint' | 'gold' | 'completion';

/** What each kind of decided entry tells, beyond when, where and by whom. Never changed once written; a new shape is a new version. */
export type Payloads = {
  'sidebar.spawned': {
    readonly origin: Origin;
    readonly parent: Context | null;
    readonly task: string;
    readonly successCriteria: string | null;
    readonly taskType: string | null;
    readonly participants: readonly string[];
    readonly coordinator: string;
    readonly curator: string;
    readonly priority: Priority;
    readonly status: Status;
    readonly testGroup: string | null;
    readonly tags: readonly string[];
    readonly forkedFrom: string | null;
    readonly forkReason: string | null;
    readonly sourceScratchpad: string | null;
    /** Where it is merged when nobody says otherwise. */
    readonly mergeTarget: Context | null;
    /** The conflict that it is there to resolve. */
    readonly resolves: string | null;
  };
  'sidebar.moved': { readonly from: Status; readonly to: Status; readonly reason: string | null };
  'sidebar.paused': { readonly from: Status; readonly reason: string; readonly resumeCondition: string | null };
  'sidebar.resumed': {
    readonly from: Status;
    readonly reason: string | null;
    readonly pausedFor: number;
    readonly pausedReason: string | null;
    readonly whatHappened: readonly string[];
  };
  'sidebar.waiting': {
    readonly from: Status;
    readonly waitingFor: string;
    readonly description: string | null;
    /** References, or ids of sidebars that have no number yet. */
    readonly dependencies: readonly string[];
    readonly deadline: number | null;
  };
  'sidebar.changed': {
    readonly task?: string;
    readonly successCriteria?: string;
    readonly taskType?: string;
    readonly priority?: Priority;
    readonly coordinator?: string;
    readonly curator?: string;
    readonly tags?: readonly string[];
    readonly crossRefs?: readonly string[];
  };
  'sidebar.escalated': { readonly from: string; readonly to: string; readonly reason: string };
  'sidebar.intervened': { readonly instead: string; readonly what: string; readonly taskType: string | null };
  'sidebar.tested': { readonly description: string; readonly result: string; readonly findings: readonly string[] };
  'sidebar.consolidated': { readonly from: Status; readonly package: MergePackage };
  'merge.checked': { readonly as: 'curator' | 'parent'; readonly isFit: boolean; readonly notes: string | null };
  'sidebar.merged': { readonly target: Context; readonly package: MergePackage; readonly finalSummary: string };
  'memory.merged': { readonly sidebarId: string; readonly text: string; readonly citations: readonly string[]; readonly package: MergePackage };
  'sidebar.archived': {
    readonly reason: ArchiveReason;
    readonly finalStatus: Status;
    readonly tags: readonly string[];
    readonly summary: string;
    readonly note: string | null;
  };
  'sidebar.forked': { readonly into: string; readonly reason: string };
  'chat.message': {
    readonly content: string;
    readonly role: 'user' | 'assistant' | 'system';
    readonly citations: readonly string[];
    readonly media: readonly string[];
    readonly confidence: number | null;
    readonly inReplyTo: string | null;
    /** The exchange it belongs to; null when it begins one. */
    readonly exchange: string | null;
  };
  'mention.routed': {
    readonly targets: readonly string[];
    readonly message: string;
    readonly contextRefs: readonly string[];
    readonly priority: Priority;
    /** The id of the entry that mentions them. */
    readonly about: string | null;
  };
  'relevance.scored': { readonly scores: Readonly<Record<string, number>> };
  'relevance.disputed': { readonly exchange: string; readonly agents: readonly string[] };
  'focus.changed': { readonly add: readonly string[]; readonly remove: readonly string[] };
  'scratchpad.created': {
    readonly sidebarId: string;
    readonly curator: string;
    readonly taskDefinition: string;
    readonly successCriteria: string | null;
    readonly citableSources: readonly string[];
  };
  'scratchpad.backed_up': { readonly reason: string; readonly priority: 'high' | 'normal'; readonly findings: readonly BackedUpFinding[] };
  'finding.submitted': {
    readonly number: number;
    readonly content: string;
    readonly sourceRefs: readonly string[];
    readonly relevanceToTask: string | null;
    /** The finding it revises. */
    readonly supersedes: string | null;
  };
  'finding.validated': {
    readonly finding: string;
    readonly status: FindingStatus;
    readonly notes: string | null;
    readonly checks: Checks;
  };
  'finding.annotated': { readonly finding: string; readonly note: string };
  'conflict.detected': { readonly findings: readonly string[]; readonly description: string };
  'conflict.resolved': { readonly conflict: string; readonly notes: string };
  'checkpoint.created': { readonly summary: string; readonly findings: readonly string[]; readonly annotations: Readonly<Record<string, string>> };
  'checkpoint.annotated': { readonly checkpoint: string; readonly note: string };
  'episodic.archived': {
    readonly content: string;
    readonly trigger: EpisodeTrigger;
    readonly finding: string | null;
    readonly gold: string | null;
    readonly sourceSidebar: string | null;
    readonly sourceCheckpoint: string | null;
    readonly isProvisional: boolean;
    readonly supersedes: string | null;
    readonly tags: readonly string[];
  };
  'episodic.finalised': { readonly episode: string };
  'episodic.superseded': { readonly episode: string; readonly by: string | null; readonly why: string };
  'citation.created': {
    readonly source: CitationSource;
    readonly content: string | null;
    readonly relevance: number | null;
    readonly note: string | null;
  };
  'media.uploaded': {
    readonly mediaType: MediaType;
    readonly filePath: string;
    readonly fileSize: number;
    readonly inResponseTo: string | null;
    /** Base64. */
    readonly content: string;
  };
  'media.processed': { readonly media: string; readonly mime: string; readonly sha256: string };
  'media.failed': { readonly media: string; readonly why: string };
  'gold.created': {
    readonly sourceRefs: readonly string[];
    readonly keyInsight: string;
    readonly reusePattern: string;
    readonly triggerConditions: readonly string[];
    readonly confidence: number | null;
  };
  'gold.validated': { readonly gold: string; readonly status: FindingStatus; readonly notes: string | null };
  'gold.finalised': { readonly gold: string };
  'gold.superseded': { readonly gold: string; readonly by: string | null; readonly why: string };
  'gold.surfaced': { readonly gold: string; readonly score: number; readonly condition: string; readonly about: string | null };
  'agent.registered': {
    readonly agent: string;
    readonly kind: 'agent' | 'human';
    readonly specialties: readonly string[];
    readonly preferredCollaborators: readonly string[];
    /** SHA-256 of its token, in hexadecimal; the token itself is kept nowhere. */
    readonly tokenHash: string;
  };
  'agent.changed': {
    readonly agent: string;
    readonly specialties?: readonly string[];
    readonly preferredCollaborators?: readonly string[];
    readonly tokenHash?: string;
  };
  'agent.retired': { readonly agent: string; readonly reason: string | null };
  'agent.presence': { readonly agent: string; readonly status: Presence; readonly currentContext: string | null };
  'agent.joined': { readonly agent: string; readonly recruitedBy: string };
  'agent.left': { readonly agent: string; readonly reason: string | null };
  'inbox.read': { readonly agent: string; readonly upTo: number };
};

/** A finding as it stood when its scratchpad was backed up. */
export type BackedUpFinding = {
  readonly ref: string;
  readonly content: string;
  readonly status: FindingStatus;
  readonly sourceRefs: readonly string[];
};

export type EventType = keyof Payloads;

/** What is decided, before it has a place on the log. */
export type Happening<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    readonly uuid: string;
    /** Where it happens: the context id of a sidebar, the id of a session, or the board itself. */
    readonly contextId: string;
    readonly numbers: readonly NumberedType[];
    readonly payload: Payloads[K];
    readonly by: { readonly id: string; readonly type: SenderType };
  };
}[T];

/** The same with its place on the log: what the state is folded from. */
export type Recorded<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    readonly uuid: string;
    readonly contextId: string;
    readonly payload: Payloads[K];
    readonly by: { readonly id: string; readonly type: SenderType };
    readonly position: number;
    readonly at: number;
    readonly refs: readonly string[];
  };
}[T];

/** Where things happen that belong to no conversation. */
export const BOARD_CONTEXT = 'board';

export const contextIdOfSidebar = (sidebarId: string): string => `${SIDEBAR}${sidebarId}`;

/** The sidebar whose context this is; null for a session or the board. */
export const sidebarIdOfContext = (contextId: string): string | null => (contextId.startsWith(SIDEBAR) ? contextId.slice(SIDEBAR.length) : null);

export const contextIdOf = (context: Context): string => (context.kind === 'session' ? context.sessionId : contextIdOfSidebar(context.sidebarId));

const SIDEBAR = 'sidebar:';
