import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Item, Store } from '../port.ts';
import { fitsLoosely } from '../search/loose-page.ts';
import { looseOptions, rankLoosely } from '../search/loose-rank.ts';
import { loosen } from '../search/loose.ts';
import type { SearchAnswer, SearchFilters, SearchHit } from '../search/port.ts';
import { excludedBy, optionsOf, parseQuery, type Alternatives, type Option, type Query } from '../search/query.ts';
import { byRank, createScorer, partOf, rankedOptions } from '../search/rank.ts';
import { fitsExactly } from '../search/snippet.ts';
import { wordsOf } from '../search/words.ts';
import { append, indexAll, withBoard, type Part } from './bench.ts';
import { customTitle, decided, line, prompt, said } from './records.ts';

/** A text on the board, and what its rank depends on. */
type Text = { readonly item: Item; readonly text: string; readonly sessionId: string; readonly isNote: boolean };

const WORDS = ['warp', 'weft', 'loom', 'looms', 'loomed', 'naïve', 'foo_bar', '設定', 'x2', '--', 'warploom', 'the'] as const;
const ASKED = [
  'warp',
  'weft',
  'loom',
  'looming',
  'Naive',
  'foo_bar',
  'foo_bra',
  'foo',
  '設',
  'x2',
  'lomos',
  'weftnaive',
  'the',
  "loom's",
  'warp-loom',
  'nowhere',
] as const;

const anyText = fc.record({ kind: fc.nat(3), words: fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }) });
const anyClause = fc.oneof(
  fc.constantFrom(...ASKED),
  fc.tuple(fc.constantFrom(...ASKED), fc.constantFrom(...ASKED)).map(([one, other]) => `"${one} ${other}"`),
  fc.constantFrom('loo*', 'w*', 'warp*', '-weft', '-"warp weft"', '-foo_bar'),
);
const anyQuery = fc.array(anyClause, { minLength: 1, maxLength: 5 }).map((clauses) => clauses.join(' '));

const textOf = ({ kind, words }: { readonly kind: number; readonly words: readonly string[] }, at: number): Text => {
  const text = `${words.join(' ')} n${at}`;
  switch (kind) {
    case 0:
      return { item: line('weave', customTitle(text)), text, sessionId: 'weave', isNote: true };
    case 1:
      return { item: decided(`u${at}`, { content: text }), text, sessionId: 'knot', isNote: false };
    case 2: // signs alone: a text without words
      return { item: said(`u${at}`, {}, Buffer.from(`?! ${'-'.repeat(at)}`)), text: '?!', sessionId: 'board', isNote: false };
    default:
      return { item: line('weave', prompt(text, { uuid: `u${at}` })), text, sessionId: 'weave', isNote: false };
  }
};

type About = { readonly filters?: SearchFilters; readonly dropped?: ReadonlySet<number> };

/** FIND-15, computed from the texts themselves. */
const expectedFor = (texts: readonly Text[], query: Query, alternatives: Alternatives, about: About = {}): readonly SearchHit[] => {
  const { filters = {}, dropped = new Set<number>() } = about;
  const indexed = texts.map((one, at) => ({ ...one, position: at + 1, words: wordsOf(one.text) }));
  const read = indexed.filter(({ position }) => !dropped.has(position));
  const options = rankedOptions(query, alternatives);
  const score = createScorer(
    { texts: indexed.length, words: indexed.reduce((sum, { words }) => sum + words.length, 0) },
    options.map((option) => read.filter(({ words }) => timesIn(words, option) > 0).length),
  );
  const fits = (words: readonly string[], text: string): boolean =>
    fitsExactly(text, query) &&
    query.clauses.every((clause) => {
      if (clause.negated && clause.kind === 'phrase' && clause.exact !== null) return true;
      const asked = optionsOf(clause, clause.negated ? new Map() : alternatives);
      return (asked.length === 0 && !clause.negated) || asked.some((option) => timesIn(words, option) > 0) !== clause.negated;
    });
  return read
    .filter(({ words, text, sessionId }) => options.length > 0 && fits(words, text) && (filters.sessionId ?? sessionId) === sessionId)
    .map(({ position, sessionId, words, isNote }) => ({
      position,
      sessionId,
      agentId: null,
      score: score({ counts: options.map((option) => timesIn(words, option)), length: words.length, isNote }),
    }))
    .sort(byRank);
};

