import type Pg from 'pg';
import type { Pool, PoolClient, PoolConfig, QueryResult } from 'pg';
import { camelOf } from '../library/dump.ts';
import { StoreFault } from '../port.ts';
import { storedOf, textFrom } from '../stored-text.ts';

/** Runs a statement. Columns come back in camel case; texts are kept so that every text comes back as it was. */
export type Run = <R>(sql: string, values?: readonly unknown[]) => Promise<readonly R[]>;

export type Db = {
  readonly schema: string;
  /** What messages call it: server, database and schema, without user or password. */
  readonly name: string;
  readonly readOnly: boolean;
  readonly run: Run;
  /** One transaction on one connection; whatever is thrown in it takes it back. */
  readonly transaction: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

/** Connects when it is first asked. A connection that breaks fails the call that used it; the next call gets another. */
export const openDatabase = async (url: string, readOnly: boolean, isIndexing = false): Promise<Db> => {
  const { connectionString, schema, options } = partsOf(url);
  const pg = await loadPg();
  const pool = new pg.Pool({
    connectionString,
    // STORE-2: said by every connection itself, so that no default of the server, the database or the role makes commits lose what was acknowledged.
    options:
      `${options} -c search_path=${schema} -c synchronous_commit=on -c default_transaction_read_only=${readOnly && !isIndexing ? 'on' : 'off'}`.trim(),
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: { getTypeParser: parserFor(pg.types) },
  } satisfies PoolConfig);
  // A connection that breaks while nobody uses it is replaced by the pool; without a listener the process would end.
  pool.on('error', () => {});
  const name = nameOf(connectionString, schema);
  return {
    schema,
    name,
    readOnly,
    run: (sql, values) => faulty(name, () => ask(pool, sql, values)),
    transaction: (work) => faulty(name, () => inTransaction(pool, work)),
    close: () => pool.end(),
  };
};

/** INST-4: only who keeps a board in PostgreSQL needs it, so it is not installed with the command. */
const loadPg = async (): Promise<typeof Pg> => {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new StoreFault(
      'failed',
      'PostgreSQL needs the package "pg", which is not installed; add it where yarnboard is installed (npm install pg, with -g if yarnboard is), or run npx -p yarnboard -p pg yarnboard',
      cause,
    );
  }
};

const inTransaction = async <T>(pool: Pool, work: (run: Run) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let isBroken = false;
  // It may break between two statements, when nobody waits for it.
  const onError = (): void => {
    isBroken = true;
  };
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await work((sql, values) => ask(client, sql, values));
    await client.query('COMMIT');
    return result;
  } catch (cause) {
    isBroken ||= await client.query('ROLLBACK').then(
      () => false,
      () => true, // told by the cause; what matters here is that nobody gets this connection again
    );
    throw cause;
  } finally {
    client.off('error', onError);
    client.release(isBroken);
  }
};

const ask = async <R>(on: Pool | PoolClient, sql: string, values: readonly unknown[] = []): Promise<readonly R[]> => {
  const result: QueryResult<Record<string, unknown>> | readonly unknown[] = await on.query<Record<string, unknown>>(sql, values.map(bound));
  // A migration is several statements, and then there is a list of results, which nobody wants.
  return 'rows' in result ? (result.rows.map(rowFrom) as readonly R[]) : []; // the statement says what comes back
};

const bound = (value: unknown): unknown => {
  if (typeof value === 'string') return storedOf(value);
  return Array.isArray(value) ? value.map(bound) : value;
};

const rowFrom = (row: Record<string, unknown>): Record<string, unknown> => {
  const read: Record<string, unknown> = {};
  for (const column in row) {
    const value = row[column];
    read[fieldOf(column)] = typeof value === 'string' ? textFrom(value) : value;
  }
  return read;
};

const fieldOf = (column: string): string => {
  const known = CAMEL.get(column);
  if (known !== undefined) return known;
  const name = camelOf(column);
  CAMEL.set(column, name);
  return name;
};

