import { startOf } from '../search/alternatives.ts';
import type { MaskedQuery, SearchAnswer, SearchFilters, SearchHit } from '../search/port.ts';
import { NOTE_WEIGHT, SCORE_STEPS } from '../search/rank.ts';
import { storedOf } from '../stored-text.ts';
import type { Db } from './database.ts';
import type { Names } from './names.ts';

type PageQuery = {
  readonly index: Db;
  readonly names: Names;
  readonly expression: string;
  readonly filters: SearchFilters;
  readonly order: 'relevance' | 'newest';
  readonly cursor: string | null;
  readonly limit: number;
  readonly isExact: (position: number) => boolean;
};

// Newest first continues below a position, relevance after a number of hits: ranks change with every new text.
export const pageOf = ({ index, names, expression, filters, order, cursor, limit, isExact }: PageQuery): Pick<SearchAnswer, 'hits' | 'next'> => {
  const { joins, wheres, values } = conditionsFor(filters, names);
  const start = startOf(cursor);
  const isNewest = order === 'newest';
  const below = (isNewest ? start : null) ?? Number.MAX_SAFE_INTEGER;
  let skip = (isNewest ? null : start) ?? 0;
  // FIND-15 in FTS5's terms: its rank is BM25, and negative. Entries of the board itself aren't records and have no occurrence.
  const weight = `CASE WHEN m.number IS NULL AND e.occurrence IS NOT NULL THEN ${NOTE_WEIGHT} ELSE 1 END`;
  const score = `CAST(texts.rank * ${weight} * -${SCORE_STEPS} AS INTEGER)`;
  const sql = `SELECT texts.rowid AS position, ${isNewest ? '0' : score} AS score, e.session, m.agent FROM texts
    JOIN board.entries e ON e.position = texts.rowid LEFT JOIN board.messages m ON m.position = texts.rowid ${joins}
    WHERE texts MATCH ? AND texts.rowid < ? ${wheres} ORDER BY ${isNewest ? 'texts.rowid DESC' : 'score DESC, texts.rowid DESC'}`;
  const rows = index
    .prepare<unknown[], { readonly position: number; readonly score: number; readonly session: number; readonly agent: number | null }>(sql)
    .iterate(expression, below, ...values);
  const hits: SearchHit[] = [];
  let seen = 0;
  for (const row of rows) {
    seen += 1;
    if (skip > 0) {
      skip -= 1;
      continue;
    }
    if (hits.length === limit) return { hits, next: isNewest ? `n${hits.at(-1)?.position ?? 0}` : `r${seen - 1}` };
    if (isExact(row.position)) {
      hits.push({
        position: row.position,
        sessionId: names.textOf(row.session),
        agentId: row.agent === null ? null : names.textOf(row.agent),
        score: row.score / SCORE_STEPS,
      });
    }
  }
  return { hits, next: null };
};

/** Entries in which anything is masked. */
export const maskedAmong = (index: Db, names: Names, { filters, below, limit }: MaskedQuery): readonly SearchHit[] => {
  const { joins, wheres, values } = conditionsFor(filters, names);
  const sql = `SELECT k.position, e.session, m.agent FROM masked k JOIN board.entries e ON e.position = k.position
    LEFT JOIN board.messages m ON m.position = k.position ${joins} WHERE k.position < ? ${wheres} ORDER BY k.position DESC LIMIT ?`;
  return index
    .prepare<unknown[], { readonly position: number; readonly session: number; readonly agent: number | null }>(sql)
    .all(below, ...values, limit)
    .map(({ position, session, agent }) => ({
      position,
      sessionId: names.textOf(session),
      agentId: agent === null ? null : names.textOf(agent),
      score: 0,
    }));
};

/** The filters in SQL. */
export const conditionsFor = (
  filters: SearchFilters,
  names: Names,
): { readonly joins: string; readonly wheres: string; readonly values: readonly unknown[] } => {
  const joins: string[] = [];
  const wheres: string[] = [];
  const values: unknown[] = [];
  const name = (text: string): number => names.find(text) ?? -1;
  const where = (sql: string, ...bound: readonly unknown[]): void => {
    wheres.push(`AND ${sql}`);
    values.push(...bound);
  };
  if (filters.sessionId !== undefined) where('e.session = ?', name(filters.sessionId));
  if (filters.project !== undefined) {
    joins.push('JOIN board.sessions s ON s.name = e.session');
    where('s.project = ?', storedOf(filters.project));
  }
  if (filters.agent !== undefined) where('m.agent = ?', name(filters.agent));
  if (filters.sessionTool !== undefined) where('e.originating_client = ?', name(filters.sessionTool));
  if (filters.actor !== undefined) where('e.sender_type = ?', name(filters.actor));
  if (filters.model !== undefined) where('m.model = ?', name(filters.model));
  if (filters.since !== undefined) where('e.at >= ?', filters.since);
  if (filters.until !== undefined) where('e.at <= ?', filters.until);
  if (filters.hasError !== undefined) where('e.error_occurred = ?', filters.hasError ? 1 : 0);
  if (filters.isOnBoard === true) where('e.occurrence IS NULL');
  // The use itself, or the result of a use of this tool.
  if (filters.tool !== undefined)
    where(
      `EXISTS (SELECT 1 FROM board.operations o JOIN board.operations u ON u.tool_use_id = o.tool_use_id AND u.session = o.session AND u.kind = 0
         WHERE o.position = e.position AND u.name = ?)`,
      name(filters.tool),
    );
  if (filters.minCostUsd !== undefined)
    where('EXISTS (SELECT 1 FROM board.responses r WHERE r.position = e.position AND r.cost_nano >= ?)', filters.minCostUsd * 1e9);
  return { joins: joins.join(' '), wheres: wheres.join(' '), values };
};
