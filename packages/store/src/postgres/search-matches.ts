import type { MaskedQuery, SearchFilters } from '../search/port.ts';
import { excludedBy, toTsquery, tsqueryOption, type Alternatives, type Option, type Query } from '../search/query.ts';
import { byRank, countOf, createScorer, type Collection, type Ranked } from '../search/rank.ts';
import type { Run } from './database.ts';
import { placesIn } from './search-vectors.ts';
import type { Known } from './search-vocabulary.ts';

type Statement = { readonly sql: string; readonly values: readonly unknown[] };

/** The statements that run a query. */
export type Matches = {
  /** The newest below a position. */
  readonly newest: (filters: SearchFilters, below: number, most: number) => Statement;
  /**
   * All matches, with the places of these words and whether the text is a tool's input or output: for a text in several pieces, one row per piece.
   */
  readonly all: (filters: SearchFilters, words: readonly string[]) => Statement;
};

/** Null for an empty query. */
export const matchesOf = (query: Query, alternatives: Alternatives): Matches | null => {
  const wanted = query.clauses.flatMap((clause) => (clause.negated ? [] : clauseQuery({ ...clause }, alternatives)));
  return wanted.length === 0 ? null : matchesFor(wanted, unwantedBy(query));
};

/** What the index can exclude by itself. */
export const unwantedBy = (query: Query): readonly string[] => excludedBy(query).map(tsqueryOption);

/**
 * Everything that matches each of these, and nothing else. A text in one piece is matched at once. A text in several is matched word by word: each
 * word is in some piece, and excluded words are in none.
 */
export const matchesFor = (wanted: readonly string[], unwanted: readonly string[]): Matches => {
  const whole = [...wanted.map((clause) => `(${clause})`), ...unwanted.map((clause) => `!(${clause})`)].join(' & ');
  /** Both kinds of matching texts, before a position. */
  const fitting = (filters: SearchFilters, bind: (value: unknown) => string, below: number): { readonly one: string; readonly several: string } => {
    const asked = (text: string): string => `${bind(text)}::tsquery`;
    const any = asked(wanted.map((clause) => `(${clause})`).join(' | '));
    const end = bind(below);
    const { joins, wheres } = conditionsFor(filters, bind);
    const beside = `JOIN entries e ON e.position = t.position LEFT JOIN messages m ON m.position = t.position ${joins}`;
    const having = [
      ...wanted.map((clause) => `bool_or(t.words @@ ${asked(clause)})`),
      ...unwanted.map((clause) => `NOT bool_or(t.words @@ ${asked(clause)})`),
    ];
    return {
      one: `FROM texts t ${beside} WHERE t.words @@ ${asked(whole)} AND t.position < ${end} ${wheres}`,
      // Excluded words may be in any piece, so all pieces of a candidate are checked.
      several: `FROM (SELECT t.position FROM text_parts t
          WHERE t.position < ${end} AND t.position IN (SELECT p.position FROM text_parts p WHERE p.words @@ ${any})
          GROUP BY t.position HAVING ${having.join(' AND ')}) t ${beside} WHERE true ${wheres}`,
    };
  };
  return {
    newest: (filters, below, most) => {
      const values: unknown[] = [];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const { one, several } = fitting(filters, bind, below);
      const last = `ORDER BY position DESC LIMIT ${bind(most)}`;
      return { sql: `(SELECT t.position ${one} ${last}) UNION ALL (SELECT t.position ${several} ${last}) ${last}`, values };
    },
    all: (filters, words) => {
      const values: unknown[] = [];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const { one, several } = fitting(filters, bind, Number.MAX_SAFE_INTEGER);
      // Entries of the board itself aren't records and have no occurrence.
      const isNote = `m.number IS NULL AND e.occurrence IS NOT NULL AS is_note,
        EXISTS (SELECT 1 FROM operations o WHERE o.position = e.position) AS is_tool`;
      const only = `ts_filter(setweight(words, 'A', ${bind(words)}::text[]), '{a}')::text AS places`;
      return {
        sql: `SELECT t.position, ${isNote}, t.length, 0 AS start, ${only} ${one}
          UNION ALL SELECT f.position, f.is_note, f.is_tool, p.length, p.start, ${only}
          FROM (SELECT t.position, ${isNote} ${several}) f JOIN text_parts p ON p.position = f.position`,
        values,
      };
    },
  };
};

/** Entries in which anything is masked, newest first. */
export const maskedStatement = ({ filters, below, limit }: MaskedQuery): Statement => {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const { joins, wheres } = conditionsFor(filters, bind);
  const sql = `SELECT t.position FROM masked t JOIN entries e ON e.position = t.position LEFT JOIN messages m ON m.position = t.position ${joins}
    WHERE t.position < ${bind(below)} ${wheres} ORDER BY t.position DESC LIMIT ${bind(limit)}`;
  return { sql, values };
};

