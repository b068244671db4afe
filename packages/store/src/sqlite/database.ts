import { closeSync, existsSync, openSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { moveFor, readOnlyFault, stepsBetween, type Migration } from '../migration.ts';
import { StoreFault } from '../port.ts';
import { fullAdvice, IO_ADVICE, refusalOf, type Refusal } from './disk.ts';
import { sqliteModule } from './module.ts';
import { MIGRATIONS } from './schema.ts';
import { sealOf } from './seal.ts';

export type Db = Database.Database;

export type OpenOptions = {
  readonly readOnly?: boolean;
  /** How long to wait for another process that holds the lock. */
  readonly patience?: number;
  readonly migrations?: readonly Migration[];
  /** Migrates to this version of the schema; by default the newest. */
  readonly version?: number;
};

/** Opens a database file, asserts that commits are durable, and migrates the schema to the wanted version. */
export const openDatabase = (path: string, options: OpenOptions = {}): Db =>
  faulty(path, () => {
    const readOnly = options.readOnly === true;
    if (!readOnly) makePrivateFile(path);
    const db = new (sqliteModule())(path, { readonly: readOnly, fileMustExist: readOnly, timeout: options.patience ?? 5000 });
    try {
      if (!readOnly) {
        db.pragma('page_size = 8192');
        db.pragma('journal_mode = WAL');
        // STORE-2: it may be compiled so that WAL falls back to NORMAL, which doesn't sync on commit; so this must be asserted.
        db.pragma('synchronous = FULL');
        if (db.pragma('synchronous', { simple: true }) !== 2)
          throw new StoreFault('failed', `${path} does not sync its commits (synchronous is not FULL)`);
        // No effect elsewhere: macOS syncs only to the disk's own cache, unless asked for more.
        db.pragma('fullfsync = ON');
        db.pragma('checkpoint_fullfsync = ON');
        db.pragma('recursive_triggers = ON');
        db.pragma('secure_delete = ON');
        db.pragma('wal_autocheckpoint = 16000');
        db.pragma(`journal_size_limit = ${128 * 1024 * 1024}`);
      }
      db.pragma(`cache_size = ${readOnly ? -16384 : -65536}`);
      db.pragma('mmap_size = 0');
      db.pragma('temp_store = MEMORY');
      migrate(db, path, options.migrations ?? MIGRATIONS, options.version, readOnly);
      return db;
    } catch (cause) {
      db.close();
      throw cause;
    }
  });

/** Transcripts contain secrets: only the owner may read what is created here. SQLite gives its write-ahead log the same mode. */
export const makePrivateFile = (path: string): void => {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // A missing or read-only folder: the database reports it, with the path.
  }
};

/** The schema version of a file, without migrating it. */
export const versionIn = (path: string): number =>
  faulty(path, () => {
    const db = new (sqliteModule())(path, { readonly: true, fileMustExist: true });
    try {
      return schemaVersion(db);
    } finally {
      db.close();
    }
  });

const schemaVersion = (db: Db): number => Number(db.pragma('user_version', { simple: true }));

const migrate = (db: Db, path: string, migrations: readonly Migration[], wanted: number | undefined, readOnly: boolean): void => {
  const move = moveFor(path, migrations, schemaVersion(db), wanted, 'backup');
  if (!move.isNeeded) return;
  if (readOnly) throw readOnlyFault(path, move);
  db.function('yarnboard_seal', { varargs: true, deterministic: true }, (...row: unknown[]) => sealOf(row));
  // Several processes may open at once: the first to get the lock migrates, and the others find it done.
  db.transaction(() => {
    for (const step of stepsBetween(migrations, schemaVersion(db), move.to)) db.exec(step);
    db.pragma(`user_version = ${move.to}`);
  }).immediate();
};

/** Runs something on a database; its errors become a fault that names the file and says what to do. */
export const faulty = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (cause) {
    throw faultOf(path, cause);
  }
};

const faultOf = (path: string, cause: unknown): unknown => {
  if (cause instanceof StoreFault || !(cause instanceof Error)) return cause;
  const code = codeOf(cause);
  for (const [prefix, kind, advice] of FAULTS) {
    if (code.startsWith(prefix)) return new StoreFault(kind, `${path}: ${advice} (${cause.message})`, cause);
  }
  if (code.startsWith('SQLITE_FULL')) return new StoreFault('full', `${path}: ${fullAdvice(path)} (${cause.message})`, cause);
  for (const [prefix, otherwise] of ASKED_OF_THE_DISK) {
    if (!code.startsWith(prefix)) continue;
    const { kind, advice } = refusedFor(refusalOf(path), otherwise);
    return new StoreFault(kind, `${path}: ${advice} (${cause.message})`, cause);
  }
  return code.startsWith('SQLITE_') ? new StoreFault('failed', `${path}: ${cause.message}`, cause) : cause;
};

// Failures to open other than a lack of space are reported by SQLite as well as by the disk.
const refusedFor = (told: Refusal | null, otherwise: Refusal): Refusal =>
  told === null || (otherwise.kind === 'read-only' && told.kind !== 'full') ? otherwise : told;

/** Whether the disk failed under SQLite: a commit may be on it nevertheless. */
export const isDiskError = (cause: unknown): boolean => cause instanceof Error && codeOf(cause).startsWith('SQLITE_IOERR');

const codeOf = (cause: Error): string => ('code' in cause ? String(cause.code) : '');

const ASKED_OF_THE_DISK: readonly (readonly [prefix: string, otherwise: Refusal])[] = [
  ['SQLITE_IOERR', { kind: 'io', advice: IO_ADVICE }],
  ['SQLITE_CANTOPEN', { kind: 'read-only', advice: 'cannot be opened or created here. Check the folder and its permissions' }],
];

const FAULTS = [
  ['SQLITE_BUSY', 'locked', 'another process holds the database. Stop it, or wait until it is done'],
  ['SQLITE_LOCKED', 'locked', 'another process holds the database. Stop it, or wait until it is done'],
  ['SQLITE_READONLY', 'read-only', 'the file or its file system is read-only, so nothing was written'],
  ['SQLITE_CORRUPT', 'corrupt', 'the file is damaged, and nothing was overwritten. Keep it, and restore a backup with `yarnboard restore`'],
  [
    'SQLITE_NOTADB',
    'corrupt',
    'the file is not a database, or its first page is damaged. Nothing was overwritten. Restore a backup with `yarnboard restore`',
  ],
] as const;
