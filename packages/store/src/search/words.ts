import { inPieces, PIECE } from '@yarnboard/transcript';
import { DIACRITIC, foldOf, SEPARATOR } from './unicode61.ts';

/**
 * The text as passed to FTS5. Chinese, Japanese and Korean put no spaces between words, so each character becomes a word. Blobs, which nobody
 * searches for and which would be most of the index, become a space. No word is longer than 256 characters, so that both databases can store every
 * word.
 */
export const indexable = (text: string): string => {
  const shortened = hasLongRun(text) ? breakLongWords(withoutBlobs(text)) : text;
  return MAY_HAVE_CJK.test(shortened) ? inPieces(shortened, WHERE_CUT, spacedOut) : shortened;
};

const spacedOut = (text: string): string => text.replace(DECOMPOSED, (piece) => piece.normalize('NFC')).replace(CJK, ' $& ');

/** The words that FTS5 (`unicode61 remove_diacritics 2`) makes of the indexable text, in order. */
export const wordsOf = (text: string): readonly string[] => {
  if (text.length <= PIECE && ASCII.test(text)) return indexable(text).toLowerCase().match(ASCII_WORD) ?? NONE;
  const words: string[] = [];
  eachWord(text, (word) => {
    words.push(word);
  });
  return words;
};

/** The same words with their places in the original text. */
export const eachWord = (text: string, visit: (word: string, from: number, to: number) => void): void => {
  let from = 0;
  for (const blob of blobsIn(text)) {
    scan(text, from, blob.from, visit);
    from = blob.to;
  }
  scan(text, from, text.length, visit);
};

/** Whether this character is always a word of its own. */
export const standsAlone = (code: number): boolean => {
  if (code < 0x1100) return false;
  for (const [first, last] of CJK_RANGES) if (code >= first && code <= last) return true;
  return false;
};

/** Whether the text may have decomposed characters that are indexed as one. */
export const hasPieces = (text: string): boolean => text.search(DECOMPOSED) !== -1;

const scan = (text: string, from: number, to: number, visit: (word: string, from: number, to: number) => void): void => {
  let word = '';
  let count = 0;
  let start = from;
  let end = from;
  const finish = (): void => {
    if (count > 0) visit(word, start, end);
    word = '';
    count = 0;
  };
  for (let i = from; i < to;) {
    const code = text.codePointAt(i) ?? 0;
    const next = i + (code > 0xffff ? 2 : 1);
    const folded = foldOf(code);
    if (folded === DIACRITIC && count > 0) end = next;
    else if (folded === SEPARATOR || folded === DIACRITIC) finish();
    else if (standsAlone(code)) {
      finish();
      const piece = composedAt(text, i);
      visit(piece.word, i, piece.to);
      i = piece.to;
      continue;
    } else {
      if (count === LONGEST) finish();
      if (count === 0) start = i;
      word += String.fromCodePoint(folded);
      count += 1;
      end = next;
    }
    i = next;
  }
  finish();
};

