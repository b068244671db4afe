import type { Usage } from '@yarnboard/transcript';
import type { AgentCallRow, InTool, MessageRow, OperationRow, ResponseRow, Spent, TouchRow } from './rows.ts';

export type ProjectRow = {
  readonly project: string;
  readonly sessions: number;
  readonly messages: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly spent: Spent;
};

export type SessionRow = {
  readonly sessionId: string;
  /** The dialect that its first record was written in. */
  readonly tool: string;
  readonly project: string | null;
  /** What somebody called it, else what a summary says of it, else its first prompt. */
  readonly title: string | null;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly firstPosition: number;
  readonly lastPosition: number;
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
  /** What has become of it in its tool, where that is no longer what it was. */
  readonly inTool: InTool | null;
  readonly sidechains: number;
  readonly versions: readonly string[];
  readonly models: readonly string[];
  readonly spent: Spent;
  readonly continues: { readonly sessionId: string; readonly by: 'resume' | 'fork'; readonly shared: number } | null;
};

export type SessionQuery = {
  readonly project?: string;
  readonly tool?: string;
  readonly before?: { readonly lastAt: number; readonly sessionId: string };
  readonly since?: number;
  readonly until?: number;
  /** Only those with lines that could not be read. */
  readonly isQuarantined?: true;
  readonly limit: number;
};

