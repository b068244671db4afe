import type { Fold, KnownResponses, WantedResponse } from '../library/fold.ts';
import {
  ANSWERS,
  TOUCHES,
  type AgentDelta,
  type LibraryChanges,
  type MessageRow,
  type OperationRow,
  type ResponseRow,
  type SessionDelta,
} from '../library/rows.ts';
import { keyOfTarget } from '../library/touches.ts';
import { spentValues } from '../library/spending.ts';
import { added, AGENT_SUMS, growthValues, SESSION_FIRSTS, SESSION_LASTS, SESSION_SUMS, SESSION_TEXTS, united } from '../library/upsert.ts';
import { insertRows, type Column, type Run } from './database.ts';
import { RESPONSE_COLUMNS, responseFrom, type ResponseSqlRow } from './library-rows.ts';

/** Writes the result of a fold, inside the transaction of the entries it was folded from. */
export const applyFold = async (run: Run, fold: Fold): Promise<void> => {
  const changes = fold.settle(await knownResponses(run, fold.wanted()));
  await insertRows(run, 'messages', MESSAGE_COLUMNS, changes.messages.map(messageValues));
  await insertRows(run, 'operations', OPERATION_COLUMNS, changes.operations.map(operationValues));
  const replaced = RESPONSE_TYPES.slice(2).map(([column]) => `${column} = excluded.${column}`);
  const onResponse = `ON CONFLICT (md5(message_id), ordinal) DO UPDATE SET ${replaced.join(', ')}`;
  await insertRows(run, 'responses', RESPONSE_TYPES, changes.responses.map(responseValues), onResponse);
  await putSessions(run, changes.sessions);
  await insertRows(run, 'agents', AGENT_COLUMNS, changes.agents.map(agentValues), ON_AGENT);
  await putLinks(run, changes);
  await insertRows(
    run,
    'kinds',
    KIND_COLUMNS,
    changes.kinds.map(({ sessionId, position, index, agentId, toolUseId, kind }) => [sessionId, position, index, agentId, toolUseId, kind]),
  );
  await insertRows(
    run,
    'calls',
    CALL_COLUMNS,
    changes.calls.map(({ sessionId, agentId, toolUseId }) => [sessionId, agentId, toolUseId]),
    'ON CONFLICT DO NOTHING',
  );
  await insertRows(
    run,
    'touches',
    TOUCH_COLUMNS,
    changes.touches.map(({ position, index, sessionId, use, kind, target, from, to, at }) => [
      position,
      index,
      sessionId,
      use,
      TOUCHES.indexOf(kind),
      keyOfTarget(target),
      from,
      to,
      at,
    ]),
  );
};

const knownResponses = async (run: Run, wanted: readonly WantedResponse[]): Promise<readonly KnownResponses[]> => {
  if (wanted.length === 0) return [];
  const ids = wanted.map(({ messageId }) => messageId);
  const requests = wanted.flatMap(({ messageId, requestIds }) => requestIds.map((requestId) => [messageId, requestId]));
  const rows = await run<ResponseSqlRow & { readonly last: number | null }>(
    // Id by id, by the index: without statistics, the planner would scan all responses for each batch.
    `SELECT ${RESPONSE_COLUMNS}, (SELECT l.ordinal FROM responses l WHERE md5(l.message_id) = md5(w.id) ORDER BY l.ordinal DESC LIMIT 1) AS last
       FROM unnest($1::text[]) w (id) CROSS JOIN LATERAL
         (SELECT * FROM responses WHERE md5(message_id) = md5(w.id) AND ordinal = 0 AND message_id = w.id LIMIT 1) r
     UNION ALL
     SELECT ${RESPONSE_COLUMNS}, NULL FROM unnest($2::text[], $3::text[]) w (id, request) CROSS JOIN LATERAL
       (SELECT * FROM responses WHERE md5(message_id) = md5(w.id) AND md5(request_id) = md5(w.request) AND ordinal > 0
          AND message_id = w.id AND request_id = w.request LIMIT 1) r`,
    [ids, requests.map(([id]) => id), requests.map(([, request]) => request)],
  );
  const known = new Map<string, { readonly rows: ResponseRow[]; next: number }>();
  for (const { last, ...row } of rows) {
    const same = known.get(row.messageId) ?? { rows: [], next: 0 };
    known.set(row.messageId, same);
    same.rows.push(responseFrom(row));
    if (last !== null) same.next = last + 1;
  }
  return ids.map((messageId) => ({ messageId, rows: known.get(messageId)?.rows ?? [], next: known.get(messageId)?.next ?? 0 }));
};

const putSessions = async (run: Run, deltas: readonly SessionDelta[]): Promise<void> => {
  if (deltas.length === 0) return;
  const before = await run<{ readonly id: string; readonly versions: string; readonly models: string }>(
    'SELECT id, versions, models FROM sessions WHERE id = ANY($1::text[])',
    [deltas.map(({ sessionId }) => sessionId)],
  );
  const lists = new Map(before.map((row) => [row.id, row]));
  const values = deltas.map((delta) => {
    const known = lists.get(delta.sessionId);
    return sessionValues(delta, united(known?.versions, delta.versions), united(known?.models, delta.models));
  });
  await insertRows(run, 'sessions', SESSION_COLUMNS, values, ON_SESSION);
};

