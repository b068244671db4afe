import { existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import type { PriceTable } from '@yarnboard/transcript';
import { createDamages, type Audit, type Damages } from '../audit.ts';
import { openDatabase, versionIn, type Db } from './database.ts';
import { auditLibrary } from './audit-library.ts';
import { auditLog } from './audit-log.ts';
import { auditMeaning } from './audit-meaning.ts';
import { auditSearch } from './audit-search.ts';
import { sqliteModule } from './module.ts';
import { MEANING_MIGRATIONS } from './meaning-schema.ts';
import { createNames } from './names.ts';
import { createPayloads } from './payloads.ts';
import { MIGRATIONS } from './schema.ts';
import { SEALED_COLUMNS, sealOf } from './seal.ts';
import { SEARCH_MIGRATIONS } from './search-schema.ts';
import type { Migration } from '../migration.ts';

export type AuditParts = {
  readonly path: string;
  readonly searchPath: string;
  readonly meaningPath: string;
  readonly boardId: string;
  readonly prices: PriceTable;
};

/**
 * VERIFY-1: checks everything of a board that its chain doesn't prove. It uses its own connection and sees one snapshot of the board, whatever is
 * written in the meantime. It changes nothing: what is folded again goes into temporary tables.
 */
export const auditBoard = (parts: AuditParts): Audit => {
  const damages = createDamages();
  return auditWith(beginIndexes(parts, damages), parts, damages);
};

/** The indexes of a board, each with its snapshot taken. */
export type BegunIndexes = { readonly search: Db | null; readonly meaning: Db | null };

/** VERIFY-9: comes before anything of the board is read. An index whose snapshot is later than its log's would seem to be ahead of it. */
export const beginIndexes = ({ searchPath, meaningPath }: Pick<AuditParts, 'searchPath' | 'meaningPath'>, damages: Damages): BegunIndexes => ({
  search: existsSync(searchPath) ? damages.attempt('search', searchPath, () => beginIndex(searchPath, SEARCH_MIGRATIONS)) : null,
  meaning: existsSync(meaningPath)
    ? damages.attempt('search', meaningPath, () =>
        // MEAN-15: one of another version is passed over, and made anew.
        versionIn(meaningPath) === MEANING_MIGRATIONS.at(-1)?.version ? beginIndex(meaningPath, MEANING_MIGRATIONS) : null,
      )
    : null,
});

const beginIndex = (path: string, migrations: readonly Migration[]): Db => {
  const index = openDatabase(path, { readOnly: true, migrations });
  try {
    foldInFile(index);
    index.exec('BEGIN; SELECT 1 FROM sqlite_schema'); // the snapshot is taken by the first read, not by BEGIN
    return index;
  } catch (cause) {
    index.close();
    throw cause;
  }
};

/** Takes the board's snapshot, audits it with its indexes, and closes them. */
export const auditWith = (indexes: BegunIndexes, { path, searchPath, meaningPath, boardId, prices }: AuditParts, damages: Damages): Audit => {
  const { search, meaning } = indexes;
  const checked = { libraryRows: 0, searchTexts: 0, searchTextsOf: 0, media: 0 };
  let board: Db | null = null;
  try {
    const db = openDatabase(path, { readOnly: true });
    board = db;
    foldInFile(db);
    db.exec('BEGIN');
    const [names, payloads] = [createNames(db), createPayloads(db)];
    damages.attempt('database', path, () => auditDatabase(db, path, MIGRATIONS, damages));
    damages.attempt('log', 'entries', () => auditLog(db, names, damages));
    damages.attempt('files', 'files', () => auditFiles(db, damages));
    damages.attempt('media', 'media_uploads', () => {
      checked.media = auditMedia(db, damages);
    });
    damages.attempt('library', 'library', () => {
      checked.libraryRows = auditLibrary({ db, names, payloads, prices }, damages);
    });
    if (search !== null)
      damages.attempt('search', searchPath, () => {
        auditDatabase(search, searchPath, SEARCH_MIGRATIONS, damages, 'search');
        Object.assign(checked, auditSearch({ index: search, board: db, boardId, names, payloads }, damages));
      });
    if (meaning !== null)
      damages.attempt('search', meaningPath, () => {
        auditDatabase(meaning, meaningPath, MEANING_MIGRATIONS, damages, 'search');
        auditMeaning({ index: meaning, board: db, boardId, names, payloads }, damages);
      });
  } finally {
    for (const db of [board, search, meaning]) db?.close();
  }
  return { damages: damages.all(), checked };
};

/** What is rebuilt from a large board doesn't fit into memory. */
const foldInFile = (db: Db): void => {
  const bytes = Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }));
  if (bytes > MOST_IN_MEMORY) db.pragma('temp_store = FILE');
};

