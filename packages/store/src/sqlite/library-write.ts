import type { Fold, KnownResponses, WantedResponse } from '../library/fold.ts';
import {
  ANSWERS,
  TOUCHES,
  type AgentDelta,
  type MessageRow,
  type OperationRow,
  type ResponseRow,
  type SessionDelta,
  type TouchRow,
} from '../library/rows.ts';
import { keyOfTarget } from '../library/touches.ts';
import { spentValues } from '../library/spending.ts';
import { added, AGENT_SUMS, growthValues, SESSION_FIRSTS, SESSION_LASTS, SESSION_SUMS, SESSION_TEXTS, united } from '../library/upsert.ts';
import { storedOf, storedOrNull } from '../stored-text.ts';
import type { Db } from './database.ts';
import type { Names } from './names.ts';
import { responseFrom, RESPONSE_COLUMNS, type ResponseSqlRow } from './library-rows.ts';

/** Writes the result of a fold, inside the transaction of the entries it was folded from. */
export type LibraryWriter = { readonly apply: (fold: Fold) => void };

export const createLibraryWriter = (db: Db, names: Names): LibraryWriter => {
  const known = responseReader(db, names);
  const putMessage = messageWriter(db, names);
  const putOperation = operationWriter(db, names);
  const putResponse = responseWriter(db, names);
  const putSession = sessionWriter(db, names);
  const putAgent = agentWriter(db, names);
  const putLink = db.prepare<[number, number, string, number]>(
    'INSERT INTO links (session, source, by, shared) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET shared = shared + excluded.shared',
  );
  const putKind = db.prepare<[number, number, number, string | null, string | null, string]>(
    'INSERT INTO kinds (session, position, nth, agent, tool_use_id, kind) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const putCall = db.prepare<[number, string, string]>('INSERT INTO calls (session, agent, tool_use_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const putTouch = touchWriter(db, names);
  const putSummary = db.prepare<[number, string, string]>('INSERT INTO summaries (position, leaf_uuid, text) VALUES (?, ?, ?)');
  return {
    apply: (fold) => {
      const changes = fold.settle(fold.wanted().map(known));
      changes.messages.forEach(putMessage);
      changes.operations.forEach(putOperation);
      changes.responses.forEach(putResponse);
      changes.sessions.forEach(putSession);
      changes.agents.forEach(putAgent);
      for (const link of changes.links) putLink.run(names.idOf(link.sessionId), names.idOf(link.sourceId), link.by, link.shared);
      for (const { sessionId, position, index, agentId, toolUseId, kind } of changes.kinds)
        putKind.run(names.idOf(sessionId), position, index, storedOrNull(agentId), storedOrNull(toolUseId), storedOf(kind));
      for (const call of changes.calls) putCall.run(names.idOf(call.sessionId), storedOf(call.agentId), storedOf(call.toolUseId));
      changes.touches.forEach(putTouch);
      for (const summary of changes.summaries) putSummary.run(summary.position, storedOf(summary.leafUuid), storedOf(summary.text));
    },
  };
};

const responseReader = (db: Db, names: Names): ((wanted: WantedResponse) => KnownResponses) => {
  const first = db.prepare<[string], ResponseSqlRow>(`SELECT ${RESPONSE_COLUMNS} FROM responses WHERE message_id = ? AND ordinal = 0`);
  const exact = db.prepare<[string, string], ResponseSqlRow>(
    `SELECT ${RESPONSE_COLUMNS} FROM responses INDEXED BY responses_request WHERE message_id = ? AND request_id = ? AND ordinal > 0`,
  );
  const highest = db.prepare<[string], { readonly n: number | null }>('SELECT max(ordinal) AS n FROM responses WHERE message_id = ?');
  return ({ messageId, requestIds }) => {
    const id = storedOf(messageId);
    const one = first.get(id);
    if (one === undefined) return { messageId, rows: [], next: 0 };
    const others = requestIds.flatMap((requestId) => exact.all(id, storedOf(requestId)));
    return { messageId, rows: [one, ...others].map((row) => responseFrom(row, names)), next: (highest.get(id)?.n ?? 0) + 1 };
  };
};

const messageWriter = (db: Db, names: Names): ((row: MessageRow) => void) => {
  const insert = db.prepare(
    `INSERT INTO messages (position, session, agent, uuid, parent_uuid, type, role, at, is_sidechain, is_error, model, number, exchange, copy_of)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (row) => {
    insert.run(
      row.position,
      names.idOf(row.sessionId),
      row.agentId === null ? null : names.idOf(row.agentId),
      storedOf(row.uuid),
      storedOrNull(row.parentUuid),
      names.idOf(row.type),
      names.idOf(row.role),
      row.at,
      row.isSidechain ? 1 : 0,
      row.isError ? 1 : 0,
      row.model === null ? null : names.idOf(row.model),
      row.number,
      row.exchange,
      row.copyOf,
    );
  };
};

const operationWriter = (db: Db, names: Names): ((row: OperationRow) => void) => {
  const insert = db.prepare(
    'INSERT INTO operations (position, kind, nth, session, tool_use_id, name, is_error, answer, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  return (row) => {
    insert.run(
      row.position,
      row.kind === 'use' ? 0 : 1,
      row.index,
      names.idOf(row.sessionId),
      storedOf(row.toolUseId),
      row.name === null ? null : names.idOf(row.name),
      row.isError ? 1 : 0,
      row.answer === null ? null : ANSWERS.indexOf(row.answer),
      row.at,
    );
  };
};

const touchWriter = (db: Db, names: Names): ((row: TouchRow) => void) => {
  const insert = db.prepare(
    'INSERT INTO touches (position, nth, session, use_nth, kind, target, from_line, to_line, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  return ({ position, index, sessionId, use, kind, target, from, to, at }) => {
    insert.run(position, index, names.idOf(sessionId), use, TOUCHES.indexOf(kind), storedOf(keyOfTarget(target)), from, to, at);
  };
};

const responseWriter = (db: Db, names: Names): ((row: ResponseRow) => void) => {
  const insert = db.prepare(
    `INSERT OR REPLACE INTO responses (message_id, ordinal, request_id, session, agent, position, model, input, output, cache_write_5m, cache_write_1h,
       cache_read, cost_nano, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (row) => {
    const { usage } = row;
    insert.run(
      storedOf(row.messageId),
      row.ordinal,
      storedOrNull(row.requestId),
      names.idOf(row.sessionId),
      storedOrNull(row.agentId),
      row.position,
      row.model === null ? null : names.idOf(row.model),
      usage.input,
      usage.output,
      usage.cacheWrite5m,
      usage.cacheWrite1h,
      usage.cacheRead,
      row.costNano,
      row.at,
    );
  };
};

// min() and max() of two values are null if one of them is, and a session may have no time yet.
const widened = (table: string): string =>
  `first_at = min(coalesce(${table}.first_at, excluded.first_at), coalesce(excluded.first_at, ${table}.first_at)),
   last_at = max(coalesce(${table}.last_at, excluded.last_at), coalesce(excluded.last_at, ${table}.last_at))`;

const sessionWriter = (db: Db, names: Names): ((delta: SessionDelta) => void) => {
  const columns = [
    'name',
    'id',
    ...SESSION_FIRSTS,
    ...SESSION_LASTS,
    'versions',
    'models',
    'first_at',
    'last_at',
    'first_position',
    'last_position',
    ...SESSION_SUMS,
  ];
  const lists = db.prepare<[number], { readonly versions: string; readonly models: string }>('SELECT versions, models FROM sessions WHERE name = ?');
  const upsert = db.prepare(
    `INSERT INTO sessions (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT (name) DO UPDATE SET
       ${SESSION_TEXTS}, ${widened('sessions')},
       first_position = min(sessions.first_position, excluded.first_position), last_position = max(sessions.last_position, excluded.last_position),
       ${added(SESSION_SUMS, 'sessions')}`,
  );
  return (delta) => {
    const name = names.idOf(delta.sessionId);
    const before = lists.get(name);
    upsert.run(
      name,
      storedOf(delta.sessionId),
      storedOrNull(delta.project),
      storedOrNull(delta.firstPrompt),
      storedOrNull(delta.firstCommand),
      storedOrNull(delta.forkedFrom),
      storedOrNull(delta.customTitle),
      storedOrNull(delta.aiTitle),
      delta.inTool,
      united(before?.versions, delta.versions),
      united(before?.models, delta.models),
      ...growthValues(delta),
    );
  };
};

const agentWriter = (db: Db, names: Names): ((delta: AgentDelta) => void) => {
  const columns = ['session', 'agent', 'first_position', 'first_at', 'last_at', ...AGENT_SUMS];
  const upsert = db.prepare(
    `INSERT INTO agents (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT (session, agent) DO UPDATE SET
       ${widened('agents')}, first_position = min(agents.first_position, excluded.first_position), ${added(AGENT_SUMS, 'agents')}`,
  );
  return (delta) => {
    upsert.run(
      names.idOf(delta.sessionId),
      storedOf(delta.agentId),
      delta.firstPosition,
      delta.firstAt,
      delta.lastAt,
      delta.messages,
      delta.copied,
      delta.toolUses,
      ...spentValues(delta.spent),
    );
  };
};
