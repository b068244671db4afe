import { KINDS_OF_AGENTS, MAIN, SUB_AGENT } from '../library/kinds.ts';
import { bestResult } from '../library/pairing.ts';
import { FIRST_LOOKED_AT, sessionRowOf } from '../library/session.ts';
import type { LibraryPort, MessageQuery, Operation, SessionQuery, SessionRow, SpendingFilter, SpendingKey } from '../library/port.ts';
import type { MessageRow, OperationRow } from '../library/rows.ts';
import { spentFrom, type SpentSqlRow } from '../library/spending.ts';
import { storedOf, textFrom, textOrNull } from '../stored-text.ts';
import { faulty, type Db } from './database.ts';
import { checkIntegrity } from './integrity.ts';
import {
  AGENT_COLUMNS,
  agentFrom,
  MESSAGE_COLUMNS,
  messageFrom,
  OPERATION_COLUMNS,
  operationFrom,
  RESPONSE_COLUMNS,
  RESPONSE_SUMS,
  responseFrom,
  SESSION_COLUMNS,
  SESSION_TOOL,
  SPENT_SUMS,
  type AgentSqlRow,
  type MessageSqlRow,
  type OperationSqlRow,
  type ResponseSqlRow,
  type SessionSqlRow,
} from './library-rows.ts';
import type { Names } from './names.ts';
import { createStringsReader } from './library-touches.ts';
import { createUsageReader } from './library-usage.ts';
import { dumpLibrary, type Rebuild } from './rebuild.ts';

