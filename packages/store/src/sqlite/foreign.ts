import { sqliteModule } from './module.ts';

/** Another program's database: it is only read, as of one moment, and never changed, migrated or held up. */
export type ForeignDatabase = {
  readonly all: (sql: string, values: readonly string[]) => readonly Record<string, unknown>[];
  readonly close: () => void;
};

/** Opens it for reading. Everything that is asked until it is closed is answered as of the first question. */
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
      return statement.all(...values) as readonly Record<string, unknown>[]; // rows are objects unless told otherwise
    },
    close: () => db.close(),
  };
};

/** Whoever writes there goes first; what could not be read is read a little later. */
const PATIENCE = 250;
