import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { openForeign, type ForeignDatabase } from '@yarnboard/store';
import { DIALECTS, jsonText, type Access, type JsonObject, type Kept, type KeptEnds, type KeptSessions, type Look } from '@yarnboard/transcript';
import { pieceAt, readAt } from './own-file.ts';

/** DIALECT-8: whether a path is that of a session that isn't a file of lines. */
export const isKept = (path: string): boolean => storeOf(path) !== null;

/** Such a session as lines, like a file, and what of it can't be read. Throws if that is all of it. */
export const keptText = (path: string): KeptText => {
  const store = storeOf(path);
  if (store === null) return { text: Buffer.alloc(0), problem: null };
  // Whoever plans looks at both ends of it, and then somebody reads it: it is made once, unless it may have changed in between.
  const top = holderOf(path);
  const look = reading(top, (access) => store.lookAt(path, access)).value;
  const stamp = look === null || Math.abs(Date.now() - look.modified) < JUST_NOW ? null : JSON.stringify([path, look]);
  if (stamp !== null && made?.stamp === stamp) return made;
  const readText = (access: Access): KeptText => {
    const { lines, problem } = store.linesIn(path, access);
    if (lines === null) throw new Error(problem);
    return { text: textOf(lines), problem };
  };
  const { value, led } = reading(top, readText);
  const kept = { text: value.text, problem: withLinks(value.problem, led) };
  if (stamp !== null) keepShortly({ stamp, ...kept });
  return kept;
};

/** The same lines, parsed, for whoever reads all of them once and follows nothing. Returns what of it can't be read. */
export const eachKeptLine = (path: string, take: (line: JsonObject) => void): string | null => {
  const store = storeOf(path);
  if (store === null) return null;
  const readLines = (access: Access): string | null => {
    const { lines, problem } = store.linesIn(path, access);
    if (lines === null) throw new Error(problem);
    for (const line of lines) take(line);
    return problem;
  };
  // Whoever reads a record again afterwards must find it where it was just now, and not where it was when somebody else looked.
  forgetAll();
  const { value, led } = reading(holderOf(path), readLines, true);
  return withLinks(value, led);
};

const forgetAll = (): void => {
  made = null;
  ROWS.clear();
};

const textOf = (lines: Iterable<JsonObject>): Buffer => {
  let text = Buffer.allocUnsafe(PIECE);
  let length = 0;
  for (const line of lines) {
    const one = `${jsonText(line)}\n`;
    const most = length + one.length * MOST_BYTES;
    if (most > text.length) {
      const larger = Buffer.allocUnsafe(Math.max(most, 2 * text.length));
      text.copy(larger, 0, 0, length);
      text = larger;
    }
    length += text.write(one, length);
  }
  return Buffer.from(text.subarray(0, length));
};

export type KeptText = { readonly text: Buffer; readonly problem: string | null };

let made: (KeptText & { readonly stamp: string }) | null = null;

const keepShortly = (one: NonNullable<typeof made>): void => {
  made = one;
  setTimeout(() => {
    if (made === one) made = null;
  }, SHORTLY).unref();
};

/** Its first and last lines; null if it is gone, or only all of its lines can be made. */
export const keptEnds = (path: string): KeptEnds | null => {
  const store = storeOf(path);
  return store === null ? null : reading(holderOf(path), (access) => store.endsOf(path, access)).value;
};

/** Null if the session no longer exists. Throws if that can't be determined. */
export const keptLook = (path: string): Look | null => {
  const store = storeOf(path);
  return store === null ? null : reading(holderOf(path), (access) => store.lookAt(path, access)).value;
};

/** The file or folder that such a session is in: the first one above it that is there. */
export const holderOf = (path: string): string => {
  for (let at = path; ; at = dirname(at)) if (existsSync(at) || dirname(at) === at) return at;
};

