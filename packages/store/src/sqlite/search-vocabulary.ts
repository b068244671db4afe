import {
  alternativesAmong,
  behindAll,
  documentsOfAll,
  isTerm,
  MOST_CANDIDATES,
  MOST_WITH_BEGINNING,
  wordsIn,
  type Documents,
} from '../search/alternatives.ts';
import type { Alternatives, Query } from '../search/query.ts';
import { trigramsOf, type Candidate } from '../search/spelling.ts';
import type { Db } from './database.ts';

export const addTerms = (index: Db, words: readonly string[]): void => {
  const insert = index.prepare<[string]>('INSERT OR IGNORE INTO terms (term) VALUES (?)');
  const part = index.prepare<[number, string]>("INSERT INTO term_parts (rowid, term) VALUES (?, '  ' || ? || ' ')");
  for (const word of new Set(words)) {
    if (!isTerm(word)) continue;
    const { changes, lastInsertRowid } = insert.run(word);
    if (changes > 0) part.run(Number(lastInsertRowid), word);
  }
};

/** The words that spelling corrections come from. */
export const TERMS_OF_VOCABULARY = "SELECT term FROM vocabulary WHERE length(term) BETWEEN 3 AND 40 AND term NOT GLOB '*[0-9]*[0-9]*[0-9]*'";

export const settleVocabulary = (index: Db): void => {
  if (index.prepare<[], { readonly s: number }>('SELECT is_stale AS s FROM progress').get()?.s !== 1) return;
  index
    .transaction(() => {
      const last = index.prepare<[], { readonly n: number | null }>('SELECT max(id) AS n FROM terms').get()?.n ?? 0;
      index.exec(
        `INSERT INTO terms (term) SELECT term FROM (${TERMS_OF_VOCABULARY}) v WHERE NOT EXISTS (SELECT 1 FROM terms t WHERE t.term = v.term)`,
      );
      index.prepare<[number]>("INSERT INTO term_parts (rowid, term) SELECT id, '  ' || term || ' ' FROM terms WHERE id > ?").run(last);
      index.exec('UPDATE progress SET is_stale = 0');
    })
    .immediate();
};

/** How many texts have a word, or words with a prefix. */
export const documentsWith = (index: Db): Documents => {
  const one = index.prepare<[string], number>('SELECT doc FROM vocabulary WHERE term = ?').pluck();
  return (word, isPrefix) => (isPrefix ? documentsOfAll(beginningWith(index, word)) : (one.get(word) ?? 0));
};

const beginningWith = (index: Db, beginning: string): readonly Candidate[] =>
  index
    .prepare<[string, string, number], Candidate>('SELECT term, doc AS documents FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?')
    .all(beginning, behindAll(beginning), MOST_WITH_BEGINNING + 1);

/** For words in no text: longer words that contain them, and words with almost the same spelling. */
export const alternativesFor = (index: Db, query: Query, documents: Documents): Alternatives => {
  const alternatives = new Map<string, readonly string[]>();
  for (const word of wordsIn(query)) {
    if (word.length < 3 || documents(word, false) > 0) continue;
    const found = alternativesAmong(word, nearTo(index, word, documents), (part) => documents(part, false));
    if (found.length > 0) alternatives.set(word, found);
  }
  return alternatives;
};

/** Words that contain a word or are spelled like it, with how many texts have them. */
export const nearTo = (index: Db, word: string, documents: Documents): readonly Candidate[] =>
  candidatesFor(index, word).map((term) => ({ term, documents: documents(term, false) }));

const candidatesFor = (index: Db, word: string): readonly string[] => {
  const parts = trigramsOf(word);
  if (parts.length === 0) return [];
  const quoted = parts.map((part) => `"${part.replaceAll('"', '""')}"`);
  // Most shared trigrams first; an index without details has no rank of its own.
  const alike = index.prepare<unknown[], { readonly term: string }>(
    `SELECT t.term FROM (SELECT id, count(*) AS shared FROM (${quoted.map(() => 'SELECT rowid AS id FROM term_parts WHERE term_parts MATCH ?').join(' UNION ALL ')})
       GROUP BY id ORDER BY shared DESC, id LIMIT ?) c JOIN terms t ON t.id = c.id ORDER BY c.shared DESC, abs(length(t.term) - ?)`,
  );
  const all = index.prepare<[string, number], { readonly term: string }>(
    'SELECT t.term FROM term_parts p JOIN terms t ON t.id = p.rowid WHERE term_parts MATCH ? ORDER BY length(t.term), t.term LIMIT ?',
  );
  // Without the spaces at its ends, a word is part of longer ones, too.
  const inside = quoted.filter((part) => !part.includes(' '));
  const containing = inside.length === 0 ? [] : all.all(inside.join(' AND '), MOST_CANDIDATES);
  return [...containing, ...alike.all(...quoted, MOST_CANDIDATES, word.length)].map(({ term }) => term);
};