/** One statement for any number of rows: a column is an array. */
export const insertRows = async (
  run: Run,
  table: string,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
  rest = '',
): Promise<void> => {
  if (rows.length === 0) return;
  const arrays = columns.map(([, type], at) => `$${at + 1}::${type}[]`).join(', ');
  const names = columns.map(([name]) => name).join(', ');
  await run(
    `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays}) ${rest}`,
    columns.map((_, at) => rows.map((row) => row[at])),
  );
};

/** The name of a column and its type. */
export type Column = readonly [string, 'bigint' | 'smallint' | 'text' | 'bytea' | 'double precision' | 'tsvector'];

/** A text inside a statement, where no parameter can stand. */
export const quoted = (text: string): string => `'${storedOf(text).replaceAll("'", "''")}'`;

// `board` is ours; whatever else the address says is for the server.
const partsOf = (url: string): { readonly connectionString: string; readonly schema: string; readonly options: string } => {
  const mark = url.indexOf('?');
  const settings = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  const schema = settings.get('board') ?? 'yarnboard';
  const options = settings.get('options') ?? '';
  // It becomes part of statements.
  if (!/^[a-z_][a-z0-9_]{0,62}$/u.test(schema) || schema.startsWith('pg_')) {
    throw new StoreFault(
      'failed',
      `board=${schema} cannot name a board in PostgreSQL; take lower-case letters, digits and _, beginning with a letter`,
    );
  }
  settings.delete('board');
  settings.delete('options');
  const address = mark === -1 ? url : url.slice(0, mark);
  return { connectionString: settings.size === 0 ? address : `${address}?${settings.toString()}`, schema, options };
};

const nameOf = (connectionString: string, schema: string): string => {
  const where = connectionString.replace(/^\w+:\/\//u, '').replace(/^.*@/u, '').replace(/\?.*$/u, ''); // prettier-ignore
  return `PostgreSQL ${where}, board ${schema}`;
};

type Parsers = { readonly getTypeParser: (oid: number, format?: 'text' | 'binary') => unknown };

// Sums and counts are int8 or numeric, which come as text; everything we keep fits a number.
const parserFor =
  (types: Parsers) =>
  (oid: number, format?: 'text' | 'binary'): never =>
    (oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)) as never; // pg's type for this is any

/** Runs something on the server; what the server or the network says becomes a fault with a sentence that names the board and what to do. */
const faulty = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    throw faultOf(name, cause);
  }
};

const faultOf = (name: string, cause: unknown): unknown => {
  if (cause instanceof StoreFault || !(cause instanceof Error)) return cause;
  const code = 'code' in cause ? String(cause.code) : '';
  const said = cause.message === '' ? code : cause.message;
  for (const [pattern, kind, advice] of FAULTS) {
    if (pattern.test(code)) return new StoreFault(kind, `${name}: ${advice} (${said})`, cause);
  }
  if (BROKEN.test(cause.message)) return new StoreFault('unreachable', `${name}: ${UNREACHABLE} (${said})`, cause);
  return 'severity' in cause ? new StoreFault('failed', `${name}: ${said}`, cause) : cause;
};

const UNREACHABLE = 'the server does not answer: what was not acknowledged may not be there; start it, and say it again';
const FAULTS = [
  [/^(?:08|57P|53300)|^E(?:CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND|AI_AGAIN)|^ENOENT$/u, 'unreachable', UNREACHABLE],
  [/^53/u, 'full', 'the server has no space or memory left: nothing of this was written; free some and it goes on'],
  [/^(?:55P03|40)/u, 'locked', 'somebody else holds what this needs; wait until they are done'],
  [/^(?:25006|42501)$/u, 'read-only', 'may only be read with this login or on this server; nothing was written'],
  [/^XX00[12]$/u, 'corrupt', 'the server says that its data is damaged; restore a dump made with pg_dump'],
  [/^28/u, 'failed', 'the server refuses this login; look at user and password in the address'],
] as const;
const BROKEN = /connection (?:terminated|error)|not queryable|timeout exceeded when trying to connect|connection ended/iu;

const CAMEL = new Map<string, string>();
const INT8 = 20;
const NUMERIC = 1700;
const MOST_CONNECTIONS = 10;
