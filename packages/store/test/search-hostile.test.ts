import { describe, expect, test } from 'vitest';
import { eachWord, indexable, wordsOf } from '../src/search/words.ts';

const MANY = 2_000_000;
/** More than V8 can replace, keep or step back over in one go: it ends the process, and the test with it. */
const TOO_MANY = 18_000_000;

/** Texts, and how many words they have. */
const TEXTS: readonly (readonly [string, (n: number) => string, (n: number) => number])[] = [
  ['Chinese characters without a space', (n) => '漢'.repeat(n), (n) => n],
  ['kana with their marks apart', (n) => 'か\u3099'.repeat(n / 2), (n) => n / 2],
  ['one unbroken run of base64', (n) => 'QUJD'.repeat(n / 4), () => 0],
  ['one letter', (n) => 'a'.repeat(n), () => 0],
  ['letters, each alone', (n) => 'a '.repeat(n / 2), (n) => n / 2],
  ['one letter with an accent', (n) => 'ä'.repeat(n), (n) => Math.ceil(n / 256)],
  ['halves of characters', (n) => '\ud83d'.repeat(n), () => 0],
];

describe('a text of millions of characters', () => {
  test.each(TEXTS)('[FIND-18] %s', (_, make, words) => {
    const text = make(MANY);
    let visited = 0;
    eachWord(text, () => {
      visited += 1;
    });
    expect(visited).toBe(words(MANY));
    expect(wordsOf(text)).toHaveLength(words(MANY));
    expect(wordsOf(indexable(text))).toHaveLength(words(MANY));
  });

  test('[FIND-18] no number of characters of one kind ends the process', () => {
    expect(indexable('漢'.repeat(TOO_MANY))).toHaveLength(3 * TOO_MANY);
    expect(indexable('QUJD'.repeat(TOO_MANY / 4)).trim()).toBe('');
  });

  test('[FIND-18] a blob is left out and the words around it are not, wherever it stands', () => {
    for (const length of [255, 256, 257, 511, 512, 7_000_000]) {
      for (const lead of ['', 'one ', 'one '.repeat(100)]) {
        const text = `${lead}${'Q'.repeat(length)} two`;
        const kept = length < 256 ? ['q'.repeat(length)] : [];
        const wanted = [...lead.split(' ').filter((word) => word !== ''), ...kept, 'two'];
        expect(wordsOf(text)).toEqual(wanted);
        expect(wordsOf(indexable(text))).toEqual(wanted);
      }
    }
  });
});
