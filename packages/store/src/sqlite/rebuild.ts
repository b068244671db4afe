import { ENTRY_TYPES, type ChainedEntry } from '@yarnboard/domain';
import type { PriceTable } from '@yarnboard/transcript';
import { dumpedRow } from '../library/dump.ts';
import { createFold } from '../library/fold.ts';
import { ghostOf, readingOf } from '../library/reading.ts';
import { textFrom } from '../stored-text.ts';
import { faulty, type Db } from './database.ts';
import { entryFrom, selectEntries, type EntryRow } from './entries.ts';
import { DERIVED_TABLES } from './library-schema.ts';
import type { LibraryWriter } from './library-write.ts';
import type { Names } from './names.ts';
import type { Payloads } from './payloads.ts';

export type Rebuild = (sessionId?: string, onProgress?: (done: number, all: number) => void) => Promise<{ readonly entries: number }>;

export type RebuildParts = {
  readonly db: Db;
  readonly path: string;
  readonly names: Names;
  readonly payloads: Payloads;
  readonly library: LibraryWriter;
  readonly prices: PriceTable;
};

export type FoldParts = Omit<RebuildParts, 'path'>;

/** Folds entries of the log into whichever tables the library's writer uses. */
export const createFolding = ({ db, names, payloads, library, prices }: FoldParts) => {
  const sessionOfEntry = db.prepare<[number], { readonly session: number }>('SELECT session FROM entries WHERE position = ?');

  const foldEntries = (entries: readonly ChainedEntry[]): void => {
    const fold = createFold(prices);
    for (const entry of entries) {
      const bytes = entry.payloadHash === null ? null : payloads.get(Buffer.from(entry.payloadHash, 'hex'));
      const source = entry.copyOf === null ? undefined : sessionOfEntry.get(entry.copyOf);
      fold.add({
        entry,
        reading: entry.type === ENTRY_TYPES.companion ? null : bytes === null ? ghostOf(entry) : readingOf(entry, bytes),
        copySessionId: source === undefined ? null : names.textOf(source.session),
        payload: bytes,
      });
    }
    library.apply(fold);
  };

  const foldAll = (onProgress: (done: number, all: number) => void): number => {
    const all = db.prepare<[], { readonly n: number }>('SELECT coalesce(max(position), 0) AS n FROM entries').get()?.n ?? 0;
    const next = db.prepare<[number, number], EntryRow>(selectEntries('WHERE position > ? ORDER BY position LIMIT ?'));
    let at = 0;
    for (let rows = next.all(at, STEP); rows.length > 0; rows = next.all(at, STEP)) {
      foldEntries(rows.map((row) => entryFrom(row, names)));
      at = rows.at(-1)?.position ?? at;
      onProgress(at, all);
    }
    return all;
  };

  return { foldEntries, foldAll };
};

/** LIB-2: deletes derived rows and folds them from the log again, in one transaction: readers see the old library until the new one is complete. */
export const createRebuild = ({ path, ...parts }: RebuildParts): Rebuild => {
  const { db, names } = parts;
  const { foldEntries, foldAll } = createFolding(parts);

  const rebuildAll = db.transaction((onProgress: (done: number, all: number) => void) => {
    for (const table of DERIVED_TABLES) db.exec(`DELETE FROM ${table}`);
    return { entries: foldAll(onProgress) };
  });

  const rebuildSome = db.transaction((sessionId: string) => {
    const first = names.find(sessionId);
    if (first === null) return { entries: 0 };
    // As one list: thousands of sessions may share a response, and each would otherwise be searched for in all responses.
    const sessions = JSON.stringify([...kinOf(db, first)]);
    const listed = 'IN (SELECT value FROM json_each(?))';
    for (const table of ['agents', 'kinds', 'calls', 'touches', 'messages', 'operations', 'responses', 'links'])
      db.prepare(`DELETE FROM ${table} WHERE session ${listed}`).run(sessions);
    db.prepare(`DELETE FROM summaries WHERE position IN (SELECT position FROM entries WHERE session ${listed})`).run(sessions);
    db.prepare(`DELETE FROM sessions WHERE name ${listed}`).run(sessions);
    // All positions at once: step by step, several sessions would be sorted anew in every step.
    const positions = db.prepare<[string], number>(`SELECT position FROM entries WHERE session ${listed} ORDER BY position`).pluck().all(sessions);
    const rowAt = db.prepare<[number], EntryRow>(selectEntries('WHERE position = ?'));
    for (let at = 0; at < positions.length; at += STEP) {
      const rows = positions.slice(at, at + STEP).flatMap((position) => rowAt.get(position) ?? []);
      foldEntries(rows.map((row) => entryFrom(row, names)));
    }
    return { entries: positions.length };
  });

  return async (sessionId, onProgress = () => {}) =>
    faulty(path, () => {
      try {
        return sessionId === undefined ? rebuildAll.immediate(onProgress) : rebuildSome.immediate(sessionId);
      } catch (cause) {
        names.reset(); // names added in it are gone with it: an entry that used such a number would never verify
        throw cause;
      }
    });
};

// Sessions that share API responses are counted together, so they are rebuilt together.
const kinOf = (db: Db, first: number): ReadonlySet<number> => {
  const select = db.prepare<[number, number, number], { readonly other: number }>(
    "SELECT CASE WHEN session = ? THEN source ELSE session END AS other FROM links WHERE by = 'message' AND (session = ? OR source = ?)",
  );
  const kin = new Set([first]);
  for (const session of kin) for (const { other } of select.all(session, session, session)) kin.add(other);
  return kin;
};

/** Every row of every derived table as text, with names instead of their numbers: a name's number depends on the batch it came in. */
export const dumpLibrary = (db: Db, names: Names): readonly string[] =>
  DERIVED_TABLES.flatMap((table) =>
    db
      .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`)
      .all()
      .map((row) =>
        dumpedRow(table, row, (column, value) => {
          if (typeof value === 'string') return textFrom(value);
          return NAMED[table].includes(column) && typeof value === 'number' ? names.textOf(value) : value;
        }),
      )
      .sort(),
  );

/** Columns with the number of a name. */
const NAMED: Readonly<Record<(typeof DERIVED_TABLES)[number], readonly string[]>> = {
  sessions: ['name'],
  agents: ['session'],
  kinds: ['session'],
  calls: ['session'],
  touches: ['session'],
  messages: ['session', 'agent', 'type', 'role', 'model'],
  operations: ['session', 'name'],
  responses: ['session', 'model'],
  links: ['session', 'source'],
  summaries: [],
};

const STEP = 2000;