/** VERIFY-2: SQLite's own check of every page, row and index, and a comparison of the schema and its guards with the program's. */
const auditDatabase = (db: Db, path: string, migrations: readonly Migration[], damages: Damages, part: 'database' | 'search' = 'database'): void => {
  for (const [line] of db.prepare<[], readonly [string]>(`PRAGMA integrity_check(${MOST_LINES})`).raw().all())
    if (line !== 'ok') damages.add(part, `${part} check`, path, line);
  const wanted = schemaOf(migrations);
  const schema = readSchema(db);
  for (const [name, sql] of wanted)
    if (schema.get(name) !== sql) damages.add(part, `${part} schema`, `schema of ${name}`, schema.has(name) ? 'was changed' : 'is gone');
  for (const name of schema.keys()) if (!wanted.has(name)) damages.add(part, `${part} schema`, `schema of ${name}`, 'was added by something else');
};

const schemaOf = (migrations: readonly Migration[]): ReadonlyMap<string, string> => {
  const fresh = new (sqliteModule())(':memory:');
  try {
    fresh.function('yarnboard_seal', { varargs: true }, () => '');
    for (const { up } of migrations) fresh.exec(up);
    return readSchema(fresh);
  } finally {
    fresh.close();
  }
};

const readSchema = (db: Db): ReadonlyMap<string, string> =>
  new Map(
    db
      .prepare<[], readonly [string, string]>("SELECT name, coalesce(sql, '') FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
      .raw()
      .all(),
  );

/** VERIFY-6: the marks of how far each file was read are as written. */
const auditFiles = (db: Db, damages: Damages): void => {
  const rows = db.prepare<[], readonly unknown[]>(`SELECT ${SEALED_COLUMNS.join(', ')}, seal FROM files`).raw();
  for (const row of rows.iterate())
    if (sealOf(row.slice(0, -1)) !== row.at(-1))
      damages.add('files', 'files', `files, ${String(row[0])}`, 'how far it was read is not what was written down');
};

type Upload = { readonly id: string; readonly sha256: string | null; readonly size: number; readonly parts: number };

/** VERIFY-5: the bytes of every medium match its hash. */
const auditMedia = (db: Db, damages: Damages): number => {
  const uploads = db.prepare<[], Upload>('SELECT id, sha256, size, parts FROM media_uploads').all();
  const parts = db.prepare<[string], { readonly part: number; readonly bytes: Buffer }>(
    'SELECT part, bytes FROM media_parts WHERE upload = ? ORDER BY part',
  );
  for (const { id, sha256, size, parts: count } of uploads) {
    const where = `media_uploads, ${sha256 ?? id}`;
    const hash = createHash('sha256');
    let [bytes, next] = [0, 0];
    for (const part of parts.iterate(id)) {
      if (part.part !== next) damages.add('media', 'media_parts', where, `part ${next} is missing`);
      next = part.part + 1;
      bytes += part.bytes.length;
      hash.update(part.bytes);
    }
    if (next !== count || bytes !== size)
      damages.add('media', 'media_uploads', where, `has ${next} parts and ${bytes} bytes, and was written with ${count} and ${size}`);
    if (sha256 !== null && hash.digest('hex') !== sha256)
      damages.add('media', 'media_uploads', where, 'its bytes are not those it was uploaded with');
  }
  const strays = db.prepare<[], { readonly upload: string }>(
    'SELECT DISTINCT upload FROM media_parts WHERE upload NOT IN (SELECT id FROM media_uploads)',
  );
  for (const { upload } of strays.iterate()) damages.add('media', 'media_parts', `media_parts, ${upload}`, 'belongs to no upload');
  return uploads.length;
};

const MOST_LINES = 20;
const MOST_IN_MEMORY = 32 * 1024 * 1024;