// File names on macOS are decomposed: a syllable into its letters, a kana into itself and its mark. Typed, they are one character.
const composedAt = (text: string, at: number): { readonly word: string; readonly to: number } => {
  if (at + 1 < text.length && CONTINUES.test(text.charAt(at + 1))) {
    const piece = DECOMPOSED_HERE.exec(text.slice(at, at + 4))?.[0];
    const word = piece?.normalize('NFC');
    if (piece !== undefined && word?.length === 1) return { word, to: at + piece.length };
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return { word: character, to: at + character.length };
};

const withoutBlobs = (text: string): string => {
  const pieces: string[] = [];
  let from = 0;
  for (const blob of blobsIn(text)) {
    pieces.push(text.slice(from, blob.from));
    from = blob.to;
  }
  pieces.push(text.slice(from));
  return pieces.join(' ');
};

/**
 * Runs of 256 or more blob characters. Scanned by hand: a regular expression keeps a backtracking step per character, and runs out of space at six
 * megabytes.
 */
function* blobsIn(text: string): Generator<{ readonly from: number; readonly to: number }, void, undefined> {
  for (let i = LONGEST - 1; i < text.length; i += LONGEST) {
    if (!isOfBlob(text.charCodeAt(i))) continue;
    // Everything before the last place checked is known not to be one.
    let from = i;
    while (from > 0 && i - from < LONGEST && isOfBlob(text.charCodeAt(from - 1))) from -= 1;
    let to = i + 1;
    while (isOfBlob(text.charCodeAt(to))) to += 1;
    if (to - from >= LONGEST) yield { from, to };
    i = to - 1;
  }
}

// A run of 256 covers one of every 256 places, so checking those is enough: a regular expression over all text costs a tenth of FTS5's time.
const hasLongRun = (text: string): boolean => {
  for (let i = LONGEST - 1; i < text.length; i += LONGEST) {
    let first = i;
    while (first >= 0 && i - first < LONGEST && isRunning(text.charCodeAt(first))) first -= 1;
    if (first === i) continue;
    let last = i;
    while (last - first <= LONGEST && isRunning(text.charCodeAt(last))) last += 1;
    if (last - first > LONGEST) return true;
  }
  return false;
};

// What blobs are made of, and anything that might be a letter.
const isRunning = (code: number): boolean => code >= 128 || isOfBlob(code);

const isOfBlob = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 47 && code <= 57) || // / and digits
  (code >= 65 && code <= 90) ||
  code === 43 || // +
  code === 45 || // -
  code === 61 || // =
  code === 95; // _

// Inserts spaces where the scan ends an overlong word, so that both agree.
const breakLongWords = (text: string): string => {
  const pieces: string[] = [];
  let count = 0;
  let from = 0;
  for (let i = 0; i < text.length;) {
    const code = text.codePointAt(i) ?? 0;
    const folded = foldOf(code);
    if (folded === SEPARATOR || standsAlone(code)) count = 0;
    else if (folded !== DIACRITIC) {
      if (count === LONGEST) {
        pieces.push(text.slice(from, i));
        from = i;
        count = 0;
      }
      count += 1;
    }
    i += code > 0xffff ? 2 : 1;
  }
  pieces.push(text.slice(from));
  return pieces.join(' ');
};

/** PostgreSQL takes words of up to 2046 bytes. */
const LONGEST = 256;

const CJK_RANGES = [
  [0x1100, 0x11ff], // Hangul letters
  [0x3005, 0x31ff], // kana and its marks, Bopomofo, Hangul letters again
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff], // Hangul syllables
  [0xf900, 0xfaff],
  [0xff66, 0xffdc], // halfwidth kana and Hangul
  [0x1aff0, 0x1b16f],
  [0x20000, 0x3ffff],
] as const;

/** Characters that stand alone, for a character class with the flag u. */
export const CJK_CLASS = CJK_RANGES.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('');
const CJK = new RegExp(`[${CJK_CLASS}]`, 'gu');

/** Never between the halves of a character, nor before a mark that belongs to the preceding character. */
const WHERE_CUT = { mayCut: (text: string, at: number) => !CONTINUES.test(text.charAt(at)), longest: 3 };
const CONTINUES = /[\u1161-\u1175\u11a8-\u11c2\u3099\u309a\udc00-\udfff]/;
const DECOMPOSED = /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\u3046-\u30fd][\u3099\u309a]/g;
const DECOMPOSED_HERE = new RegExp(`^(?:${DECOMPOSED.source})`);
// By halves of surrogate pairs: a pattern without the flag u isn't even tried on text without such characters.
const MAY_HAVE_CJK = /[\u1100-\u11ff\u3005-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\ud82b\ud82c\ud840-\ud8bf\uf900-\ufaff\uff66-\uffdc]/;
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;
const NONE: readonly string[] = [];