/** FIND-40 and FIND-41, computed from the texts themselves. */
const looselyExpectedFor = (
  texts: readonly Text[],
  text: string,
  corrected: Alternatives,
  isWhole: boolean,
  about: About = {},
): readonly number[] => {
  const { filters = {}, dropped = new Set<number>() } = about;
  const indexed = texts.map((one, at) => ({ ...one, position: at + 1, words: wordsOf(one.text) }));
  const read = indexed.filter(({ position }) => !dropped.has(position));
  const frequency = (option: Option): number => read.filter(({ words }) => timesIn(words, option) > 0).length;
  const loose = loosen(text, (word) => frequency({ words: [word], prefix: false }), corrected, new Map(), isWhole);
  if (loose === null) return [];
  const options = looseOptions(loose);
  const collection = { texts: indexed.length, words: indexed.reduce((sum, { words }) => sum + words.length, 0) };
  const isThere = (words: readonly string[], some: readonly Option[]): boolean => some.some((option) => timesIn(words, option) > 0);
  const fitting = read.filter(
    ({ words, text: whole, sessionId }) =>
      (filters.sessionId ?? sessionId) === sessionId &&
      isThere(words, options) &&
      loose.required.every((one) => isThere(words, one.options)) &&
      !isThere(words, excludedBy(loose.excluded)) &&
      fitsLoosely(whole, loose),
  );
  const ranked = rankLoosely(
    loose,
    collection,
    options.map(frequency),
    fitting.map(({ position, isNote, words }) => ({
      position,
      standing: isNote ? 'noted' : 'said',
      parts: options.map((option) => partOf(timesIn(words, option), words.length, collection.words / collection.texts)),
    })),
  );
  return ranked.map(({ position }) => position);
};

const timesIn = (words: readonly string[], { words: wanted, prefix }: Option): number =>
  words.filter((_, from) =>
    wanted.every((word, at) => (prefix && at === wanted.length - 1 ? words[from + at]?.startsWith(word) === true : words[from + at] === word)),
  ).length;

const findAll = async (store: Store, text: string, filters: SearchFilters, limit: number) => {
  const hits: SearchHit[] = [];
  let corrected: Alternatives = new Map();
  let loosened: SearchAnswer['loosened'] = null;
  let cursor: string | null = null;
  do {
    const answer: SearchAnswer = await store.search.find({ text, filters, limit, cursor });
    hits.push(...answer.hits);
    ({ corrected, loosened, next: cursor } = answer);
  } while (cursor !== null);
  return { hits, corrected, loosened };
};

