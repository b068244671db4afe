import { startOf } from '../alternatives.ts';
import { isExacting, tellingWordsIn } from '../loose.ts';
import { MeaningFault, type MeaningPort, type Near, type SearchAnswer, type SearchHit, type SearchQuery } from '../port.ts';
import { parseQuery } from '../query.ts';
import { createSnipper } from '../snippet.ts';

export type Asking = {
  readonly words: (query: SearchQuery) => Promise<SearchAnswer>;
  readonly meaning: Pick<MeaningPort, 'nearest' | 'coverage'>;
  /** The texts by which entries are found. */
  readonly textsAt: (positions: readonly number[]) => Promise<ReadonlyMap<number, string>>;
};

/** Searches by words, by meaning, or by both. A list continues in the mode it was begun in. */
export const createAsking = ({ words, meaning, textsAt }: Asking): ((query: SearchQuery) => Promise<SearchAnswer>) => {
  const semantic = async (query: SearchQuery): Promise<SearchAnswer> => {
    const coverage = await meaning.coverage(query.text);
    const { corrected } = await words({ ...query, limit: 1, cursor: null });
    const near = coverage === null ? null : await meaning.nearest(query.text, query.filters, MOST, corrected, query.turn);
    const kept = near === null ? [] : await withoutExcluded(query.text, near, textsAt);
    const page = pageOf(kept.map(meaningHit), query, 's');
    return { ...page, ...BY_MEANING, corrected, asked: parseQuery(query.text), isComplete: isWhole(coverage), coverage };
  };

  const hybrid = async (query: SearchQuery): Promise<SearchAnswer> => {
    const coverage = await meaning.coverage(query.text);
    if (coverage === null) return words(query);
    // MEAN-7: single words and exact requests are searched by words, unless no text has them.
    if (isExacting(query.text) || tellingWordsIn(query.text) < 2) {
      const exactly = await words(query);
      return exactly.hits.length > 0 || query.cursor !== null || OPERATOR.test(query.text) ? exactly : semantic(query);
    }
    const tail = query.cursor?.startsWith('t') === true ? query.cursor.slice(1) : null;
    const answer = await words({ ...query, limit: tail === null ? MOST : query.limit, cursor: tail });
    await query.turn?.();
    const near = (await meaning.nearest(query.text, query.filters, MOST, answer.corrected, query.turn)) ?? [];
    if (tail !== null) {
      const shown = new Set(near.map(({ position }) => position));
      const hits = answer.hits.filter(({ position }) => !shown.has(position)).map((hit) => ({ ...hit, by: 'words' as const }));
      return { ...answer, hits, next: answer.next === null ? null : `t${answer.next}`, coverage };
    }
    // A short query that is found as typed is what was meant.
    if (answer.loosened === null && answer.hits.length > 0 && tellingWordsIn(query.text) <= 2) return words(query);
    const page = pageOf(fused(answer.hits, near, weightFor(answer, query.text)), query, 'h');
    const isComplete = answer.isComplete && isWhole(coverage);
    return { ...answer, ...page, next: page.next ?? (answer.next === null ? null : `t${answer.next}`), order: 'relevance', isComplete, coverage };
  };

  /** MEAN-22: if the model can't be reached, a list is begun by words, with the reason. A list begun by meaning can't continue without it. */
  const orByWords = async (query: SearchQuery): Promise<SearchAnswer> => {
    try {
      return await hybrid(query);
    } catch (cause) {
      if (!(cause instanceof MeaningFault) || query.cursor !== null) throw cause;
      const [answer, coverage] = [await words(query), await meaning.coverage()];
      return { ...answer, coverage: coverage === null ? null : { ...coverage, problem: cause.message } };
    }
  };

  return (query) => {
    const begun = query.cursor?.charAt(0) ?? '';
    if (begun === 's') return semantic(query);
    if (begun === 'h' || begun === 't') return orByWords(query);
    if (begun !== '' || query.mode === undefined || query.mode === 'words') return words(query);
    return query.mode === 'semantic' ? semantic(query) : orByWords(query);
  };
};

