import {
  alternativesAmong,
  behindAll,
  documentsOfAll,
  isTerm,
  MOST_CANDIDATES,
  MOST_WITH_BEGINNING,
  splitsOf,
  wordsIn,
  type Documents,
} from '../search/alternatives.ts';
import type { Alternatives, Option, Query } from '../search/query.ts';
import { trigramsOf, type Candidate } from '../search/spelling.ts';
import type { Run } from './database.ts';

/** What the vocabulary knows about a query: how many texts have its words, and which words begin with its prefixes. */
export type Known = { readonly documents: Documents; readonly beginningWith: ReadonlyMap<string, readonly Candidate[]> };

// Trigrams joined into one text each, since an array of arrays is one array; in order of terms, so that two concurrent writers wait instead of
// deadlocking.
export const addTerms = async (run: Run, documents: ReadonlyMap<string, number>): Promise<void> => {
  const terms = [...documents.keys()].sort();
  await run(
    `INSERT INTO terms (term, documents, trigrams) SELECT w.term, w.documents, string_to_array(w.trigrams, '|')
     FROM unnest($1::text[], $2::bigint[], $3::text[]) w (term, documents, trigrams)
     ON CONFLICT (term) DO UPDATE SET documents = terms.documents + excluded.documents`,
    [terms, terms.map((term) => documents.get(term)), terms.map((term) => (isTerm(term) ? trigramsOf(term).join('|') : null))],
  );
};

/** `counted` are words that were looked up already: every round trip takes a moment. */
export const knownOf = async (run: Run, options: readonly Option[], counted: ReadonlyMap<string, number>): Promise<Known> => {
  const others = new Set(options.flatMap(({ words }) => words.filter((word) => !counted.has(word))));
  const documents = new Map([...counted, ...(others.size === 0 ? [] : await documentsOf(run, [...others]))]);
  const beginnings = new Set(options.flatMap(({ words, prefix }) => (prefix ? words.slice(-1) : [])));
  const beginningWith = new Map<string, readonly Candidate[]>();
  for (const beginning of beginnings) {
    beginningWith.set(
      beginning,
      await run<Candidate>('SELECT term, documents FROM terms WHERE term >= $1 AND term < $2 ORDER BY term LIMIT $3', [
        beginning,
        behindAll(beginning),
        MOST_WITH_BEGINNING + 1,
      ]),
    );
  }
  return {
    beginningWith,
    documents: (word, isPrefix) => (isPrefix ? documentsOfAll(beginningWith.get(word) ?? []) : (documents.get(word) ?? 0)),
  };
};

/** For words in no text: longer words that contain them, and words with almost the same spelling, each with the number of texts that have it. */
export const alternativesFor = async (
  run: Run,
  query: Query,
): Promise<{ readonly corrected: Alternatives; readonly counted: ReadonlyMap<string, number> }> => {
  const words = [...new Set(wordsIn(query))];
  const counted = new Map([...words.map((word) => [word, 0] as const), ...(words.length === 0 ? [] : await documentsOf(run, words))]);
  const corrected = new Map<string, readonly string[]>();
  for (const word of words) {
    if (word.length < 3 || (counted.get(word) ?? 0) > 0) continue;
    const near = await candidatesFor(run, word);
    for (const { term, documents } of near) counted.set(term, documents);
    const parts = splitsOf(word).flat();
    if (parts.length > 0) for (const [term, documents] of await documentsOf(run, parts)) counted.set(term, documents);
    const found = alternativesAmong(word, near, (part) => counted.get(part) ?? 0);
    if (found.length > 0) corrected.set(word, found);
  }
  return { corrected, counted };
};

/** How many texts have each of these words; words in no text are left out. */
export const documentsOf = async (run: Run, terms: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const rows = await run<Candidate>('SELECT term, documents FROM terms WHERE term = ANY($1::text[])', [terms]);
  return new Map(rows.map(({ term, documents }) => [term, documents]));
};

// Words with all trigrams inside this one may contain it; among words of similar length, those that share the most trigrams may be what was meant.
export const candidatesFor = async (run: Run, word: string): Promise<readonly Candidate[]> => {
  const trigrams = trigramsOf(word);
  const inside = trigrams.filter((trigram) => !trigram.includes(' '));
  const containing = await run<Candidate>('SELECT term, documents FROM terms WHERE trigrams @> $1::text[] ORDER BY length(term), term LIMIT $2', [
    inside,
    MOST_CANDIDATES,
  ]);
  const near = await run<Candidate>(
    `SELECT term, documents FROM terms WHERE trigrams && $1::text[] AND length(term) BETWEEN $2 AND $3
     ORDER BY (SELECT count(*) FROM unnest(trigrams) one WHERE one = ANY($1::text[])) DESC, documents DESC, term LIMIT $4`,
    [trigrams, word.length - 2, word.length + 2, MOST_CANDIDATES],
  );
  return [...containing, ...near];
};
