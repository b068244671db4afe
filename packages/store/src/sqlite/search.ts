import { rmSync } from 'node:fs';
import { MASKING_RULES } from '@yarnboard/domain';
import { isVeryCommon, orderOf } from '../search/alternatives.ts';
import type { SearchAnswer, SearchPort, SearchQuery, Unindexed } from '../search/port.ts';
import { parseQuery, toFts5 } from '../search/query.ts';
import { fitsExactly } from '../search/snippet.ts';
import { sourceTextOf, type SourceText } from '../search/source.ts';
import { indexText } from '../search/whole.ts';
import { indexable, wordsOf } from '../search/words.ts';
import { StoreFault } from '../port.ts';
import { faulty, openDatabase, type Db } from './database.ts';
import type { Names } from './names.ts';
import type { Payloads } from './payloads.ts';
import { maskedAmong, pageOf } from './search-matches.ts';
import { SEARCH_MIGRATIONS } from './search-schema.ts';
import { addTerms, alternativesFor, documentsWith, settleVocabulary } from './search-vocabulary.ts';

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

  const textOf = (row: SourceRow): SourceText => {
    if (row.copyOf !== null || row.hash === null) return { text: '', isMasked: false };
    return sourceTextOf({ ...row, type: names.textOf(row.type) }, payloads.get(row.hash));
  };

  const progress = (on = opened()): Progress => on.prepare<[], Progress>('SELECT position, masking FROM progress').get() ?? NO_PROGRESS;

  const advance = (limit: number): number => {
    const index = opened();
    const insert = index.prepare<[number, string]>('INSERT INTO texts (rowid, text) VALUES (?, ?)');
    const mark = index.prepare<[number]>('INSERT OR IGNORE INTO masked (position) VALUES (?)');
    const leave = index.prepare<[number, string]>('INSERT OR REPLACE INTO unindexed (position, why) VALUES (?, ?)');
    const rows = textsAfter.all(progress().position, limit);
    const last = rows.at(-1)?.position;
    if (last === undefined) return 0;
    index
      .transaction(() => {
        const isFew = rows.length <= FEW;
        for (const row of rows) {
          const left = indexText(
            row.position,
            () => {
              const { text, isMasked } = textOf(row);
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
    // SEC-24: nobody asks an index that was made by other rules. It is made again.
    if (masking !== MASKING_RULES) return { hits: [], next: null, order: 'newest', corrected: new Map(), isComplete: false };
    const documents = documentsWith(index);
    const corrected = alternativesFor(index, parsed, documents);
    const expression = toFts5(parsed, corrected);
    const isComplete = position >= (highest.get()?.n ?? 0);
    if (expression === null) return { hits: [], next: null, order: 'newest', corrected, isComplete };
    const order = orderOf(query.cursor, isVeryCommon(parsed, corrected, documents));
    const hasExact = parsed.clauses.some((clause) => clause.kind === 'phrase' && clause.exact !== null);
    const isExact = (at: number): boolean => {
      if (!hasExact) return true;
      const row = textAt.get(at);
      return row !== undefined && fitsExactly(textOf(row).text, parsed);
    };
    const page = pageOf({ index, names, expression, filters: query.filters, order, cursor: query.cursor, limit: query.limit, isExact });
    return { ...page, order, corrected, isComplete };
  };

  const run = <T>(work: () => T): Promise<T> => Promise.resolve().then(() => faulty(path, work));

  return {
    find: (query) => run(() => find(query)),
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
      }),
    drop: (positions) =>
      run(() => {
        const index = opened();
        for (const table of ['unindexed', 'masked']) {
          const forget = index.prepare<[number]>(`DELETE FROM ${table} WHERE position = ?`);
          positions.forEach((position) => forget.run(position));
        }
        const isThere = index.prepare<[number]>('SELECT 1 FROM texts_docsize WHERE id = ?');
        const there = positions.filter((position) => isThere.get(position) !== undefined);
        if (there.length > 0) {
          const remove = index.prepare<[number]>('DELETE FROM texts WHERE rowid = ?');
          // All or nothing: after a crash in between the index is as it was, and the call is repeated.
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
