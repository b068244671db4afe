import { optionsOf, type Alternatives, type Option, type Query } from './query.ts';

/**
 * The order of hits, defined once for every database (FIND-15): Okapi BM25 as FTS5 computes it, where each option of the query counts by itself.
 * SQLite has it built in; elsewhere it is computed here, and the suite holds every store to it.
 */

/** How many texts and words were indexed since the index was last empty. Dropped texts still count, as in FTS5. */
export type Collection = { readonly texts: number; readonly words: number };

/** What a text's score depends on. */
export type Matched = {
  /** How often the text has each option, in the order of `rankedOptions`. */
  readonly counts: readonly number[];
  /** How many words the text has. */
  readonly length: number;
  /** Whether a program noted it: titles, queues and hooks repeat what somebody said, and rank below it. */
  readonly isNote: boolean;
};

export type Ranked = { readonly position: number; readonly score: number };

/** Everything a text may be found by, clause by clause. Exclusions have no weight. */
export const rankedOptions = (query: Query, alternatives: Alternatives): readonly Option[] =>
  query.clauses.flatMap((clause) => (clause.negated ? [] : optionsOf(clause, alternatives)));

/** Scores the texts of an index, given how many of them have each option. */
export const createScorer = ({ texts, words }: Collection, frequencies: readonly number[]): ((matched: Matched) => number) => {
  const average = words / texts;
  const rarities = frequencies.map((frequency) => rarityOf(texts, frequency));
  return ({ counts, length, isNote }) => {
    let sum = 0;
    for (const [at, rarity] of rarities.entries()) {
      const count = counts[at] ?? 0;
      sum += rarity * partOf(count, length, average);
    }
    return Math.trunc(sum * (isNote ? NOTE_WEIGHT : 1) * SCORE_STEPS) / SCORE_STEPS;
  };
};

/** How telling a match is, given how many texts have it. */
export const rarityOf = (texts: number, frequency: number): number => {
  const rarity = Math.log((texts - frequency + 0.5) / (frequency + 0.5));
  return rarity <= 0 || Number.isNaN(rarity) ? LEAST_RARITY : rarity;
};

/** BM25's term-frequency part, before rarity. */
export const partOf = (count: number, length: number, average: number): number =>
  (count * (SATURATION + 1)) / (count + SATURATION * (1 - BY_LENGTH + (BY_LENGTH * length) / average));

/** Best first; newest first among equals. */
export const byRank = (a: Ranked, b: Ranked): number => b.score - a.score || b.position - a.position;

/** How often a text has an option, given the places of all the words that matter, and of no others. */
export const countOf = ({ words, prefix }: Option, places: ReadonlyMap<string, readonly number[]>): number => {
  const placesOf = (word: string, at: number): readonly number[] =>
    prefix && at === words.length - 1 ? [...places].flatMap(([other, where]) => (other.startsWith(word) ? where : [])) : (places.get(word) ?? []);
  const [first = [], ...others] = words.map(placesOf);
  const followers = others.map((where) => new Set(where));
  return followers.length === 0 ? first.length : first.filter((place) => followers.every((where, at) => where.has(place + at + 1))).length;
};

/** The weight of a program's note relative to what somebody said. */
export const NOTE_WEIGHT = 0.6;
/** Scores are rounded to this many parts: differences from rounding alone count as equal, on every database. */
export const SCORE_STEPS = 1e10;

const SATURATION = 1.2;
const BY_LENGTH = 0.75;
/** For what more than half of all texts have. */
const LEAST_RARITY = 1e-6;
