/** Everything here is derived: it may be dropped at any time and is folded from the log again. */
export const LIBRARY_TABLES = `
CREATE TABLE sessions (
  name INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project TEXT,
  first_prompt TEXT,
  custom_title TEXT,
  ai_title TEXT,
  forked_from TEXT,
  versions TEXT NOT NULL,
  models TEXT NOT NULL,
  first_at INTEGER,
  last_at INTEGER,
  first_position INTEGER NOT NULL,
  last_position INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  copied INTEGER NOT NULL,
  exchanges INTEGER NOT NULL,
  tool_uses INTEGER NOT NULL,
  tool_results INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  compactions INTEGER NOT NULL,
  quarantined INTEGER NOT NULL,
  companions INTEGER NOT NULL,
  responses INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_write_5m INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cost_nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_last ON sessions (last_at DESC, id DESC);
CREATE INDEX sessions_project ON sessions (project, last_at DESC);
CREATE TABLE agents (
  session INTEGER NOT NULL,
  agent TEXT NOT NULL,
  first_position INTEGER NOT NULL,
  first_at INTEGER,
  last_at INTEGER,
  messages INTEGER NOT NULL,
  copied INTEGER NOT NULL,
  tool_uses INTEGER NOT NULL,
  responses INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_write_5m INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cost_nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  PRIMARY KEY (session, agent)
) STRICT, WITHOUT ROWID;
CREATE TABLE messages (
  position INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  agent INTEGER,
  uuid TEXT NOT NULL,
  parent_uuid TEXT,
  type INTEGER NOT NULL,
  role INTEGER NOT NULL,
  at INTEGER NOT NULL,
  is_sidechain INTEGER NOT NULL,
  is_error INTEGER NOT NULL,
  model INTEGER,
  number INTEGER,
  exchange INTEGER,
  copy_of INTEGER
) STRICT;
CREATE INDEX messages_thread ON messages (session, agent, position);
CREATE INDEX messages_uuid ON messages (uuid);
CREATE INDEX messages_parent ON messages (parent_uuid);
CREATE INDEX messages_kind ON messages (session, type, is_sidechain);
CREATE INDEX messages_time ON messages (session, at);
CREATE TABLE operations (
  position INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  nth INTEGER NOT NULL,
  session INTEGER NOT NULL,
  tool_use_id TEXT NOT NULL,
  name INTEGER,
  is_error INTEGER NOT NULL,
  answer INTEGER,
  at INTEGER NOT NULL,
  PRIMARY KEY (position, kind, nth)
) STRICT, WITHOUT ROWID;
CREATE INDEX operations_pair ON operations (tool_use_id, session, kind, position);
CREATE INDEX operations_session ON operations (session, kind, position);
CREATE TABLE responses (
  message_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  request_id TEXT,
  session INTEGER NOT NULL,
  agent TEXT,
  position INTEGER NOT NULL,
  model INTEGER,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_write_5m INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cost_nano INTEGER,
  at INTEGER NOT NULL,
  PRIMARY KEY (message_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX responses_request ON responses (message_id, request_id) WHERE ordinal > 0;
CREATE INDEX responses_position ON responses (position);
CREATE INDEX responses_time ON responses (at);
CREATE TABLE links (
  session INTEGER NOT NULL, source INTEGER NOT NULL, by TEXT NOT NULL, shared INTEGER NOT NULL, PRIMARY KEY (session, source, by)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_source ON links (source);
CREATE TABLE summaries (position INTEGER PRIMARY KEY, leaf_uuid TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX summaries_leaf ON summaries (leaf_uuid);
`;

const FIRST_TABLES = ['sessions', 'agents', 'messages', 'operations', 'responses', 'links', 'summaries'] as const;

export const LIBRARY_TABLES_DOWN = FIRST_TABLES.map((table) => `DROP TABLE ${table};`).join('\n');

/** What the kinds of sub-agents are derived from. Without any session, the library is folded anew when the board is opened, and then has them. */
export const KIND_TABLES = `
CREATE TABLE kinds (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  nth INTEGER NOT NULL,
  agent TEXT,
  tool_use_id TEXT,
  kind TEXT NOT NULL,
  PRIMARY KEY (session, position, nth)
) STRICT, WITHOUT ROWID;
CREATE INDEX kinds_call ON kinds (tool_use_id, session);
CREATE TABLE calls (
  session INTEGER NOT NULL, agent TEXT NOT NULL, tool_use_id TEXT NOT NULL, PRIMARY KEY (session, agent, tool_use_id)
) STRICT, WITHOUT ROWID;
DELETE FROM sessions;
`;

/**
 * Records are read anew: what wasn't typed, what a session is about, what a response costs. Without any session, the library is folded from the log
 * when the board is opened.
 */
export const NEW_READING = `
ALTER TABLE sessions ADD COLUMN first_command TEXT;
DELETE FROM sessions;
`;

export const NEW_READING_DOWN = 'ALTER TABLE sessions DROP COLUMN first_command; DELETE FROM sessions;';

export const KIND_TABLES_DOWN = 'DROP TABLE kinds; DROP TABLE calls;';

/** What became of sessions and their messages in their tools. Earlier entries didn't say so. */
export const TAKEN_BACK_COLUMNS = `
ALTER TABLE sessions ADD COLUMN takebacks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN in_tool TEXT;
`;

export const TAKEN_BACK_COLUMNS_DOWN = 'ALTER TABLE sessions DROP COLUMN takebacks; ALTER TABLE sessions DROP COLUMN in_tool;';

/** What calls touched and records mention. Without any session, the library is folded anew when the board is opened, and then has them. */
export const TOUCH_TABLES = `
CREATE TABLE touches (
  position INTEGER NOT NULL,
  nth INTEGER NOT NULL,
  session INTEGER NOT NULL,
  use_nth INTEGER,
  kind INTEGER NOT NULL,
  target TEXT NOT NULL,
  from_line INTEGER,
  to_line INTEGER,
  at INTEGER NOT NULL,
  PRIMARY KEY (position, nth)
) STRICT, WITHOUT ROWID;
CREATE INDEX touches_target ON touches (target, position, kind);
CREATE INDEX touches_session ON touches (session);
CREATE INDEX calls_tool ON calls (session, tool_use_id);
CREATE INDEX sessions_forked ON sessions (forked_from) WHERE forked_from IS NOT NULL;
DELETE FROM sessions;
`;

/** References are read from replies, too, and wherever they stand. As after NEW_READING, the library is folded from the log when the board is opened. */
export const MORE_MENTIONS = 'DELETE FROM sessions;';

/** An older program reads fewer: it folds anew as well. */
export const MORE_MENTIONS_DOWN = 'DELETE FROM sessions;';

export const TOUCH_TABLES_DOWN = 'DROP TABLE touches; DROP INDEX calls_tool; DROP INDEX sessions_forked;';

export const DERIVED_TABLES = [...FIRST_TABLES, 'kinds', 'calls', 'touches'] as const;
