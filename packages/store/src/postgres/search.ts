import { MASKING_RULES } from '@yarnboard/domain';
import { StoreFault } from '../port.ts';
import { isVeryCommon, mannerOf, orderOf, startOf } from '../search/alternatives.ts';
import type { Embedder } from '../search/meaning/embedder.ts';
import { createAsking } from '../search/meaning/hybrid.ts';
import { CURSORS, fitsLoosely, looseAnswer, needsText } from '../search/loose-page.ts';
import { isAmbiguous, loosen, meantBy, rareWordsOf, wordsToCount } from '../search/loose.ts';
import type { MaskedQuery, SearchAnswer, SearchHit, SearchPort, SearchQuery, Unindexed } from '../search/port.ts';
import { parseQuery, type Alternatives } from '../search/query.ts';
import { rankedOptions, type Collection, type Ranked } from '../search/rank.ts';
import { fitsExactly } from '../search/snippet.ts';
import type { Db, Run } from './database.ts';
import { createMeaning } from './meaning.ts';
import { indexRows, SOURCE_COLUMNS, textsOf, type SourceRow } from './search-fill.ts';
import { looseMatches } from './search-loose.ts';
import { maskedStatement, matchesOf, rankedMatches } from './search-matches.ts';
import { alternativesFor, candidatesFor, documentsOf, knownOf } from './search-vocabulary.ts';

