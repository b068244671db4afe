import { KINDS_OF_AGENTS, MAIN, SUB_AGENT } from '../library/kinds.ts';
import { bestResult } from '../library/pairing.ts';
import type { LibraryPort, MessageQuery, SessionQuery, SessionRow, SpendingFilter, SpendingKey } from '../library/port.ts';
import type { MessageRow, OperationRow } from '../library/rows.ts';
import { FIRST_LOOKED_AT, sessionRowOf } from '../library/session.ts';
import { spentFrom, type SpentSqlRow } from '../library/spending.ts';
import type { Db } from './database.ts';
import { behind } from './entries.ts';
import { checkIntegrity } from './integrity.ts';
import {
  agentFrom,
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
import { createStringsReader } from './library-touches.ts';
import { createUsageReader } from './library-usage.ts';
import { dumpLibrary, type Rebuild } from './rebuild.ts';

/** The read side of the library on PostgreSQL. */
export const createLibrary = (db: Db, rebuild: Rebuild): LibraryPort => {
  const { run } = db;

  const sessionsFrom = async (rows: readonly SessionSqlRow[]): Promise<readonly SessionRow[]> => {
    if (rows.length === 0) return [];
    const links = await run<{ readonly session: string; readonly sourceId: string; readonly by: string; readonly shared: number }>(
      'SELECT session, source AS source_id, by, shared FROM links WHERE session = ANY($1::text[])',
      [rows.map(({ id }) => id)],
    );
    const linksOf = groupedBy(links, ({ session }) => session);
    return rows.map((row) => sessionRowOf({ ...row, sessionId: row.id }, row.summary, linksOf.get(row.id) ?? []));
  };

  const listSessions = async ({ project, tool, before, since, until, isQuarantined, limit }: SessionQuery): Promise<readonly SessionRow[]> => {
    const values: unknown[] = [];
    const bind = (value: unknown): string => `$${values.push(value)}`;
    const wheres = [
      ...(project === undefined ? [] : [`s.project = ${bind(project)}`]),
      ...(tool === undefined ? [] : [`${SESSION_TOOL} = ${bind(tool)}`]),
      ...(since === undefined ? [] : [`s.last_at >= ${bind(since)}`]),
      ...(until === undefined ? [] : [`s.first_at <= ${bind(until)}`]),
      ...(isQuarantined === true ? ['s.quarantined > 0'] : []),
      ...(before === undefined ? [] : [`(coalesce(s.last_at, 0), s.id) < (${bind(before.lastAt)}, ${bind(before.sessionId)})`]),
    ];
    const where = wheres.length === 0 ? '' : `WHERE ${wheres.join(' AND ')}`;
    const sql = `SELECT ${SESSION_COLUMNS} FROM sessions s ${where} ORDER BY coalesce(s.last_at, 0) DESC, s.id DESC LIMIT ${bind(limit)}`;
    return sessionsFrom(await run<SessionSqlRow>(sql, values));
  };

  const sessionsById = async (ids: readonly string[]): Promise<ReadonlyMap<string, SessionRow>> => {
    const rows = await run<SessionSqlRow>(`SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.id = ANY($1::text[])`, [[...new Set(ids)]]);
    return new Map((await sessionsFrom(rows)).map((row) => [row.sessionId, row]));
  };

  const messages = async (rest: string, values: readonly unknown[]): Promise<readonly MessageRow[]> =>
    (await run<MessageSqlRow>(`SELECT * FROM messages ${rest}`, values)).map(messageFrom);

  const messagesIn = ({ sessionId, thread, from, limit }: MessageQuery): Promise<readonly MessageRow[]> =>
    messages(`WHERE session = $1 ${IN_THREAD[thread.kind]} AND position >= $4 ORDER BY position LIMIT $3`, [
      sessionId,
      thread.kind === 'agent' ? thread.agentId : null,
      limit,
      from,
    ]);

  const spendingBy = (by: SpendingKey, keys: readonly string[], { since, until }: SpendingFilter) => {
    const columns = keys.map((_, at) => at + 1).join(', ');
    return run<SpentSqlRow & { readonly key: string; readonly day: string }>(
      `SELECT ${keys.join(', ')}, ${RESPONSE_SUMS.replaceAll(/\((\w+)\)/gu, '(r.$1)')} FROM responses r
       ${SPENDING_JOINS[by]} WHERE r.at >= $1 AND r.at <= $2 GROUP BY ${columns} ORDER BY ${columns}`,
      [since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER],
    );
  };

  /** The other halves of uses and results, in their order. */
  const partnersOf = async (rows: readonly OperationSqlRow[]): Promise<readonly (readonly OperationRow[])[]> => {
    if (rows.length === 0) return [];
    const partners = await run<OperationSqlRow & { readonly of: number }>(
      `SELECT w.of, p.* FROM unnest($1::text[], $2::text[], $3::smallint[]) WITH ORDINALITY w (tool, session, kind, of)
       CROSS JOIN LATERAL (SELECT ${OPERATION_COLUMNS} FROM operations o WHERE left(o.tool_use_id, 64) = left(w.tool, 64) AND o.session = w.session
         AND o.kind = w.kind AND o.tool_use_id = w.tool ORDER BY o.position LIMIT 16) p ORDER BY w.of, p.position, p.nth`,
      [rows.map((row) => row.toolUseId), rows.map((row) => row.session), rows.map((row) => 1 - row.kind)],
    );
    const byPlace = groupedBy(partners, (partner) => partner.of);
    return rows.map((_, at) => (byPlace.get(at + 1) ?? []).map(operationFrom));
  };

  const operationsAt = async (positions: readonly number[]): Promise<readonly OperationRow[]> => {
    const sql = `SELECT ${OPERATION_COLUMNS} FROM operations WHERE position = ANY($1::bigint[]) ORDER BY kind, nth`;
    const rows = inOrderOf(positions, await run<OperationSqlRow>(sql, [positions]));
    const partners = await partnersOf(rows);
    const found = new Map<string, OperationRow>();
    for (const [at, row] of rows.entries()) {
      for (const one of [operationFrom(row), ...(partners[at] ?? [])]) found.set(`${one.position}|${one.kind}|${one.index}`, one);
    }
    return [...found.values()];
  };

  return {
    projects: async () => {
      const rows = await run<
        SpentSqlRow & { readonly project: string; sessions: number; messages: number; firstAt: number | null; lastAt: number | null }
      >(
        `SELECT coalesce(project, '') AS project, count(*) AS sessions, sum(messages) AS messages, min(first_at) AS first_at, max(last_at) AS last_at,
           ${SPENT_SUMS} FROM sessions GROUP BY coalesce(project, '') ORDER BY max(last_at) DESC NULLS LAST`,
      );
      return rows.map((row) => ({
        project: row.project,
        sessions: row.sessions,
        messages: row.messages,
        firstAt: row.firstAt,
        lastAt: row.lastAt,
        spent: spentFrom(row),
      }));
    },
    sessions: listSessions,
    session: async (sessionId) => (await sessionsById([sessionId])).get(sessionId) ?? null,
    sessionsById,
    firstNumbersOf: async (ids) => {
      const rows = await run<{ readonly id: string; readonly number: number }>(FIRST_NUMBERS, [[...new Set(ids)], FIRST_LOOKED_AT]);
      return new Map(rows.map(({ id, number }) => [id, number]));
    },
    sessionsLike: async (prefix, limit) => {
      const rows = await run<{ readonly id: string }>('SELECT id FROM sessions WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3', [
        prefix,
        `${prefix}\u{10ffff}`,
        limit,
      ]);
      return rows.map(({ id }) => id);
    },
    agents: async (sessionId, since) => {
      const sql = 'SELECT * FROM agents WHERE session = $1 AND ($2::bigint IS NULL OR last_at >= $2) ORDER BY first_position, agent';
      return (await run<AgentSqlRow>(sql, [sessionId, since ?? null])).map(agentFrom);
    },
    messages: messagesIn,
    latest: ({ sessionId, thread, limit, before = Number.MAX_SAFE_INTEGER }) =>
      messages(`WHERE session = $1 ${IN_THREAD[thread.kind]} AND position < $4 ORDER BY position DESC LIMIT $3`, [
        sessionId,
        thread.kind === 'agent' ? thread.agentId : null,
        limit,
        before,
      ]),
    messageByUuid: async (uuid, sessionId) => {
      const [found] =
        sessionId === undefined
          ? await messages('WHERE uuid = $1 ORDER BY position LIMIT 1', [uuid])
          : await messages('WHERE uuid = $1 AND session = $2 ORDER BY position LIMIT 1', [uuid, sessionId]);
      return found ?? null;
    },
    messageAt: async (position) => (await messages('WHERE position = $1', [position]))[0] ?? null,
    messagesAt: async (positions) => new Map((await messages('WHERE position = ANY($1::bigint[])', [positions])).map((row) => [row.position, row])),
    childrenOf: (sessionId, uuid, limit) => messages('WHERE parent_uuid = $1 AND session = $2 ORDER BY position LIMIT $3', [uuid, sessionId, limit]),
    ...createStringsReader(run),
    operationsAt: (_, positions) => operationsAt(positions),
    operations: async (sessionId, from, limit) => {
      const rows = await run<OperationSqlRow>(
        `SELECT ${OPERATION_COLUMNS} FROM operations WHERE session = $1 AND kind = 0 AND position >= $2 ORDER BY position, nth LIMIT $3`,
        [sessionId, from, limit],
      );
      const partners = await partnersOf(rows);
      return rows.map((row, at) => ({ use: operationFrom(row), result: bestResult(partners[at] ?? []) }));
    },
    responsesAt: async (positions) => {
      const sql = `SELECT ${RESPONSE_COLUMNS} FROM responses r WHERE r.position = ANY($1::bigint[])`;
      const rows = inOrderOf(positions, await run<ResponseSqlRow>(sql, [positions]));
      return new Map(rows.map((row) => [row.position, responseFrom(row)]));
    },
    positionsOf: async (sessionId, after, limit) => {
      const rows = await run<{ readonly position: number }>(`SELECT position FROM entries WHERE ${behind('session')} LIMIT $3`, [
        sessionId,
        after,
        limit,
      ]);
      return rows.map(({ position }) => position);
    },
    spending: async (by, filter) => (await spendingBy(by, keyed(by, 'key'), filter)).map((row) => ({ key: row.key, spent: spentFrom(row) })),
    dailySpending: async (by, filter) =>
      (await spendingBy(by, [...keyed('day', 'day'), ...keyed(by, 'key')], filter)).map((row) => ({
        day: row.day,
        key: row.key,
        spent: spentFrom(row),
      })),
    ...createUsageReader(run),
    totals: async () => {
      const [row] = await run<SpentSqlRow & { entries: number; sessions: number; messages: number; agents: number; operations: number }>(
        `SELECT (SELECT coalesce(max(position), 0) FROM entries) AS entries, (SELECT coalesce(max(number), 0) FROM refs WHERE type = 'MSG') AS messages,
           (SELECT count(*) FROM agents WHERE agents.messages + agents.responses > 0) AS agents, (SELECT coalesce(sum(tool_uses + tool_results), 0)::bigint FROM sessions) AS operations,
           (SELECT count(*) FROM sessions) AS sessions, spent.* FROM (SELECT ${SPENT_SUMS} FROM sessions) spent`,
      );
      const { entries, sessions, messages: counted, agents, operations, ...sums } = row ?? EMPTY;
      const spent = spentFrom(sums);
      return { entries, sessions, messages: counted, agents, operations, spent, usage: spent.usage };
    },
    scrub: async (position, sessionId, texts) => {
      await run('DELETE FROM summaries WHERE position = $1', [position]);
      await run('DELETE FROM touches WHERE position = $1', [position]);
      await run('DELETE FROM kinds WHERE session = $1 AND position = $2', [sessionId, position]);
      for (const column of ['first_prompt', 'first_command', 'custom_title', 'ai_title']) {
        await run(`UPDATE sessions SET ${column} = NULL WHERE id = $1 AND ${column} = ANY($2::text[])`, [sessionId, texts]);
      }
    },
    integrity: (sessionId) => checkIntegrity(run, sessionId),
    rebuild,
    dump: () => dumpLibrary(run),
  };
};

const inOrderOf = <T extends { readonly position: number }>(positions: readonly number[], rows: readonly T[]): readonly T[] => {
  const byPosition = groupedBy(rows, ({ position }) => position);
  return [...new Set(positions)].flatMap((position) => byPosition.get(position) ?? []);
};

const groupedBy = <K, T>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};

