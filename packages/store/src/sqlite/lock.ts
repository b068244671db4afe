import { faulty, makePrivateFile } from './database.ts';
import { sqliteModule } from './module.ts';

export type FileLock = { readonly release: () => void };

/**
 * A lock on a file, or null if another process holds it. It is an operating-system lock, held through SQLite, so it ends with the process, however
 * that ends: no stale file ever stands in the way.
 */
export const lockFile = async (path: string): Promise<FileLock | null> => {
  // HOME-1: anyone who can read it can hold a lock on it.
  makePrivateFile(path);
  const db = new (sqliteModule())(path, { timeout: 0 });
  try {
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    if (String((cause as { readonly code?: unknown }).code).startsWith('SQLITE_BUSY')) return null;
    return faulty(path, () => {
      throw cause;
    });
  }
  return {
    release: () => {
      db.exec('ROLLBACK');
      db.close();
    },
  };
};
