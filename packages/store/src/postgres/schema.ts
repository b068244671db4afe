import { moveFor, readOnlyFault, stepsBetween, type Migration } from '../migration.ts';
import type { Db, Run } from './database.ts';
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
import {
  MASKED_TEXTS,
  MASKED_TEXTS_DOWN,
  MEANING_MASKING,
  MEANING_MASKING_DOWN,
  MEANING_PROMPTS,
  MEANING_PROMPTS_DOWN,
  MEANING_TABLES,
  MEANING_TABLES_DOWN,
  RANK_COLUMNS,
  RANK_COLUMNS_DOWN,
  SEARCH_TABLES,
  SEARCH_TABLES_DOWN,
  UNINDEXED_TABLE,
  UNINDEXED_TABLE_DOWN,
} from './search-schema.ts';
import { SERVERS_TABLE } from './servers.ts';

/** LOG-6: whatever the program does, the database itself refuses to change a row of the log. */
const appendOnly = (table: string): string => `
CREATE TRIGGER ${table}_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

/** The fields of the seed's ImmutableLogEntry, readable by any tool: hashes in hexadecimal. */
const LOG_VIEW = `
CREATE VIEW immutable_log AS
SELECT e.position, coalesce('MSG-' || e.msg, e.other_refs::json ->> 0) AS entry_id, e.uuid, e.type, e.version,
  to_timestamp(e.at / 1000.0) AS timestamp, to_timestamp(e.recorded_at / 1000.0) AS recorded_at, e.processing_time_ms,
  encode(e.payload_hash, 'hex') AS payload_hash, e.content_type, e.content_length, e.token_count, e.sender, e.sender_type,
  e.context AS context_id, e.parent_msg_id, encode(e.checksum, 'hex') AS checksum,
  (SELECT encode(p.checksum, 'hex') FROM entries p WHERE p.position = e.position - 1) AS previous_entry_checksum,
  encode(e.inner_hash, 'hex') AS inner_hash, e.session AS session_id, e.agent_model_version, e.citations_used, e.media_attached,
  e.tools_invoked, e.tool_results_summary, e.sender_confidence, e.flagged_uncertain, e.error_occurred, e.error_ref,
  e.originating_client, e.client_version, e.occurrence, e.copy_of, e.note
FROM entries e;
`;

// Transcripts contain texts of any length, and a B-tree takes 2.7 kB: such texts are indexed by hash, digest or beginning. Texts are compared by
// their bytes, as on SQLite: a locale would order sessions differently.
const LOG_TABLES = `
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the log is append-only: % is never changed', TG_TABLE_NAME; END $$;
CREATE TABLE board (id text NOT NULL, created_at bigint NOT NULL);
CREATE UNIQUE INDEX board_only ON board ((true));
CREATE TABLE entries (
  position bigint PRIMARY KEY,
  uuid text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  msg bigint,
  other_refs text,
  payload_hash bytea,
  content_type text COLLATE "C" NOT NULL,
  content_length bigint NOT NULL,
  token_count bigint,
  processing_time_ms bigint,
  sender text COLLATE "C" NOT NULL,
  sender_type text COLLATE "C" NOT NULL,
  context text COLLATE "C" NOT NULL,
  parent_msg_id text,
  session text COLLATE "C" NOT NULL,
  agent_model_version text,
  citations_used text,
  media_attached text,
  tools_invoked text,
  tool_results_summary text,
  sender_confidence double precision,
  flagged_uncertain smallint NOT NULL,
  error_occurred smallint NOT NULL,
  error_ref text,
  originating_client text NOT NULL,
  client_version text,
  occurrence bigint,
  copy_of bigint,
  note text,
  inner_hash bytea NOT NULL,
  checksum bytea NOT NULL,
  EXCLUDE USING hash (uuid WITH =)
);
CREATE UNIQUE INDEX entries_key ON entries (payload_hash, occurrence, md5(context)) WHERE occurrence IS NOT NULL;
CREATE INDEX entries_session ON entries (session, position);
CREATE INDEX entries_said ON entries (type) WHERE occurrence IS NULL;
CREATE TABLE refs (type text COLLATE "C" NOT NULL, number bigint NOT NULL, position bigint NOT NULL, PRIMARY KEY (type, number));
CREATE TABLE payloads (hash bytea PRIMARY KEY, length bigint NOT NULL, is_deflated smallint NOT NULL, bytes bytea);
ALTER TABLE payloads ALTER bytes SET STORAGE EXTERNAL;
CREATE TABLE files (
  path text COLLATE "C" NOT NULL, session text NOT NULL, agent text, role text NOT NULL, identity text NOT NULL, "offset" bigint NOT NULL,
  line bigint NOT NULL, size bigint NOT NULL, modified double precision NOT NULL, head_hash text NOT NULL, head_bytes bigint NOT NULL,
  lines bigint NOT NULL, blank bigint NOT NULL, records bigint NOT NULL, quarantined bigint NOT NULL
);
CREATE UNIQUE INDEX files_path ON files (md5(path));
${appendOnly('entries')}${appendOnly('refs')}${appendOnly('board')}
${LOG_VIEW}`;

const MIGRATIONS = {
  board: [
    { version: 1, name: 'the log', up: LOG_TABLES, down: null },
    { version: 2, name: 'the library', up: LIBRARY_TABLES, down: LIBRARY_TABLES_DOWN },
    {
      version: 3,
      name: 'what was said, in order',
      // SQLite's index includes the position by itself.
      up: 'DROP INDEX entries_said; CREATE INDEX entries_said ON entries (type, position) WHERE occurrence IS NULL;',
      down: 'DROP INDEX entries_said; CREATE INDEX entries_said ON entries (type) WHERE occurrence IS NULL;',
    },
    { version: 4, name: 'the kinds of sub-agents', up: KIND_TABLES, down: KIND_TABLES_DOWN },
    {
      version: 5,
      name: 'the dialects of files',
      up: `ALTER TABLE files ADD COLUMN dialect text NOT NULL DEFAULT 'claude-code';`,
      down: 'ALTER TABLE files DROP COLUMN dialect;',
    },
    { version: 6, name: 'a new reading of records', up: NEW_READING, down: NEW_READING_DOWN },
    {
      version: 7,
      name: 'media',
      up: `