const SPENDING_KEYS = {
  day: "to_char(to_timestamp(r.at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
  model: "coalesce(r.model, 'unknown')",
  project: "coalesce(s.project, '')",
  agent: `CASE WHEN r.agent IS NULL THEN '${MAIN}' ELSE coalesce(k.kind, '${SUB_AGENT}') END`,
  tool: 'e.originating_client',
  session: 'r.session',
} as const satisfies Record<SpendingKey, string>;

const keyed = (by: SpendingKey, name: string): readonly string[] => [
  ...(by === 'agent' ? ['r.agent IS NOT NULL AS called'] : []), // the main thread comes first
  `(${SPENDING_KEYS[by]}) COLLATE "C" AS ${name}`,
];

const SPENDING_JOINS = {
  day: '',
  model: '',
  project: 'LEFT JOIN sessions s ON s.id = r.session',
  agent: `LEFT JOIN (${KINDS_OF_AGENTS}) k ON k.session = r.session AND k.agent = r.agent COLLATE "C"`,
  tool: 'JOIN entries e ON e.position = r.position',
  session: '',
} as const satisfies Record<SpendingKey, string>;

/** `$2` is the agent, typed even where it isn't used. */
const IN_THREAD = {
  all: 'AND $2::text IS NULL',
  main: 'AND $2::text IS NULL AND left(agent, 64) IS NULL',
  agent: 'AND left(agent, 64) = left($2, 64) AND agent = $2',
} as const;

const FIRST_NUMBERS = `SELECT w.id, first.number FROM unnest($1::text[]) w (id) CROSS JOIN LATERAL (
    SELECT coalesce(m.number, o.number) AS number
    FROM (SELECT position, number, copy_of FROM messages WHERE session = w.id AND left(agent, 64) IS NULL ORDER BY position LIMIT $2) m
    LEFT JOIN messages o ON o.position = m.copy_of
    WHERE coalesce(m.number, o.number) IS NOT NULL ORDER BY m.position LIMIT 1) first`;

const EMPTY = {
  entries: 0,
  sessions: 0,
  messages: 0,
  agents: 0,
  operations: 0,
  responses: 0,
  input: 0,
  output: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  cacheRead: 0,
  costNano: 0,
  unpriced: 0,
};
