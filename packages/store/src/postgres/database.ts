import type { Pool, PoolConfig } from 'pg';
import { camelOf } from '../library/dump.ts';
import { StoreFault } from '../port.ts';
import { storedOf, textFrom } from '../stored-text.ts';
import { loadDriver } from './driver.ts';
import { addressesIn, createSeveral, refuseStandby, type Source } from './hosts.ts';
import { watchConnections } from './lost-connections.ts';

/** Runs a statement. Columns come back in camel case, and every text exactly as it was stored. A named statement is planned once per connection. */
export type Run = <R>(sql: string, values?: readonly unknown[], name?: string) => Promise<readonly R[]>;

export type Db = {
  readonly schema: string;
  /** Its name in messages: server, database and schema, without user or password. */
  readonly name: string;
  readonly readOnly: boolean;
  readonly run: Run;
  /** One transaction on one connection; anything thrown in it rolls it back. `first` is a statement without values, sent along with its beginning. */
  readonly transaction: <T>(work: (run: Run) => Promise<T>, first?: string) => Promise<T>;
  readonly close: () => Promise<void>;
};

/** Connects on first use. A broken connection fails the call that used it; the next call gets another one. */
export const openDatabase = async (url: string, readOnly: boolean, isIndexing = false): Promise<Db> => {
  const { connectionString, schema, options } = partsOf(url);
  const pg = await loadDriver();
  const addresses = addressesIn(connectionString);
  const isOne = addresses.length === 1;
  // Later options win: the address may set timeouts, but not what a statement means.
  const meaning = `${PATIENCE} ${options} ${meaningOf(schema, readOnly && !isIndexing)}`;
  const watches: { readonly close: () => void }[] = [];
  const poolOf = (address: string): Pool => {
    const pool = new pg.Pool({
      connectionString: address,
      options: meaning,
      max: MOST_CONNECTIONS,
      // With several hosts, don't wait for one that is cut off while another one answers.
      connectionTimeoutMillis: isOne ? 10_000 : 2000,
      keepAlive: true,
      types: { getTypeParser: parserFor(pg.types) },
      ...(isOne ? {} : { verify: refuseStandby }),
    } satisfies PoolConfig);
    // The pool replaces an idle connection that breaks; without a listener, the process would exit.
    pool.on('error', () => {});
    const asking = { connectionString: address, connectionTimeoutMillis: SOON, query_timeout: SOON };
    watches.push(watchConnections(pool, () => new pg.Client(asking)));
    return pool;
  };
  const pools = addresses.map((address) => ({ host: hostOf(address), pool: poolOf(address) }));
  const [only] = pools;
  const pool: Source = isOne && only !== undefined ? only.pool : createSeveral(pools);
  const name = nameOf(connectionString, schema);
  return {
    schema,
    name,
    readOnly,
    run: (sql, values, statement) => faulty(name, () => ask(pool, sql, values, statement)),
    transaction: (work, first) => faulty(name, () => inTransaction(pool, work, first)),
    close: () => {
      for (const watch of watches) watch.close();
      return pool.end();
    },
  };
};

/**
 * STORE-60: set on every connection, so that no default of the server, the database or the role changes what a statement means or (STORE-2) lets
 * commits lose what was acknowledged.
 */
const meaningOf = (schema: string, readOnly: boolean): string =>
  saying([
    ['search_path', schema],
    ['synchronous_commit', 'on'],
    ['default_transaction_read_only', readOnly ? 'on' : 'off'],
    ['default_transaction_isolation', 'read\\ committed'],
    ['default_transaction_deferrable', 'off'],
    ['standard_conforming_strings', 'on'],
    ['bytea_output', 'hex'],
    ['array_nulls', 'on'],
    ['transform_null_equals', 'off'],
    ['extra_float_digits', '1'],
    ['DateStyle', 'ISO'],
    ['IntervalStyle', 'postgres'],
    ['TimeZone', 'UTC'],
    ['default_text_search_config', 'pg_catalog.simple'],
  ]);

const saying = (settings: readonly (readonly [name: string, value: string])[]): string =>
  settings.map(([name, value]) => `-c ${name}=${value}`).join(' ');

const PATIENCE = saying([
  ['statement_timeout', '0'],
  ['lock_timeout', '0'],
  // Whoever holds the board's row blocks all others: a hanging server must not do so forever.
  ['idle_in_transaction_session_timeout', '60000'],
  // Compiling takes longer than any of our statements.
  ['jit', 'off'],
]);

const inTransaction = async <T>(pool: Source, work: (run: Run) => Promise<T>, first = ''): Promise<T> => {
  const client = await pool.connect();
  let isBroken = false;
  // It may break between two statements, when no query would report it.
  const onError = (): void => {
    isBroken = true;
  };
  client.on('error', onError);
  const release = (): void => {
    client.off('error', onError);
    client.release(isBroken);
  };
  try {
    await client.query(first === '' ? 'BEGIN' : `BEGIN; ${first}`);
    const result = await work((sql, values, name) => ask(client, sql, values, name));
    await client.query('COMMIT');
    release();
    return result;
  } catch (cause) {
    // It was the primary when we connected; the next connection checks again.
    if (isReadOnlyServer(cause)) isBroken = true;
    // Nobody waits for this: a caller refused because others were first wants to know what they did.
    client.query('ROLLBACK').then(release, () => {
      isBroken = true; // the cause explains it; all that matters here is not to reuse this connection
      release();
    });
    throw cause;
  }
};

