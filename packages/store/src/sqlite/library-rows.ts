import type { Role } from '@yarnboard/transcript';
import type { AgentRow } from '../library/port.ts';
import { ANSWERS, type MessageRow, type OperationRow, type ResponseRow } from '../library/rows.ts';
import type { StoredSession } from '../library/session.ts';
import { spentFrom, type SpentSqlRow } from '../library/spending.ts';
import { textFrom, textOrNull } from '../stored-text.ts';
import type { Names } from './names.ts';

// Rows as SQLite stores them, and how to read them.

const SPENT_COLUMNS =
  'responses, input, output, cache_write_5m AS cacheWrite5m, cache_write_1h AS cacheWrite1h, cache_read AS cacheRead, cost_nano AS costNano, unpriced';

export const SPENT_SUMS = `coalesce(sum(responses), 0) AS responses, coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output,
  coalesce(sum(cache_write_5m), 0) AS cacheWrite5m, coalesce(sum(cache_write_1h), 0) AS cacheWrite1h, coalesce(sum(cache_read), 0) AS cacheRead,
  coalesce(sum(cost_nano), 0) AS costNano, coalesce(sum(unpriced), 0) AS unpriced`;

/** The same over single responses, where a missing cost means a model without a price. */
export const RESPONSE_SUMS = `count(*) AS responses, coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output,
  coalesce(sum(cache_write_5m), 0) AS cacheWrite5m, coalesce(sum(cache_write_1h), 0) AS cacheWrite1h, coalesce(sum(cache_read), 0) AS cacheRead,
  coalesce(sum(cost_nano), 0) AS costNano, count(*) - count(cost_nano) AS unpriced`;

export type ResponseSqlRow = {
  readonly messageId: string;
  readonly ordinal: number;
  readonly requestId: string | null;
  readonly session: number;
  readonly agentId: string | null;
  readonly position: number;
  readonly model: number | null;
  readonly input: number;
  readonly output: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
  readonly costNano: number | null;
  readonly at: number;
};

export const RESPONSE_COLUMNS = `message_id AS messageId, ordinal, request_id AS requestId, session, agent AS agentId, position, model, input, output,
  cache_write_5m AS cacheWrite5m, cache_write_1h AS cacheWrite1h, cache_read AS cacheRead, cost_nano AS costNano, at`;

export const responseFrom = (row: ResponseSqlRow, names: Names): ResponseRow => ({
  messageId: textFrom(row.messageId),
  ordinal: row.ordinal,
  requestId: textOrNull(row.requestId),
  sessionId: names.textOf(row.session),
  agentId: textOrNull(row.agentId),
  position: row.position,
  model: row.model === null ? null : names.textOf(row.model),
  usage: { input: row.input, output: row.output, cacheWrite5m: row.cacheWrite5m, cacheWrite1h: row.cacheWrite1h, cacheRead: row.cacheRead },
  costNano: row.costNano,
  at: row.at,
});

export type MessageSqlRow = {
  readonly position: number;
  readonly session: number;
  readonly agent: number | null;
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly type: number;
  readonly role: number;
  readonly at: number;
  readonly isSidechain: number;
  readonly isError: number;
  readonly model: number | null;
  readonly number: number | null;
  readonly exchange: number | null;
  readonly copyOf: number | null;
};

export const MESSAGE_COLUMNS = `position, session, agent, uuid, parent_uuid AS parentUuid, type, role, at, is_sidechain AS isSidechain, is_error AS isError,
  model, number, exchange, copy_of AS copyOf`;

export const messageFrom = ({ session, agent, ...row }: MessageSqlRow, names: Names): MessageRow => ({
  ...row,
  sessionId: names.textOf(session),
  agentId: agent === null ? null : names.textOf(agent),
  uuid: textFrom(row.uuid),
  parentUuid: textOrNull(row.parentUuid),
  type: names.textOf(row.type),
  role: names.textOf(row.role) as Role, // written by the fold
  isSidechain: row.isSidechain === 1,
  isError: row.isError === 1,
  model: row.model === null ? null : names.textOf(row.model),
});

export type OperationSqlRow = {
  readonly position: number;
  readonly kind: number;
  readonly nth: number;
  readonly session: number;
  readonly toolUseId: string;
  readonly name: number | null;
  readonly isError: number;
  readonly answer: number | null;
  readonly at: number;
};

export const OPERATION_COLUMNS = 'position, kind, nth, session, tool_use_id AS toolUseId, name, is_error AS isError, answer, at';

export const operationFrom = (row: OperationSqlRow, names: Names): OperationRow => ({
  position: row.position,
  index: row.nth,
  kind: row.kind === 0 ? 'use' : 'result',
  sessionId: names.textOf(row.session),
  toolUseId: textFrom(row.toolUseId),
  name: row.name === null ? null : names.textOf(row.name),
  isError: row.isError === 1,
  answer: row.answer === null ? null : (ANSWERS[row.answer] ?? null),
  at: row.at,
});

export type SessionSqlRow = StoredSession & { readonly name: number };

/** The client of its first entry. */
export const SESSION_TOOL = '(SELECT n.text FROM entries e JOIN names n ON n.id = e.originating_client WHERE e.position = sessions.first_position)';

export const SESSION_COLUMNS = `name, id AS sessionId, project, first_prompt AS firstPrompt, first_command AS firstCommand, custom_title AS customTitle, ai_title AS aiTitle,
  forked_from AS forkedFrom, versions, models, first_at AS firstAt, last_at AS lastAt, first_position AS firstPosition,
  last_position AS lastPosition, entries, bytes, messages, copied, exchanges, tool_uses AS toolUses, tool_results AS toolResults, errors, compactions,
  quarantined, companions, takebacks, in_tool AS inTool, ${SPENT_COLUMNS}, (SELECT count(*) FROM agents a WHERE a.session = sessions.name AND a.messages + a.responses > 0) AS sidechains, ${SESSION_TOOL} AS tool`;

export type AgentSqlRow = SpentSqlRow & Omit<AgentRow, 'spent' | 'sessionId'>;

export const AGENT_COLUMNS = `agent AS agentId, first_position AS firstPosition, first_at AS firstAt, last_at AS lastAt, messages, copied,
  tool_uses AS toolUses, ${SPENT_COLUMNS}`;

export const agentFrom = (sessionId: string, row: AgentSqlRow): AgentRow => ({
  sessionId,
  agentId: textFrom(row.agentId),
  firstPosition: row.firstPosition,
  firstAt: row.firstAt,
  lastAt: row.lastAt,
  messages: row.messages,
  copied: row.copied,
  toolUses: row.toolUses,
  spent: spentFrom(row),
});