/** The sessions in a database or a folder; null if the path is neither. `names` lists the folder's contents. */
export const keptIn = (path: string, names: readonly string[] | null, isNamed: boolean): { readonly dialect: string; readonly kept: Kept } | null => {
  for (const { name, store } of DIALECTS) {
    const kept = store === undefined ? null : listed(store, path, names, isNamed);
    if (kept !== null) return { dialect: name, kept };
  }
  return null;
};

/** Whether a change of this file may change sessions. */
export const concernsKept = (path: string): boolean => STORES.some((store) => store.concerns(path));

const STORES = DIALECTS.flatMap(({ store }) => store ?? []);

const storeOf = (path: string): KeptSessions | null => STORES.find((store) => store.holds(path)) ?? null;

// An unchanged database has the same sessions: it isn't opened again to find out.
const listed = (store: KeptSessions, path: string, names: readonly string[] | null, isNamed: boolean): Kept | null => {
  const list = (): Kept | null => {
    const { value, led } = reading(path, (access) => store.sessionsIn(path, names, isNamed, access));
    return value === null ? null : { ...value, problem: withLinks(value.problem, led) };
  };
  if (names !== null) return list();
  const stamp = JSON.stringify(['', '-wal', '-journal'].map((suffix) => lookAt(path + suffix)));
  const known = LISTED.get(path);
  if (known?.stamp === stamp) return known.kept;
  const kept = list();
  if (kept === null) return null;
  remember(LISTED, path, { stamp, kept });
  return kept;
};

/**
 * Everything is read as of one moment, and everything that was opened is closed again. SEC-22: below `top` no link is followed, nor from a file beside it;
 * those that were met are named.
 */
const reading = <T>(top: string, read: (access: Access) => T, isOnce = false): { readonly value: T; readonly led: readonly string[] } => {
  const opened = new Map<string, ForeignDatabase>();
  const led = new Set<string>();
  /** The path without links; null where it leads elsewhere, or nowhere. */
  const own = (path: string): string | null => {
    try {
      const real = realpathSync(path);
      const isBelow = path === top || path.startsWith(top.endsWith(sep) || top.endsWith('/') ? top : `${top}/`);
      const expected = isBelow ? join(realpathSync(top), path.slice(top.length)) : join(realpathSync(dirname(path)), basename(path));
      if (real === expected) return real;
      led.add(path);
      return null;
    } catch {
      return null; // gone, or never there
    }
  };
  const query: Access['query'] = (path, sql, values = []) => {
    const database = opened.get(path) ?? openForeign(path);
    opened.set(path, database);
    return database.all(sql, values).map(plain);
  };
  const through = <V>(path: string, otherwise: V, look: (real: string) => V): V => {
    const real = own(path);
    return real === null ? otherwise : look(real);
  };
  try {
    const value = read({
      query,
      isOnce,
      rows: (path, table, session, columns) => rowsOf(query, path, table, session, columns),
      text: (path) => through(path, null, textIn),
      isText: (path) => through(path, true, isText),
      lines: (path) => through(path, null, linesAt),
      piece: (path, length) => through(path, null, (real) => pieceIn(real, length)),
      names: (folder) => through<readonly string[]>(folder, [], namesIn),
      look: (path) => through(path, null, lookAt),
      now: Date.now(),
    });
    return { value, led: [...led] };
  } finally {
    for (const database of opened.values()) database.close();
  }
};

/** Rows are cached by modification time. Rows changed just now may change again within the same instant, and are read again. */
const rowsOf = (query: Access['query'], path: string, table: string, session: string, columns: readonly string[]): readonly JsonObject[] => {
  const key = JSON.stringify([path, table, session, columns]);
  const known = ROWS.get(key);
  let latest = 0;
  for (const { at } of known?.values() ?? []) latest = Math.max(latest, at);
  const rows = new Map<string, KnownRow>();
  if (known === undefined) {
    for (const row of query(path, allRows(table, columns), [session])) rows.set(...knownAs(row));
  } else {
    for (const now of query(path, `SELECT id, time_updated FROM "${table}" WHERE session_id = ?`, [session])) {
      const [id, { at }] = knownAs(now);
      const before = known.get(id);
      if (before !== undefined && before.at === at && at < latest - JUST_NOW) rows.set(id, before);
      else for (const row of query(path, `SELECT ${columnsIn(columns)} FROM "${table}" WHERE id = ?`, [id])) rows.set(...knownAs(row));
    }
  }
  remember(ROWS, key, rows);
  return [...rows.values()].map(({ row }) => row);
};