const putLinks = async (run: Run, { links, summaries }: LibraryChanges): Promise<void> => {
  await insertRows(
    run,
    'links',
    LINK_COLUMNS,
    links.map((link) => [link.sessionId, link.sourceId, link.by, link.shared]),
    'ON CONFLICT (session, source, by) DO UPDATE SET shared = links.shared + excluded.shared',
  );
  await insertRows(
    run,
    'summaries',
    SUMMARY_COLUMNS,
    summaries.map((summary) => [summary.position, summary.leafUuid, summary.text]),
  );
};

const numbers = (names: readonly string[]): readonly Column[] => names.map((name) => [name, 'bigint']);
const texts = (names: readonly string[]): readonly Column[] => names.map((name) => [name, 'text']);

const PLACES = ['first_at', 'last_at', 'first_position', 'last_position'];
const SESSION_COLUMNS = [...texts(['id', ...SESSION_FIRSTS, ...SESSION_LASTS, 'versions', 'models']), ...numbers([...PLACES, ...SESSION_SUMS])];

const widened = (table: string): string =>
  `first_at = least(${table}.first_at, excluded.first_at), last_at = greatest(${table}.last_at, excluded.last_at),
   first_position = least(${table}.first_position, excluded.first_position)`;

const ON_SESSION = `ON CONFLICT (id) DO UPDATE SET
  ${SESSION_TEXTS}, ${widened('sessions')},
  last_position = greatest(sessions.last_position, excluded.last_position), ${added(SESSION_SUMS, 'sessions')}`;

const sessionValues = (delta: SessionDelta, versions: string, models: string): readonly unknown[] => [
  delta.sessionId,
  delta.project,
  delta.firstPrompt,
  delta.firstCommand,
  delta.forkedFrom,
  delta.customTitle,
  delta.aiTitle,
  delta.inTool,
  versions,
  models,
  ...growthValues(delta),
];

const AGENT_COLUMNS = [...texts(['session', 'agent']), ...numbers(['first_position', 'first_at', 'last_at', ...AGENT_SUMS])];
const ON_AGENT = `ON CONFLICT (session, md5(agent)) DO UPDATE SET ${widened('agents')}, ${added(AGENT_SUMS, 'agents')}`;

const agentValues = (delta: AgentDelta): readonly unknown[] => [
  delta.sessionId,
  delta.agentId,
  delta.firstPosition,
  delta.firstAt,
  delta.lastAt,
  delta.messages,
  delta.copied,
  delta.toolUses,
  ...spentValues(delta.spent),
];

const MESSAGE_COLUMNS: readonly Column[] = [
  ['position', 'bigint'],
  ...texts(['session', 'agent', 'uuid', 'parent_uuid', 'type', 'role']),
  ['at', 'bigint'],
  ['is_sidechain', 'smallint'],
  ['is_error', 'smallint'],
  ['model', 'text'],
  ...numbers(['number', 'exchange', 'copy_of']),
];

const messageValues = (row: MessageRow): readonly unknown[] => [
  row.position,
  row.sessionId,
  row.agentId,
  row.uuid,
  row.parentUuid,
  row.type,
  row.role,
  row.at,
  row.isSidechain ? 1 : 0,
  row.isError ? 1 : 0,
  row.model,
  row.number,
  row.exchange,
  row.copyOf,
];

const OPERATION_COLUMNS: readonly Column[] = [
  ['position', 'bigint'],
  ['kind', 'smallint'],
  ['nth', 'bigint'],
  ...texts(['session', 'tool_use_id', 'name']),
  ['is_error', 'smallint'],
  ['answer', 'smallint'],
  ['at', 'bigint'],
];

const operationValues = (row: OperationRow): readonly unknown[] => [
  row.position,
  row.kind === 'use' ? 0 : 1,
  row.index,
  row.sessionId,
  row.toolUseId,
  row.name,
  row.isError ? 1 : 0,
  row.answer === null ? null : ANSWERS.indexOf(row.answer),
  row.at,
];

// The key first.
const RESPONSE_TYPES: readonly Column[] = [
  ['message_id', 'text'],
  ['ordinal', 'bigint'],
  ...texts(['request_id', 'session', 'agent']),
  ['position', 'bigint'],
  ['model', 'text'],
  ...numbers(['input', 'output', 'cache_write_5m', 'cache_write_1h', 'cache_read', 'cost_nano', 'at']),
];

const responseValues = (row: ResponseRow): readonly unknown[] => [
  row.messageId,
  row.ordinal,
  row.requestId,
  row.sessionId,
  row.agentId,
  row.position,
  row.model,
  row.usage.input,
  row.usage.output,
  row.usage.cacheWrite5m,
  row.usage.cacheWrite1h,
  row.usage.cacheRead,
  row.costNano,
  row.at,
];

const KIND_COLUMNS: readonly Column[] = [['session', 'text'], ...numbers(['position', 'nth']), ...texts(['agent', 'tool_use_id', 'kind'])];
const TOUCH_COLUMNS: readonly Column[] = [
  ...numbers(['position', 'nth']),
  ['session', 'text'],
  ['use_nth', 'bigint'],
  ['kind', 'smallint'],
  ['target', 'text'],
  ...numbers(['from_line', 'to_line', 'at']),
];
const CALL_COLUMNS = texts(['session', 'agent', 'tool_use_id']);
const LINK_COLUMNS: readonly Column[] = [...texts(['session', 'source', 'by']), ['shared', 'bigint']];
const SUMMARY_COLUMNS: readonly Column[] = [['position', 'bigint'], ...texts(['leaf_uuid', 'text'])];
