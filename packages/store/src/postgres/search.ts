import { StoreFault } from '../port.ts';
import { alternativesAmong, isTerm, isVeryCommon, MOST_CANDIDATES, orderOf, wordsIn } from '../search/alternatives.ts';
import type { SearchAnswer, SearchHit, SearchPort, SearchQuery } from '../search/port.ts';
import { parseQuery, type Alternatives, type Query } from '../search/query.ts';
import { fitsExactly } from '../search/snippet.ts';
import { sourceTextOf, type Source } from '../search/source.ts';
import { trigramsOf, type Candidate } from '../search/spelling.ts';
import { wordsOf } from '../search/words.ts';
import { insertRows, type Column, type Db, type Run } from './database.ts';
import { payloadsAt } from './payloads.ts';
import { matchesOf, type Matches } from './search-matches.ts';
import { vectorsOf } from './search-vectors.ts';

type SourceRow = Source & { readonly position: number };

/** The search index on PostgreSQL: our own words in tsvectors, and a vocabulary of them for spelling. */
export const createSearch = (db: Db, isIndexing: boolean): SearchPort => {
  const { run } = db;

  const position = async (on: Run = run): Promise<number> =>
    (await on<{ readonly position: number }>('SELECT position FROM progress'))[0]?.position ?? 0;

  // Whoever waits for the row of the progress goes on from where the one before it stopped.
  const writing = <T>(work: (on: Run) => Promise<T>): Promise<T> => {
    if (!isIndexing) return Promise.reject(new StoreFault('read-only', `${db.name}: this handle does not write the index`));
    return db.transaction(async (on) => {
      await on('SELECT position FROM progress FOR UPDATE');
      return work(on);
    });
  };

  const advance = async (on: Run, limit: number): Promise<number> => {
    const rows = await on<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM entries WHERE position > $1 ORDER BY position LIMIT $2`, [
      await position(on),
      limit,
    ]);
    const last = rows.at(-1)?.position;
    if (last === undefined) return 0;
    const documents = new Map<string, number>();
    for (let at = 0; at < rows.length; at += STEP) {
      const texts = await textsOf(on, rows.slice(at, at + STEP));
      const words = [...texts].map(([place, text]) => [place, wordsOf(text)] as const);
      await insertTexts(on, words);
      for (const [, some] of words) for (const word of new Set(some)) documents.set(word, (documents.get(word) ?? 0) + 1);
    }
    await addTerms(on, documents);
    await on('UPDATE progress SET position = $1', [last]);
    return rows.length;
  };

  const drop = async (on: Run, positions: readonly number[]): Promise<void> => {
    await on(
      `WITH gone AS (
         SELECT word.lexeme AS term, count(DISTINCT t.position) AS documents
         FROM (SELECT position, words FROM texts UNION ALL SELECT position, words FROM text_parts) t, unnest(t.words) word
         WHERE t.position = ANY($1::bigint[]) GROUP BY word.lexeme)
       UPDATE terms SET documents = terms.documents - gone.documents FROM gone WHERE terms.term = gone.term COLLATE "C"`,
      [positions],
    );
    await on('DELETE FROM terms WHERE documents <= 0');
    for (const table of ['texts', 'text_parts']) await on(`DELETE FROM ${table} WHERE position = ANY($1::bigint[])`, [positions]);
  };

  const find = async (query: SearchQuery): Promise<SearchAnswer> => {
    const parsed = parseQuery(query.text);
    const corrected = await alternativesFor(run, parsed);
    const matches = matchesOf(parsed, corrected);
    const [state] = await run<{ readonly isComplete: boolean }>(
      'SELECT (SELECT position FROM progress) >= (SELECT coalesce(max(position), 0) FROM entries) AS is_complete',
    );
    const isComplete = state?.isComplete === true;
    if (matches === null) return { hits: [], next: null, order: 'newest', corrected, isComplete };
    const documents = await documentsOf(run, [...wordsIn(parsed), ...[...corrected.values()].flat()]);
    const order = orderOf(
      query.cursor,
      isVeryCommon(parsed, corrected, (term) => documents.get(term) ?? 0),
    );
    return { ...(await pageOf(run, query, parsed, matches, order)), order, corrected, isComplete };
  };

  return {
    find,
    position: () => position(),
    advance: (limit) => writing((on) => advance(on, limit)),
    // The vocabulary is written with the texts.
    settle: () => Promise.resolve(),
    clear: () =>
      writing(async (on) => {
        for (const table of ['texts', 'text_parts', 'terms']) await on(`DELETE FROM ${table}`);
        await on('UPDATE progress SET position = 0');
      }),
    drop: async (positions) => {
      await writing((on) => drop(on, positions));
      // Until then the words still stand in the tables' files.
      for (const table of ['texts', 'text_parts', 'terms']) await run(`VACUUM ${table}`);
    },
  };
};

const SOURCE_COLUMNS = 'position, type, note, copy_of';

const textsOf = async (run: Run, rows: readonly SourceRow[]): Promise<ReadonlyMap<number, string>> => {
  const payloads = await payloadsAt(
    run,
    rows.filter(({ copyOf }) => copyOf === null).map((row) => row.position),
  );
  return new Map(rows.map((row) => [row.position, sourceTextOf(row, payloads.get(row.position) ?? null)]));
};

const insertTexts = async (run: Run, texts: readonly (readonly [number, readonly string[]])[]): Promise<void> => {
  const whole: (readonly unknown[])[] = [];
  const parts: (readonly unknown[])[] = [];
  for (const [position, words] of texts) {
    const vectors = vectorsOf(words);
    const [only] = vectors;
    if (vectors.length === 1) whole.push([position, only]);
    else parts.push(...vectors.map((vector, part) => [position, part, vector]));
  }
  await insertRows(run, 'texts', TEXT_COLUMNS, whole);
  await insertRows(run, 'text_parts', PART_COLUMNS, parts);
};

const TEXT_COLUMNS = [
  ['position', 'bigint'],
  ['words', 'tsvector'],
] as const satisfies readonly Column[];
const PART_COLUMNS = [
  ['position', 'bigint'],
  ['part', 'bigint'],
  ['words', 'tsvector'],
] as const satisfies readonly Column[];

// Trigrams as one text each, since an array of arrays is one array; in order of terms, so that two that write at once wait instead of deadlock.
const addTerms = async (run: Run, documents: ReadonlyMap<string, number>): Promise<void> => {
  const terms = [...documents.keys()].sort();
  await run(
    `INSERT INTO terms (term, documents, trigrams) SELECT w.term, w.documents, string_to_array(w.trigrams, '|')
     FROM unnest($1::text[], $2::bigint[], $3::text[]) w (term, documents, trigrams)
     ON CONFLICT (term) DO UPDATE SET documents = terms.documents + excluded.documents`,
    [terms, terms.map((term) => documents.get(term)), terms.map((term) => (isTerm(term) ? trigramsOf(term).join('|') : null))],
  );
};

const documentsOf = async (run: Run, terms: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const rows = await run<Candidate>('SELECT term, documents FROM terms WHERE term = ANY($1::text[])', [terms]);
  return new Map(rows.map(({ term, documents }) => [term, documents]));
};

const alternativesFor = async (run: Run, query: Query): Promise<Alternatives> => {
  const words = [...new Set(wordsIn(query))];
  const documents = await documentsOf(run, words);
  const alternatives = new Map<string, readonly string[]>();
  for (const word of words) {
    if (word.length < 3 || (documents.get(word) ?? 0) > 0) continue;
    const found = alternativesAmong(word, await candidatesFor(run, word));
    if (found.length > 0) alternatives.set(word, found);
  }
  return alternatives;
};

// Words with all trigrams inside this one may contain it; among words of about its length those with most in common may be what was meant.
const candidatesFor = async (run: Run, word: string): Promise<readonly Candidate[]> => {
  const trigrams = trigramsOf(word);
  const inside = trigrams.filter((trigram) => !trigram.includes(' '));
  const containing = await run<Candidate>('SELECT term, documents FROM terms WHERE trigrams @> $1::text[] ORDER BY documents DESC, term LIMIT $2', [
    inside,
    MOST_CANDIDATES,
  ]);
  const near = await run<Candidate>(
    `SELECT term, documents FROM terms WHERE trigrams && $1::text[] AND length(term) BETWEEN $2 AND $3
     ORDER BY (SELECT count(*) FROM unnest(trigrams) one WHERE one = ANY($1::text[])) DESC, documents DESC, term LIMIT $4`,
    [trigrams, word.length - 2, word.length + 2, MOST_CANDIDATES],
  );
  return [...containing, ...near];
};

type HitRow = { readonly position: number; readonly score: number; readonly session: string; readonly agent: string | null };

// Newest first goes on below a position, relevance after a number of hits: ranks change with every text that comes in.
const pageOf = async (
  run: Run,
  { filters, cursor, limit }: SearchQuery,
  parsed: Query,
  matches: Matches,
  order: SearchAnswer['order'],
): Promise<Pick<SearchAnswer, 'hits' | 'next'>> => {
  const isNewest = order === 'newest';
  const start = Number.parseInt(cursor?.slice(1) ?? '', 10);
  const hasExact = parsed.clauses.some((clause) => clause.kind === 'phrase' && clause.exact !== null);
  const hits: SearchHit[] = [];
  let at = Number.isSafeInteger(start) ? start : isNewest ? Number.MAX_SAFE_INTEGER : 0;
  for (;;) {
    const most = hasExact ? EXACT_STEP : limit + 1;
    const { sql, values } = matches.select(filters, { isNewest, below: isNewest ? at : Number.MAX_SAFE_INTEGER, skip: isNewest ? 0 : at, most });
    const rows = await run<HitRow>(sql, values);
    const isFit = hasExact ? await exactAmong(run, rows, parsed) : () => true;
    for (const row of rows) {
      if (hits.length === limit) return { hits, next: isNewest ? `n${hits.at(-1)?.position ?? 0}` : `r${at}` };
      at = isNewest ? row.position : at + 1;
      if (isFit(row.position)) hits.push({ position: row.position, sessionId: row.session, agentId: row.agent, score: row.score });
    }
    if (rows.length < most) return { hits, next: null };
  }
};

const exactAmong = async (run: Run, rows: readonly HitRow[], parsed: Query): Promise<(position: number) => boolean> => {
  const positions = rows.map(({ position }) => position);
  const sources = await run<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM entries WHERE position = ANY($1::bigint[])`, [positions]);
  const texts = await textsOf(run, sources);
  const fitting = new Set(positions.filter((position) => fitsExactly(texts.get(position) ?? '', parsed)));
  return (position) => fitting.has(position);
};

const STEP = 500;
const EXACT_STEP = 100;
