export type FileLock = { readonly release: () => void };

/**
 * A lock on a file, or null when another process holds it. It is one of the operating system's, held through SQLite, so that it ends with the
 * process however that ends: no stale file ever stands in the way.
 */
export const lockFile = async (path: string): Promise<FileLock | null> => {
  // Loaded here: what needs no database must run where it could not be installed.
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(path, { timeout: 0 });
  try {
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    if (String((cause as { readonly code?: unknown }).code).startsWith('SQLITE_BUSY')) return null;
    throw cause;
  }
  return {
    release: () => {
      db.exec('ROLLBACK');
      db.close();
    },
  };
};
