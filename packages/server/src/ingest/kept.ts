import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { openForeign, type ForeignDatabase } from '@yarnboard/store';
import { DIALECTS, jsonText, type Access, type JsonObject, type Kept, type KeptSessions, type Look } from '@yarnboard/transcript';

/** DIALECT-8: whether a path is that of a session that isn't a file of lines. */
export const isKept = (path: string): boolean => storeOf(path) !== null;

/** Such a session as lines, like a file, and what of it can't be read. Throws if that is all of it. */
export const keptText = (path: string): KeptText => {
  const store = storeOf(path);
  if (store === null) return { text: Buffer.alloc(0), problem: null };
  // Planning reads both ends of it, and then it is read as a whole: the text is generated once, unless it may have changed in between.
  const look = reading((access) => store.lookAt(path, access));
  const stamp = look === null || Math.abs(Date.now() - look.modified) < JUST_NOW ? null : JSON.stringify([path, look]);
  if (stamp !== null && made?.stamp === stamp) return made;
  const { lines, problem } = reading((access) => store.linesIn(path, access));
  if (lines === null) throw new Error(problem);
  const kept = { text: Buffer.from(lines.map((line) => `${jsonText(line)}\n`).join('')), problem };
  if (stamp !== null) keepShortly({ stamp, ...kept });
  return kept;
};

export type KeptText = { readonly text: Buffer; readonly problem: string | null };

let made: (KeptText & { readonly stamp: string }) | null = null;

const keepShortly = (one: NonNullable<typeof made>): void => {
  made = one;
  setTimeout(() => {
    if (made === one) made = null;
  }, SHORTLY).unref();
};

/** Null if the session no longer exists. Throws if that can't be determined. */
export const keptLook = (path: string): Look | null => {
  const store = storeOf(path);
  return store === null ? null : reading((access) => store.lookAt(path, access));
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
  if (names !== null) return reading((access) => store.sessionsIn(path, names, isNamed, access));
  const stamp = JSON.stringify(['', '-wal', '-journal'].map((suffix) => lookAt(path + suffix)));
  const known = LISTED.get(path);
  if (known?.stamp === stamp) return known.kept;
  const kept = reading((access) => store.sessionsIn(path, null, isNamed, access));
  if (kept === null) return null;
  remember(LISTED, path, { stamp, kept });
  return kept;
};

/** Everything is read from one snapshot, and everything opened is closed again. */
const reading = <T>(read: (access: Access) => T): T => {
  const opened = new Map<string, ForeignDatabase>();
  const query: Access['query'] = (path, sql, values = []) => {
    const database = opened.get(path) ?? openForeign(path);
    opened.set(path, database);
    return database.all(sql, values).map(plain);
  };
  try {
    return read({
      query,
      rows: (path, table, session, columns) => rowsOf(query, path, table, session, columns),
      text: textIn,
      isText,
      names: namesIn,
      look: lookAt,
      now: Date.now(),
    });
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
  const named = columns.map((column) => `"${column}"`).join(', ');
  const rows = new Map<string, KnownRow>();
  if (known === undefined) {
    for (const row of query(path, `SELECT id, time_updated, ${named} FROM "${table}" WHERE session_id = ?`, [session])) rows.set(...knownAs(row));
  } else {
    for (const now of query(path, `SELECT id, time_updated FROM "${table}" WHERE session_id = ?`, [session])) {
      const [id, { at }] = knownAs(now);
      const before = known.get(id);
      if (before !== undefined && before.at === at && at < latest - JUST_NOW) rows.set(id, before);
      else for (const row of query(path, `SELECT id, time_updated, ${named} FROM "${table}" WHERE id = ?`, [id])) rows.set(...knownAs(row));
    }
  }
  remember(ROWS, key, rows);
  return [...rows.values()].map(({ row }) => row);
};

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

const plain = (row: Record<string, unknown>): JsonObject => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));

// Text may be stored as bytes.
const plainValue = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : null;

// Regular files only: a pipe would block everyone.
const textIn = (path: string): string | null => {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : null;
  } catch {
    return null; // gone, or not readable: it is checked again when it changes
  }
};

const isText = (path: string): boolean => {
  try {
    return !statSync(path).isFile() || isUtf8(readFileSync(path));
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
