/** A tsvector, and how many words of the text come before it. */
export type Vector = { readonly vector: string; readonly start: number };

/**
 * The words of a text as tsvectors. PostgreSQL drops places beyond 16,383 and the 257th place of a word, and takes 1 MB of words. A longer text is
 * split into several vectors that overlap by the length of a phrase, so that nothing is lost and a phrase across a cut is still found.
 */
export const vectorsOf = (words: readonly string[]): readonly Vector[] => {
  const vectors: Vector[] = [];
  for (let from = 0; from < words.length;) {
    const { vector, to } = vectorFrom(words, from);
    vectors.push({ vector, start: from });
    if (to === words.length) break;
    from = Math.max(from + 1, to - OVERLAP);
  }
  return vectors;
};

/** The places of a tsvector's words in its text, parsed from PostgreSQL's output. Words have no signs, so nothing in them is escaped. */
export const placesIn = (printed: string, start: number): readonly (readonly [string, readonly number[]])[] =>
  Array.from(printed.matchAll(PRINTED), ([, word = '', places = '']) => [word, places.split(',').map((place) => start + Number.parseInt(place, 10))]);

const vectorFrom = (words: readonly string[], from: number): { readonly vector: string; readonly to: number } => {
  const places = new Map<string, number[]>();
  let size = 0;
  let to = from;
  for (; to < words.length && to - from < MOST_PLACES; to += 1) {
    const word = words[to] ?? '';
    const known = places.get(word);
    if (known === undefined) {
      size += word.length * MOST_BYTES;
      if (size > MOST_SIZE) break;
      places.set(word, [to - from + 1]);
    } else {
      if (known.length === MOST_OF_ONE) break;
      known.push(to - from + 1);
    }
  }
  return { vector: [...places].map(([word, at]) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}':${at.join()}`).join(' '), to };
};

const PRINTED = /'([^']*)':([^ ]*)/gu;
const OVERLAP = 64;
const MOST_PLACES = 16_000;
/** Counting the overlap, a word that is everywhere must still allow a piece to be longer than the overlap. */
const MOST_OF_ONE = 255;
const MOST_SIZE = 1_000_000;
/** The most bytes of a character, and of an escaped one (stored-text.ts): seven. */
const MOST_BYTES = 7;
