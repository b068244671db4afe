import { rmSync } from 'node:fs';
import { alternativesAmong, isTerm, isVeryCommon, MOST_CANDIDATES, orderOf, wordsIn } from '../search/alternatives.ts';
import type { SearchAnswer, SearchFilters, SearchHit, SearchPort, SearchQuery } from '../search/port.ts';
import { parseQuery, toFts5, type Query } from '../search/query.ts';
import { fitsExactly } from '../search/snippet.ts';
import { sourceTextOf } from '../search/source.ts';
import { trigramsOf } from '../search/spelling.ts';
import { indexable, wordsOf } from '../search/words.ts';
import { StoreFault } from '../port.ts';
import { storedOf } from '../stored-text.ts';
import { faulty, openDatabase, type Db } from './database.ts';
import type { Names } from './names.ts';
import type { Payloads } from './payloads.ts';
import { SEARCH_MIGRATIONS } from './search-schema.ts';

export type SearchParts = {
  readonly path: string;
  readonly boardPath: string;
  readonly boardId: string;
  readonly board: Db;
  readonly names: Names;
  readonly payloads: Payloads;
  /** Only one connection fills the index; all others read it. */
  readonly isIndexing: boolean;
};

/** The search index on SQLite: FTS5 over all text, and a vocabulary of its words for spelling. */
export const createSearch = (parts: SearchParts): SearchPort & { readonly close: () => void } => {
  const { path, board, payloads, names } = parts;
  let db: Db | null = null;
  let reader: Db | null = null;
  const opened = (): Db => (db ??= openIndex(parts));
  // Finding looks at the board's tables too. Never on the connection that writes: its transactions would lock the board as well.
  const finding = (): Db => {
    if (parts.isIndexing) opened();
    return (reader ??= openFinder(parts));
  };

  const textAt = board.prepare<[number], SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM entries WHERE position = ?`);
  const textsAfter = board.prepare<[number, number], SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM entries WHERE position > ? ORDER BY position LIMIT ?`);
  const highest = board.prepare<[], { readonly n: number | null }>('SELECT max(position) AS n FROM entries');

  const textOf = (row: SourceRow): string => {
    if (row.copyOf !== null || row.hash === null) return '';
    return sourceTextOf({ ...row, type: names.textOf(row.type) }, payloads.get(row.hash));
  };

  const progress = (): { readonly position: number; readonly isStale: number } =>
    opened().prepare<[], { readonly position: number; readonly isStale: number }>('SELECT position, is_stale AS isStale FROM progress').get() ?? {
      position: 0,
      isStale: 0,
    };

  const advance = (limit: number): number => {
    const index = opened();
    const insert = index.prepare<[number, string]>('INSERT INTO texts (rowid, text) VALUES (?, ?)');
    const rows = textsAfter.all(progress().position, limit);
    const last = rows.at(-1)?.position;
    if (last === undefined) return 0;
    index
      .transaction(() => {
        const isFew = rows.length <= FEW;
        for (const row of rows) {
          const text = textOf(row);
          if (text === '') continue;
          insert.run(row.position, indexable(text));
          if (isFew) addTerms(index, wordsOf(text));
        }
        index.prepare<[number, number]>('UPDATE progress SET position = ?, is_stale = max(is_stale, ?)').run(last, isFew ? 0 : 1);
      })
      .immediate();
    return rows.length;
  };

  const find = (query: SearchQuery): SearchAnswer => {
    const index = finding();
    const parsed = parseQuery(query.text);
    const corrected = alternativesFor(index, parsed);
    const expression = toFts5(parsed, corrected);
    const { position } = progress();
    const isComplete = position >= (highest.get()?.n ?? 0);
    if (expression === null) return { hits: [], next: null, order: 'newest', corrected, isComplete };
    const order = orderOf(query.cursor, isVeryCommon(parsed, corrected, documentsWith(index)));
    const hasExact = parsed.clauses.some((clause) => clause.kind === 'phrase' && clause.exact !== null);
    const isExact = (at: number): boolean => {
      if (!hasExact) return true;
      const row = textAt.get(at);
      return row !== undefined && fitsExactly(textOf(row), parsed);
    };
    const page = pageOf({ index, names, expression, filters: query.filters, order, cursor: query.cursor, limit: query.limit, isExact });
    return { ...page, order, corrected, isComplete };
  };

  const run = <T>(work: () => T): Promise<T> => Promise.resolve().then(() => faulty(path, work));

  return {
    find: (query) => run(() => find(query)),
    position: () => run(() => progress().position),
    advance: (limit) => run(() => advance(limit)),
    settle: () => run(() => settleVocabulary(opened())),
    clear: () =>
      run(() => {
        // Emptied, not deleted: whoever has it open goes on seeing this file.
        const index = opened();
        index
          .transaction(() => {
            for (const table of ['texts', 'term_parts']) index.exec(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
            index.exec('DELETE FROM terms; UPDATE progress SET position = 0, is_stale = 0');
          })
          .immediate();
      }),
    drop: (positions) =>
      run(() => {
        const index = opened();
        const isThere = index.prepare<[number]>('SELECT 1 FROM texts_docsize WHERE id = ?');
        const there = positions.filter((position) => isThere.get(position) !== undefined);
        if (there.length > 0) {
          const remove = index.prepare<[number]>('DELETE FROM texts WHERE rowid = ?');
          // All or nothing: whoever is killed in between finds it as it was, and asks again.
          index
            .transaction(() => {
              there.forEach((position) => remove.run(position));
              // Until segments are merged the words still stand in the file.
              index.exec("INSERT INTO texts (texts) VALUES ('optimize')");
              index.exec("INSERT INTO term_parts (term_parts) VALUES ('delete-all'); DELETE FROM terms; UPDATE progress SET is_stale = 1;");
            })
            .immediate();
          settleVocabulary(index);
        }
        index.pragma('wal_checkpoint(TRUNCATE)');
      }),
    close: () => {
      db?.close();
      reader?.close();
      db = null;
      reader = null;
    },
  };
};