/** The read side of the library on SQLite. */
export const createLibrary = (db: Db, path: string, names: Names, rebuild: Rebuild): LibraryPort => {
  const links = db.prepare<[number], { readonly sourceId: string; readonly by: string; readonly shared: number }>(
    'SELECT n.text AS sourceId, l.by, l.shared FROM links l JOIN names n ON n.id = l.source WHERE l.session = ?',
  );
  const summary = db.prepare<[number], { readonly text: string }>(
    'SELECT s.text FROM summaries s JOIN messages m ON m.uuid = s.leaf_uuid WHERE m.session = ? ORDER BY s.position DESC LIMIT 1',
  );
  const hasSummaries = db.prepare<[], { readonly n: number }>('SELECT 1 AS n FROM summaries LIMIT 1');
  const sessionById = db.prepare<[string], SessionSqlRow>(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ?`);
  const like = db.prepare<[string, string, number], { readonly id: string }>('SELECT id FROM sessions WHERE id >= ? AND id < ? ORDER BY id LIMIT ?');
  const agents = db.prepare<[number, number | null, number | null], AgentSqlRow>(
    `SELECT ${AGENT_COLUMNS} FROM agents WHERE session = ? AND (? IS NULL OR last_at >= ?) ORDER BY first_position, agent`,
  );
  const messageAt = db.prepare<[number], MessageSqlRow>(`SELECT ${MESSAGE_COLUMNS} FROM messages WHERE position = ?`);
  const firstNumber = db
    .prepare<[number, number], number>(
      `SELECT coalesce(m.number, o.number) AS number
         FROM (SELECT position, number, copy_of FROM messages WHERE session = ? AND agent IS NULL ORDER BY position LIMIT ?) m
         LEFT JOIN messages o ON o.position = m.copy_of WHERE coalesce(m.number, o.number) IS NOT NULL ORDER BY m.position LIMIT 1`,
    )
    .pluck();
  const byUuid = db.prepare<[string], MessageSqlRow>(`SELECT ${MESSAGE_COLUMNS} FROM messages WHERE uuid = ? ORDER BY position LIMIT 1`);
  const byUuidIn = db.prepare<[string, number], MessageSqlRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE uuid = ? AND session = ? ORDER BY position LIMIT 1`,
  );
  const children = db.prepare<[string, number, number], MessageSqlRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE parent_uuid = ? AND session = ? ORDER BY position LIMIT ?`,
  );
  const operationsIn = db.prepare<[number], OperationSqlRow>(`SELECT ${OPERATION_COLUMNS} FROM operations WHERE position = ? ORDER BY kind, nth`);
  const partners = db.prepare<[string, number, number], OperationSqlRow>(
    `SELECT ${OPERATION_COLUMNS} FROM operations WHERE tool_use_id = ? AND session = ? AND kind = ? ORDER BY position LIMIT 16`,
  );
  const usesFrom = db.prepare<[number, number, number], OperationSqlRow>(
    `SELECT ${OPERATION_COLUMNS} FROM operations WHERE session = ? AND kind = 0 AND position >= ? ORDER BY position, nth LIMIT ?`,
  );
  const responseAt = db.prepare<[number], ResponseSqlRow>(`SELECT ${RESPONSE_COLUMNS} FROM responses WHERE position = ?`);
  const positions = db.prepare<[number, number, number], { readonly position: number }>(
    'SELECT position FROM entries WHERE session = ? AND position > ? ORDER BY position LIMIT ?',
  );

  const sessionFrom = (row: SessionSqlRow): SessionRow => {
    const isTitled = row.customTitle !== null || row.aiTitle !== null;
    return sessionRowOf(
      {
        ...row,
        sessionId: textFrom(row.sessionId),
        project: textOrNull(row.project),
        firstPrompt: textOrNull(row.firstPrompt),
        firstCommand: textOrNull(row.firstCommand),
        customTitle: textOrNull(row.customTitle),
        aiTitle: textOrNull(row.aiTitle),
        forkedFrom: textOrNull(row.forkedFrom),
      },
      textOrNull(isTitled || hasSummaries.get() === undefined ? null : (summary.get(row.name)?.text ?? null)),
      links.all(row.name).map((link) => ({ ...link, sourceId: textFrom(link.sourceId) })),
    );
  };

  const listSessions = ({ project, tool, before, since, until, isQuarantined, limit }: SessionQuery): readonly SessionRow[] => {
    const wheres: string[] = [];
    const values: unknown[] = [];
    const where = (sql: string, ...bound: readonly unknown[]): void => {
      wheres.push(sql);
      values.push(...bound);
    };
    if (project !== undefined) where('project = ?', storedOf(project));
    if (tool !== undefined) where(`${SESSION_TOOL} = ?`, tool);
    if (since !== undefined) where('last_at >= ?', since);
    if (until !== undefined) where('first_at <= ?', until);
    if (isQuarantined === true) where('quarantined > 0');
    if (before !== undefined) where('(coalesce(last_at, 0), id) < (?, ?)', before.lastAt, storedOf(before.sessionId));
    const sql = `SELECT ${SESSION_COLUMNS} FROM sessions ${wheres.length === 0 ? '' : `WHERE ${wheres.join(' AND ')}`} ORDER BY coalesce(last_at, 0) DESC, id DESC LIMIT ?`;
    return db
      .prepare<unknown[], SessionSqlRow>(sql)
      .all(...values, limit)
      .map(sessionFrom);
  };

  const sessionOf = (sessionId: string): SessionRow | null => {
    const row = sessionById.get(storedOf(sessionId));
    return row === undefined ? null : sessionFrom(row);
  };

  const firstNumberOf = (sessionId: string): number | null => {
    const session = names.find(sessionId);
    return session === null ? null : (firstNumber.get(session, FIRST_LOOKED_AT) ?? null);
  };

  const messageOf = (position: number): MessageRow | null => {
    const row = messageAt.get(position);
    return row === undefined ? null : messageFrom(row, names);
  };

  const pairOf = (row: OperationSqlRow): readonly OperationRow[] =>
    // A result that names no use has none.
    row.toolUseId === '' ? [] : partners.all(row.toolUseId, row.session, row.kind === 0 ? 1 : 0).map((other) => operationFrom(other, names));

  const read = <T>(work: () => T): Promise<T> => Promise.resolve().then(() => faulty(path, work));
  const inSession = <T>(sessionId: string, otherwise: T, work: (session: number) => T): Promise<T> =>
    read(() => {
      const session = names.find(sessionId);
      return session === null ? otherwise : work(session);
    });

  const threadOf = (
    { sessionId, thread, limit }: Omit<MessageQuery, 'from'>,
    place: string,
    order: 'ASC' | 'DESC',
    bound: readonly number[],
  ): Promise<readonly MessageRow[]> =>
    inSession(sessionId, [], (session) => {
      const agent = thread.kind === 'agent' ? (names.find(thread.agentId) ?? -1) : null;
      const clause = thread.kind === 'main' ? 'AND agent IS NULL' : 'AND agent = ?';
      // The log's own index serves all of a session in order; a thread has an index of its own.
      const sql =
        thread.kind === 'all'
          ? `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE position IN (SELECT e.position FROM entries e JOIN messages m ON m.position = e.position
               WHERE e.session = ? AND e.position ${place} ORDER BY e.position ${order} LIMIT ?) ORDER BY position ${order}`
          : `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE session = ? ${clause} AND position ${place} ORDER BY position ${order} LIMIT ?`;
      const values = [session, ...(agent === null ? [] : [agent]), ...bound, limit];
      return db
        .prepare<unknown[], MessageSqlRow>(sql)
        .all(...values)
        .map((row) => messageFrom(row, names));
    });

  const spendingBy = (
    by: SpendingKey,
    keys: readonly string[],
    { since, until }: SpendingFilter,
  ): readonly (SpentSqlRow & { readonly key: string; readonly day: string })[] => {
    const columns = keys.map((_, at) => at + 1).join(', ');
    return db
      .prepare<[number, number], SpentSqlRow & { readonly key: string; readonly day: string }>(
        `SELECT ${keys.join(', ')}, ${RESPONSE_SUMS.replaceAll(/\b(input|output|cache_\w+|cost_nano)\b(?=\))/gu, 'r.$1')} FROM responses r
           ${SPENDING_JOINS[by]} WHERE r.at >= ? AND r.at <= ? GROUP BY ${columns} ORDER BY ${columns}`,
      )
      .all(since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER);
  };

  return {
    projects: () =>
      read(() =>
        db
          .prepare<[], SpentSqlRow & { readonly project: string; sessions: number; messages: number; firstAt: number | null; lastAt: number | null }>(
            `SELECT coalesce(project, '') AS project, count(*) AS sessions, sum(messages) AS messages, min(first_at) AS firstAt, max(last_at) AS lastAt,
               ${SPENT_SUMS} FROM sessions GROUP BY coalesce(project, '') ORDER BY max(last_at) DESC`,
          )
          .all()
          .map((row) => ({
            project: textFrom(row.project),
            sessions: row.sessions,
            messages: row.messages,
            firstAt: row.firstAt,
            lastAt: row.lastAt,
            spent: spentFrom(row),
          })),
      ),
    sessions: (query) => read(() => listSessions(query)),
    session: (sessionId) => read(() => sessionOf(sessionId)),
    sessionsById: (ids) => read(() => keyedBy(ids, sessionOf)),
    firstNumbersOf: (ids) => read(() => keyedBy(ids, firstNumberOf)),
    sessionsLike: (prefix, limit) => read(() => like.all(storedOf(prefix), `${storedOf(prefix)}\u{10ffff}`, limit).map(({ id }) => textFrom(id))),
    agents: (sessionId, since) =>
      inSession(sessionId, [], (session) => agents.all(session, since ?? null, since ?? null).map((row) => agentFrom(sessionId, row))),
    messages: ({ from, ...query }) => threadOf(query, '>= ?', 'ASC', [from]),
    latest: ({ before = Number.MAX_SAFE_INTEGER, ...query }) => threadOf(query, '< ?', 'DESC', [before]),
    messageByUuid: (uuid, sessionId) =>
      read(() => {
        const session = sessionId === undefined ? undefined : names.find(sessionId);
        const row = session === undefined ? byUuid.get(storedOf(uuid)) : session === null ? undefined : byUuidIn.get(storedOf(uuid), session);
        return row === undefined ? null : messageFrom(row, names);
      }),
    messageAt: (position) => read(() => messageOf(position)),
    messagesAt: (at) => read(() => keyedBy(at, messageOf)),
    childrenOf: (sessionId, uuid, limit) =>
      inSession(sessionId, [], (session) => children.all(storedOf(uuid), session, limit).map((row) => messageFrom(row, names))),
    ...createStringsReader(db, names, read),
    operationsAt: (sessionId, at) =>
      inSession(sessionId, [], () => {
        const found = new Map<string, OperationRow>();
        for (const position of at) {
          for (const row of operationsIn.all(position)) {
            for (const one of [operationFrom(row, names), ...pairOf(row)]) found.set(`${one.position}|${one.kind}|${one.index}`, one);
          }
        }
        return [...found.values()];
      }),
    operations: (sessionId, from, limit) =>
      inSession(sessionId, [], (session) =>
        usesFrom.all(session, from, limit).map((row): Operation => ({ use: operationFrom(row, names), result: bestResult(pairOf(row)) })),
      ),
    responsesAt: (at) =>
      read(() =>
        keyedBy(at, (position) => {
          const row = responseAt.get(position);
          return row === undefined ? null : responseFrom(row, names);
        }),
      ),
    positionsOf: (sessionId, after, limit) => inSession(sessionId, [], (session) => positions.all(session, after, limit).map((row) => row.position)),
    spending: (by, filter) => read(() => spendingBy(by, keyed(by, 'key'), filter).map((row) => ({ key: textFrom(row.key), spent: spentFrom(row) }))),
    dailySpending: (by, filter) =>
      read(() =>
        spendingBy(by, [...keyed('day', 'day'), ...keyed(by, 'key')], filter).map((row) => ({
          day: row.day,
          key: textFrom(row.key),
          spent: spentFrom(row),
        })),
      ),
    ...createUsageReader(db, read),
    totals: () =>
      read(() => {
        const sums = db.prepare<[], SpentSqlRow & { readonly sessions: number }>(`SELECT count(*) AS sessions, ${SPENT_SUMS} FROM sessions`).get();
        const count = (sql: string): number => db.prepare<[], { readonly n: number }>(sql).get()?.n ?? 0;
        const spent = sums === undefined ? NOTHING : spentFrom(sums);
        return {
          entries: count('SELECT coalesce(max(position), 0) AS n FROM entries'),
          sessions: sums?.sessions ?? 0,
          messages: count("SELECT coalesce(max(number), 0) AS n FROM refs WHERE type = 'MSG'"),
          agents: count('SELECT count(*) AS n FROM agents WHERE messages + responses > 0'),
          operations: count('SELECT coalesce(sum(tool_uses + tool_results), 0) AS n FROM sessions'), // copies in forks are not counted again
          spent,
          usage: spent.usage,
        };
      }),
    scrub: (position, sessionId, texts) =>
      inSession(sessionId, undefined, (session) => {
        db.prepare<[number]>('DELETE FROM summaries WHERE position = ?').run(position);
        db.prepare<[number]>('DELETE FROM touches WHERE position = ?').run(position);
        db.prepare<[number, number]>('DELETE FROM kinds WHERE session = ? AND position = ?').run(session, position);
        for (const column of ['first_prompt', 'first_command', 'custom_title', 'ai_title']) {
          const clear = db.prepare<[number, string]>(`UPDATE sessions SET ${column} = NULL WHERE name = ? AND ${column} = ?`);
          for (const text of texts) clear.run(session, storedOf(text));
        }
      }),
    integrity: (sessionId) => read(() => checkIntegrity(db, names, sessionId)),
    rebuild: (sessionId, onProgress) => rebuild(sessionId, onProgress),
    dump: () => read(() => dumpLibrary(db, names)),
  };
};

// One statement per key: within a process, that costs no round trip.
const keyedBy = <K, V>(keys: readonly K[], valueOf: (key: K) => V | null): ReadonlyMap<K, V> => {
  const found = new Map<K, V>();
  // Hits repeat the ids of their sessions; a session's row may be slow to read.
  for (const key of new Set(keys)) {
    const value = valueOf(key);
    if (value !== null) found.set(key, value);
  }
  return found;
};

const SPENDING_KEYS = {
  day: "strftime('%Y-%m-%d', r.at / 1000, 'unixepoch')",
  model: "coalesce(n.text, 'unknown')",
  project: "coalesce(s.project, '')",
  agent: `CASE WHEN r.agent IS NULL THEN '${MAIN}' ELSE coalesce(k.kind, '${SUB_AGENT}') END`,
  tool: 't.text',
  session: 'c.text',
} as const satisfies Record<SpendingKey, string>;

const keyed = (by: SpendingKey, name: string): readonly string[] => [
  ...(by === 'agent' ? ['r.agent IS NOT NULL AS called'] : []), // the main thread comes first
  `${SPENDING_KEYS[by]} AS ${name}`,
];

const SPENDING_JOINS = {
  day: '',
  model: 'LEFT JOIN names n ON n.id = r.model',
  project: 'LEFT JOIN sessions s ON s.name = r.session',
  agent: `LEFT JOIN (${KINDS_OF_AGENTS}) k ON k.session = r.session AND k.agent = r.agent`,
  tool: 'JOIN entries e ON e.position = r.position JOIN names t ON t.id = e.originating_client',
  session: 'JOIN names c ON c.id = r.session',
} as const satisfies Record<SpendingKey, string>;

const NOTHING = spentFrom({ responses: 0, input: 0, output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0, costNano: 0, unpriced: 0 });
