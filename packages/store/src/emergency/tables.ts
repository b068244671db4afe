import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { lineOfAddition, readDocument, textOfDocument, withAdditions, type EmergencyAddition, type EmergencyDocument } from '@yarnboard/domain';
import type Database from 'better-sqlite3';
import { sha256 } from '../hash.ts';
import { makePrivateFile } from '../sqlite/database.ts';
import { roomAt } from '../sqlite/disk.ts';
import { sqliteModule } from '../sqlite/module.ts';
import { readLines } from './lines.ts';
import type { Doubtful, EmergencyPlace } from './port.ts';

/**
 * REC-11: documents in a database of their own, for anyone who wants to query them before the replay. The tables keep what every place keeps, sealed
 * texts; `emergency_cache` and `emergency_sidebar_snapshots` are views of them, so that another command is just another row.
 */
export const tablesPlace = (path: string): EmergencyPlace => {
  let db: Database.Database | null = null;

  const opened = (): Database.Database => {
    db ??= openTables(path);
    return db;
  };

  /** A failure, for example because a file was replaced, must not become permanent. */
  const using = <T>(work: (open: Database.Database) => T): Promise<T> => {
    try {
      return Promise.resolve(work(opened()));
    } catch (cause) {
      db?.close();
      db = null;
      return Promise.reject(cause instanceof Error ? cause : new Error(String(cause)));
    }
  };

  return {
    name: 'sqlite',
    survives: 'crashes; can be queried',
    isLocal: true,
    prepare: () => using(() => {}),
    write: (document, made) =>
      using((open) => {
        open.transaction(() => {
          const isBare = document.pendingWrites.length === 0 && document.pendingArchives.length === 0;
          const text = isBare && made !== undefined ? made : textOfDocument({ ...document, pendingWrites: [], pendingArchives: [] }, sha256);
          open.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?)').run(document.cacheId, text);
          open.prepare('DELETE FROM additions WHERE cache_id = ?').run(document.cacheId);
          insert(open, document.cacheId, additionsIn(document));
        })();
      }),
    add: (cacheId, additions) => using((open) => open.transaction(() => insert(open, cacheId, additions))()),
    find: () =>
      existsSync(path)
        ? using((open) => {
            const doubtful: Doubtful[] = [];
            const rows = open.prepare('SELECT cache_id AS cacheId, text FROM documents ORDER BY cache_id').all() as readonly Row[]; // both are texts
            const documents = rows.flatMap(({ cacheId, text }) => {
              const doubt = (one: Omit<Doubtful, 'place' | 'where'>): void =>
                void doubtful.push({ ...one, place: 'sqlite', where: `${path} (${cacheId})` });
              const read = readDocument(text, sha256);
              if (!read.ok) {
                doubt(read.error);
                return [];
              }
              const lines = open.prepare('SELECT line FROM additions WHERE cache_id = ? ORDER BY id').pluck().all(cacheId) as readonly string[]; // texts
              return [withAdditions(read.value, readLines(lines.join('\n'), doubt).additions)];
            });
            return { documents, doubtful };
          })
        : Promise.resolve({ documents: [], doubtful: [] }),
    remove: (cacheId) =>
      using((open) => {
        open.prepare('DELETE FROM additions WHERE cache_id = ?').run(cacheId);
        open.prepare('DELETE FROM documents WHERE cache_id = ?').run(cacheId);
      }),
    room: () => Promise.resolve(roomAt(path)),
    close: () => {
      db?.close();
      db = null;
      return Promise.resolve();
    },
  };
};

type Row = { readonly cacheId: string; readonly text: string };

const openTables = (path: string): Database.Database => {
  const folder = dirname(path);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  }
  makePrivateFile(path);
  const db = new (sqliteModule())(path, { timeout: PATIENCE });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('secure_delete = ON');
    db.exec(SCHEMA);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
};

const additionsIn = ({ pendingWrites, pendingArchives }: EmergencyDocument): readonly EmergencyAddition[] => [
  ...pendingWrites.map((write) => ({ kind: 'write' as const, write })),
  ...pendingArchives.map((write) => ({ kind: 'archive' as const, write })),
];

const insert = (db: Database.Database, cacheId: string, additions: readonly EmergencyAddition[]): void => {
  const row = db.prepare('INSERT OR IGNORE INTO additions (cache_id, kind, uuid, n, line) VALUES (?, ?, ?, ?, ?)');
  for (const one of additions) {
    const [uuid, n] = one.kind === 'outcome' ? [one.uuid, null] : [one.write.uuid, one.write.n];
    row.run(cacheId, one.kind, uuid, n, lineOfAddition(one, sha256).trimEnd());
  }
};

/** A second process may read while this one writes. */
const PATIENCE = 1000;

// The most informative outcome, as ranked by `domain/recovery/union.ts`.
const waiting = (kind: 'write' | 'archive'): string => `(
  SELECT json_group_array(json(entry)) FROM (
    SELECT json_set(json_extract(a.line, '$.write'), '$.outcome', json((
      SELECT outcome FROM (
        SELECT json_extract(w.line, '$.write.outcome') AS outcome FROM additions w WHERE w.cache_id = d.cache_id AND w.kind = a.kind AND w.uuid = a.uuid
        UNION ALL
        SELECT json_extract(o.line, '$.outcome') FROM additions o WHERE o.cache_id = d.cache_id AND o.kind = 'outcome' AND o.uuid = a.uuid
      ) ORDER BY instr('pending conflict discarded known replayed', json_extract(outcome, '$.kind')) DESC, outcome DESC LIMIT 1
    ))) AS entry
    FROM additions a WHERE a.cache_id = d.cache_id AND a.kind = '${kind}' GROUP BY a.uuid HAVING a.id = min(a.id) ORDER BY a.n, a.uuid
  ))`;

const FIELDS = (
  'created_at updated_at reason services_down sidebar_snapshots scratchpad_states last_known_good_state recovery_notes suggested_recovery_order ' +
  'resolved_at resolution_notes board_id server_id host version format head sha256'
).split(' ');

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS documents (cache_id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS additions (
    id INTEGER PRIMARY KEY, cache_id TEXT NOT NULL, kind TEXT NOT NULL, uuid TEXT NOT NULL, n INTEGER, line TEXT NOT NULL,
    UNIQUE (cache_id, kind, uuid, line)
  );
  CREATE VIEW IF NOT EXISTS emergency_cache AS
    SELECT d.cache_id AS cache_id, ${FIELDS.map((field) => `json_extract(d.text, '$.${field}') AS ${field}`).join(', ')},
      ${waiting('write')} AS pending_writes, ${waiting('archive')} AS pending_archives
    FROM documents d;
  CREATE VIEW IF NOT EXISTS emergency_sidebar_snapshots AS
    SELECT d.cache_id AS cache_id, s.key AS sidebar_id, json_extract(s.value, '$.status') AS status,
      json_extract(s.value, '$.last_activity') AS last_activity, s.value AS snapshot
    FROM documents d, json_each(d.text, '$.sidebar_snapshots') s;
`;
