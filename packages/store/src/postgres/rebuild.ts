import { ENTRY_TYPES } from '@yarnboard/domain';
import type { PriceTable } from '@yarnboard/transcript';
import { dumpedRow } from '../library/dump.ts';
import { createFold } from '../library/fold.ts';
import { ghostOf, readingOf } from '../library/reading.ts';
import { StoreFault } from '../port.ts';
import type { Db, Run } from './database.ts';
import { entryFrom, selectEntries, type EntryRow } from './entries.ts';
import { DERIVED_TABLES } from './library-schema.ts';
import { applyFold } from './library-write.ts';
import { LOCK } from './log.ts';
import { payloadsAt } from './payloads.ts';

export type Rebuild = (sessionId?: string, onProgress?: (done: number, all: number) => void) => Promise<{ readonly entries: number }>;

/** Folds entries of the log into whichever tables the search path finds first under the library's names. */
export const createFolding = (prices: PriceTable) => {
  const foldRows = async (run: Run, rows: readonly EntryRow[]): Promise<void> => {
    const fold = createFold(prices);
    const payloads = await payloadsAt(
      run,
      rows.map(({ position }) => position),
    );
    const copied = rows.flatMap(({ copyOf }) => (copyOf === null ? [] : [copyOf]));
    const sources = await run<{ readonly position: number; readonly session: string }>(
      'SELECT position, session FROM entries WHERE position = ANY($1::bigint[])',
      [copied],
    );
    const sessionAt = new Map(sources.map(({ position, session }) => [position, session]));
    for (const row of rows) {
      const entry = entryFrom(row);
      const bytes = payloads.get(row.position) ?? null;
      fold.add({
        entry,
        reading: entry.type === ENTRY_TYPES.companion ? null : bytes === null ? ghostOf(entry) : readingOf(entry, bytes),
        copySessionId: entry.copyOf === null ? null : (sessionAt.get(entry.copyOf) ?? null),
        payload: bytes,
      });
    }
    await applyFold(run, fold);
  };

  const foldAll = async (run: Run, where: string, values: readonly unknown[], onStep: (position: number) => void): Promise<number> => {
    const sql = selectEntries(`WHERE position > $1 ${where} ORDER BY position LIMIT ${STEP}`);
    let entries = 0;
    for (let rows = await run<EntryRow>(sql, [0, ...values]); rows.length > 0;) {
      await foldRows(run, rows);
      entries += rows.length;
      const at = rows.at(-1)?.position ?? 0;
      onStep(at);
      rows = await run<EntryRow>(sql, [at, ...values]);
    }
    return entries;
  };

  return { foldAll };
};

/** LIB-2: deletes derived rows and folds them from the log again, in one transaction: readers see the old library until the new one is complete. */
export const createRebuild = (db: Db, prices: PriceTable): Rebuild => {
  const { foldAll } = createFolding(prices);

  const rebuildAll = async (run: Run, onProgress: (done: number, all: number) => void): Promise<{ readonly entries: number }> => {
    // Not TRUNCATE: readers would find the tables empty, or wait.
    for (const table of DERIVED_TABLES) await run(`DELETE FROM ${table}`);
    const all = (await run<{ readonly n: number }>('SELECT coalesce(max(position), 0) AS n FROM entries'))[0]?.n ?? 0;
    await foldAll(run, '', [], (done) => {
      onProgress(done, all);
    });
    return { entries: all };
  };

  const rebuildSome = async (run: Run, sessionId: string): Promise<{ readonly entries: number }> => {
    const kin = await kinOf(run, sessionId);
    for (const table of ['agents', 'kinds', 'calls', 'touches', 'messages', 'operations', 'responses', 'links'])
      await run(`DELETE FROM ${table} WHERE session = ANY($1::text[])`, [kin]);
    await run('DELETE FROM summaries WHERE position IN (SELECT position FROM entries WHERE session = ANY($1::text[]))', [kin]);
    await run('DELETE FROM sessions WHERE id = ANY($1::text[])', [kin]);
    return { entries: await foldAll(run, 'AND session = ANY($2::text[])', [kin], () => {}) };
  };

  return async (sessionId, onProgress = () => {}) => {
    if (db.readOnly) throw new StoreFault('read-only', 'a board opened read-only cannot be rebuilt');
    return db.transaction((run) => (sessionId === undefined ? rebuildAll(run, onProgress) : rebuildSome(run, sessionId)), LOCK);
  };
};

// Sessions that share API responses are counted together, so they are rebuilt together.
const kinOf = async (run: Run, first: string): Promise<readonly string[]> => {
  const kin = new Set([first]);
  let fresh: readonly string[] = [first];
  while (fresh.length > 0) {
    const rows = await run<{ readonly other: string }>(
      `SELECT source AS other FROM links WHERE by = 'message' AND session = ANY($1::text[])
       UNION SELECT session FROM links WHERE by = 'message' AND source = ANY($1::text[])`,
      [fresh],
    );
    fresh = rows.map(({ other }) => other).filter((other) => !kin.has(other));
    for (const other of fresh) kin.add(other);
  }
  return [...kin];
};

/** Every row of every derived table as text. */
export const dumpLibrary = async (run: Run): Promise<readonly string[]> => {
  const dump: string[] = [];
  for (const table of DERIVED_TABLES) {
    const rows = await run<Record<string, unknown>>(`SELECT * FROM ${table}`);
    dump.push(...rows.map((row) => dumpedRow(table, row)).sort());
  }
  return dump;
};

const STEP = 2000;
