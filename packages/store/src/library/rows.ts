import type { Role, Usage } from '@yarnboard/transcript';

/** A record of the conversation, or beside it, as the library keeps it. Its text stays on the log. */
export type MessageRow = {
  readonly position: number;
  readonly sessionId: string;
  /** The sub-agent whose conversation it belongs to; null in the main thread. */
  readonly agentId: string | null;
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly type: string;
  readonly role: Role;
  readonly at: number;
  readonly isSidechain: boolean;
  readonly isError: boolean;
  readonly model: string | null;
  /** MSG-n; null for a copy, and for records that aren't messages. */
  readonly number: number | null;
  readonly exchange: number | null;
  readonly copyOf: number | null;
};

/** How a tool use was answered; see the transcript package. */
export const ANSWERS = ['answer', 'stub', 'void'] as const;

/** A tool use or tool result extracted from a record's content. */
export type OperationRow = {
  readonly position: number;
  /** Which use or result of the record it is. */
  readonly index: number;
  readonly kind: 'use' | 'result';
  readonly sessionId: string;
  readonly toolUseId: string;
  readonly name: string | null;
  readonly isError: boolean;
  readonly answer: (typeof ANSWERS)[number] | null;
  readonly at: number;
};

/** One API response, counted once: at the record with the largest copy of the usage, for the session that had it first. */
export type ResponseRow = {
  readonly messageId: string;
  /** Distinguishes responses of an endpoint that reuses message ids. */
  readonly ordinal: number;
  readonly requestId: string | null;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly position: number;
  readonly model: string | null;
  readonly usage: Usage;
  /** In billionths of a dollar, so that sums are exact; null when the model has no price. */
  readonly costNano: number | null;
  readonly at: number;
};

export type Spent = { readonly responses: number; readonly usage: Usage; readonly costNano: number; readonly unpriced: number };

/** What became of a session in the tool that wrote it; unless something says otherwise, it is there. */
export const IN_TOOL = ['there', 'archived', 'deleted'] as const;
export type InTool = (typeof IN_TOOL)[number];

/** How a batch changes a session: sums are added up, and other values are replaced where they are better than the current ones. */
export type SessionDelta = {
  readonly sessionId: string;
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly entries: number;
  readonly bytes: number;
  readonly messages: number;
  readonly copied: number;
  readonly exchanges: number;
  readonly toolUses: number;
  readonly toolResults: number;
  readonly errors: number;
  readonly compactions: number;
  readonly quarantined: number;
  readonly companions: number;
  /** How often something in it was taken back in its tool. */
  readonly takebacks: number;
  readonly spent: Spent;
  /** The first value of any batch wins. */
  readonly project: string | null;
  readonly firstPrompt: string | null;
  /** A command that changes a setting; the title if nothing was asked. */
  readonly firstCommand: string | null;
  /** The last value of any batch wins. */
  readonly customTitle: string | null;
  readonly aiTitle: string | null;
  /** What became of it in its tool. */
  readonly inTool: InTool | null;
  readonly forkedFrom: string | null;
  readonly versions: readonly string[];
  readonly models: readonly string[];
};

/** The same for a sub-agent of a session. */
export type AgentDelta = {
  readonly sessionId: string;
  readonly agentId: string;
  readonly firstPosition: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly messages: number;
  readonly copied: number;
  readonly toolUses: number;
  readonly spent: Spent;
};

/** The kind of a sub-agent according to a call or its meta file. */
export type AgentKindRow = {
  readonly sessionId: string;
  readonly position: number;
  /** Which use of the record the call is. */
  readonly index: number;
  /** Set if it comes from a meta file. */
  readonly agentId: string | null;
  /** Set if it comes from a call. */
  readonly toolUseId: string | null;
  readonly kind: string;
};

/** A call that started or continued a sub-agent. */
export type AgentCallRow = { readonly sessionId: string; readonly agentId: string; readonly toolUseId: string };

export const TOUCHES = ['wrote', 'edited', 'read', 'mentions'] as const;

/** TRACE-10: a file that a call touches, or a reference that a record mentions. */
export type TouchRow = {
  readonly position: number;
  /** From 0, within its record. */
  readonly index: number;
  readonly sessionId: string;
  /** Which use of the record it is; null for a mention. */
  readonly use: number | null;
  readonly kind: (typeof TOUCHES)[number];
  /** An absolute path, or a reference. */
  readonly target: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly at: number;
};

/** Records that two sessions share. */
export type LinkDelta = { readonly sessionId: string; readonly sourceId: string; readonly by: 'uuid' | 'message'; readonly shared: number };

/** A title that names its session by one of its records; it can be in any file. */
export type SummaryRow = { readonly position: number; readonly leafUuid: string; readonly text: string };

export type LibraryChanges = {
  readonly messages: readonly MessageRow[];
  readonly operations: readonly OperationRow[];
  readonly responses: readonly ResponseRow[];
  readonly sessions: readonly SessionDelta[];
  readonly agents: readonly AgentDelta[];
  readonly links: readonly LinkDelta[];
  readonly kinds: readonly AgentKindRow[];
  readonly calls: readonly AgentCallRow[];
  readonly touches: readonly TouchRow[];
  readonly summaries: readonly SummaryRow[];
};