/** The search index on PostgreSQL: our own words in tsvectors, and a vocabulary of them for spelling. */
export const createSearch = (db: Db, isIndexing: boolean, embedder: Embedder | null): SearchPort => {
  const { run } = db;
  const meaning = createMeaning(db, isIndexing, embedder);

  const position = async (on: Run = run): Promise<number> =>
    (await on<{ readonly position: number }>('SELECT position FROM progress'))[0]?.position ?? 0;

  // A second indexer waits for this row, and continues where the first one stopped.
  const writing = <T>(work: (on: Run) => Promise<T>, before = ''): Promise<T> =>
    isIndexing
      ? db.transaction(work, `${before}SELECT position FROM progress FOR UPDATE`)
      : Promise.reject(new StoreFault('read-only', `${db.name}: this connection does not write the index`));

  const maskingOf = async (on: Run = run): Promise<number> =>
    (await on<{ readonly masking: number }>('SELECT masking FROM progress'))[0]?.masking ?? MASKING_RULES;

  const clear = async (on: Run): Promise<void> => {
    for (const table of ['texts', 'text_parts', 'terms', 'unindexed', 'masked']) await on(`DELETE FROM ${table}`);
    await on('UPDATE progress SET position = 0, texts = 0, words = 0, masking = $1', [MASKING_RULES]);
    await meaning.clear(on);
  };

  const advance = async (on: Run, limit: number): Promise<number> => {
    const masking = await maskingOf(on);
    // SEC-24: a newer server of this board recognizes more secrets. What it left out must not come back through an older one.
    if (masking > MASKING_RULES) return 0;
    if (masking < MASKING_RULES) await clear(on);
    const rows = await on<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM entries WHERE position > $1 ORDER BY position LIMIT $2`, [
      await position(on),
      limit,
    ]);
    const last = rows.at(-1)?.position;
    if (last === undefined) return 0;
    const added = await indexRows(on, rows);
    await on('UPDATE progress SET position = $1, texts = texts + $2, words = words + $3', [last, added.texts, added.words]);
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
    for (const table of ['texts', 'text_parts', 'unindexed', 'masked'])
      await on(`DELETE FROM ${table} WHERE position = ANY($1::bigint[])`, [positions]);
  };

  const find = async (query: SearchQuery): Promise<SearchAnswer> => {
    const parsed = parseQuery(query.text);
    // SEC-24: an index made by older rules isn't queried; it is rebuilt.
    if ((await maskingOf()) < MASKING_RULES)
      return { hits: [], next: null, order: 'newest', corrected: NONE, loosened: null, asked: parsed, alternatives: NONE, isComplete: false };
    const [{ corrected, counted }, [state = NOTHING_INDEXED]] = await Promise.all([
      alternativesFor(run, parsed),
      run<IndexState>('SELECT texts, words, position >= (SELECT coalesce(max(e.position), 0) FROM entries e) AS is_complete FROM progress'),
    ]);
    const { isComplete } = state;
    const matches = matchesOf(parsed, corrected);
    const told = { corrected, loosened: null, asked: parsed, alternatives: corrected, isComplete };
    if (matches === null) return { hits: [], next: null, order: 'newest', ...told };
    const manner = mannerOf(query.cursor);
    if (manner === 'most' || manner === 'whole') {
      const loosely = await findLoosely(query, corrected, counted, state, manner);
      return loosely === null ? { hits: [], next: null, order: 'relevance', ...told } : { ...loosely, isComplete };
    }
    const options = rankedOptions(parsed, corrected);
    const known = await knownOf(run, options, counted);
    const isCommon = isVeryCommon(parsed, corrected, known.documents);
    const order = orderOf(query.cursor, isCommon);
    const hasExact = parsed.clauses.some((clause) => clause.kind === 'phrase' && clause.exact !== null);
    const page: Page = {
      ...query,
      exactAmong: (positions) => (hasExact ? fittingAmong(run, positions, (text) => fitsExactly(text, parsed)) : Promise.resolve(positions)),
    };
    const { ranked, next } =
      order === 'newest'
        ? await newestPage(page, async (below, most) => {
            const { sql, values } = matches.newest(query.filters, below, most);
            return (await run<Ranked>(sql, values)).map(({ position }) => position);
          })
        : await rankedPage(page, await rankedMatches(run, matches, query.filters, options, known, state));
    if (manner === null && !(ranked.length > 0 && isCommon)) {
      const loosely = await findLoosely(query, corrected, counted, state, ranked.length > 0 ? 'whole' : 'most');
      if (loosely !== null) return { ...loosely, isComplete };
    }
    return { hits: await hitsOf(run, ranked), next, order, ...told };
  };

  /** FIND-40: for a query that finds nothing as typed, or that is ambiguous. Null if it is neither, or if the relaxed query finds nothing either. */
  const findLoosely = async (
    { text, filters, cursor, limit }: SearchQuery,
    corrected: Alternatives,
    counted: ReadonlyMap<string, number>,
    state: Collection,
    manner: 'most' | 'whole',
  ): Promise<Omit<SearchAnswer, 'isComplete'> | null> => {
    const asked = wordsToCount(text).filter((word) => !counted.has(word));
    const known = new Map([...counted, ...(asked.length === 0 ? [] : await documentsOf(run, asked))]);
    const counts = (word: string): number => known.get(word) ?? 0;
    const meant = new Map<string, readonly string[]>();
    for (const word of rareWordsOf(text, counts)) {
      const near = await candidatesFor(run, word);
      const found = meantBy(word, counts, near);
      if (found.length > 0) meant.set(word, found);
      for (const { term, documents } of near) known.set(term, documents);
    }
    if (manner === 'whole' && !isAmbiguous(text, counts, meant)) return null;
    const loose = loosen(text, counts, corrected, meant, manner === 'whole');
    if (loose === null) return null;
    const ranked = await looseMatches(run, loose, filters, counts, state);
    const page: Page = {
      cursor,
      limit,
      exactAmong: (positions) => (needsText(loose) ? fittingAmong(run, positions, (one) => fitsLoosely(one, loose)) : Promise.resolve(positions)),
    };
    const found = await rankedPage(page, ranked, CURSORS[manner]);
    if (found.ranked.length === 0 && cursor === null) return null;
    return { hits: await hitsOf(run, found.ranked), next: found.next, ...looseAnswer(loose, new Map([...corrected, ...meant])) };
  };

  const masked = async (query: MaskedQuery): Promise<readonly SearchHit[]> => {
    if ((await maskingOf()) < MASKING_RULES) return [];
    const { sql, values } = maskedStatement(query);
    const rows = await run<{ readonly position: number }>(sql, values);
    return hitsOf(
      run,
      rows.map(({ position: at }) => ({ position: at, score: 0 })),
    );
  };

  return {
    find: createAsking({ words: find, meaning, textsAt: (positions) => textsAt(run, positions) }),
    meaning,
    masked,
    position: () => position(),
    unindexed: async () => ({
      count: (await run<{ readonly n: number }>('SELECT count(*)::int AS n FROM unindexed'))[0]?.n ?? 0,
      first: await run<Unindexed>('SELECT position, why FROM unindexed ORDER BY position LIMIT $1', [FEW_LEFT]),
    }),
    // STORE-61: entries that a crash removes from the index are read from the log again. A waiting commit must not wait for this one to reach the
    // disk.
    advance: (limit) => writing((on) => advance(on, limit), 'SET LOCAL synchronous_commit = off; '),
    // The vocabulary is written together with the texts.
    settle: () => Promise.resolve(),
    clear: () => writing(clear),
    drop: async (positions) => {
      await writing(async (on) => {
        await drop(on, positions);
        await meaning.drop(on, positions);
      });
      // Until then, the words are still in the tables' files.
      for (const table of ['texts', 'text_parts', 'terms', 'meaning_pieces', 'meaning_vectors']) await run(`VACUUM ${table}`);
    },
  };
};

const NONE: Alternatives = new Map();

type IndexState = Collection & { readonly isComplete: boolean };
const NOTHING_INDEXED: IndexState = { texts: 0, words: 0, isComplete: false };

type Page = {
  readonly cursor: string | null;
  readonly limit: number;
  readonly exactAmong: (positions: readonly number[]) => Promise<readonly number[]>;
};
type Found<R extends Ranked> = { readonly ranked: readonly R[]; readonly next: string | null };

/** Continues after a number of hits: ranks change with every new text. */
const rankedPage = async <R extends Ranked>({ cursor, limit, exactAmong }: Page, all: readonly R[], manner = 'r'): Promise<Found<R>> => {
  const ranked: R[] = [];
  for (let at = startOf(cursor) ?? 0; at < all.length;) {
    const some = all.slice(at, at + Math.max(limit, EXACT_STEP));
    const fitting = new Set(await exactAmong(some.map(({ position }) => position)));
    for (const one of some) {
      if (ranked.length === limit) return { ranked, next: `${manner}${at}` };
      at += 1;
      if (fitting.has(one.position)) ranked.push(one);
    }
  }
  return { ranked, next: null };
};

/** Continues below a position. */
const newestPage = async (
  { cursor, limit, exactAmong }: Page,
  below: (position: number, most: number) => Promise<readonly number[]>,
): Promise<Found<Ranked>> => {
  const ranked: Ranked[] = [];
  for (let at = startOf(cursor) ?? Number.MAX_SAFE_INTEGER; ;) {
    const most = Math.max(limit + 1, EXACT_STEP);
    const some = await below(at, most);
    const fitting = new Set(await exactAmong(some));
    for (const position of some) {
      if (ranked.length === limit) return { ranked, next: `n${ranked.at(-1)?.position ?? 0}` };
      at = position;
      if (fitting.has(position)) ranked.push({ position, score: 0 });
    }
    if (some.length < most) return { ranked, next: null };
  }
};

const textsAt = async (run: Run, positions: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const sources = await run<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM entries WHERE position = ANY($1::bigint[])`, [positions]);
  return new Map(Array.from(await textsOf(run, sources), ([position, read]) => [position, read().text]));
};

const fittingAmong = async (run: Run, positions: readonly number[], fits: (text: string) => boolean): Promise<readonly number[]> => {
  const texts = await textsAt(run, positions);
  return positions.filter((position) => fits(texts.get(position) ?? ''));
};

const hitsOf = async (run: Run, ranked: readonly (Ranked & { readonly covered?: number })[]): Promise<readonly SearchHit[]> => {
  const rows = await run<{ readonly position: number; readonly session: string; readonly agent: string | null }>(
    'SELECT e.position, e.session, m.agent FROM entries e LEFT JOIN messages m ON m.position = e.position WHERE e.position = ANY($1::bigint[])',
    [ranked.map(({ position }) => position)],
  );
  const places = new Map(rows.map((row) => [row.position, row]));
  return ranked.flatMap(({ position, score, covered }) => {
    const place = places.get(position);
    if (place === undefined) return [];
    return [{ position, sessionId: place.session, agentId: place.agent, score, ...(covered === undefined ? {} : { covered }) }];
  });
};

const FEW_LEFT = 20;
const EXACT_STEP = 100;
