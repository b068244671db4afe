import type { LibraryPort } from '../library/port.ts';
import { TOUCHES, type TouchRow } from '../library/rows.ts';
import { keyOfTarget, rangeOfEnding, targetOfKey } from '../library/touches.ts';
import type { Run } from './database.ts';
import { messageFrom, OPERATION_COLUMNS, operationFrom, type MessageSqlRow, type OperationSqlRow } from './library-rows.ts';

type TouchSqlRow = {
  readonly position: number;
  readonly nth: number;
  readonly session: string;
  readonly useNth: number | null;
  readonly kind: number;
  readonly target: string;
  readonly fromLine: number | null;
  readonly toLine: number | null;
  readonly at: number;
};

type StringsPort = Pick<
  LibraryPort,
  'copiesOf' | 'callsOf' | 'usesOf' | 'placesOfUses' | 'successorsOf' | 'touchesAt' | 'touchesOf' | 'touchCounts' | 'pathsLike'
>;

/** The queries `trace` needs of the library. */
export const createStringsReader = (run: Run): StringsPort => ({
  copiesOf: async (uuid, limit) =>
    (await run<MessageSqlRow>('SELECT * FROM messages WHERE uuid = $1 AND copy_of IS NOT NULL ORDER BY position DESC LIMIT $2', [uuid, limit])).map(
      messageFrom,
    ),
  callsOf: async (sessionId, wanted) => {
    const rows = await run<{ readonly agent: string; readonly id: string }>(
      'agentId' in wanted
        ? 'SELECT agent, tool_use_id AS id FROM calls WHERE session = $1 AND md5(agent) = md5($2) AND agent = $2 ORDER BY tool_use_id'
        : `SELECT c.agent, c.tool_use_id AS id FROM unnest($2::text[]) WITH ORDINALITY w (id, nth) JOIN calls c
             ON c.session = $1 AND md5(c.tool_use_id) = md5(w.id) AND c.tool_use_id = w.id ORDER BY w.nth, c.agent`,
      [sessionId, 'agentId' in wanted ? wanted.agentId : wanted.toolUseIds],
    );
    return rows.map(({ agent, id }) => ({ sessionId, agentId: agent, toolUseId: id }));
  },
  usesOf: async (sessionId, toolUseIds) =>
    (
      await run<OperationSqlRow>(
        `SELECT o.* FROM unnest($2::text[]) WITH ORDINALITY w (id, nth) CROSS JOIN LATERAL
           (SELECT ${OPERATION_COLUMNS} FROM operations WHERE left(tool_use_id, 64) = left(w.id, 64) AND session = $1 AND kind = 0 AND tool_use_id = w.id
              ORDER BY position LIMIT 1) o ORDER BY w.nth`,
        [sessionId, toolUseIds],
      )
    ).map(operationFrom),
  placesOfUses: async (sessionId, tools, limit) =>
    (
      await run<{ readonly position: number }>(
        'SELECT DISTINCT position FROM operations WHERE session = $1 AND kind = 0 AND name = ANY($2::text[]) ORDER BY position LIMIT $3',
        [sessionId, tools, limit],
      )
    ).map(({ position }) => position),
  successorsOf: async (sessionId, limit) => {
    const rows = await run<{ readonly id: string }>(
      `(SELECT DISTINCT session AS id FROM links WHERE source = $1 LIMIT $2) UNION (SELECT id FROM sessions WHERE forked_from = $1 LIMIT $2)`,
      [sessionId, limit],
    );
    return rows.map(({ id }) => id);
  },
  touchesAt: async (positions) => {
    const rows = await run<TouchSqlRow>('SELECT * FROM touches WHERE position = ANY($1::bigint[]) ORDER BY position, nth', [positions]);
    const places = new Map([...new Set(positions)].map((position, at) => [position, at]));
    return rows.map(touchFrom).sort((a, b) => (places.get(a.position) ?? 0) - (places.get(b.position) ?? 0) || a.index - b.index);
  },
  touchesOf: async (targets, { before = Number.MAX_SAFE_INTEGER, limit }) =>
    (
      await run<TouchSqlRow>(
        `SELECT t.* FROM unnest($1::text[]) w (target) CROSS JOIN LATERAL
           (SELECT * FROM touches WHERE left(target, 256) = left(w.target, 256) AND target = w.target AND position < $2
              ORDER BY position DESC, nth DESC LIMIT $3) t ORDER BY t.position DESC, t.nth DESC LIMIT $3`,
        [targets.map(keyOfTarget), before, limit],
      )
    ).map(touchFrom),
  touchCounts: async (targets) => {
    const rows = await run<{ readonly kind: number; readonly n: number }>(
      `SELECT t.kind, count(*) AS n FROM unnest($1::text[]) w (target) JOIN touches t ON left(t.target, 256) = left(w.target, 256) AND t.target = w.target
         GROUP BY t.kind`,
      [targets.map(keyOfTarget)],
    );
    return Object.fromEntries(rows.map(({ kind, n }) => [TOUCHES[kind] ?? 'mentions', n]));
  },
  pathsLike: async (ending, limit) => {
    const [from, to] = rangeOfEnding(ending);
    const found: string[] = [];
    // Skips from one path to the next: a file touched a million times is visited once.
    for (let at = from; found.length < limit;) {
      const [row] = await run<{ readonly target: string }>(
        `SELECT target FROM touches WHERE left(target, 256) >= left($1, 256) AND left(target, 256) < $2 AND target > $1
           ORDER BY left(target, 256), target LIMIT 1`,
        [at, to],
      );
      if (row === undefined) break;
      found.push(targetOfKey(row.target));
      at = row.target;
    }
    return found;
  },
});

const touchFrom = ({ position, nth, session, useNth, kind, target, fromLine, toLine, at }: TouchSqlRow): TouchRow => ({
  position,
  index: nth,
  sessionId: session,
  use: useNth,
  kind: TOUCHES[kind] ?? 'mentions',
  target: targetOfKey(target),
  from: fromLine,
  to: toLine,
  at,
});
