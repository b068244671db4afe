/**
 * The index of all text: whatever is wrong with it, it is emptied and filled from the log again. A text whose words or places are more than one
 * tsvector can hold lies in pieces in `text_parts`. The trigrams of a term are those that misspellings are found by.
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
