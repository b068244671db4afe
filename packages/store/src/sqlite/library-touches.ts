import type { LibraryPort } from '../library/port.ts';
import { TOUCHES, type TouchRow } from '../library/rows.ts';
import { keyOfTarget, rangeOfEnding, targetOfKey } from '../library/touches.ts';
import { storedOf, textFrom } from '../stored-text.ts';
import type { Db } from './database.ts';
import { MESSAGE_COLUMNS, messageFrom, OPERATION_COLUMNS, operationFrom, type MessageSqlRow, type OperationSqlRow } from './library-rows.ts';
import type { Names } from './names.ts';

type TouchSqlRow = {
  readonly position: number;
  readonly nth: number;
  readonly session: number;
  readonly use: number | null;
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

const COLUMNS = 'position, nth, session, use_nth AS use, kind, target, from_line AS fromLine, to_line AS toLine, at';

/** The queries `trace` needs of the library. */
export const createStringsReader = (db: Db, names: Names, read: <T>(work: () => T) => Promise<T>): StringsPort => {
  const touchesIn = db.prepare<[number], TouchSqlRow>(`SELECT ${COLUMNS} FROM touches WHERE position = ? ORDER BY nth`);
  const touching = db.prepare<[string, number, number], TouchSqlRow>(
    `SELECT ${COLUMNS} FROM touches WHERE target = ? AND position < ? ORDER BY position DESC, nth DESC LIMIT ?`,
  );
  const counts = db.prepare<[string], { readonly kind: number; readonly n: number }>(
    'SELECT kind, count(*) AS n FROM touches WHERE target = ? GROUP BY kind',
  );
  const nextTarget = db.prepare<[string, string], { readonly target: string | null }>(
    'SELECT min(target) AS target FROM touches WHERE target > ? AND target < ?',
  );
  const copies = db.prepare<[string, number], MessageSqlRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE uuid = ? AND copy_of IS NOT NULL ORDER BY position DESC LIMIT ?`,
  );
  const callsOfAgent = db.prepare<[number, string], { readonly agent: string; readonly id: string }>(
    'SELECT agent, tool_use_id AS id FROM calls WHERE session = ? AND agent = ? ORDER BY tool_use_id',
  );
  const callsWith = db.prepare<[number, string], { readonly agent: string; readonly id: string }>(
    'SELECT agent, tool_use_id AS id FROM calls WHERE session = ? AND tool_use_id = ? ORDER BY agent',
  );
  const uses = db.prepare<[string, number], OperationSqlRow>(
    `SELECT ${OPERATION_COLUMNS} FROM operations WHERE tool_use_id = ? AND session = ? AND kind = 0 ORDER BY position LIMIT 1`,
  );
  // One pass through the session, however many tools are asked for.
  const usesOfTools = db.prepare<[number, string, number], { readonly position: number }>(
    `SELECT DISTINCT position FROM operations
       WHERE session = ? AND kind = 0 AND name IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?`,
  );
  const linked = db.prepare<[number, number], { readonly session: number }>(
    'SELECT DISTINCT session FROM links WHERE source = ? ORDER BY session DESC LIMIT ?',
  );
  const forked = db.prepare<[string, number], { readonly id: string }>(
    'SELECT id FROM sessions WHERE forked_from = ? ORDER BY first_position DESC LIMIT ?',
  );

  const touchFrom = ({ position, nth, session, use, kind, target, fromLine, toLine, at }: TouchSqlRow): TouchRow => ({
    position,
    index: nth,
    sessionId: names.textOf(session),
    use,
    kind: TOUCHES[kind] ?? 'mentions',
    target: targetOfKey(textFrom(target)),
    from: fromLine,
    to: toLine,
    at,
  });

  return {
    copiesOf: (uuid, limit) => read(() => copies.all(storedOf(uuid), limit).map((row) => messageFrom(row, names))),
    callsOf: (sessionId, wanted) =>
      read(() => {
        const session = names.find(sessionId);
        if (session === null) return [];
        const rows =
          'agentId' in wanted
            ? callsOfAgent.all(session, storedOf(wanted.agentId))
            : wanted.toolUseIds.flatMap((id) => callsWith.all(session, storedOf(id)));
        return rows.map(({ agent, id }) => ({ sessionId, agentId: textFrom(agent), toolUseId: textFrom(id) }));
      }),
    usesOf: (sessionId, toolUseIds) =>
      read(() => {
        const session = names.find(sessionId);
        return session === null ? [] : toolUseIds.flatMap((id) => uses.all(storedOf(id), session).map((row) => operationFrom(row, names)));
      }),
    placesOfUses: (sessionId, tools, limit) =>
      read(() => {
        const session = names.find(sessionId);
        const known = session === null ? [] : tools.flatMap((tool) => names.find(tool) ?? []);
        return session === null ? [] : usesOfTools.all(session, JSON.stringify(known), limit).map(({ position }) => position);
      }),
    successorsOf: (sessionId, limit) =>
      read(() => {
        const session = names.find(sessionId);
        const sharing = session === null ? [] : linked.all(session, limit).map((row) => names.textOf(row.session));
        return [...new Set([...sharing, ...forked.all(storedOf(sessionId), limit).map(({ id }) => textFrom(id))])];
      }),
    touchesAt: (positions) => read(() => positions.flatMap((position) => touchesIn.all(position).map(touchFrom))),
    touchesOf: (targets, { before = Number.MAX_SAFE_INTEGER, limit }) =>
      read(() =>
        targets
          .flatMap((target) => touching.all(storedOf(keyOfTarget(target)), before, limit))
          .sort((a, b) => b.position - a.position || b.nth - a.nth)
          .slice(0, limit)
          .map(touchFrom),
      ),
    touchCounts: (targets) =>
      read(() => {
        const found: Partial<Record<TouchRow['kind'], number>> = {};
        for (const target of targets)
          for (const { kind, n } of counts.all(storedOf(keyOfTarget(target)))) {
            const name = TOUCHES[kind] ?? 'mentions';
            found[name] = (found[name] ?? 0) + n;
          }
        return found;
      }),
    pathsLike: (ending, limit) =>
      read(() => {
        const [from, to] = rangeOfEnding(ending).map(storedOf);
        const found: string[] = [];
        // Skips from one path to the next: a file touched a million times is visited once.
        for (let at = from ?? ''; found.length < limit;) {
          const next = nextTarget.get(at, to ?? '')?.target ?? null;
          if (next === null) break;
          found.push(targetOfKey(textFrom(next)));
          at = next;
        }
        return found;
      }),
  };
};