type SourceRow = {
  readonly position: number;
  readonly hash: Buffer | null;
  readonly note: string | null;
  readonly type: number;
  readonly copyOf: number | null;
};
const SOURCE_COLUMNS = 'position, payload_hash AS hash, note, type, copy_of AS copyOf';

const openFinder = ({ path, boardPath }: SearchParts): Db => {
  const index = openDatabase(path, { readOnly: true, migrations: SEARCH_MIGRATIONS });
  index.prepare('ATTACH ? AS board').run(boardPath);
  return index;
};

const openIndex = ({ path, board, boardId, isIndexing }: SearchParts): Db => {
  const readOnly = !isIndexing;
  const open = (): Db => openDatabase(path, { readOnly, migrations: SEARCH_MIGRATIONS });
  let index = isIndexing ? openOrRemake(path, open) : open();
  if (isIndexing) {
    index.pragma('synchronous = NORMAL'); // it can be filled again: losing the last moments of it in a power cut costs nothing
    const known = index.prepare<[], { readonly board: string; readonly position: number }>('SELECT board, position FROM progress').get();
    const highest = board.prepare<[], number | null>('SELECT max(position) FROM entries').pluck().get() ?? 0;
    if (known !== undefined && (known.board !== boardId || known.position > highest)) {
      // The index of another board, or of what this one was before: a database was restored or exchanged under it.
      index.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
      index = open();
    }
    index.prepare<[string]>('INSERT OR IGNORE INTO progress (only, board, position, is_stale) VALUES (1, ?, 0, 0)').run(boardId);
  }
  return index;
};

const openOrRemake = (path: string, open: () => Db): Db => {
  try {
    return open();
  } catch (cause) {
    if (!(cause instanceof StoreFault) || cause.kind !== 'corrupt') throw cause;
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    return open();
  }
};

const addTerms = (index: Db, words: readonly string[]): void => {
  const insert = index.prepare<[string]>('INSERT OR IGNORE INTO terms (term) VALUES (?)');
  const part = index.prepare<[number, string]>("INSERT INTO term_parts (rowid, term) VALUES (?, '  ' || ? || ' ')");
  for (const word of new Set(words)) {
    if (!isTerm(word)) continue;
    const { changes, lastInsertRowid } = insert.run(word);
    if (changes > 0) part.run(Number(lastInsertRowid), word);
  }
};

const settleVocabulary = (index: Db): void => {
  if (index.prepare<[], { readonly s: number }>('SELECT is_stale AS s FROM progress').get()?.s !== 1) return;
  index
    .transaction(() => {
      const last = index.prepare<[], { readonly n: number | null }>('SELECT max(id) AS n FROM terms').get()?.n ?? 0;
      index.exec(`INSERT INTO terms (term) SELECT term FROM vocabulary WHERE length(term) BETWEEN 3 AND 40
        AND term NOT GLOB '*[0-9]*[0-9]*[0-9]*' AND NOT EXISTS (SELECT 1 FROM terms t WHERE t.term = vocabulary.term)`);
      index.prepare<[number]>("INSERT INTO term_parts (rowid, term) SELECT id, '  ' || term || ' ' FROM terms WHERE id > ?").run(last);
      index.exec('UPDATE progress SET is_stale = 0');
    })
    .immediate();
};

