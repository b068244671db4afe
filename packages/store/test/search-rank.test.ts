import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesIn, vectorsOf } from '../src/postgres/search-vectors.ts';
import type { Option } from '../src/search/query.ts';
import { byRank, countOf, createScorer, type Matched } from '../src/search/rank.ts';

const anyMatched: fc.Arbitrary<Matched> = fc.record({
  counts: fc.array(fc.nat(200), { minLength: 3, maxLength: 3 }),
  length: fc.integer({ min: 1, max: 5000 }),
  isNote: fc.boolean(),
});
const anyIndex = fc.record({ texts: fc.integer({ min: 1, max: 1_000_000 }), words: fc.integer({ min: 1, max: 100_000_000 }) });
const shares = fc.tuple(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
);

test('[FIND-15] saying it more often, in fewer words, oneself, never ranks lower', () => {
  fc.assert(
    fc.property(anyIndex, shares, anyMatched, fc.nat(2), (index, of, matched, at) => {
      const score = createScorer(
        index,
        of.map((share) => Math.floor(share * index.texts)),
      );
      const before = score(matched);
      expect(score({ ...matched, counts: matched.counts.with(at, (matched.counts[at] ?? 0) + 1) })).toBeGreaterThanOrEqual(before);
      expect(score({ ...matched, length: Math.ceil(matched.length / 2) })).toBeGreaterThanOrEqual(before);
      expect(score({ ...matched, isNote: false })).toBeGreaterThanOrEqual(before);
      expect(before).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('[FIND-15] a rarer word counts more, and one that most texts have still a little', () => {
  const score = createScorer({ texts: 100, words: 1000 }, [1, 20, 90]);
  const [rare = 0, known = 0, common = 0] = [0, 1, 2].map((at) => score({ counts: [0, 0, 0].with(at, 1), length: 10, isNote: false }));
  expect([rare > known, known > common, common > 0]).toEqual([true, true, true]);
});

test('[FIND-15] the scores are those that FTS5 gives', () => {
  // SELECT -bm25(t) over 'a b', 'a a c', 'd', 'e f g h' for `a`: two of four texts, so the least rarity there is; for `c`: one of four.
  const both = createScorer({ texts: 4, words: 10 }, [2, 1]);
  expect(both({ counts: [1, 0], length: 2, isNote: false })).toBeCloseTo(1.089_1e-6, 10);
  expect(both({ counts: [0, 1], length: 3, isNote: false })).toBeCloseTo(0.783_216_509_6, 9);
});

test('[FIND-15] of equals the newest comes first', () => {
  const ranked = [
    { position: 1, score: 2 },
    { position: 3, score: 1 },
    { position: 2, score: 2 },
  ];
  expect(ranked.toSorted(byRank).map(({ position }) => position)).toEqual([2, 1, 3]);
});

test('[FIND-15] what a tsvector says of its places is what stands in the text, also across pieces', () => {
  const anyOption: fc.Arbitrary<Option> = fc.record({
    words: fc.array(fc.constantFrom('warp', 'weft', 'war', '設'), { minLength: 1, maxLength: 3 }),
    prefix: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(fc.constantFrom('warp', 'weft', 'warped', '設', 'x'), { maxLength: 700 }), anyOption, (words, option) => {
      const places = new Map<string, Set<number>>();
      for (const { vector, start } of vectorsOf(words)) {
        // PostgreSQL prints a weight behind each place.
        for (const [word, where] of placesIn(vector.replaceAll(/(\d+)(?=[, ]|$)/gu, '$1A'), start)) {
          places.set(word, new Set([...(places.get(word) ?? []), ...where]));
        }
      }
      const fits = (word: string | undefined, at: number): boolean =>
        word !== undefined && (option.prefix && at === option.words.length - 1 ? word.startsWith(option.words[at] ?? '') : word === option.words[at]);
      const expected = words.filter((_, from) => option.words.every((__, at) => fits(words[from + at], at))).length;
      expect(countOf(option, new Map([...places].map(([word, where]) => [word, [...where]])))).toBe(expected);
    }),
  );
});
