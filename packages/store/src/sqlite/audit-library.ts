import type { Damages } from '../audit.ts';
import type { Db } from './database.ts';
import { DERIVED_TABLES } from './library-schema.ts';
import { createLibraryWriter } from './library-write.ts';
import { createFolding, type FoldParts } from './rebuild.ts';

/**
 * VERIFY-4: the library is what the log folds to. It is folded again into temporary tables, which shadow the board's, and compared row by row.
 * Returns the number of rows.
 */
export const auditLibrary = (parts: Omit<FoldParts, 'library'>, damages: Damages): number => {
  const { db, names } = parts;
  listForgetful(db);
  makeTables(db);
  createFolding({ ...parts, library: createLibraryWriter(db, names) }).foldAll(() => {});
  let rows = 0;
  for (const table of DERIVED_TABLES) {
    rows += db.prepare<[], number>(`SELECT count(*) FROM main.${table}`).pluck().get() ?? 0;
    const keys = keysOf(db, table);
    const differing = (from: string, than: string): IterableIterator<Readonly<Record<string, unknown>>> =>
      db
        .prepare<[], Record<string, unknown>>(
          `SELECT * FROM (SELECT * FROM ${from}.${table} EXCEPT SELECT * FROM ${than}.${table}) WHERE ${comparable(table)}`,
        )
        .iterate();
    const placed = new Set<string>();
    for (const row of differing('main', 'temp')) {
      const where = placeOf(table, keys, row);
      placed.add(where);
      damages.add('library', table, where, 'is not what the log says');
    }
    for (const row of differing('temp', 'main')) {
      const where = placeOf(table, keys, row);
      if (!placed.has(where)) damages.add('library', table, where, 'is missing');
    }
  }
  return rows;
};

/**
 * Forgetting leaves the rows that its session was counted by, and a fold without the forgotten words would make different ones. Such sessions, and
 * those that share responses with them, stay as they were at that time.
 */
const listForgetful = (db: Db): void => {
  db.exec(`
    CREATE TEMP TABLE forgetful (session INTEGER PRIMARY KEY);
    WITH RECURSIVE kin (session) AS (
      SELECT DISTINCT e.session FROM main.payloads p JOIN main.entries e ON e.payload_hash = p.hash WHERE p.pack IS NULL
      UNION SELECT CASE WHEN l.session = kin.session THEN l.source ELSE l.session END FROM kin JOIN main.links l ON kin.session IN (l.session, l.source)
    ) INSERT INTO forgetful SELECT session FROM kin;
  `);
};

const comparable = (table: (typeof DERIVED_TABLES)[number]): string => {
  if (table === 'summaries') return 'position NOT IN (SELECT position FROM main.entries WHERE session IN (SELECT session FROM forgetful))';
  return `${table === 'sessions' ? 'name' : 'session'} NOT IN (SELECT session FROM forgetful)`;
};

const makeTables = (db: Db): void => {
  const listed = DERIVED_TABLES.map((table) => `'${table}'`).join(', ');
  const made = db
    .prepare<[], { readonly type: string; readonly sql: string }>(
      `SELECT type, sql FROM main.sqlite_schema WHERE tbl_name IN (${listed}) AND sql IS NOT NULL ORDER BY type = 'index'`,
    )
    .all();
  for (const { type, sql } of made)
    db.exec(type === 'table' ? sql.replace('CREATE TABLE ', 'CREATE TEMP TABLE ') : sql.replace('INDEX ', 'INDEX temp.'));
};

const keysOf = (db: Db, table: string): readonly string[] =>
  db.prepare<[string], string>("SELECT name FROM pragma_table_info(?, 'main') WHERE pk > 0 ORDER BY pk").pluck().all(table);

const placeOf = (table: string, keys: readonly string[], row: Readonly<Record<string, unknown>>): string =>
  `${table}, ${keys.map((key) => `${key} ${String(row[key])}`).join(', ')}`;
