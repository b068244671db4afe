import { createHash } from 'node:crypto';
import type { PriceTable } from '@yarnboard/transcript';
import { createDamages, type Audit, type Damages } from '../audit.ts';
import { listFrom, listText } from '../stored-text.ts';
import type { Db, Run } from './database.ts';
import { selectEntries, type EntryRow } from './entries.ts';
import { DERIVED_TABLES } from './library-schema.ts';
import { auditSearch } from './audit-search.ts';
import { createFolding } from './rebuild.ts';

/**
 * VERIFY-1: checks everything of a board that its chain doesn't prove, in one transaction that is rolled back. The pages are PostgreSQL's: it is
 * asked what it knows of them. File marks are not checked.
 */
export const auditBoard = async (db: Db, prices: PriceTable): Promise<Audit> => {
  const damages = createDamages();
  const checked = { libraryRows: 0, searchTexts: 0, searchTextsOf: 0, media: 0 };
  await db.transaction(async (run) => {
    // It writes to temporary tables, even if it may only read the board.
    await run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ WRITE');
    await auditPages(run, db, damages);
    await auditEntries(run, damages);
    checked.media = await auditMedia(run, damages);
    checked.libraryRows = await auditLibrary(run, db, prices, damages);
    Object.assign(checked, await auditSearch(run, db, damages));
  });
  return { damages: damages.all(), checked };
};

/** VERIFY-2: failed page checksums, where the server has them enabled, and its index checks, where that extension is installed. */
const auditPages = async (run: Run, { schema, name }: Db, damages: Damages): Promise<void> => {
  const [state] = await run<{ readonly failures: number | null }>(
    'SELECT checksum_failures AS failures FROM pg_stat_database WHERE datname = current_database()',
  );
  if ((state?.failures ?? 0) > 0)
    damages.add('database', 'pages', name, `PostgreSQL has found ${state?.failures ?? 0} damaged pages; its own log names them`);
  const [amcheck] = await run<{ readonly schema: string }>(
    "SELECT n.nspname AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'amcheck'",
  );
  if (amcheck === undefined) return;
  const indexes = await run<{ readonly oid: number; readonly name: string }>(
    `SELECT c.oid::bigint AS oid, c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_am a ON a.oid = c.relam WHERE n.nspname = $1 AND a.amname = 'btree'`,
    [schema],
  );
  for (const index of indexes) {
    await run('SAVEPOINT checking');
    try {
      await run(`SELECT "${amcheck.schema}".bt_index_check($1::bigint::regclass)`, [index.oid]);
    } catch (cause) {
      await run('ROLLBACK TO checking');
      damages.add('database', 'indexes', `index ${index.name}`, cause instanceof Error ? cause.message : String(cause));
    }
  }
};

/** VERIFY-3: values that are spelled differently but mean the same to the chain, and what is kept beside it. */
const auditEntries = async (run: Run, damages: Damages): Promise<void> => {
  const sql = selectEntries(`WHERE position > $1 ORDER BY position LIMIT ${STEP}`);
  for (let rows = await run<EntryRow>(sql, [0]); rows.length > 0; rows = await run<EntryRow>(sql, [rows.at(-1)?.position ?? 0])) {
    for (const row of rows) {
      const odd = LISTS.filter((column) => row[column] !== listText(listFrom(row[column])));
      if (row.toolsInvoked !== null && row.toolsInvoked !== JSON.stringify(listFrom(row.toolsInvoked)))
        damages.add('log', 'entries', at(row), says('toolsInvoked'));
      for (const column of odd) damages.add('log', 'entries', at(row), says(column));
      for (const column of FLAGS) if (row[column] !== 0 && row[column] !== 1) damages.add('log', 'entries', at(row), says(column));
    }
  }
  const refs = await run<{ readonly type: string; readonly number: number }>(
    `SELECT coalesce(r.type, e.type) AS type, coalesce(r.number, e.number) AS number FROM refs r FULL JOIN (
         SELECT split_part(ref, '-', 1) AS type, split_part(ref, '-', 2)::bigint AS number, position
           FROM (SELECT position, 'MSG-' || msg AS ref FROM entries WHERE msg IS NOT NULL
             UNION ALL SELECT position, json_array_elements_text(other_refs::json) FROM entries WHERE other_refs IS NOT NULL) said
       ) e ON e.type = r.type AND e.number = r.number WHERE r.position IS DISTINCT FROM e.position LIMIT 10`,
  );
  for (const { type, number } of refs) damages.add('log', 'refs', `refs, ${type}-${number}`, 'does not lead to the entry that has it');
  const strays = await run<{ readonly hash: string }>(
    `SELECT encode(p.hash, 'hex') AS hash FROM payloads p WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.payload_hash = p.hash) LIMIT 10`,
  );
  for (const { hash } of strays) damages.add('log', 'payloads', `payloads, ${hash.slice(0, 12)}…`, 'belongs to no entry');
};