/** All matching texts, best first (FIND-15). */
export const rankedMatches = async (
  run: Run,
  matches: Matches,
  filters: SearchFilters,
  options: readonly Option[],
  { documents, beginningWith }: Known,
  collection: Collection,
): Promise<readonly Ranked[]> => {
  const { sql, values } = matches.all(filters, lexemesOf(options, beginningWith));
  const [rows, frequencies] = await Promise.all([run<PlacesRow>(sql, values), frequenciesOf(run, options, (word) => documents(word, false))]);
  const score = createScorer(collection, frequencies);
  return textsFrom(rows)
    .map(({ position, isNote, length, places }) => ({
      position,
      score: score({ isNote, length, counts: options.map((option) => countOf(option, places)) }),
    }))
    .sort(byRank);
};

/** The words of the index that these options stand for: a prefix stands for all words that begin with it. */
export const lexemesOf = (options: readonly Option[], beginningWith: Known['beginningWith']): readonly string[] => [
  ...new Set(
    options.flatMap(({ words, prefix }) =>
      prefix ? [...words.slice(0, -1), ...(beginningWith.get(words.at(-1) ?? '') ?? []).map(({ term }) => term)] : words,
    ),
  ),
];

export type PlacesRow = {
  readonly position: number;
  readonly isNote: boolean;
  readonly isTool: boolean;
  readonly length: number;
  readonly start: number;
  readonly places: string;
};
type Places = ReadonlyMap<string, readonly number[]>;
type FoundText = Pick<PlacesRow, 'position' | 'isNote' | 'isTool' | 'length'> & { readonly places: Places };

// Pieces overlap, so a place may be reported twice.
export const textsFrom = (rows: readonly PlacesRow[]): readonly FoundText[] => {
  const texts = new Map<number, FoundText>();
  for (const { position, isNote, isTool, length, start, places: printed } of rows) {
    const places = new Map(placesIn(printed, start));
    const known = texts.get(position);
    texts.set(position, { position, isNote, isTool, length, places: known === undefined ? places : union(known.places, places) });
  }
  return [...texts.values()];
};

const union = (some: Places, others: Places): Places => {
  const all = new Map(some);
  for (const [word, places] of others) all.set(word, [...new Set([...(all.get(word) ?? []), ...places])]);
  return all;
};

/** How many texts have each option. The vocabulary knows it for single words; the others are counted. */
export const frequenciesOf = async (run: Run, options: readonly Option[], documents: (word: string) => number): Promise<readonly number[]> => {
  const isWord = ({ words, prefix }: Option): boolean => words.length === 1 && !prefix;
  const counted = options.filter((option) => !isWord(option));
  const asked = counted.map((option) => tsqueryOption(option));
  const rows =
    asked.length === 0
      ? []
      : await run<{ readonly n: number }>(
          `SELECT (SELECT count(*) FROM texts WHERE words @@ q.query) + (SELECT count(DISTINCT position) FROM text_parts WHERE words @@ q.query) AS n
           FROM unnest($1::tsquery[]) WITH ORDINALITY q (query, at) ORDER BY q.at`,
          [asked],
        );
  return options.map((option) => (isWord(option) ? documents(option.words[0] ?? '') : (rows[counted.indexOf(option)]?.n ?? 0)));
};

const clauseQuery = (clause: Query['clauses'][number], alternatives: Alternatives): readonly string[] => {
  const text = toTsquery({ clauses: [clause] }, alternatives);
  return text === null ? [] : [text];
};

/** The filters in SQL. */
export const conditionsFor = (filters: SearchFilters, bind: (value: unknown) => string): { readonly joins: string; readonly wheres: string } => {
  const wheres: string[] = [];
  const where = (value: unknown, sql: (bound: string) => string): void => {
    if (value !== undefined) wheres.push(`AND ${sql(bind(value))}`);
  };
  where(filters.sessionId, (id) => `e.session = ${id}`);
  where(filters.project, (project) => `s.project = ${project}`);
  where(filters.agent, (agent) => `m.agent = ${agent}`);
  where(filters.sessionTool, (tool) => `e.originating_client = ${tool}`);
  where(filters.actor, (actor) => `e.sender_type = ${actor}`);
  where(filters.model, (model) => `m.model = ${model}`);
  where(filters.since, (since) => `e.at >= ${since}`);
  where(filters.until, (until) => `e.at <= ${until}`);
  where(filters.hasError === undefined ? undefined : Number(filters.hasError), (flag) => `e.error_occurred = ${flag}`);
  where(filters.isOnBoard === true ? 1 : undefined, (flag) => `(e.occurrence IS NULL)::int = ${flag}`);
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
