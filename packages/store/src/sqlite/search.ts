import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MASKING_RULES } from '@yarnboard/domain';
import { isVeryCommon, mannerOf, orderOf, type Documents } from '../search/alternatives.ts';
import { createAsking } from '../search/meaning/hybrid.ts';
import { fitsLoosely, looseAnswer, loosePage, needsText } from '../search/loose-page.ts';
import type { LooseRanked } from '../search/loose-rank.ts';
import { isAmbiguous, loosen, meantBy, rareWordsOf } from '../search/loose.ts';
import type { SearchAnswer, SearchHit, SearchPort, SearchQuery, Unindexed } from '../search/port.ts';
import { parseQuery, toFts5, type Alternatives } from '../search/query.ts';
import { fitsExactly } from '../search/snippet.ts';
import { sourceTextOf, type SourceText } from '../search/source.ts';
import { indexText } from '../search/whole.ts';
import { indexable, wordsOf } from '../search/words.ts';
import { StoreFault } from '../port.ts';
import { faulty, openDatabase, type Db } from './database.ts';
import { createMeaning } from './meaning.ts';
import type { Names } from './names.ts';
import { PAYLOAD_COLUMNS, WITH_PAYLOADS, type PayloadRow, type Payloads } from './payloads.ts';
import { looseMatches } from './search-loose.ts';
import { maskedAmong, pageOf } from './search-matches.ts';
import type { SearchParts } from './search-parts.ts';
import { SEARCH_MIGRATIONS } from './search-schema.ts';
import { addTerms, alternativesFor, documentsWith, nearTo, settleVocabulary } from './search-vocabulary.ts';

