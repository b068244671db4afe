import type { Role } from '@yarnboard/transcript';
import type { AgentRow } from '../library/port.ts';
import { ANSWERS, type MessageRow, type OperationRow, type ResponseRow } from '../library/rows.ts';
import type { StoredSession } from '../library/session.ts';
import { spentFrom, type SpentSqlRow } from '../library/spending.ts';

// Rows as PostgreSQL stores them, and how to read them.

const USAGE = ['input', 'output', 'cache_write_5m', 'cache_write_1h', 'cache_read', 'cost_nano'];
const sumsOf = (columns: readonly string[]): string => columns.map((column) => `coalesce(sum(${column}), 0) AS ${column}`).join(', ');

export const SPENT_SUMS = sumsOf(['responses', ...USAGE, 'unpriced']);

/** The same over single responses, where a missing cost means a model without a price. */
export const RESPONSE_SUMS = `count(*) AS responses, ${sumsOf(USAGE)}, count(*) - count(cost_nano) AS unpriced`;

export type ResponseSqlRow = Omit<ResponseRow, 'usage' | 'sessionId' | 'agentId'> &
  ResponseRow['usage'] & { readonly session: string; readonly agent: string | null };

export const RESPONSE_COLUMNS = `r.message_id, r.ordinal, r.request_id, r.session, r.agent, r.position, r.model, r.input, r.output, r.cache_write_5m,
  r.cache_write_1h, r.cache_read, r.cost_nano, r.at`;

export const responseFrom = ({ session, agent, input, output, cacheWrite5m, cacheWrite1h, cacheRead, ...row }: ResponseSqlRow): ResponseRow => ({
  ...row,
  sessionId: session,
  agentId: agent,
  usage: { input, output, cacheWrite5m, cacheWrite1h, cacheRead },
});

export type MessageSqlRow = Omit<MessageRow, 'sessionId' | 'agentId' | 'isSidechain' | 'isError' | 'role'> & {
  readonly session: string;
  readonly agent: string | null;
  readonly role: string;
  readonly isSidechain: number;
  readonly isError: number;
};

export const messageFrom = ({ session, agent, ...row }: MessageSqlRow): MessageRow => ({
  ...row,
  sessionId: session,
  agentId: agent,
  role: row.role as Role, // written by the fold
  isSidechain: row.isSidechain === 1,
  isError: row.isError === 1,
});

export type OperationSqlRow = {
  readonly position: number;
  readonly kind: number;
  readonly nth: number;
  readonly session: string;
  readonly toolUseId: string;
  readonly name: string | null;
  readonly isError: number;
  readonly answer: number | null;
  readonly at: number;
};

export const OPERATION_COLUMNS = 'position, kind, nth, session, tool_use_id, name, is_error, answer, at';

export const operationFrom = (row: OperationSqlRow): OperationRow => ({
  position: row.position,
  index: row.nth,
  kind: row.kind === 0 ? 'use' : 'result',
  sessionId: row.session,
  toolUseId: row.toolUseId,
  name: row.name,
  isError: row.isError === 1,
  answer: row.answer === null ? null : (ANSWERS[row.answer] ?? null),
  at: row.at,
});

export type SessionSqlRow = Omit<StoredSession, 'sessionId'> & { readonly id: string; readonly summary: string | null };

/** The client of its first entry. */
export const SESSION_TOOL = '(SELECT e.originating_client FROM entries e WHERE e.position = s.first_position)';

export const SESSION_COLUMNS = `s.*, ${SESSION_TOOL} AS tool, (SELECT count(*) FROM agents a WHERE a.session = s.id AND a.messages + a.responses > 0) AS sidechains,
  CASE WHEN s.custom_title IS NULL AND s.ai_title IS NULL THEN
    (SELECT u.text FROM summaries u JOIN messages m ON m.uuid = u.leaf_uuid WHERE m.session = s.id ORDER BY u.position DESC LIMIT 1) END AS summary`;

export type AgentSqlRow = SpentSqlRow & Omit<AgentRow, 'spent' | 'sessionId' | 'agentId'> & { readonly session: string; readonly agent: string };

export const agentFrom = (row: AgentSqlRow): AgentRow => ({
  sessionId: row.session,
  agentId: row.agent,
  firstPosition: row.firstPosition,
  firstAt: row.firstAt,
  lastAt: row.lastAt,
  messages: row.messages,
  copied: row.copied,
  toolUses: row.toolUses,
  spent: spentFrom(row),
});
