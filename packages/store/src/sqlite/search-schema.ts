import type { Migration } from '../migration.ts';

/** The full-text index, in a file of its own: if anything is wrong with it, it is deleted and filled from the log again. */
export const SEARCH_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'the index',
    up: `
CREATE TABLE progress (only INTEGER PRIMARY KEY CHECK (only = 1), board TEXT NOT NULL, position INTEGER NOT NULL, is_stale INTEGER NOT NULL) STRICT;
CREATE VIRTUAL TABLE texts USING fts5(text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(texts, row);
CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE) STRICT;
CREATE VIRTUAL TABLE term_parts USING fts5(term, content = '', tokenize = 'trigram', detail = none, columnsize = 0);
INSERT INTO texts (texts, rank) VALUES ('hashsize', 67108864);
INSERT INTO texts (texts, rank) VALUES ('automerge', 8);
`,
    down: `
DROP TABLE term_parts;
DROP TABLE terms;
DROP TABLE vocabulary;
DROP TABLE texts;
DROP TABLE progress;
`,
  },
  {
    version: 2,
    name: 'what is not indexed as a whole',
    up: 'CREATE TABLE unindexed (position INTEGER PRIMARY KEY, why TEXT NOT NULL) STRICT;',
    down: 'DROP TABLE unindexed;',
  },
  {
    version: 3,
    name: 'masked texts',
    // An index without a number was made from unmasked texts: it is emptied as soon as it is opened (SEC-24).
    up: 'ALTER TABLE progress ADD COLUMN masking INTEGER NOT NULL DEFAULT 0; CREATE TABLE masked (position INTEGER PRIMARY KEY) STRICT;',
    down: 'DROP TABLE masked; ALTER TABLE progress DROP COLUMN masking;',
  },
];