/** The search index on SQLite: FTS5 over all text, and a vocabulary of its words for spelling. */
export const createSearch = (parts: SearchParts): SearchPort & { readonly close: () => void } => {
  const { path, board, payloads, names } = parts;
  let db: Db | null = null;
  let reader: Db | null = null;
  const opened = (): Db => (db ??= openIndex(parts));
  // Queries read the board's tables too. Never on the writer's connection: its transactions would lock the board as well.
  const finding = (): Db => {
    if (parts.isIndexing) opened();
    return (reader ??= openFinder(parts));
  };

  const sources = createSources(board, names, payloads);
  const highest = board.prepare<[], { readonly n: number | null }>('SELECT max(position) AS n FROM entries');

  const progress = (on = opened()): Progress => on.prepare<[], Progress>('SELECT position, masking FROM progress').get() ?? NO_PROGRESS;

  const advance = (limit: number): number => {
    const index = opened();
    const insert = index.prepare<[number, string]>('INSERT INTO texts (rowid, text) VALUES (?, ?)');
    const mark = index.prepare<[number]>('INSERT OR IGNORE INTO masked (position) VALUES (?)');
    const leave = index.prepare<[number, string]>('INSERT OR REPLACE INTO unindexed (position, why) VALUES (?, ?)');
    const rows = sources.after(progress().position, limit);
    const last = rows.at(-1)?.position;
    if (last === undefined) return 0;
    index
      .transaction(() => {
        const isFew = rows.length <= FEW;
        for (const row of rows) {
          const left = indexText(
            row.position,
            () => {
              const { text, isMasked } = sources.textOf(row);
              if (isMasked) mark.run(row.position);
              return text;
            },
            (text) => {
              insert.run(row.position, indexable(text));
              if (isFew) addTerms(index, wordsOf(text));
            },
          );
          if (left !== null) leave.run(left.position, left.why);
        }
        index.prepare<[number, number]>('UPDATE progress SET position = ?, is_stale = max(is_stale, ?)').run(last, isFew ? 0 : 1);
      })
      .immediate();
    return rows.length;
  };

  const find = (query: SearchQuery): SearchAnswer => {
    const index = finding();
    const parsed = parseQuery(query.text);
    const { position, masking } = progress(index);
    // SEC-24: an index made by other rules isn't queried; it is rebuilt.
    if (masking !== MASKING_RULES)
      return { hits: [], next: null, order: 'newest', corrected: NONE, loosened: null, asked: parsed, alternatives: NONE, isComplete: false };
    const documents = documentsWith(index);
    const corrected = alternativesFor(index, parsed, documents);
    const expression = toFts5(parsed, corrected);
    const isComplete = position >= (highest.get()?.n ?? 0);
    const told = { corrected, loosened: null, asked: parsed, alternatives: corrected, isComplete };
    if (expression === null) return { hits: [], next: null, order: 'newest', ...told };
    const manner = mannerOf(query.cursor);
    const isCommon = isVeryCommon(parsed, corrected, documents);
    const order = orderOf(query.cursor, isCommon);
    const hasExact = parsed.clauses.some((clause) => clause.kind === 'phrase' && clause.exact !== null);
    const isExact = (at: number): boolean => {
      if (!hasExact) return true;
      const row = sources.at(at);
      return row !== null && fitsExactly(sources.textOf(row).text, parsed);
    };
    const strict =
      manner === null || manner === 'strict'
        ? pageOf({ index, names, expression, filters: query.filters, order, cursor: query.cursor, limit: query.limit, isExact })
        : { hits: [], next: null };
    if (manner === 'strict' || (strict.hits.length > 0 && isCommon)) return { ...strict, order, ...told };
    const loosely = findLoosely(index, query, documents, corrected, manner ?? (strict.hits.length > 0 ? 'whole' : 'most'));
    return loosely === null ? { ...strict, order, ...told } : { ...loosely, isComplete };
  };

  /** FIND-40: for a query that finds nothing as typed, or that is ambiguous. Null if it is neither, or if the relaxed query finds nothing either. */
  const findLoosely = (
    index: Db,
    { text, filters, cursor, limit }: SearchQuery,
    documents: Documents,
    corrected: Alternatives,
    manner: 'most' | 'whole',
  ): Omit<SearchAnswer, 'isComplete'> | null => {
    const counts = (word: string): number => documents(word, false);
    const meant = new Map(
      rareWordsOf(text, counts).flatMap((word) => {
        const found = meantBy(word, counts, nearTo(index, word, documents));
        return found.length === 0 ? [] : [[word, found] as const];
      }),
    );
    if (manner === 'whole' && !isAmbiguous(text, counts, meant)) return null;
    const loose = loosen(text, counts, corrected, meant, manner === 'whole');
    if (loose === null) return null;
    const isExact = (position: number): boolean => {
      const row = sources.at(position);
      return row !== null && fitsLoosely(sources.textOf(row).text, loose);
    };
    const ranked = looseMatches(index, names, loose, filters, counts);
    const { page, next } = loosePage(ranked, cursor, limit, manner, needsText(loose) ? isExact : () => true);
    if (page.length === 0 && cursor === null) return null;
    return { hits: placed(index, page), next, ...looseAnswer(loose, new Map([...corrected, ...meant])) };
  };

  const placed = (index: Db, ranked: readonly LooseRanked[]): readonly SearchHit[] => {
    const place = index.prepare<[number], { readonly session: number; readonly agent: number | null }>(
      'SELECT e.session, m.agent FROM board.entries e LEFT JOIN board.messages m ON m.position = e.position WHERE e.position = ?',
    );
    return ranked.flatMap(({ position, score, covered }) => {
      const row = place.get(position);
      if (row === undefined) return [];
      return [{ position, sessionId: names.textOf(row.session), agentId: row.agent === null ? null : names.textOf(row.agent), score, covered }];
    });
  };

  const textsAt = (positions: readonly number[]): ReadonlyMap<number, string> =>
    new Map(
      positions.flatMap((position) => {
        const row = sources.at(position);
        return row === null ? [] : [[position, sources.textOf(row).text] as const];
      }),
    );

  const meaning = createMeaning({ ...parts, path: join(dirname(path), 'meaning.db') });

  const run = <T>(work: () => T): Promise<T> => Promise.resolve().then(() => faulty(path, work));

  return {
    find: createAsking({ words: (query) => run(() => find(query)), meaning, textsAt: (positions) => run(() => textsAt(positions)) }),
    meaning,
    masked: (query) =>
      run(() => {
        const index = finding();
        return progress(index).masking === MASKING_RULES ? maskedAmong(index, names, query) : [];
      }),
    position: () => run(() => progress().position),
    unindexed: () =>
      run(() => ({
        count: opened().prepare<[], number>('SELECT count(*) FROM unindexed').pluck().get() ?? 0,
        first: opened().prepare<[number], Unindexed>('SELECT position, why FROM unindexed ORDER BY position LIMIT ?').all(FEW_LEFT),
      })),
    advance: (limit) => run(() => advance(limit)),
    settle: () => run(() => settleVocabulary(opened())),
    clear: () =>
      run(() => {
        empty(opened());
        meaning.clear();
      }),
    drop: (positions) =>
      run(() => {
        meaning.drop(positions);
        const index = opened();
        for (const table of ['unindexed', 'masked']) {
          const forget = index.prepare<[number]>(`DELETE FROM ${table} WHERE position = ?`);
          positions.forEach((position) => forget.run(position));
        }
        const isThere = index.prepare<[number]>('SELECT 1 FROM texts_docsize WHERE id = ?');
        const there = positions.filter((position) => isThere.get(position) !== undefined);
        if (there.length > 0) {
          const remove = index.prepare<[number]>('DELETE FROM texts WHERE rowid = ?');
          // All or nothing: after a crash in between, the index is unchanged, and the call is repeated.
          index
            .transaction(() => {
              there.forEach((position) => remove.run(position));
              // Until segments are merged, the words are still in the file.
              index.exec("INSERT INTO texts (texts) VALUES ('optimize')");
              index.exec("INSERT INTO term_parts (term_parts) VALUES ('delete-all'); DELETE FROM terms; UPDATE progress SET is_stale = 1;");
            })
            .immediate();
          settleVocabulary(index);
        }
        index.pragma('wal_checkpoint(TRUNCATE)');
      }),
    close: () => {
      meaning.close();
      db?.close();
      reader?.close();
      db = null;
      reader = null;
    },
  };
};

