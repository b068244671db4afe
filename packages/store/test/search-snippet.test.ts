import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery, type Alternatives } from '../src/search/query.ts';
import { fitsExactly, matchesExact, snippetOf, type Snippet } from '../src/search/snippet.ts';
import { eachWord, wordsOf } from '../src/search/words.ts';

const times = (factor: number): { readonly numRuns: number } => ({ numRuns: factor * (fc.readConfigureGlobal().numRuns ?? 100) });

const find = (text: string, query: string, length = 240, alternatives: Alternatives = new Map()): Snippet =>
  snippetOf(text, parseQuery(query), alternatives, { length });
const marked = ({ text, highlights }: Snippet): readonly string[] => highlights.map(({ from, to }) => text.slice(from, to));

const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'B', '9', ' ', ' ', '-', '_', '\n', '\r\n') },
  { weight: 2, arbitrary: fc.constantFrom('\u0301', '\u0323', 'é', 'İ', 'ẞ', 'Ω', '²', 'K', 'ſ', 'ö') },
  { weight: 2, arbitrary: fc.constantFrom('日', 'か', '\u3099', 'ｶ', '한', '\u1112', '\u1161', '\u11ab', '𠀋', '😀', '🤖', '👩‍👩‍👧', '🇩🇪', '\u200d') },
  { weight: 1, arbitrary: fc.integer({ min: 0x80, max: 0x3200 }).map((code) => String.fromCodePoint(code)) },
  { weight: 1, arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)) },
);
const anyText = fc.array(character, { maxLength: 120, size: 'max' }).map((characters) => characters.join(''));
const isWholePairs = (text: string): boolean => !/\p{Surrogate}/u.test(text);

test('[FIND-11] what was found is shown and marked, in the spelling of the text', () => {
  expect(find('The Café opens', 'cafe')).toEqual({ text: 'The Café opens', highlights: [{ from: 4, to: 8 }] });
  expect(marked(find('Cafe\u0301s and CAFE\u0301, café!', 'cafe'))).toEqual(['CAFE\u0301', 'café']);
  expect(marked(find('漢字かな交じり文', 'かな'))).toEqual(['かな']);
  expect(marked(find('한국어'.normalize('NFD'), '국'))).toEqual(['국'.normalize('NFD')]);
  expect(marked(find('the author authenticates', 'auth*'))).toEqual(['author', 'authenticates']);
});

test('[FIND-11] other spellings are marked, excluded words are not', () => {
  expect(marked(find('authentication of the foo', 'authentcation -foo', 240, new Map([['authentcation', ['authentication']]])))).toEqual([
    'authentication',
  ]);
});

test('[FIND-11] a phrase is marked where its words follow one another, code where it stands as typed', () => {
  expect(marked(find('bar foo, then foo  bar and foo', '"foo bar"'))).toEqual(['foo  bar']);
  expect(marked(find('foo bar; FOO_BAR(1); foo_bar', 'foo_bar('))).toEqual(['FOO_BAR(']);
  expect(marked(find('foo bar only', 'foo_bar'))).toEqual(['foo bar']);
});

test('[FIND-11] the place with most of the query is chosen', () => {
  const filler = 'lorem ipsum '.repeat(100);
  const text = `alpha ${filler} beta ${filler} alpha and beta ${filler} alpha`;
  expect(marked(find(text, 'alpha beta'))).toEqual(['alpha', 'beta']);
  expect(marked(find(`foo x bar ${filler} foo bar ${filler}`, '"foo bar"'))).toEqual(['foo bar']);
});

test('[FIND-11] without a match the beginning is shown', () => {
  expect(find('one two three four', 'zebra', 8)).toEqual({ text: 'one two', highlights: [] });
  expect(find('', 'zebra')).toEqual({ text: '', highlights: [] });
});

