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
  /** The dialect of its first record. */
  readonly tool: string;
  readonly project: string | null;
  /** Its custom title, else its summary, else its first prompt. */
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
  /** What became of it in its tool, if it is no longer simply there. */
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
  /** Only those with unreadable lines. */
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

/** A tool use with its result. */
export type Operation = {
  readonly use: OperationRow | null;
  readonly result: OperationRow | null;
};

/**
 * How spending is grouped: by UTC day, model, project, `main` and the kinds of sub-agents (`sub-agent` where unknown), the program whose sessions
 * they are, or session.
 */
export type SpendingKey = 'day' | 'model' | 'project' | 'agent' | 'tool' | 'session';

export type SpendingRow = { readonly key: string; readonly spent: Spent };
export type DailySpendingRow = SpendingRow & { readonly day: string };
/** An hour, counted from 1970 at an offset from UTC. */
export type HourlySpendingRow = { readonly hour: number; readonly spent: Spent };
/** A tool, how often it was used, and how often it failed. */
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
  /** Sessions by id; missing ones are left out. */
  readonly sessionsById: (ids: readonly string[]) => Promise<ReadonlyMap<string, SessionRow>>;
  /** The number of the first message of each of these sessions. A fork begins with copies, which have the numbers of their originals. */
  readonly firstNumbersOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Ids that begin with these characters, at most `limit`. */
  readonly sessionsLike: (prefix: string, limit: number) => Promise<readonly string[]>;
  /** The sub-agents of a session, or only those that said something since. */
  readonly agents: (sessionId: string, since?: number) => Promise<readonly AgentRow[]>;
  readonly messages: (query: MessageQuery) => Promise<readonly MessageRow[]>;
  /** The newest messages of a thread, newest first; only those before a position if one is given. */
  readonly latest: (query: Omit<MessageQuery, 'from'> & { readonly before?: number }) => Promise<readonly MessageRow[]>;
  readonly messageByUuid: (uuid: string, sessionId?: string) => Promise<MessageRow | null>;
  readonly messageAt: (position: number) => Promise<MessageRow | null>;
  /** The messages at these positions; positions without one are left out. */
  readonly messagesAt: (positions: readonly number[]) => Promise<ReadonlyMap<number, MessageRow>>;
  readonly childrenOf: (sessionId: string, uuid: string, limit: number) => Promise<readonly MessageRow[]>;
  /** Records of other sessions that repeat the one with this uuid. */
  readonly copiesOf: (uuid: string, limit: number) => Promise<readonly MessageRow[]>;
  /** The calls that started or continued the sub-agents of a session: all of them, those of one sub-agent, or those with one of these ids. */
  readonly callsOf: (
    sessionId: string,
    wanted: { readonly agentId: string } | { readonly toolUseIds: readonly string[] },
  ) => Promise<readonly AgentCallRow[]>;
  /** The tool uses with these ids. */
  readonly usesOf: (sessionId: string, toolUseIds: readonly string[]) => Promise<readonly OperationRow[]>;
  /** The first records of a session, including its sub-agents, that use any of these tools. */
  readonly placesOfUses: (sessionId: string, tools: readonly string[], limit: number) => Promise<readonly number[]>;
  /** Sessions that may continue this one: they share records with it, or say so. */
  readonly successorsOf: (sessionId: string, limit: number) => Promise<readonly string[]>;
  /** What these records touch and mention, in their order. */
  readonly touchesAt: (positions: readonly number[]) => Promise<readonly TouchRow[]>;
  /** Records that touch or mention one of these targets, newest first; only those before a position if one is given. */
  readonly touchesOf: (targets: readonly string[], query: { readonly before?: number; readonly limit: number }) => Promise<readonly TouchRow[]>;
  readonly touchCounts: (targets: readonly string[]) => Promise<Readonly<Partial<Record<TouchRow['kind'], number>>>>;
  /** Touched paths that end with these parts. */
  readonly pathsLike: (ending: string, limit: number) => Promise<readonly string[]>;
  /** The uses and results in these records, and the other half of each pair wherever it is in the session. */
  readonly operationsAt: (sessionId: string, positions: readonly number[]) => Promise<readonly OperationRow[]>;
  /** The tool uses of a session in order, from a position on, each with its result. */
  readonly operations: (sessionId: string, from: number, limit: number) => Promise<readonly Operation[]>;
  /** The responses that are counted at these records, by position. */
  readonly responsesAt: (positions: readonly number[]) => Promise<ReadonlyMap<number, ResponseRow>>;
  /** The position of every entry of a session in order, including companions and unreadable lines. */
  readonly positionsOf: (sessionId: string, after: number, limit: number) => Promise<readonly number[]>;
  readonly spending: (by: SpendingKey, filter: SpendingFilter) => Promise<readonly SpendingRow[]>;
  /** The same per day. */
  readonly dailySpending: (by: Exclude<SpendingKey, 'day'>, filter: SpendingFilter) => Promise<readonly DailySpendingRow[]>;
  /** Spending per hour in order, at an offset from UTC in milliseconds. */
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
  /**
   * Removes the texts that came from this entry (a title, a first prompt) from the session's row, and its summaries, kinds of sub-agents, paths and
   * mentions.
   */
  readonly scrub: (position: number, sessionId: string, texts: readonly string[]) => Promise<void>;
  readonly integrity: (sessionId?: string) => Promise<Integrity>;
  /** Deletes the rows of one session, or of all, and folds them from the log again. */
  readonly rebuild: (sessionId?: string, onProgress?: (done: number, all: number) => void) => Promise<{ readonly entries: number }>;
  /** Every row as text, sorted: two libraries are equal if these are. */
  readonly dump: () => Promise<readonly string[]>;
};