const documentsWith = (index: Db): ((term: string) => number) => {
  const select = index.prepare<[string], { readonly doc: number }>('SELECT doc FROM vocabulary WHERE term = ?');
  return (term) => select.get(term)?.doc ?? 0;
};

/** For words that are in no text: longer words that contain them, and words spelled almost the same. */
const alternativesFor = (index: Db, query: Query): ReadonlyMap<string, readonly string[]> => {
  const documents = documentsWith(index);
  const alternatives = new Map<string, readonly string[]>();
  for (const word of wordsIn(query)) {
    if (word.length < 3 || documents(word) > 0) continue;
    const near = candidatesFor(index, word).map((term) => ({ term, documents: documents(term) }));
    const found = alternativesAmong(word, near);
    if (found.length > 0) alternatives.set(word, found);
  }
  return alternatives;
};

const candidatesFor = (index: Db, word: string): readonly string[] => {
  const parts = trigramsOf(word);
  if (parts.length === 0) return [];
  const quoted = parts.map((part) => `"${part.replaceAll('"', '""')}"`);
  // Most trigrams in common first; an index without details has no rank of its own.
  const alike = index.prepare<unknown[], { readonly term: string }>(
    `SELECT t.term FROM (SELECT id, count(*) AS shared FROM (${quoted.map(() => 'SELECT rowid AS id FROM term_parts WHERE term_parts MATCH ?').join(' UNION ALL ')})
       GROUP BY id ORDER BY shared DESC, id LIMIT ?) c JOIN terms t ON t.id = c.id ORDER BY c.shared DESC, abs(length(t.term) - ?)`,
  );
  const all = index.prepare<[string, number], { readonly term: string }>(
    'SELECT t.term FROM term_parts p JOIN terms t ON t.id = p.rowid WHERE term_parts MATCH ? LIMIT ?',
  );
  // Without the spaces at its ends a word is a part of longer ones, too.
  const inside = quoted.filter((part) => !part.includes(' '));
  const containing = inside.length === 0 ? [] : all.all(inside.join(' AND '), MOST_CANDIDATES);
  return [...containing, ...alike.all(...quoted, MOST_CANDIDATES, word.length)].map(({ term }) => term);
};

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

// Newest first goes on below a position, relevance after a number of hits: ranks change with every text that comes in.
const pageOf = ({ index, names, expression, filters, order, cursor, limit, isExact }: PageQuery): Pick<SearchAnswer, 'hits' | 'next'> => {
  const { joins, wheres, values } = conditionsFor(filters, names);
  const start = Number.parseInt(cursor?.slice(1) ?? '', 10);
  const isNewest = order === 'newest';
  const below = isNewest && Number.isSafeInteger(start) ? start : Number.MAX_SAFE_INTEGER;
  let skip = !isNewest && Number.isSafeInteger(start) ? start : 0;
  // What somebody said goes before what the program noted about it: titles, queues and hooks repeat prompts.
  // What is said on the board itself is no record, and has no occurrence.
  const score = 'texts.rank * CASE WHEN m.number IS NULL AND e.occurrence IS NOT NULL THEN 0.6 ELSE 1 END';
  const sql = `SELECT texts.rowid AS position, ${isNewest ? '0' : score} AS score, e.session, m.agent FROM texts
    JOIN board.entries e ON e.position = texts.rowid LEFT JOIN board.messages m ON m.position = texts.rowid ${joins}
    WHERE texts MATCH ? AND texts.rowid < ? ${wheres} ORDER BY ${isNewest ? 'texts.rowid DESC' : 'score, texts.rowid DESC'}`;
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
        score: -row.score,
      });
    }
  }
  return { hits, next: null };
};

const conditionsFor = (
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
  if (filters.actor !== undefined) where('e.sender_type = ?', name(filters.actor));
  if (filters.model !== undefined) where('m.model = ?', name(filters.model));
  if (filters.since !== undefined) where('e.at >= ?', filters.since);
  if (filters.until !== undefined) where('e.at <= ?', filters.until);
  if (filters.hasError !== undefined) where('e.error_occurred = ?', filters.hasError ? 1 : 0);
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

const FEW = 256;
