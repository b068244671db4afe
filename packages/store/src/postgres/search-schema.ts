/**
 * The full-text index: if anything is wrong with it, it is emptied and filled from the log again. A text whose words or places exceed one tsvector is
 * split into pieces in `text_parts`. Misspellings are found by the trigrams of a term.
 */
export const SEARCH_TABLES = `
CREATE TABLE progress (only_one smallint PRIMARY KEY CHECK (only_one = 1), position bigint NOT NULL);
INSERT INTO progress (only_one, position) VALUES (1, 0);
CREATE TABLE texts (position bigint PRIMARY KEY, words tsvector NOT NULL);
CREATE INDEX texts_words ON texts USING gin (words);
CREATE TABLE text_parts (position bigint NOT NULL, part bigint NOT NULL, words tsvector NOT NULL, PRIMARY KEY (position, part));
CREATE INDEX text_parts_words ON text_parts USING gin (words);
CREATE TABLE terms (term text COLLATE "C" PRIMARY KEY, documents bigint NOT NULL, trigrams text[]) WITH (fillfactor = 70);
CREATE INDEX terms_trigrams ON terms USING gin (trigrams);
`;

export const SEARCH_TABLES_DOWN = ['terms', 'text_parts', 'texts', 'progress'].map((table) => `DROP TABLE ${table};`).join('\n');

/**
 * What the ranking depends on: how many texts and words there are, how long each text is, and where each piece of a text begins. The index is emptied
 * and filled from the log again.
 */
export const RANK_COLUMNS = `
TRUNCATE texts, text_parts, terms;
ALTER TABLE progress ADD texts bigint NOT NULL DEFAULT 0, ADD words bigint NOT NULL DEFAULT 0;
UPDATE progress SET position = 0;
ALTER TABLE texts ADD length bigint NOT NULL;
ALTER TABLE text_parts ADD length bigint NOT NULL, ADD start bigint NOT NULL;
`;

export const UNINDEXED_TABLE = 'CREATE TABLE unindexed (position bigint PRIMARY KEY, why text NOT NULL);';
export const UNINDEXED_TABLE_DOWN = 'DROP TABLE unindexed;';

/** An index without a number was made from unmasked texts: it is emptied before anything is added (SEC-24). */
export const MASKED_TEXTS = `
ALTER TABLE progress ADD masking bigint NOT NULL DEFAULT 0;
CREATE TABLE masked (position bigint PRIMARY KEY);
`;
export const MASKED_TEXTS_DOWN = 'DROP TABLE masked; ALTER TABLE progress DROP masking;';

export const RANK_COLUMNS_DOWN = `
ALTER TABLE progress DROP texts, DROP words;
ALTER TABLE texts DROP length;
ALTER TABLE text_parts DROP length, DROP start;
`;

/** What texts mean: passages with one bit per dimension, which servers keep in memory, and their vectors in a table of their own. */
export const MEANING_TABLES = `
CREATE TABLE meaning_progress (only_one smallint PRIMARY KEY CHECK (only_one = 1), model text NOT NULL, position bigint NOT NULL, generation bigint NOT NULL);
INSERT INTO meaning_progress (only_one, model, position, generation) VALUES (1, '', 0, 0);
CREATE TABLE meaning_pieces (id bigint PRIMARY KEY, position bigint NOT NULL, start bigint NOT NULL, length bigint NOT NULL, bits bytea NOT NULL);
CREATE INDEX meaning_pieces_position ON meaning_pieces (position);
CREATE TABLE meaning_vectors (id bigint PRIMARY KEY, row bytea NOT NULL);
`;
/** Filled again: vectors that lack the prompt a reply answers are different. */
export const MEANING_PROMPTS = `
DELETE FROM meaning_pieces;
DELETE FROM meaning_vectors;
ALTER TABLE meaning_pieces ADD weight bigint NOT NULL, ADD prompt bigint;
CREATE INDEX meaning_pieces_prompt ON meaning_pieces (prompt) WHERE prompt IS NOT NULL;
UPDATE meaning_progress SET position = 0, generation = generation + 1;
`;
export const MEANING_PROMPTS_DOWN = 'DROP INDEX meaning_pieces_prompt; ALTER TABLE meaning_pieces DROP prompt, DROP weight;';
/** Until now it was emptied together with the words: it was made by the same masking rules as they were (SEC-24). */
export const MEANING_MASKING = `
ALTER TABLE meaning_progress ADD masking bigint NOT NULL DEFAULT 0;
UPDATE meaning_progress SET masking = coalesce((SELECT masking FROM progress), 0);
`;
export const MEANING_MASKING_DOWN = 'ALTER TABLE meaning_progress DROP masking;';
export const MEANING_TABLES_DOWN = 'DROP TABLE meaning_vectors; DROP TABLE meaning_pieces; DROP TABLE meaning_progress;';