const isReadOnlyServer = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === '25006';

const ask = async <R>(on: Pick<Source, 'query'>, sql: string, values: readonly unknown[] = [], name?: string): Promise<readonly R[]> => {
  const query = { text: sql, values: values.map(bound), ...(name === undefined ? {} : { name }) };
  const result: Answered | readonly unknown[] = await on.query(query);
  // A migration has several statements and so returns a list of results, which isn't needed.
  return 'rows' in result ? (result.rows.map(rowFrom) as readonly R[]) : []; // the statement determines what comes back
};

type Answered = Awaited<ReturnType<Source['query']>>;

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

/** One statement for any number of rows: each column is an array. */
export const insertRows = async (
  run: Run,
  table: string,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
  rest = '',
): Promise<void> => {
  if (rows.length > 0) await run(insertOf({ table, columns, rest }), arraysOf(columns, rows));
};

/** Rows for several tables in one statement, and so in one round trip. None may depend on another. */
export const insertTogether = (run: Run, name: string, inserts: readonly Rows[]): Promise<unknown> => {
  let values = 0;
  const parts = inserts.map((insert, at) => {
    const sql = insertOf(insert, values);
    values += insert.columns.length;
    return at === inserts.length - 1 ? sql : `t${at} AS (${sql})`;
  });
  const [last = ''] = parts.splice(-1);
  const all = inserts.flatMap(({ columns, rows }) => arraysOf(columns, rows));
  return run(parts.length === 0 ? last : `WITH ${parts.join(', ')} ${last}`, all, name);
};

export type Insert = { readonly table: string; readonly columns: readonly Column[]; readonly rest?: string };
export type Rows = Insert & { readonly rows: readonly (readonly unknown[])[] };

const insertOf = ({ table, columns, rest = '' }: Insert, before = 0): string => {
  const arrays = columns.map(([, type], at) => `$${before + at + 1}::${type}[]`).join(', ');
  return `INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')}) SELECT * FROM unnest(${arrays}) ${rest}`;
};

const arraysOf = (columns: readonly Column[], rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] =>
  columns.map((_, at) => rows.map((row) => row[at]));

/** The name of a column and its type. */
export type Column = readonly [string, 'bigint' | 'smallint' | 'text' | 'bytea' | 'double precision' | 'tsvector'];

/** STORE-60: a text literal inside a statement where no parameter is allowed. This form is independent of `standard_conforming_strings`. */
export const quoted = (text: string): string => `E'${storedOf(text).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

// `board` is ours; the rest of the address is for the server.
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

const nameOf = (connectionString: string, schema: string): string => `PostgreSQL ${placeOf(connectionString)}, board ${schema}`;

const placeOf = (address: string): string => address.replace(/^\w+:\/\//u, '').replace(/^.*@/u, '').replace(/\?.*$/u, ''); // prettier-ignore

const hostOf = (address: string): string => placeOf(address).replace(/\/.*$/u, '');

type Parsers = { readonly getTypeParser: (oid: number, format?: 'text' | 'binary') => unknown };

// Sums and counts are int8 or numeric, which arrive as text; all our values fit a number.
const parserFor =
  (types: Parsers) =>
  (oid: number, format?: 'text' | 'binary'): never =>
    (oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)) as never; // pg's type for this is any

/** Runs something on the server; errors of the server or the network become a fault that names the board and says what to do. */
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

const UNREACHABLE = 'the server does not answer. Everything acknowledged is safe; the rest may be missing. Start the server, then try again';
const FAULTS = [
  [/^(?:08|57P|53300)|^E(?:CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND|AI_AGAIN)|^ENOENT$/u, 'unreachable', UNREACHABLE],
  [/^53/u, 'full', 'the server is out of space or memory; nothing was written. Free some, then try again'],
  [/^(?:55P03|40)/u, 'locked', 'another process holds a lock on it; try again when that is done'],
  [/^(?:25006|42501)$/u, 'read-only', 'this login or server is read-only; nothing was written'],
  [/^XX00[12]$/u, 'corrupt', 'the server reports damaged data; restore a dump made with pg_dump'],
  [/^28/u, 'failed', 'the server refused this login; check user and password in the address'],
] as const;
const BROKEN = /connection (?:terminated|error)|not queryable|timeout exceeded when trying to connect|connection ended/iu;

const CAMEL = new Map<string, string>();
const INT8 = 20;
const NUMERIC = 1700;
const MOST_CONNECTIONS = 10;
/** How long the check for a lost connection may take. */
const SOON = 2000;
