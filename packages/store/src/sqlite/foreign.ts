import { sqliteModule } from './module.ts';

/** Another program's database: read as a snapshot, and never changed, migrated or blocked. */
export type ForeignDatabase = {
  readonly all: (sql: string, values: readonly string[]) => readonly Record<string, unknown>[];
  readonly close: () => void;
};

/** Opens it for reading. Everything read until it is closed is as of the first query. */
export const openForeign = (path: string): ForeignDatabase => {
  const db = new (sqliteModule())(path, { readonly: true, fileMustExist: true, timeout: PATIENCE });
  try {
    db.pragma('query_only = ON');
    db.pragma('trusted_schema = OFF');
    db.pragma('mmap_size = 0');
    db.exec('BEGIN');
  } catch (cause) {
    db.close();
    throw cause;
  }
  const prepared = new Map<string, ReturnType<typeof db.prepare>>();
  return {
    all: (sql, values) => {
      const statement = prepared.get(sql) ?? db.prepare(sql);
      prepared.set(sql, statement);
      return statement.all(...values) as readonly Record<string, unknown>[]; // rows are objects by default
    },
    close: () => db.close(),
  };
};

/** The program that writes there goes first; what could not be read is read a little later. */
const PATIENCE = 250;