/** The texts by which entries are found. */
export type Sources = {
  readonly at: (position: number) => SourceRow | null;
  readonly after: (position: number, limit: number) => readonly SourceRow[];
  readonly textOf: (row: SourceRow) => SourceText;
};

export const createSources = (board: Db, names: Names, payloads: Payloads): Sources => {
  const one = board.prepare<[number], SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM ${WITH_PAYLOADS} WHERE e.position = ?`);
  const some = board.prepare<[number, number], SourceRow>(
    `SELECT ${SOURCE_COLUMNS} FROM ${WITH_PAYLOADS} WHERE e.position > ? ORDER BY e.position LIMIT ?`,
  );
  return {
    at: (position) => one.get(position) ?? null,
    after: (position, limit) => some.all(position, limit),
    textOf: (row) => {
      if (row.copyOf !== null || row.hash === null) return { text: '', isMasked: false };
      return sourceTextOf({ ...row, type: names.textOf(row.type) }, payloads.of(row));
    },
  };
};

export type SourceRow = PayloadRow & {
  readonly position: number;
  readonly note: string | null;
  readonly type: number;
  readonly copyOf: number | null;
};
const NONE: Alternatives = new Map();

type Progress = { readonly position: number; readonly masking: number };
const NO_PROGRESS: Progress = { position: 0, masking: MASKING_RULES };

/** Emptied, not deleted: other connections keep reading this file. */
const empty = (index: Db): void => {
  index
    .transaction(() => {
      for (const table of ['texts', 'term_parts']) index.exec(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
      index.exec('DELETE FROM terms; DELETE FROM unindexed; DELETE FROM masked');
      index.prepare<[number]>('UPDATE progress SET position = 0, is_stale = 0, masking = ?').run(MASKING_RULES);
    })
    .immediate();
};

const SOURCE_COLUMNS = `e.position, e.note, e.type, e.copy_of AS copyOf, ${PAYLOAD_COLUMNS}`;

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
    index.pragma('synchronous = NORMAL'); // it can be filled again: losing its last moments in a power cut costs nothing
    const known = index.prepare<[], { readonly board: string; readonly position: number }>('SELECT board, position FROM progress').get();
    const highest = board.prepare<[], number | null>('SELECT max(position) FROM entries').pluck().get() ?? 0;
    if (known !== undefined && (known.board !== boardId || known.position > highest)) {
      // The index of another board, or of an earlier state of this one: the database was restored or replaced.
      index.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
      index = open();
    }
    index
      .prepare<[string, number]>('INSERT OR IGNORE INTO progress (only, board, position, is_stale, masking) VALUES (1, ?, 0, 0, ?)')
      .run(boardId, MASKING_RULES);
    if (index.prepare<[], number>('SELECT masking FROM progress').pluck().get() !== MASKING_RULES) empty(index);
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

const FEW = 256;
const FEW_LEFT = 20;
