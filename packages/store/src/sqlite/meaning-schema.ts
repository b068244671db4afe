import type { Migration } from '../migration.ts';

/** Passages with one bit per dimension, which are kept in memory, and separately their vectors, which are read for the nearest only. */
export const MEANING_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'the index of meaning',
    up: `
CREATE TABLE progress (only INTEGER PRIMARY KEY CHECK (only = 1), board TEXT NOT NULL, model TEXT NOT NULL, position INTEGER NOT NULL, generation INTEGER NOT NULL) STRICT;
CREATE TABLE pieces (id INTEGER PRIMARY KEY AUTOINCREMENT, position INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL, bits BLOB NOT NULL) STRICT;
CREATE INDEX pieces_position ON pieces (position);
CREATE TABLE vectors (id INTEGER PRIMARY KEY, row BLOB NOT NULL) STRICT;
`,
    down: 'DROP TABLE vectors; DROP TABLE pieces; DROP TABLE progress;',
  },
  {
    version: 2,
    name: 'replies with what they answer',
    // Filled again: vectors without the prompt are different.
    up: `
DELETE FROM pieces;
DELETE FROM vectors;
ALTER TABLE pieces ADD COLUMN weight INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pieces ADD COLUMN prompt INTEGER;
CREATE INDEX pieces_prompt ON pieces (prompt) WHERE prompt IS NOT NULL;
UPDATE progress SET position = 0, generation = generation + 1;
`,
    down: 'DROP INDEX pieces_prompt; ALTER TABLE pieces DROP COLUMN prompt; ALTER TABLE pieces DROP COLUMN weight;',
  },
  {
    version: 3,
    name: 'masked meaning',
    // Nobody knows by which rules earlier texts were masked: an index without a number is emptied as soon as it is opened (SEC-24).
    up: 'ALTER TABLE progress ADD COLUMN masking INTEGER NOT NULL DEFAULT 0;',
    down: 'ALTER TABLE progress DROP COLUMN masking;',
  },
];
