import { openDatabase, type Db } from '../../packages/store/src/sqlite/database.ts';

type Row = readonly unknown[];

/** Rows that a transaction of the baseline writes, table by table. */
export type Chunk = readonly { readonly table: string; readonly rows: readonly Row[] }[];

/** All rows of a board, to be written again without anything else being done: what a plain program would need for the same result. */
export type BoardRows = {
  readonly entries: number;
  /** What belongs to the entries behind `from` up to `to`; read in order, each once. */
  readonly take: (from: number, to: number) => Chunk;
  readonly counts: Readonly<Record<string, number>>;
  readonly close: () => void;
};

/**
 * Entries and whatever names their position go with their chunk; what has none (names, sessions, packs, files) is spread evenly. A session's row is
 * written once, as it was in the end, where we write it again with every batch: the baseline may do that.
 */
export const openRows = (path: string): BoardRows => {
  const db = openDatabase(path, { readOnly: true });
  const count = (table: string): number => db.prepare<[], { readonly n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
  const all = (sql: string): readonly Row[] => db.prepare<[], Row>(sql).raw().all();
  const entries = count('entries');
  const placed = PLACED.map((table) => ({
    table,
    select: db.prepare<[number, number], Row>(`SELECT * FROM ${table} WHERE position > ? AND position <= ? ORDER BY position`).raw(),
  }));
  const refs = createReel(all('SELECT * FROM refs ORDER BY position'));
  const payloads = createReel(all('SELECT * FROM payloads ORDER BY pack'));
  const packs = count('packs');
  const pack = db.prepare<[number, number], Row>('SELECT * FROM packs ORDER BY id LIMIT ? OFFSET ?').raw();
  const spread = SPREAD.map((table) => ({ table, rows: all(`SELECT * FROM ${table}`) }));
  const part = <T>(rows: readonly T[], from: number, to: number): readonly T[] =>
    rows.slice(shareOf(rows.length, from, entries), shareOf(rows.length, to, entries));
  return {
    entries,
    take: (from, to) => {
      const first = shareOf(packs, from, entries);
      const packRows = pack.all(shareOf(packs, to, entries) - first, first);
      const lastPack = Number(packRows.at(-1)?.[0] ?? 0);
      return [
        ...spread.map(({ table, rows }) => ({ table, rows: part(rows, from, to) })),
        { table: 'packs', rows: packRows },
        { table: 'payloads', rows: payloads.while((row) => Number(row[1]) <= lastPack) },
        ...placed.map(({ table, select }) => ({ table, rows: select.all(from, to) })),
        { table: 'refs', rows: refs.while((row) => Number(row[2]) <= to) },
      ];
    },
    counts: Object.fromEntries(TABLES.map((table) => [table, count(table)])),
    close: () => db.close(),
  };
};

export type RowWriter = {
  readonly write: (chunk: Chunk) => void;
  readonly counts: () => Readonly<Record<string, number>>;
  readonly close: () => void;
};

/** The same tables, indexes, triggers and settings as a board; a prepared INSERT for each table, and one transaction for each chunk. */
export const openRowWriter = (path: string): RowWriter => {
  const db = openDatabase(path);
  const inserts = new Map(TABLES.map((table) => [table, insertInto(db, table)]));
  const write = db.transaction((chunk: Chunk) => {
    for (const { table, rows } of chunk) {
      const insert = inserts.get(table);
      for (const row of rows) insert?.run(...row);
    }
  });
  const count = (table: string): number => db.prepare<[], { readonly n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
  return {
    write: (chunk) => write.immediate(chunk),
    counts: () => Object.fromEntries(TABLES.map((table) => [table, count(table)])),
    close: () => db.close(),
  };
};

const insertInto = (db: Db, table: string) => {
  const columns = db.prepare<[], { readonly name: string }>(`SELECT name FROM pragma_table_info('${table}')`).all();
  return db.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
};

const shareOf = (length: number, at: number, entries: number): number => (at >= entries ? length : Math.floor((length * at) / entries));

/** Rows in order, taken from the front. */
const createReel = (rows: readonly Row[]): { readonly while: (fits: (row: Row) => boolean) => readonly Row[] } => {
  let at = 0;
  return {
    while: (fits) => {
      const from = at;
      for (let row = rows[at]; row !== undefined && fits(row); row = rows[at]) at += 1;
      return rows.slice(from, at);
    },
  };
};

const PLACED = ['entries', 'messages', 'operations', 'responses', 'summaries'] as const;
const SPREAD = ['names', 'sessions', 'agents', 'links', 'kinds', 'calls', 'files'] as const;
const TABLES: readonly string[] = [...SPREAD, 'packs', 'payloads', ...PLACED, 'refs'];