const allRows = (table: string, columns: readonly string[]): string => `SELECT ${columnsIn(columns)} FROM "${table}" WHERE session_id = ?`;

const columnsIn = (columns: readonly string[]): string => ['id', 'time_updated', ...columns].map((column) => `"${column}"`).join(', ');

type KnownRow = { readonly at: number; readonly row: JsonObject };

const knownAs = (row: JsonObject): [id: string, known: KnownRow] => {
  const at = row['time_updated'];
  return [typeof row['id'] === 'string' ? row['id'] : '', { at: typeof at === 'number' ? at : 0, row }];
};

const remember = <V>(all: Map<string, V>, key: string, value: V): void => {
  all.delete(key);
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > MOST_KNOWN && oldest !== undefined) all.delete(oldest);
};

// Nearly every row is plain already.
const plain = (row: Record<string, unknown>): JsonObject => {
  for (const name in row) if (!isPlain(row[name])) return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plainValue(value)]));
  return row as JsonObject; // each value was looked at
};

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number' || value === null;

// Text may be stored as bytes.
const plainValue = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : null;

const withLinks = (problem: string | null, led: readonly string[]): string | null => {
  const [first] = led;
  if (first === undefined) return problem;
  const links = `${led.length === 1 ? `${first} is a link` : `${led.length} links (${first} is one)`}, and links in there are not followed`;
  return problem === null ? links : `${problem}; ${links}`;
};

const textIn = (path: string): string | null => bytesIn(path)?.toString('utf8') ?? null;

const bytesIn = (path: string): Buffer | null => {
  try {
    return readAt(path);
  } catch {
    return null; // gone, or not readable: it is checked again when it changes
  }
};

// Decoded one by one: a single odd character would make all of the text take twice the memory.
const linesAt = (path: string): ReturnType<Access['lines']> => {
  const bytes = bytesIn(path);
  if (bytes === null) return null;
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  return { complete: linesOf(bytes, end), rest: bytes.toString('utf8', end), isText: isUtf8(bytes) };
};

function* linesOf(bytes: Buffer, end: number): Generator<string, void, void> {
  for (let from = 0; from < end;) {
    const to = bytes.indexOf(NEWLINE, from);
    yield bytes.toString('utf8', from, to);
    from = to + 1;
  }
}

const pieceIn = (path: string, length: number): string | null => {
  try {
    return pieceAt(path, length)?.toString('utf8') ?? null;
  } catch {
    return null; // gone, or not readable: whoever reads all of it gets the reason
  }
};

const isText = (path: string): boolean => {
  try {
    const bytes = readAt(path);
    return bytes === null || isUtf8(bytes);
  } catch {
    return true; // there is none
  }
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // gone, or never created
  }
};

const lookAt = (path: string): Look | null => {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? null : { bytes: found.size, modified: found.mtimeMs };
  } catch {
    return null; // its reader gets the reason
  }
};

const LISTED = new Map<string, { readonly stamp: string; readonly kept: Kept }>();
const ROWS = new Map<string, ReadonlyMap<string, KnownRow>>();
const MOST_KNOWN = 16;
const JUST_NOW = 2000;
const SHORTLY = 1000;
const PIECE = 64 * 1024;
const NEWLINE = 10;
/** Of a character in UTF-8, for each unit that JavaScript counts. */
const MOST_BYTES = 3;
