import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { eachWord, indexable, wordsOf } from '../src/search/words.ts';

const times = (factor: number): { readonly numRuns: number } => ({ numRuns: factor * (fc.readConfigureGlobal().numRuns ?? 100) });

const database = new Database(':memory:');
database.exec(`CREATE VIRTUAL TABLE entry USING fts5(text, tokenize = "unicode61 remove_diacritics 2")`);
database.exec(`CREATE VIRTUAL TABLE word USING fts5vocab(entry, instance)`);
const insert = database.prepare<[string]>('INSERT INTO entry (rowid, text) VALUES (1, ?)');
const clear = database.prepare('DELETE FROM entry');
const words = database.prepare<[], string>('SELECT term FROM word ORDER BY "offset"').pluck();
afterAll(() => {
  database.close();
});

const fts5WordsOf = (text: string): readonly string[] => {
  clear.run();
  insert.run(indexable(text));
  return words.all();
};

// Every code point, halves of pairs included, with those that mean something here far more often than chance would have it.
const character = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'B', '9', ' ', '-', '_', '\n', '\0') },
  { weight: 3, arbitrary: fc.constantFrom('\u0301', '\u0323', '\u0345', '\u093f', 'é', 'İ', 'ẞ', 'ﬁ', 'Ω', '²', 'K', 'ö') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('日', 'ー', 'か', '\u3099', 'ｶ', '한', '\u1112', '\u1161', '\u11ab', '𠀋', '\ufa19', '々', '・', '😀', '🤖'),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0x80, max: 0x3200 }).map((code) => String.fromCodePoint(code)) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)) },
);
const anyText = fc.array(character, { maxLength: 60, size: 'max' }).map((characters) => characters.join(''));

test('[FIND-1] every character is folded, dropped or a separator as in FTS5', () => {
  const planes = [0, 1, 2, 3, 14, 15, 16];
  for (const plane of planes) {
    for (let block = plane << 16; block < (plane + 1) << 16; block += 0x4000) {
      const codes = Array.from({ length: 0x4000 }, (_, at) => block + at);
      const text = codes.map((code) => `${String.fromCodePoint(code)} x${String.fromCodePoint(code)}y`).join(' ');
      expect(wordsOf(text)).toEqual(fts5WordsOf(text));
    }
  }
});

test('[FIND-1] any text has the words that FTS5 makes of it', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(wordsOf(text)).toEqual(fts5WordsOf(text));
    }),
    times(10),
  );
});

test('[FIND-1] capitals and accents make no difference, however they are written', () => {
  expect(wordsOf('Café CAFE\u0301 ÀÉÎ Ünïcödé ΣΊΣΥΦΟΣ Ёлка')).toEqual(['cafe', 'cafe', 'aei', 'unicode', 'σίσυφοσ', 'ёлка']);
  expect(wordsOf('foo_bar.baz(x2) -> a9')).toEqual(['foo', 'bar', 'baz', 'x2', 'a9']);
});

test('[FIND-1] the places of the words are where the text has them', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const found: string[] = [];
      let end = 0;
      eachWord(text, (word, from, to) => {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(wordsOf(text.slice(from, to))).toEqual([word]);
        found.push(word);
        end = to;
      });
      expect(found).toEqual(wordsOf(text));
    }),
    times(5),
  );
});

test('[FIND-2] each Chinese, Japanese and Korean character is a word of its own', () => {
  expect(wordsOf('React组件，ｶﾀｶﾅとkana')).toEqual(['react', '组', '件', 'ｶ', 'ﾀ', 'ｶ', 'ﾅ', 'と', 'kana']);
  expect(wordsOf('한국어 𠀋𠂊 \ufa19')).toEqual(['한', '국', '어', '𠀋', '𠂊', '\ufa19']);
  expect(indexable('a日b')).toBe('a 日 b');
});

test('[FIND-2] a syllable or a kana in pieces, as macOS writes file names, is the same word as a whole one', () => {
  expect(wordsOf('한국ガ'.normalize('NFD'))).toEqual(['한', '국', 'ガ']);
});

test('[FIND-3] ordinary text is handed on as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (text) => {
      expect(indexable(text)).toBe(text);
    }),
  );
  expect(indexable('“quoted” – naïve Привет')).toBe('“quoted” – naïve Привет');
});

test('[FIND-3] a run of 256 base64 characters is no word, one less is, wherever it stands', () => {
  const blob = (length: number): string => 'iVBORw0KGgo+/='.repeat(40).slice(0, length);
  fc.assert(
    fc.property(fc.nat({ max: 600 }), fc.integer({ min: 200, max: 900 }), (lead, length) => {
      const text = `${'.'.repeat(lead)} ${blob(length).slice(0, 560)} end`;
      const isLong = Math.min(length, 560) >= 256;
      expect(wordsOf(text).length === 1).toBe(isLong);
      expect(indexable(text) === text).toBe(!isLong);
    }),
  );
});

test('[FIND-3] no word is longer than 256 characters, and both sides agree where it ends', () => {
  const piece = fc.constantFrom('ж', '\u0301', 'x', '日', '—', 'ё');
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 400 })), { maxLength: 5 }), (runs) => {
      const text = runs.map(([letter, count]) => letter.repeat(count)).join('');
      const found = wordsOf(text);
      expect(found).toEqual(fts5WordsOf(text));
      expect(found.every((word) => Array.from(word).length <= 256)).toBe(true);
    }),
  );
});
