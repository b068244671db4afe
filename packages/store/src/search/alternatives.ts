import type { Alternatives, Query } from './query.ts';
import { closest, type Candidate } from './spelling.ts';

/** The words that are looked for; not those that must be absent. */
export const wordsIn = ({ clauses }: Query): readonly string[] =>
  clauses.filter(({ negated }) => !negated).flatMap((clause) => (clause.kind === 'word' ? [clause.word] : clause.words));

// Hashes and numbers are no words that anybody misspells, and there are more of them than of words.
export const isTerm = (word: string): boolean => word.length >= 3 && word.length <= 40 && !/[0-9].*[0-9].*[0-9]/u.test(word);

/** For a word that is in no text: longer words that contain it, and words spelled almost the same. */
export const alternativesAmong = (word: string, near: readonly Candidate[]): readonly string[] => {
  const containing = near.flatMap(({ term }) => (term.includes(word) ? [term] : [])).slice(0, MOST_ALTERNATIVES);
  return [...new Set([...containing, ...closest(word, near)])].slice(0, MOST_ALTERNATIVES);
};

/** Whether even the rarest word of a query is in so many texts that ranking them all would take too long. */
export const isVeryCommon = (query: Query, corrected: Alternatives, documents: (term: string) => number): boolean => {
  const counts = wordsIn(query).map((word) => (corrected.get(word) ?? [word]).reduce((sum, term) => sum + documents(term), 0));
  return counts.length > 0 && Math.min(...counts) > COMMON;
};

/** Newest first for very common words; but a list that was begun one way goes on that way, however the index has grown meanwhile. */
export const orderOf = (cursor: string | null, isCommon: boolean): 'newest' | 'relevance' => {
  if (cursor !== null) return cursor.startsWith('n') ? 'newest' : 'relevance';
  return isCommon ? 'newest' : 'relevance';
};

const COMMON = 20_000;
const MOST_ALTERNATIVES = 12;
/** How many terms of the vocabulary are looked at for one word. */
export const MOST_CANDIDATES = 200;
