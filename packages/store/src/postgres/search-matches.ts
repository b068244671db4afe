import type { SearchFilters } from '../search/port.ts';
import { toTsquery, type Alternatives, type Query } from '../search/query.ts';

export type Window = { readonly isNewest: boolean; readonly below: number; readonly skip: number; readonly most: number };

export type Matches = { readonly select: (filters: SearchFilters, window: Window) => { readonly sql: string; readonly values: readonly unknown[] } };

/**
 * The statement that finds a query; null when nothing is asked for. A text in one piece is asked for the whole query. One that lies in several is
 * asked clause by clause: every clause is in some piece, and what is excluded in none.
 */
export const matchesOf = (query: Query, alternatives: Alternatives): Matches | null => {
  const whole = toTsquery(query, alternatives);
  if (whole === null) return null;
  const wanted = query.clauses.flatMap((clause) => (clause.negated ? [] : clauseQuery({ ...clause }, alternatives)));
  const unwanted = query.clauses.flatMap((clause) =>
    clause.negated && (clause.kind === 'word' || clause.exact === null) ? clauseQuery({ ...clause, negated: false }, new Map()) : [],
  );
  return {
    select: (filters, { isNewest, below, skip, most }) => {
      const values: unknown[] = [];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const asked = (text: string): string => `${bind(text)}::tsquery`;
      const all = asked(whole);
      const any = asked(wanted.map((clause) => `(${clause})`).join(' | '));
      const end = bind(below);
      const { joins, wheres } = conditionsFor(filters, bind);
      const having = [
        ...wanted.map((clause) => `bool_or(t.words @@ ${asked(clause)})`),
        ...unwanted.map((clause) => `NOT bool_or(t.words @@ ${asked(clause)})`),
      ];
      const order = isNewest ? 'position DESC' : 'score DESC, position DESC';
      const reach = bind(skip + most);
      // Excluded words may stand in any piece, so of a text that may fit all pieces are looked at.
      const sql = `
        (SELECT t.position, ${isNewest ? '0' : `ts_rank(t.words, ${all}, 1)`} AS score, e.session, m.agent
         FROM texts t JOIN entries e ON e.position = t.position LEFT JOIN messages m ON m.position = t.position ${joins}
         WHERE t.words @@ ${all} AND t.position < ${end} ${wheres} ORDER BY ${order} LIMIT ${reach})
        UNION ALL
        (SELECT f.position, f.score, e.session, m.agent
         FROM (SELECT t.position, ${isNewest ? '0' : `max(ts_rank(t.words, ${any}, 1))`} AS score FROM text_parts t
               WHERE t.position < ${end} AND t.position IN (SELECT p.position FROM text_parts p WHERE p.words @@ ${any})
               GROUP BY t.position HAVING ${having.join(' AND ')}) f
         JOIN entries e ON e.position = f.position LEFT JOIN messages m ON m.position = f.position ${joins}
         WHERE true ${wheres} ORDER BY ${order} LIMIT ${reach})
        ORDER BY ${order} LIMIT ${bind(most)} OFFSET ${bind(skip)}`;
      return { sql, values };
    },
  };
};

const clauseQuery = (clause: Query['clauses'][number], alternatives: Alternatives): readonly string[] => {
  const text = toTsquery({ clauses: [clause] }, alternatives);
  return text === null ? [] : [text];
};

const conditionsFor = (filters: SearchFilters, bind: (value: unknown) => string): { readonly joins: string; readonly wheres: string } => {
  const wheres: string[] = [];
  const where = (value: unknown, sql: (bound: string) => string): void => {
    if (value !== undefined) wheres.push(`AND ${sql(bind(value))}`);
  };
  where(filters.sessionId, (id) => `e.session = ${id}`);
  where(filters.project, (project) => `s.project = ${project}`);
  where(filters.agent, (agent) => `m.agent = ${agent}`);
  where(filters.actor, (actor) => `e.sender_type = ${actor}`);
  where(filters.model, (model) => `m.model = ${model}`);
  where(filters.since, (since) => `e.at >= ${since}`);
  where(filters.until, (until) => `e.at <= ${until}`);
  where(filters.hasError === undefined ? undefined : Number(filters.hasError), (flag) => `e.error_occurred = ${flag}`);
  // The use itself, or the result of a use of this tool.
  where(
    filters.tool,
    (tool) => `EXISTS (SELECT 1 FROM operations o JOIN operations u ON left(u.tool_use_id, 64) = left(o.tool_use_id, 64)
      AND u.tool_use_id = o.tool_use_id AND u.session = o.session AND u.kind = 0 WHERE o.position = e.position AND u.name = ${tool})`,
  );
  where(
    filters.minCostUsd === undefined ? undefined : filters.minCostUsd * 1e9,
    (cost) => `EXISTS (SELECT 1 FROM responses r WHERE r.position = e.position AND r.cost_nano >= ${cost}::double precision)`,
  );
  return { joins: filters.project === undefined ? '' : 'JOIN sessions s ON s.id = e.session', wheres: wheres.join(' ') };
};
