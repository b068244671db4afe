import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closest, distance, trigramsOf } from '../src/search/spelling.ts';

const times = (factor: number): { readonly numRuns: number } => ({ numRuns: factor * (fc.readConfigureGlobal().numRuns ?? 100) });

const naive = (a: string, b: string): number => {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)));
  const cell = (i: number, j: number): number => table[i]?.[j] ?? Number.NaN;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const changed = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      table[i]?.splice(j, 1, isSwap ? Math.min(changed, cell(i - 2, j - 2) + 1) : changed);
    }
  }
  return cell(a.length, b.length);
};

const shortWord = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 12, size: 'max' });

/** A word and what a few slips of the finger make of it. */
const mistyped = (letters: fc.Arbitrary<number>, slips: number): fc.Arbitrary<readonly [string, string]> =>
  fc
    .tuple(
      letters.chain((length) => fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'e', 'é', 'ж'), minLength: length, maxLength: length })),
      fc.array(fc.tuple(fc.constantFrom('leave-out', 'put-in', 'replace', 'swap'), fc.nat(20)), { minLength: slips, maxLength: slips }),
    )
    .map(([word, edits]) => [
      word,
      edits.reduce((text, [edit, at]) => {
        const place = at % text.length;
        if (edit === 'leave-out') return text.slice(0, place) + text.slice(place + 1);
        if (edit === 'put-in') return `${text.slice(0, place)}z${text.slice(place)}`;
        if (edit === 'replace') return `${text.slice(0, place)}z${text.slice(place + 1)}`;
        return text.slice(0, place) + text.slice(place + 1, place + 2) + text.slice(place, place + 1) + text.slice(place + 2);
      }, word),
    ]);

test('[FIND-9] the distance is the number of letters left out, put in, replaced or swapped, up to the bound', () => {
  fc.assert(
    fc.property(shortWord, shortWord, fc.integer({ min: 0, max: 4 }), (a, b, most) => {
      expect(distance(a, b, most)).toBe(Math.min(naive(a, b), most + 1));
    }),
    times(30),
  );
});

test('[FIND-9] a misspelt word finds what was meant, the nearest first, then the most common', () => {
  const vocabulary = ['authentication', 'authenticating', 'authorization', 'serialization'].map((term, at) => ({ term, documents: 10 - at }));
  expect(closest('authentcation', vocabulary)).toEqual(['authentication']);
  expect(closest('recieve', [{ term: 'receive', documents: 1 }, { term: 'relieve', documents: 9 }])).toEqual(['relieve', 'receive']); // prettier-ignore
  expect(closest('functoin', [{ term: 'functions', documents: 99 }, { term: 'function', documents: 1 }])).toEqual(['function', 'functions']); // prettier-ignore
});

test('[FIND-9] one mistake is allowed from four letters on, two from eight, none in shorter words or in words with digits', () => {
  const candidates = ['car', 'cart', 'card', 'carton', 'database', 'databases1', 'sha256'].map((term) => ({ term, documents: 1 }));
  expect(closest('cat', candidates)).toEqual([]);
  expect(closest('crad', candidates)).toEqual(['card']);
  expect(closest('darabaze', candidates)).toEqual(['database']);
  expect(closest('datbse', candidates)).toEqual([]);
  expect(closest('sha257', candidates)).toEqual([]);
  expect(closest('databases', candidates)).toEqual(['database']);
});

test('[FIND-9] there are at most eight suggestions, and the word itself is none', () => {
  const candidates = Array.from('abcdefghijkl', (letter, at) => ({ term: `wor${letter}`, documents: at }));
  expect(closest('word', candidates)).toEqual(['worl', 'work', 'worj', 'wori', 'worh', 'worg', 'worf', 'wore']);
});

test('[FIND-10] a word shares a trigram with every term that may be suggested for it', () => {
  const pairs = fc.oneof(mistyped(fc.integer({ min: 4, max: 7 }), 1), mistyped(fc.integer({ min: 8, max: 14 }), 2));
  fc.assert(
    fc.property(pairs, ([meant, typed]) => {
      const known = new Set(trigramsOf(meant));
      const isSuggested = closest(typed, [{ term: meant, documents: 1 }]).length > 0;
      expect(!isSuggested || trigramsOf(typed).some((trigram) => known.has(trigram))).toBe(true);
    }),
    times(30),
  );
});

test('[FIND-10] the trigrams inside a term are in every term that contains it', () => {
  expect(trigramsOf('auth')).toEqual(['  a', ' au', 'aut', 'uth', 'th ']);
  fc.assert(
    fc.property(shortWord, shortWord, shortWord, (before, term, behind) => {
      const all = trigramsOf(before + term + behind);
      expect(trigramsOf(term).filter((trigram) => !trigram.includes(' ') && !all.includes(trigram))).toEqual([]);
    }),
  );
});
