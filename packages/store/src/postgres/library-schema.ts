const SPENT = `responses bigint NOT NULL, input bigint NOT NULL, output bigint NOT NULL, cache_write_5m bigint NOT NULL, cache_write_1h bigint NOT NULL,
  cache_read bigint NOT NULL, cost_nano bigint NOT NULL, unpriced bigint NOT NULL`;

/** Everything here is derived: it may be dropped at any time and is folded from the log again. Column by column the same as SQLite's. */
export const LIBRARY_TABLES = `
CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  project text COLLATE "C",
  first_prompt text,
  custom_title text,
  ai_title text,
  forked_from text,
  versions text NOT NULL,
  models text NOT NULL,
  first_at bigint,
  last_at bigint,
  first_position bigint NOT NULL,
  last_position bigint NOT NULL,
  entries bigint NOT NULL,
  bytes bigint NOT NULL,
  messages bigint NOT NULL,
  copied bigint NOT NULL,
  exchanges bigint NOT NULL,
  tool_uses bigint NOT NULL,
  tool_results bigint NOT NULL,
  errors bigint NOT NULL,
  compactions bigint NOT NULL,
  quarantined bigint NOT NULL,
  companions bigint NOT NULL,
  ${SPENT}
);
CREATE INDEX sessions_last ON sessions (coalesce(last_at, 0) DESC, id DESC);
CREATE INDEX sessions_project ON sessions USING hash (project);
CREATE TABLE agents (
  session text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  first_position bigint NOT NULL,
  first_at bigint,
  last_at bigint,
  messages bigint NOT NULL,
  copied bigint NOT NULL,
  tool_uses bigint NOT NULL,
  ${SPENT}
);
CREATE UNIQUE INDEX agents_key ON agents (session, md5(agent));
CREATE TABLE messages (
  position bigint PRIMARY KEY,
  session text COLLATE "C" NOT NULL,
  agent text COLLATE "C",
  uuid text COLLATE "C" NOT NULL,
  parent_uuid text COLLATE "C",
  type text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  is_sidechain smallint NOT NULL,
  is_error smallint NOT NULL,
  model text COLLATE "C",
  number bigint,
  exchange bigint,
  copy_of bigint
);
CREATE INDEX messages_thread ON messages (session, left(agent, 64), position);
CREATE INDEX messages_order ON messages (session, position);
CREATE INDEX messages_uuid ON messages USING hash (uuid);
CREATE INDEX messages_parent ON messages USING hash (parent_uuid);
CREATE TABLE operations (
  position bigint NOT NULL,
  kind smallint NOT NULL,
  nth bigint NOT NULL,
  session text COLLATE "C" NOT NULL,
  tool_use_id text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  is_error smallint NOT NULL,
  answer smallint,
  at bigint NOT NULL,
  PRIMARY KEY (position, kind, nth)
);
CREATE INDEX operations_pair ON operations (left(tool_use_id, 64), session, kind, position);
CREATE INDEX operations_session ON operations (session, kind, position);
CREATE TABLE responses (
  message_id text COLLATE "C" NOT NULL,
  ordinal bigint NOT NULL,
  request_id text COLLATE "C",
  session text COLLATE "C" NOT NULL,
  agent text,
  position bigint NOT NULL,
  model text COLLATE "C",
  input bigint NOT NULL,
  output bigint NOT NULL,
  cache_write_5m bigint NOT NULL,
  cache_write_1h bigint NOT NULL,
  cache_read bigint NOT NULL,
  cost_nano bigint,
  at bigint NOT NULL
);
CREATE UNIQUE INDEX responses_key ON responses (md5(message_id), ordinal);
CREATE INDEX responses_request ON responses (md5(message_id), md5(request_id)) WHERE ordinal > 0;
CREATE INDEX responses_position ON responses (position);
CREATE INDEX responses_time ON responses (at);
CREATE INDEX responses_session ON responses (session);
CREATE TABLE links (
  session text COLLATE "C" NOT NULL, source text COLLATE "C" NOT NULL, by text NOT NULL, shared bigint NOT NULL, PRIMARY KEY (session, source, by)
);
CREATE INDEX links_source ON links (source);
CREATE TABLE summaries (position bigint PRIMARY KEY, leaf_uuid text COLLATE "C" NOT NULL, text text NOT NULL);
CREATE INDEX summaries_leaf ON summaries USING hash (leaf_uuid);
`;

const FIRST_TABLES = ['sessions', 'agents', 'messages', 'operations', 'responses', 'links', 'summaries'] as const;

export const LIBRARY_TABLES_DOWN = FIRST_TABLES.map((table) => `DROP TABLE ${table};`).join('\n');

/** What the kinds of sub-agents are derived from. Without any session, the library is folded anew when the board is opened, and then has them. */
export const KIND_TABLES = `
CREATE TABLE kinds (
  session text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  nth bigint NOT NULL,
  agent text COLLATE "C",
  tool_use_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  PRIMARY KEY (session, position, nth)
);
CREATE TABLE calls (session text COLLATE "C" NOT NULL, agent text COLLATE "C" NOT NULL, tool_use_id text COLLATE "C" NOT NULL);
CREATE UNIQUE INDEX calls_key ON calls (session, md5(agent), md5(tool_use_id));
DELETE FROM sessions;
`;

/**
 * Records are read anew: what wasn't typed, what a session is about, what a response costs. Without any session, the library is folded from the log
 * when the board is opened.
 */
export const NEW_READING = `
ALTER TABLE sessions ADD COLUMN first_command text COLLATE "C";
DELETE FROM sessions;
`;

export const NEW_READING_DOWN = 'ALTER TABLE sessions DROP COLUMN first_command; DELETE FROM sessions;';

export const KIND_TABLES_DOWN = 'DROP TABLE kinds; DROP TABLE calls;';

/** What became of sessions and their messages in their tools. Earlier entries didn't say so. */
export const TAKEN_BACK_COLUMNS = `
ALTER TABLE sessions ADD COLUMN takebacks bigint NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN in_tool text;
`;

export const TAKEN_BACK_COLUMNS_DOWN = 'ALTER TABLE sessions DROP COLUMN takebacks; ALTER TABLE sessions DROP COLUMN in_tool;';

/** What calls touched and records mention. Without any session, the library is folded anew when the board is opened, and then has them. */
export const TOUCH_TABLES = `
CREATE TABLE touches (
  position bigint NOT NULL,
  nth bigint NOT NULL,
  session text COLLATE "C" NOT NULL,
  use_nth bigint,
  kind smallint NOT NULL,
  target text COLLATE "C" NOT NULL,
  from_line bigint,
  to_line bigint,
  at bigint NOT NULL,
  PRIMARY KEY (position, nth)
);
CREATE INDEX touches_target ON touches (left(target, 256), position, kind);
CREATE INDEX touches_session ON touches (session);
CREATE INDEX calls_tool ON calls (session, md5(tool_use_id));
CREATE INDEX sessions_forked ON sessions USING hash (forked_from);
DELETE FROM sessions;
`;

/** References are read from replies, too, and wherever they stand. As after NEW_READING, the library is folded from the log when the board is opened. */
export const MORE_MENTIONS = 'DELETE FROM sessions;';

/** An older program reads fewer: it folds anew as well. */
export const MORE_MENTIONS_DOWN = 'DELETE FROM sessions;';

export const TOUCH_TABLES_DOWN = 'DROP TABLE touches; DROP INDEX calls_tool; DROP INDEX sessions_forked;';

export const DERIVED_TABLES = [...FIRST_TABLES, 'kinds', 'calls', 'touches'] as const;
