import type { Migration } from '../migration.ts';
import {
  KIND_TABLES,
  KIND_TABLES_DOWN,
  LIBRARY_TABLES,
  LIBRARY_TABLES_DOWN,
  MORE_MENTIONS,
  MORE_MENTIONS_DOWN,
  NEW_READING,
  NEW_READING_DOWN,
  TAKEN_BACK_COLUMNS,
  TAKEN_BACK_COLUMNS_DOWN,
  TOUCH_TABLES,
  TOUCH_TABLES_DOWN,
} from './library-schema.ts';
import { SEALED_COLUMNS } from './seal.ts';

/** The fields of the seed's ImmutableLogEntry, readable by any tool: names resolved, hashes in hexadecimal. */
const LOG_VIEW = `
CREATE VIEW immutable_log AS
SELECT e.position, coalesce('MSG-' || e.msg, json_extract(e.other_refs, '$[0]')) AS entry_id, e.uuid, t.text AS type, e.version,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.at / 1000.0, 'unixepoch') AS timestamp,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.recorded_at / 1000.0, 'unixepoch') AS recorded_at, e.processing_time_ms,
  lower(hex(e.payload_hash)) AS payload_hash, ct.text AS content_type, e.content_length, e.token_count, s.text AS sender, st.text AS sender_type,
  c.text AS context_id, e.parent_msg_id, lower(hex(e.checksum)) AS checksum,
  (SELECT lower(hex(p.checksum)) FROM entries p WHERE p.position = e.position - 1) AS previous_entry_checksum,
  lower(hex(e.inner_hash)) AS inner_hash, se.text AS session_id, m.text AS agent_model_version, e.citations_used, e.media_attached,
  e.tools_invoked, e.tool_results_summary, e.sender_confidence, e.flagged_uncertain, e.error_occurred, e.error_ref,
  oc.text AS originating_client, cv.text AS client_version, e.occurrence, e.copy_of, e.note
FROM entries e JOIN names t ON t.id = e.type JOIN names ct ON ct.id = e.content_type JOIN names s ON s.id = e.sender
  JOIN names st ON st.id = e.sender_type JOIN names c ON c.id = e.context JOIN names se ON se.id = e.session
  JOIN names oc ON oc.id = e.originating_client LEFT JOIN names m ON m.id = e.agent_model_version LEFT JOIN names cv ON cv.id = e.client_version;
`;

/** LOG-6: whatever the program does, the database itself refuses to change a row of the log. */
const appendOnly = (table: string): string => `
CREATE TRIGGER ${table}_never_updated BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'the log is append-only: ${table} is never updated'); END;
CREATE TRIGGER ${table}_never_deleted BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, 'the log is append-only: no row of ${table} is ever deleted'); END;
`;

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'the log',
    up: `
CREATE TABLE board (id TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE entries (
  position INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  type INTEGER NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  msg INTEGER,
  other_refs TEXT,
  payload_hash BLOB,
  content_type INTEGER NOT NULL,
  content_length INTEGER NOT NULL,
  token_count INTEGER,
  processing_time_ms INTEGER,
  sender INTEGER NOT NULL,
  sender_type INTEGER NOT NULL,
  context INTEGER NOT NULL,
  parent_msg_id TEXT,
  session INTEGER NOT NULL,
  agent_model_version INTEGER,
  citations_used TEXT,
  media_attached TEXT,
  tools_invoked TEXT,
  tool_results_summary TEXT,
  sender_confidence REAL,
  flagged_uncertain INTEGER NOT NULL,
  error_occurred INTEGER NOT NULL,
  error_ref TEXT,
  originating_client INTEGER NOT NULL,
  client_version INTEGER,
  occurrence INTEGER,
  copy_of INTEGER,
  note TEXT,
  inner_hash BLOB NOT NULL,
  checksum BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_key ON entries (context, payload_hash, occurrence) WHERE occurrence IS NOT NULL;
CREATE INDEX entries_session ON entries (session);
CREATE INDEX entries_said ON entries (type) WHERE occurrence IS NULL;
CREATE TABLE refs (type TEXT NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (type, number)) STRICT, WITHOUT ROWID;
-- AUTOINCREMENT: the id of a pack that was dropped is never given again, or other handles would read new bytes as the old ones.
CREATE TABLE packs (id INTEGER PRIMARY KEY AUTOINCREMENT, bytes BLOB NOT NULL) STRICT;
CREATE TABLE payloads (
  hash BLOB PRIMARY KEY, pack INTEGER, start INTEGER NOT NULL, length INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE files (
  path TEXT PRIMARY KEY, session TEXT NOT NULL, agent TEXT, role TEXT NOT NULL, identity TEXT NOT NULL, offset INTEGER NOT NULL,
  line INTEGER NOT NULL, size INTEGER NOT NULL, modified REAL NOT NULL, head_hash TEXT NOT NULL, head_bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL, blank INTEGER NOT NULL, records INTEGER NOT NULL, quarantined INTEGER NOT NULL
) STRICT;
${appendOnly('entries')}${appendOnly('names')}${appendOnly('refs')}${appendOnly('board')}
${LOG_VIEW}`,
    down: null,
  },
  { version: 2, name: 'the library', up: LIBRARY_TABLES, down: LIBRARY_TABLES_DOWN },
  { version: 3, name: 'the kinds of sub-agents', up: KIND_TABLES, down: KIND_TABLES_DOWN },
  {
    version: 4,
    name: 'the dialects of files',
    up: `ALTER TABLE files ADD COLUMN dialect TEXT NOT NULL DEFAULT 'claude-code';`,
    down: 'ALTER TABLE files DROP COLUMN dialect;',
  },
  { version: 5, name: 'a new reading of records', up: NEW_READING, down: NEW_READING_DOWN },
  {
    version: 6,
    name: 'media',
    up: `
CREATE TABLE media_uploads (id TEXT PRIMARY KEY, sha256 TEXT UNIQUE, size INTEGER NOT NULL, parts INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE TABLE media_parts (upload TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (upload, part)) STRICT;
`,
    down: 'DROP TABLE media_parts; DROP TABLE media_uploads;',
  },
  {
    version: 7,
    name: 'seals of how far files were read',
    up: `
ALTER TABLE files ADD COLUMN seal TEXT NOT NULL DEFAULT '';
UPDATE files SET seal = yarnboard_seal(${SEALED_COLUMNS.join(', ')});
`,
    down: 'ALTER TABLE files DROP COLUMN seal;',
  },
  { version: 8, name: 'what calls touch', up: TOUCH_TABLES, down: TOUCH_TABLES_DOWN },
  { version: 9, name: 'what tools took back', up: TAKEN_BACK_COLUMNS, down: TAKEN_BACK_COLUMNS_DOWN },
  { version: 10, name: 'what replies mention', up: MORE_MENTIONS, down: MORE_MENTIONS_DOWN },
];
