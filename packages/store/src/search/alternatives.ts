import { optionsOf, type Alternatives, type Option, type Query } from './query.ts';
import { closest, type Candidate } from './spelling.ts';

/** The words to look for, without the excluded ones. */
export const wordsIn = ({ clauses }: Query): readonly string[] =>
  clauses.filter(({ negated }) => !negated).flatMap((clause) => (clause.kind === 'word' ? [clause.word] : clause.words));

// Nobody misspells hashes and numbers, and there are more of them than of words.
export const isTerm = (word: string): boolean => word.length >= 3 && word.length <= 40 && !/[0-9].*[0-9].*[0-9]/u.test(word);

/** For a word in no text: longer words that contain it, words with almost the same spelling, and the two words it is composed of. */
export const alternativesAmong = (word: string, near: readonly Candidate[], counts: (part: string) => number = () => 0): readonly string[] => {
  const containing = near.flatMap(({ term }) => (term.includes(word) ? [term] : []));
  // Neither crowds out the other: a short misspelled word is part of many.
  const alike = closest(word, near);
  const parts = containing.slice(0, Math.max(MOST_ALTERNATIVES / 2, MOST_ALTERNATIVES - alike.length));
  return [...new Set([...parts, ...alike])].slice(0, MOST_ALTERNATIVES).concat(inTwo(word, counts));
};

/** Every way to split a word into two. */
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
/** The length of words that people write together by mistake. */
const LETTERS = /^\p{L}{6,40}$/u;

/** How many texts have a word; for a prefix, the sum over the words that begin with it. */
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

/** The sum over words with the same prefix; so many different words are very common as well. */
export const documentsOfAll = (found: readonly Candidate[]): number =>
  found.length > MOST_WITH_BEGINNING ? Number.POSITIVE_INFINITY : found.reduce((sum, { documents }) => sum + documents, 0);

/** The first text after everything with this prefix: no text has this character. */
export const behindAll = (beginning: string): string => `${beginning}\u{10ffff}`;

/** Newest first for very common words. But a list continues in the order it was begun in, even if the index has grown since. */
export const orderOf = (cursor: string | null, isCommon: boolean): 'newest' | 'relevance' => {
  if (cursor !== null) return cursor.startsWith('n') ? 'newest' : 'relevance';
  return isCommon ? 'newest' : 'relevance';
};

/** Where a list continues: below this position, or after this many hits; null at its beginning. */
export const startOf = (cursor: string | null): number | null => {
  const start = Number.parseInt(cursor?.slice(1) ?? '', 10);
  return Number.isSafeInteger(start) ? start : null;
};

const COMMON = 20_000;
const MOST_ALTERNATIVES = 12;
/** How many different words with the same prefix are considered. */
export const MOST_WITH_BEGINNING = 500;
/** How many terms of the vocabulary are considered for one word. */
export const MOST_CANDIDATES = 200;

/** How the list behind a cursor was begun: strictly, matching most of its words, or all of them in any form; null at the beginning. */
export const mannerOf = (cursor: string | null): 'strict' | 'most' | 'whole' | null =>
  cursor === null ? null : cursor.startsWith('l') ? 'most' : cursor.startsWith('w') ? 'whole' : 'strict';