test('[FIND-11] every word of a text is found in it, and whatever is marked was looked for', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), fc.integer({ min: 10, max: 60 }), (text, pick, length) => {
      const words = wordsOf(text);
      const word = words[pick % Math.max(1, words.length)];
      if (word === undefined) return;
      const snippet = find(text, `"${word}"`, length);
      expect(snippet.highlights.length).toBeGreaterThan(0);
      for (const { from, to } of snippet.highlights) {
        const isCut = to === snippet.text.length;
        expect(isCut || wordsOf(snippet.text.slice(from, to)).every((found) => found === word)).toBe(true);
      }
    }),
    times(20),
  );
});

test('[FIND-11] marked are all places of a word and no others', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), (text, pick) => {
      const words = wordsOf(text);
      const word = words[pick % Math.max(1, words.length)] ?? 'none';
      const places: { from: number; to: number }[] = [];
      eachWord(text, (found, from, to) => {
        const last = places.at(-1);
        if (found === word && last?.to === from) last.to = to;
        else if (found === word) places.push({ from, to });
      });
      expect(find(text, `"${word}"`, text.length)).toEqual({ text, highlights: places });
    }),
    times(20),
  );
});

test('[FIND-11] a match at the very end of 32 MB is found', () => {
  const ascii = 'the quick brown fox jumps over it; '.repeat(950_000);
  expect(marked(find(`${ascii} zebra`, 'zebra the'))).toContain('zebra');
  expect(marked(find(`${ascii} “Zébra”`, 'zebra'))).toEqual(['Zébra']);
  expect(marked(find(`${ascii} a.Zebra(`, 'a.zebra('))).toEqual(['a.Zebra(']);
});

test('[FIND-12] a snippet is a piece of the text, no longer than asked for, with no character or grapheme cut', () => {
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
  fc.assert(
    fc.property(anyText, fc.nat(), fc.integer({ min: 24, max: 80 }), (text, pick, length) => {
      const words = wordsOf(text);
      const { text: shown, highlights } = find(text, words[pick % Math.max(1, words.length)] ?? '', length);
      expect(shown.length).toBeLessThanOrEqual(length);
      expect(isWholePairs(shown)).toBe(true);
      const breaks = new Set([text.length, ...Array.from(graphemes.segment(text), ({ index }) => index)]);
      const places = Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(shown, at));
      expect(shown === '' || places.some((at) => breaks.has(at) && breaks.has(at + shown.length))).toBe(true);
      expect(highlights.every(({ from, to }, at) => from < to && to <= shown.length && from > (highlights[at - 1]?.to ?? -1))).toBe(true);
    }),
    times(20),
  );
});

test('[FIND-12] words are not cut where a space is near', () => {
  const { text } = find('alpha beta gamma delta epsilon zeta eta theta iota kappa', 'epsilon', 30);
  expect(text).toBe('delta epsilon zeta eta theta');
});

test('[FIND-5] an exact clause holds where the text has it, whatever its case, and an excluded one where it has not', () => {
  expect(matchesExact('call Foo_Bar.baz(1)', 'foo_bar.BAZ(')).toBe(true);
  expect(matchesExact('ÄÖ ж', 'äö Ж')).toBe(true);
  expect(matchesExact('foo bar', 'foo.bar')).toBe(false);
  expect(matchesExact('a', '')).toBe(true);
  expect(fitsExactly('use a->b here', parseQuery('a->b here'))).toBe(true);
  expect(fitsExactly('use a b here', parseQuery('a->b here'))).toBe(false);
  expect(fitsExactly('use a->b here', parseQuery('use -a->b'))).toBe(false);
  expect(fitsExactly('use a b here', parseQuery('use -a->b'))).toBe(true);
});

test('[FIND-5] any piece of a text is in it, in capitals too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.nat(), fc.nat(), (text, from, to) => {
      const piece = text.slice(Math.min(from, to) % (text.length + 1), Math.max(from, to) % (text.length + 1));
      expect(matchesExact(text, piece.toUpperCase())).toBe(true);
    }),
  );
});
