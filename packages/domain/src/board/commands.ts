import type { ArchiveReason, Priority, Status } from '../sidebar/lifecycle.ts';
import type { Checks, CitationSource, Context, FindingStatus, MediaType, Origin, Presence } from './events.ts';

/** What a new sidebar is told, wherever it branches off. */
export type NewSidebar = {
  readonly task: string;
  readonly successCriteria?: string | undefined;
  readonly taskType?: string | undefined;
  /** Whoever spawns takes part in any case. */
  readonly participants?: readonly string[] | undefined;
  readonly coordinator?: string | undefined;
  readonly curator?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly isTesting?: boolean | undefined;
  /** Tests of one group are compared, and see each other's results. */
  readonly testGroup?: string | undefined;
  readonly tags?: readonly string[] | undefined;
};

/** What somebody wants to happen. `sidebar` is an SB-n or the id of one. References in it were looked up before: `Facts.refs` tells what became of them. */
export type Command =
  | ({ readonly type: 'sidebar.spawn'; readonly origin: Origin; readonly resolves?: string } & NewSidebar)
  | ({ readonly type: 'sidebar.spawn-child'; readonly sidebar: string; readonly upTo: number | null; readonly isWaiting?: boolean } & NewSidebar)
  | ({ readonly type: 'sidebar.fork'; readonly sidebar: string; readonly reason: string } & Partial<NewSidebar>)
  | { readonly type: 'sidebar.pause'; readonly sidebar: string; readonly reason: string; readonly resumeCondition?: string | undefined }
  | { readonly type: 'sidebar.resume'; readonly sidebar: string; readonly reason?: string | undefined }
  | {
      readonly type: 'sidebar.wait';
      readonly sidebar: string;
      readonly waitingFor: string;
      readonly description?: string | undefined;
      readonly dependencies?: readonly string[] | undefined;
      readonly timeoutMs?: number | undefined;
    }
  | { readonly type: 'sidebar.move'; readonly sidebar: string; readonly to: Status; readonly reason?: string | undefined }
  | {
      readonly type: 'sidebar.change';
      readonly sidebar: string;
      readonly task?: string | undefined;
      readonly successCriteria?: string | undefined;
      readonly taskType?: string | undefined;
      readonly priority?: Priority | undefined;
      readonly coordinator?: string | undefined;
      readonly curator?: string | undefined;
      readonly tags?: readonly string[] | undefined;
      readonly crossRefs?: readonly string[] | undefined;
    }
  | { readonly type: 'sidebar.escalate'; readonly sidebar: string; readonly reason: string }
  | {
      readonly type: 'sidebar.test-result';
      readonly sidebar: string;
      readonly description: string;
      readonly result: string;
      readonly findings?: readonly string[] | undefined;
    }
  | {
      readonly type: 'sidebar.consolidate';
      readonly sidebar: string;
      readonly summary?: string | undefined;
      /** Left out: all that are confirmed. */
      readonly keyFindings?: readonly string[] | undefined;
      readonly recommendations?: string | undefined;
      readonly goldCandidates?: readonly string[] | undefined;
    }
  | { readonly type: 'merge.check'; readonly sidebar: string; readonly isFit: boolean; readonly notes?: string | undefined }
  | {
      readonly type: 'sidebar.merge';
      readonly sidebar: string;
      /** Where to; only for one that has no parent, or to say again which it is. */
      readonly target?: Context | undefined;
      /** What whoever approves believes is merged. */
      readonly keyFindings?: readonly string[] | undefined;
      /** False sends it back to work. */
      readonly isApproved?: boolean | undefined;
      readonly reason?: string | undefined;
    }
  | {
      readonly type: 'sidebar.archive';
      readonly sidebar: string;
      readonly reason?: ArchiveReason | undefined;
      readonly tags?: readonly string[] | undefined;
      readonly note?: string | undefined;
    }
  | {
      readonly type: 'chat.say';
      readonly sidebar: string;
      readonly content: string;
      readonly citations?: readonly string[] | undefined;
      readonly media?: readonly string[] | undefined;
      readonly confidence?: number | undefined;
      readonly inReplyTo?: string | undefined;
    }
  | {
      readonly type: 'mention.route';
      readonly sidebar?: string | undefined;
      readonly targets: readonly string[];
      readonly message: string;
      readonly contextRefs?: readonly string[] | undefined;
      readonly priority?: Priority | undefined;
    }
  | { readonly type: 'relevance.score'; readonly sidebar: string; readonly scores: Readonly<Record<string, number>> }
  | {
      readonly type: 'focus.change';
      readonly sidebar: string;
      readonly add?: readonly string[] | undefined;
      readonly remove?: readonly string[] | undefined;
    }
  | {
      readonly type: 'finding.submit';
      readonly sidebar: string;
      readonly content: string;
      readonly sourceRefs?: readonly string[] | undefined;
      readonly relevanceToTask?: string | undefined;
      readonly supersedes?: string | undefined;
    }
  | {
      readonly type: 'finding.validate';
      readonly sidebar: string;
      readonly finding: string;
      readonly status: FindingStatus;
      readonly notes?: string | undefined;
      readonly checks?: Partial<Checks> | undefined;
      /** What it was when this was decided: judged by somebody else since, it is looked at again first. */
      readonly seen?: FindingStatus | undefined;
    }
  | { readonly type: 'finding.annotate'; readonly sidebar: string; readonly finding: string; readonly note: string }
  | { readonly type: 'conflict.resolve'; readonly sidebar: string; readonly conflict: string; readonly notes: string }
  | {
      readonly type: 'checkpoint.create';
      readonly sidebar: string;
      readonly summary: string;
      readonly annotations?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly type: 'checkpoint.annotate'; readonly sidebar: string; readonly checkpoint: string; readonly note: string }
  | {
      readonly type: 'citation.create';
      readonly sidebar?: string | undefined;
      readonly source: CitationSource;
      readonly content?: string | undefined;
      readonly relevance?: number | undefined;
      readonly note?: string | undefined;
    }
  | {
      readonly type: 'media.upload';
      readonly sidebar: string;
      readonly mediaType: MediaType;
      readonly filePath: string;
      /** Base64. */
      readonly content: string;
      readonly inResponseTo?: string | undefined;
      /** What whoever has the bytes found out about them. */
      readonly found: { readonly size: number; readonly mime: string; readonly sha256: string } | { readonly why: string };
    }
  | {
      readonly type: 'gold.create';
      readonly sidebar?: string | undefined;
      readonly sourceRefs: readonly string[];
      readonly keyInsight: string;
      readonly reusePattern: string;
      readonly triggerConditions: readonly string[];
      readonly confidence?: number | undefined;
    }
  | {
      readonly type: 'gold.validate';
      readonly gold: string;
      readonly status: FindingStatus;
      readonly notes?: string | undefined;
      readonly seen?: FindingStatus | undefined;
    }
  /** A message that is not of a sidebar showed the symptoms of a GOLD. */
  | {
      readonly type: 'gold.surface';
      readonly gold: string;
      readonly contextId: string;
      readonly score: number;
      readonly condition: string;
      readonly about: string;
    }
  | {
      readonly type: 'agent.register';
      readonly agent: string;
      readonly kind: 'agent' | 'human';
      readonly specialties: readonly string[];
      readonly preferredCollaborators: readonly string[];
      readonly tokenHash: string;
    }
  | {
      readonly type: 'agent.change';
      readonly agent: string;
      readonly specialties?: readonly string[] | undefined;
      readonly preferredCollaborators?: readonly string[] | undefined;
      readonly tokenHash?: string | undefined;
    }
  | { readonly type: 'agent.retire'; readonly agent: string; readonly reason?: string | undefined }
  | { readonly type: 'agent.presence'; readonly agent: string; readonly status: Presence; readonly currentContext?: string | undefined }
  | { readonly type: 'agent.recruit'; readonly sidebar: string; readonly agent: string }
  | { readonly type: 'agent.leave'; readonly sidebar: string; readonly agent: string; readonly reason?: string | undefined }
  | { readonly type: 'inbox.read'; readonly upTo: number };

export type CommandType = Command['type'];
export type CommandOf<T extends CommandType> = Extract<Command, { type: T }>;