const at = ({ position }: EntryRow): string => `entries, ${position}`;
const says = (column: string): string => `${column} is not stored the way it is written`;

/** VERIFY-5: the bytes of every medium match its hash. */
const auditMedia = async (run: Run, damages: Damages): Promise<number> => {
  const uploads = await run<{ readonly id: string; readonly sha256: string | null; readonly size: number; readonly parts: number }>(
    'SELECT id, sha256, size, parts FROM media_uploads',
  );
  for (const { id, sha256, size, parts } of uploads) {
    const where = `media_uploads, ${sha256 ?? id}`;
    const hash = createHash('sha256');
    let bytes = 0;
    for (let part = 0; part < parts; part += 1) {
      const [row] = await run<{ readonly bytes: Buffer }>('SELECT bytes FROM media_parts WHERE upload = $1 AND part = $2', [id, part]);
      if (row === undefined) damages.add('media', 'media_parts', where, `part ${part} is missing`);
      else {
        bytes += row.bytes.length;
        hash.update(row.bytes);
      }
    }
    if (bytes !== size) damages.add('media', 'media_uploads', where, `has ${bytes} bytes, and was written with ${size}`);
    if (sha256 !== null && hash.digest('hex') !== sha256)
      damages.add('media', 'media_uploads', where, 'its bytes are not those it was uploaded with');
  }
  return uploads.length;
};

/** VERIFY-4: the library is what the log folds to. It is folded again into temporary tables, which shadow the board's. */
const auditLibrary = async (run: Run, { schema }: Db, prices: PriceTable, damages: Damages): Promise<number> => {
  for (const table of DERIVED_TABLES) await run(`CREATE TEMP TABLE ${table} (LIKE "${schema}".${table} INCLUDING ALL) ON COMMIT DROP`);
  // Forgetting leaves the rows that its session was counted by; a fold without the forgotten words would make different ones.
  await run(
    `CREATE TEMP TABLE forgetful ON COMMIT DROP AS WITH RECURSIVE kin (session) AS (
       SELECT DISTINCT e.session COLLATE "C" FROM payloads p JOIN entries e ON e.payload_hash = p.hash WHERE p.bytes IS NULL
       UNION SELECT CASE WHEN l.session = kin.session THEN l.source ELSE l.session END COLLATE "C"
         FROM kin JOIN "${schema}".links l ON kin.session IN (l.session, l.source)
     ) SELECT session FROM kin`,
  );
  await createFolding(prices).foldAll(run, '', [], () => {});
  let rows = 0;
  for (const table of DERIVED_TABLES) {
    const [kept, again] = [`"${schema}".${table}`, `pg_temp.${table}`];
    rows += (await run<{ readonly n: number }>(`SELECT count(*) AS n FROM ${kept}`))[0]?.n ?? 0;
    for (const [from, than, what] of [
      [kept, again, 'is not what the log says'],
      [again, kept, 'is missing, or is not what the log says'],
    ] as const) {
      const differing = await run<Record<string, unknown>>(
        `SELECT * FROM (SELECT * FROM ${from} EXCEPT SELECT * FROM ${than}) differing WHERE ${comparable(table)} LIMIT 3`,
      );
      for (const row of differing) damages.add('library', table, `${table}, ${placeOf(row)}`, what);
    }
  }
  return rows;
};

const comparable = (table: (typeof DERIVED_TABLES)[number]): string => {
  if (table === 'summaries') return 'position NOT IN (SELECT position FROM entries WHERE session IN (SELECT session FROM forgetful))';
  return `${table === 'sessions' ? 'id' : 'session'} NOT IN (SELECT session FROM forgetful)`;
};

/** Every table begins with its key columns. */
const placeOf = (row: Readonly<Record<string, unknown>>): string =>
  Object.entries(row)
    .slice(0, 3)
    .map(([column, value]) => `${column} ${String(value).slice(0, 60)}`)
    .join(', ');

const LISTS = ['otherRefs', 'citationsUsed', 'mediaAttached'] as const satisfies readonly (keyof EntryRow)[];
const FLAGS = ['flaggedUncertain', 'errorOccurred'] as const satisfies readonly (keyof EntryRow)[];
const STEP = 2000;