export type AgentRow = {
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

export type MessageQuery = {
  readonly sessionId: string;
  /** `main`, an agent's id, or everything. */
  readonly thread: { readonly kind: 'main' } | { readonly kind: 'all' } | { readonly kind: 'agent'; readonly agentId: string };
  /** Messages at or after this position. */
  readonly from: number;
  readonly limit: number;
};

/** A tool use with the result it got. */
export type Operation = {
  readonly use: OperationRow | null;
  readonly result: OperationRow | null;
};

/**
 * What spending is added up by: the UTC day, the model, the project, `main` and the kinds of sub-agents (`sub-agent` where the kind is unknown), the
 * program whose sessions they are, or the session.
 */
export type SpendingKey = 'day' | 'model' | 'project' | 'agent' | 'tool' | 'session';

export type SpendingRow = { readonly key: string; readonly spent: Spent };
export type DailySpendingRow = SpendingRow & { readonly day: string };
/** An hour, counted from 1970 at an offset from UTC. */
export type HourlySpendingRow = { readonly hour: number; readonly spent: Spent };
/** A tool, how often it was used, and how often that failed. */
export type ToolUseRow = { readonly name: string; readonly uses: number; readonly errors: number };

export type SpendingFilter = { readonly since?: number; readonly until?: number };

export type IntegrityFinding = {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly count: number;
  /** A few of them: references or uuids. */
  readonly examples: readonly string[];
};

export type Integrity = { readonly messages: number; readonly operations: number; readonly findings: readonly IntegrityFinding[] };

export type LibraryPort = {
  readonly projects: () => Promise<readonly ProjectRow[]>;
  readonly sessions: (query: SessionQuery) => Promise<readonly SessionRow[]>;
  readonly session: (sessionId: string) => Promise<SessionRow | null>;
  /** These sessions by their ids; what does not exist is left out. */
  readonly sessionsById: (ids: readonly string[]) => Promise<ReadonlyMap<string, SessionRow>>;
  /** The number of the first message of each of these sessions. The first messages of a fork are copies, and have the numbers of their originals. */
  readonly firstNumbersOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Ids that begin with these characters, at most `limit`. */
  readonly sessionsLike: (prefix: string, limit: number) => Promise<readonly string[]>;
  /** The sub-agents of a session, or those that said something since. */
  readonly agents: (sessionId: string, since?: number) => Promise<readonly AgentRow[]>;
  readonly messages: (query: MessageQuery) => Promise<readonly MessageRow[]>;
  /** The newest messages of a thread, the newest first; only in front of a position where one is given. */
  readonly latest: (query: Omit<MessageQuery, 'from'> & { readonly before?: number }) => Promise<readonly MessageRow[]>;
  readonly messageByUuid: (uuid: string, sessionId?: string) => Promise<MessageRow | null>;
  readonly messageAt: (position: number) => Promise<MessageRow | null>;
  /** The messages at these positions; where there is none, it is left out. */
  readonly messagesAt: (positions: readonly number[]) => Promise<ReadonlyMap<number, MessageRow>>;
  readonly childrenOf: (sessionId: string, uuid: string, limit: number) => Promise<readonly MessageRow[]>;
  /** Records of other sessions that repeat one of this uuid. */
  readonly copiesOf: (uuid: string, limit: number) => Promise<readonly MessageRow[]>;
  /** The calls that started or continued the sub-agents of a session: all of them, of one sub-agent, or those with one of these ids. */
  readonly callsOf: (
    sessionId: string,
    wanted: { readonly agentId: string } | { readonly toolUseIds: readonly string[] },
  ) => Promise<readonly AgentCallRow[]>;
  /** The use that has this id. */
  readonly usesOf: (sessionId: string, toolUseIds: readonly string[]) => Promise<readonly OperationRow[]>;
  /** The first records of a session, its sub-agents included, that use any of these tools. */
  readonly placesOfUses: (sessionId: string, tools: readonly string[], limit: number) => Promise<readonly number[]>;
  /** Sessions that may go on from one: they share records with it, or say so. */
  readonly successorsOf: (sessionId: string, limit: number) => Promise<readonly string[]>;
  /** What these records touch and mention, in their order. */
  readonly touchesAt: (positions: readonly number[]) => Promise<readonly TouchRow[]>;
  /** Who touches or mentions one of these, the newest first; only in front of a position where one is given. */
  readonly touchesOf: (targets: readonly string[], query: { readonly before?: number; readonly limit: number }) => Promise<readonly TouchRow[]>;
  readonly touchCounts: (targets: readonly string[]) => Promise<Readonly<Partial<Record<TouchRow['kind'], number>>>>;
  /** Touched paths that end with these parts. */
  readonly pathsLike: (ending: string, limit: number) => Promise<readonly string[]>;
  /** Uses and results that stand in these records, and the other half of each pair wherever it stands in the session. */
  readonly operationsAt: (sessionId: string, positions: readonly number[]) => Promise<readonly OperationRow[]>;
  /** Uses of a session in order, each with its result; from a position on. */
  readonly operations: (sessionId: string, from: number, limit: number) => Promise<readonly Operation[]>;
  /** The responses that are counted at these records, by position. */
  readonly responsesAt: (positions: readonly number[]) => Promise<ReadonlyMap<number, ResponseRow>>;
  /** The position of every entry of a session, companions and unreadable lines included, in order. */
  readonly positionsOf: (sessionId: string, after: number, limit: number) => Promise<readonly number[]>;
  readonly spending: (by: SpendingKey, filter: SpendingFilter) => Promise<readonly SpendingRow[]>;
  /** The same for each day. */
  readonly dailySpending: (by: Exclude<SpendingKey, 'day'>, filter: SpendingFilter) => Promise<readonly DailySpendingRow[]>;
  /** Spending by the hour, at an offset from UTC in milliseconds; in order. */
  readonly hourlySpending: (offset: number, filter: SpendingFilter) => Promise<readonly HourlySpendingRow[]>;
  /** Uses of each tool by name, without those that a fork copied. */
  readonly toolUses: (filter: SpendingFilter) => Promise<readonly ToolUseRow[]>;
  readonly totals: () => Promise<{
    readonly entries: number;
    readonly sessions: number;
    readonly messages: number;
    readonly agents: number;
    readonly operations: number;
    readonly spent: Spent;
    readonly usage: Usage;
  }>;
  /** Takes texts that came from this entry (a title, a first prompt) out of the session's row, and summaries, kinds of sub-agents, paths and mentions that it told. */
  readonly scrub: (position: number, sessionId: string, texts: readonly string[]) => Promise<void>;
  readonly integrity: (sessionId?: string) => Promise<Integrity>;
  /** Deletes the rows of one session, or of all, and folds them from the log again. */
  readonly rebuild: (sessionId?: string, onProgress?: (done: number, all: number) => void) => Promise<{ readonly entries: number }>;
  /** Every row as text, sorted: two libraries are equal when these are. */
  readonly dump: () => Promise<readonly string[]>;
};
