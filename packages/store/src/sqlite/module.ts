import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';

/**
 * Loaded when a database is opened: code that needs none must run where it couldn't be installed. `YARNBOARD_SQLITE` names one that was built
 * elsewhere.
 */
export const sqliteModule = (): typeof Database => {
  const named = process.env['YARNBOARD_SQLITE'] ?? '';
  return requireHere(named === '' ? 'better-sqlite3' : named) as typeof Database; // the package's own types
};

/** Why this machine can't open a database; null if it can. */
export const sqliteFault = (): string | null => {
  try {
    new (sqliteModule())(':memory:').close();
    return null;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
};

const requireHere = createRequire(import.meta.url);