export const describeRanking: Part = (open) => {
  test('[FIND-15] [FIND-41] [STORE-23] whatever is on the board and whatever is asked for, hits come in the one order that is defined', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { minLength: 1, maxLength: 40 }),
        fc.array(fc.tuple(anyQuery, fc.boolean(), fc.integer({ min: 1, max: 50 })), { minLength: 20, maxLength: 20 }),
        fc.boolean(),
        (seeds, queries, isDropping) =>
          withBoard(open, async ({ store }) => {
            const texts = seeds.map(textOf);
            await append(
              store,
              texts.map(({ item }) => item),
            );
            await indexAll(store);
            const dropped = new Set(isDropping ? [1] : []);
            await store.search.drop([...dropped]);
            for (const [text, isFiltered, limit] of queries) {
              const filters = isFiltered ? { sessionId: 'weave' } : {};
              const { hits, corrected, loosened } = await findAll(store, text, filters, limit);
              const expected = expectedFor(texts, parseQuery(text), corrected, { filters, dropped });
              const loosely = looselyExpectedFor(texts, text, corrected, expected.length > 0, { filters, dropped });
              const found = hits.map(({ position }) => position);
              expect([text, loosened === null && expected.length === 0]).toEqual([text, expected.length === 0 && loosely.length === 0]);
              expect([text, found]).toEqual([text, loosened === null ? expected.map(({ position }) => position) : loosely]);
              for (const [at, hit] of (loosened === null ? hits : []).entries()) expect(hit.score).toBeCloseTo(expected[at]?.score ?? Number.NaN, 8);
            }
          }),
      ),
      { numRuns: 12 },
    ));

  test('[FIND-41] beginnings in a question count in every word that begins with them', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [line('weave', prompt('warp', { uuid: 'u1' })), line('weave', prompt('warploom', { uuid: 'u2' }))]);
      await indexAll(store);
      const { hits } = await store.search.find({ text: 'warp* foo w*', filters: {}, limit: 9, cursor: null });
      expect(hits.map(({ position }) => position)).toEqual([2, 1]);
    }));

  test('[FIND-15] what somebody said goes before what a program noted, in a sidebar as in a session', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [
        decided('a', { content: 'the reeds break' }),
        line('weave', prompt('the reeds break', { uuid: 'u1' })),
        line('weave', customTitle('the reeds break')),
      ]);
      await indexAll(store);
      const { hits } = await store.search.find({ text: 'reeds', filters: {}, limit: 9, cursor: null });
      expect(hits.map(({ position }) => position)).toEqual([2, 1, 3]);
    }));

  test('[FIND-15] a text of any length counts every place of a word once', () =>
    withBoard(open, async ({ store }) => {
      const long = (times: number): string => `${'warp and '.repeat(times)} ${'filler '.repeat(20_000)} ${'and warp '.repeat(times)}`;
      const texts = [long(300), long(299), 'weft '.repeat(700), 'nothing', 'nothing else', 'nothing more'].map((text, at): Text => ({
        item: said(`u${at}`, {}, Buffer.from(text)),
        text,
        sessionId: 'board',
        isNote: false,
      }));
      await append(
        store,
        texts.map(({ item }) => item),
      );
      await indexAll(store);
      for (const text of ['warp', '"warp and"', 'war*', 'weft', 'warp -weft', 'and']) {
        const { hits, corrected } = await findAll(store, text, {}, 10);
        expect([text, hits]).toEqual([text, expectedFor(texts, parseQuery(text), corrected)]);
      }
    }));

  test('[STORE-21] of the longer words that contain a word the shortest are taken, on every store the same', () =>
    withBoard(open, async ({ store }) => {
      const words = Array.from({ length: 20 }, (_, at) => `${'x'.repeat(20 - at)}heddle${String.fromCodePoint(97 + at)}`);
      await append(
        store,
        words.map((word, at) => said(`u${at}`, {}, Buffer.from(word))),
      );
      await indexAll(store);
      const { corrected } = await store.search.find({ text: 'heddle', filters: {}, limit: 50, cursor: null });
      expect(corrected.get('heddle')).toEqual(words.toReversed().slice(0, 12));
    }));

  test('[FIND-16] [STORE-23] the beginning of very many words is answered newest first', () =>
    withBoard(open, async ({ store }) => {
      const texts = Array.from({ length: 501 }, (_, at) => `thread${at.toString(36)} ${at % 2 === 0 ? 'wool' : 'wools wool'}`);
      await append(
        store,
        texts.map((text, at) => said(`u${at}`, {}, Buffer.from(text))),
      );
      await indexAll(store);
      const orderOf = async (text: string): Promise<string> => (await store.search.find({ text, filters: {}, limit: 1, cursor: null })).order;
      expect([await orderOf('thread*'), await orderOf('wool*'), await orderOf('thread* wools')]).toEqual(['newest', 'relevance', 'relevance']);
    }));
};