CREATE TABLE media_uploads (id text COLLATE "C" PRIMARY KEY, sha256 text COLLATE "C" UNIQUE, size bigint NOT NULL, parts bigint NOT NULL, at bigint NOT NULL);
CREATE TABLE media_parts (upload text COLLATE "C" NOT NULL, part bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (upload, part));
ALTER TABLE media_parts ALTER bytes SET STORAGE EXTERNAL;
`,
      down: 'DROP TABLE media_parts; DROP TABLE media_uploads;',
    },
    { version: 8, name: 'what calls touch', up: TOUCH_TABLES, down: TOUCH_TABLES_DOWN },
    { version: 9, name: 'what tools took back', up: TAKEN_BACK_COLUMNS, down: TAKEN_BACK_COLUMNS_DOWN },
    { version: 10, name: 'the servers of a board', up: SERVERS_TABLE, down: 'DROP TABLE servers;' },
    { version: 11, name: 'what replies mention', up: MORE_MENTIONS, down: MORE_MENTIONS_DOWN },
  ],
  search: [
    { version: 1, name: 'the index', up: SEARCH_TABLES, down: SEARCH_TABLES_DOWN },
    { version: 2, name: 'what ranks a text', up: RANK_COLUMNS, down: RANK_COLUMNS_DOWN },
    { version: 3, name: 'what is not indexed as a whole', up: UNINDEXED_TABLE, down: UNINDEXED_TABLE_DOWN },
    { version: 4, name: 'what texts mean', up: MEANING_TABLES, down: MEANING_TABLES_DOWN },
    { version: 5, name: 'masked texts', up: MASKED_TEXTS, down: MASKED_TEXTS_DOWN },
    { version: 6, name: 'replies with what they answer', up: MEANING_PROMPTS, down: MEANING_PROMPTS_DOWN },
    { version: 7, name: 'masked meaning', up: MEANING_MASKING, down: MEANING_MASKING_DOWN },
  ],
} as const satisfies Record<string, readonly Migration[]>;

/** Migrates a part of the schema to the wanted version, by default the newest. */
export const migrate = async (db: Db, part: keyof typeof MIGRATIONS, wanted?: number): Promise<void> => {
  const steps: readonly Migration[] = MIGRATIONS[part];
  const move = moveFor(db.name, steps, await versionOf(db.run, part), wanted, 'dump');
  if (!move.isNeeded) return;
  if (db.readOnly) throw readOnlyFault(db.name, move);
  // Several servers may start at once: the first to get the lock migrates, and the others find it done.
  await db.transaction(async (run) => {
    await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`yarnboard ${db.schema}`]);
    await run(`CREATE SCHEMA IF NOT EXISTS ${db.schema}`);
    await run('CREATE TABLE IF NOT EXISTS schema_version (part text PRIMARY KEY, version bigint NOT NULL)');
    for (const step of stepsBetween(steps, await versionOf(run, part), move.to)) await run(step);
    await run('INSERT INTO schema_version (part, version) VALUES ($1, $2) ON CONFLICT (part) DO UPDATE SET version = excluded.version', [
      part,
      move.to,
    ]);
  });
};

const versionOf = async (run: Run, part: string): Promise<number> => {
  const [known] = await run<{ readonly found: string | null }>("SELECT to_regclass('schema_version')::text AS found");
  if (known === undefined || known.found === null) return 0;
  const [row] = await run<{ readonly version: number }>('SELECT version FROM schema_version WHERE part = $1', [part]);
  return row?.version ?? 0;
};
