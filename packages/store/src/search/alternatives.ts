import { optionsOf, type Alternatives, type Option, type Query } from './query.ts';
import { closest, type Candidate } from './spelling.ts';

/** The words that are looked for; not those that must be absent. */
export const wordsIn = ({ clauses }: Query): readonly string[] =>
  clauses.filter(({ negated }) => !negated).flatMap((clause) => (clause.kind === 'word' ? [clause.word] : clause.words));

// Hashes and numbers are no words that anybody misspells, and there are more of them than of words.
export const isTerm = (word: string): boolean => word.length >= 3 && word.length <= 40 && !/[0-9].*[0-9].*[0-9]/u.test(word);

/** For a word that is in no text: longer words that contain it, words spelled almost the same, and the two words that it is made of. */
export const alternativesAmong = (word: string, near: readonly Candidate[], counts: (part: string) => number = () => 0): readonly string[] => {
  const containing = near.flatMap(({ term }) => (term.includes(word) ? [term] : []));
  // Neither crowds out the other: a misspelled short word is part of many.
  const alike = closest(word, near);
  const parts = containing.slice(0, Math.max(MOST_ALTERNATIVES / 2, MOST_ALTERNATIVES - alike.length));
  return [...new Set([...parts, ...alike])].slice(0, MOST_ALTERNATIVES).concat(inTwo(word, counts));
};

/** Every two words that a word can be written apart into. */
export const splitsOf = (word: string): readonly (readonly [string, string])[] =>
  LETTERS.test(word)
    ? Array.from(
        { length: Math.max(0, word.length - 2 * SHORTEST_PART + 1) },
        (_, i) => [word.slice(0, i + SHORTEST_PART), word.slice(i + SHORTEST_PART)] as const,
      )
    : [];

const inTwo = (word: string, counts: (part: string) => number): readonly string[] => {
  const known = splitsOf(word)
    .map(([a, b]) => ({ phrase: `${a} ${b}`, documents: Math.min(counts(a), counts(b)) }))
    .filter(({ documents }) => documents > 0)
    .sort((a, b) => b.documents - a.documents || (a.phrase < b.phrase ? -1 : 1));
  return known.slice(0, 1).map(({ phrase }) => phrase);
};

const SHORTEST_PART = 3;
/** As long as a word is that anybody writes together by mistake. */
const LETTERS = /^\p{L}{6,40}$/u;

/** How many texts have a word; for a beginning, what the words that have it add up to. */
export type Documents = (word: string, isPrefix: boolean) => number;

/** Whether even the rarest part of a query is in so many texts that ranking them all would take too long. */
export const isVeryCommon = (query: Query, corrected: Alternatives, documents: Documents): boolean => {
  const most = ({ words, prefix }: Option): number => Math.min(...words.map((word, at) => documents(word, prefix && at === words.length - 1)));
  const counts = query.clauses.flatMap((clause) => {
    const options = clause.negated ? [] : optionsOf(clause, corrected);
    return options.length === 0 ? [] : [options.reduce((sum, option) => sum + most(option), 0)];
  });
  return counts.length > 0 && Math.min(...counts) > COMMON;
};

/** What the words with the same beginning add up to; so many different ones are very common, too. */
export const documentsOfAll = (found: readonly Candidate[]): number =>
  found.length > MOST_WITH_BEGINNING ? Number.POSITIVE_INFINITY : found.reduce((sum, { documents }) => sum + documents, 0);

/** The first text behind everything that begins with this: nothing has this character. */
export const behindAll = (beginning: string): string => `${beginning}\u{10ffff}`;

/** Newest first for very common words; but a list that was begun one way goes on that way, however the index has grown meanwhile. */
export const orderOf = (cursor: string | null, isCommon: boolean): 'newest' | 'relevance' => {
  if (cursor !== null) return cursor.startsWith('n') ? 'newest' : 'relevance';
  return isCommon ? 'newest' : 'relevance';
};

/** Where a list goes on: below this position, or behind so many hits; null at its beginning. */
export const startOf = (cursor: string | null): number | null => {
  const start = Number.parseInt(cursor?.slice(1) ?? '', 10);
  return Number.isSafeInteger(start) ? start : null;
};

const COMMON = 20_000;
const MOST_ALTERNATIVES = 12;
/** How many different words with the same beginning are looked at. */
export const MOST_WITH_BEGINNING = 500;
/** How many terms of the vocabulary are looked at for one word. */
export const MOST_CANDIDATES = 200;

/** How a list was begun that goes on at a cursor: asked strictly, for most of its words, or for all of them in any form; null at the beginning. */
export const mannerOf = (cursor: string | null): 'strict' | 'most' | 'whole' | null =>
  cursor === null ? null : cursor.startsWith('l') ? 'most' : cursor.startsWith('w') ? 'whole' : 'strict';