/**
 * MEAN-14: how much meaning counts relative to words. A text with every telling word of the question, in any spelling, is most likely the one that
 * was meant; without such a text, what words find matches the question by chance.
 */
const weightFor = ({ hits, loosened }: SearchAnswer, text: string): number =>
  loosened === null || hits.some(({ covered }) => covered !== undefined && covered >= tellingWordsIn(text)) ? BESIDE_ALL_WORDS : BESIDE_SOME_WORDS;

/**
 * MEAN-6: adds up reciprocal ranks, newest first among equals. The words of a question are most likely in an earlier prompt that asked the same: its
 * answer gets some of its rank, unless a text has all the words (MEAN-16).
 */
export const fused = (words: readonly SearchHit[], near: readonly Near[], weight = BESIDE_ALL_WORDS): readonly SearchHit[] => {
  const all = new Map<number, { hit: SearchHit; score: number }>();
  const ranks = new Map(words.map(({ position }, at) => [position, 1 / (DEPTH + at + 1)]));
  const ofPrompt = weight === BESIDE_SOME_WORDS ? OF_PROMPT : 0;
  for (const [at, hit] of words.entries()) all.set(hit.position, { hit: { ...hit, by: 'words' }, score: 1 / (DEPTH + at + 1) });
  for (const [at, one] of near.entries()) {
    const asked = ofPrompt * (ranks.get(one.prompt ?? NO_PROMPT) ?? 0);
    const score = weight / (DEPTH + at + 1) + Math.max(0, asked - (ranks.get(one.position) ?? 0));
    const known = all.get(one.position);
    if (known === undefined) all.set(one.position, { hit: meaningHit(one), score });
    else
      all.set(one.position, {
        hit: { ...known.hit, by: 'both', near: one.near, similarity: one.similarity, passage: one.passage },
        score: known.score + score,
      });
  }
  return [...all.values()].sort((a, b) => b.score - a.score || b.hit.position - a.hit.position).map(({ hit, score }) => ({ ...hit, score }));
};

const meaningHit = ({ position, sessionId, agentId, near, similarity, passage }: Near): SearchHit => ({
  position,
  sessionId,
  agentId,
  score: near,
  by: 'meaning',
  near,
  similarity,
  passage,
});

const withoutExcluded = async (text: string, near: readonly Near[], textsAt: Asking['textsAt']): Promise<readonly Near[]> => {
  const excluded = parseQuery(text).clauses.filter(({ negated }) => negated);
  if (excluded.length === 0) return near;
  const finders = excluded.map((clause) => createSnipper({ clauses: [{ ...clause, negated: false }] }));
  const texts = await textsAt(near.map(({ position }) => position));
  return near.filter(({ position }) => finders.every((find) => find(texts.get(position) ?? '').highlights.length === 0));
};

const pageOf = (hits: readonly SearchHit[], { cursor, limit }: SearchQuery, manner: 's' | 'h'): Pick<SearchAnswer, 'hits' | 'next'> => {
  const from = startOf(cursor) ?? 0;
  return { hits: hits.slice(from, from + limit), next: from + limit < hits.length ? `${manner}${from + limit}` : null };
};

const isWhole = (coverage: Awaited<ReturnType<MeaningPort['coverage']>>): boolean => coverage !== null && coverage.position >= coverage.of;

const BY_MEANING = { order: 'relevance', loosened: null, alternatives: new Map() } as const;
/** How many hits of each kind are merged. */
const MOST = 100;
const DEPTH = 60;
/** Tuned on the tuning half of fixtures/labelled/search (decision 55). */
const BESIDE_ALL_WORDS = 0.75;
const BESIDE_SOME_WORDS = 8;
/** The share of a prompt's word score that counts for its answer. */
const OF_PROMPT = 0.8;
const NO_PROMPT = -1;
/** Quotations, prefixes and exclusions are operators, not words. */
const OPERATOR = /"|\*(?:\s|$)|(?<!\S)-\p{L}/u;
