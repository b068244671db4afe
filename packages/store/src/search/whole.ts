import type { Unindexed } from './port.ts';

/**
 * FIND-18: the limit on indexing a text. Search finds a longer text by its beginning, and lists its entry, so that nobody mistakes silence for an
 * answer. Real tool outputs are far smaller.
 */
export const MOST_INDEXED = 32 * 1024 * 1024;

/**
 * Runs `put`, which indexes the text of an entry. Text beyond the limit is reported; a text that exhausts the engine is skipped, and the rest
 * continues.
 */
export const indexText = (position: number, read: () => string, put: (text: string) => void): Unindexed | null => {
  try {
    const text = read();
    if (text.length <= MOST_INDEXED) {
      if (text !== '') put(text);
      return null;
    }
    put(beginningOf(text));
    return { position, why: 'too long' };
  } catch (cause) {
    // A string, a list or a stack beyond JavaScript's limits. Any other failure isn't the text's fault, and is retried.
    if (!(cause instanceof RangeError)) throw cause;
    return { position, why: 'too large' };
  }
};

/** Never cuts a character in half. */
const beginningOf = (text: string): string => {
  const last = text.charCodeAt(MOST_INDEXED - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? MOST_INDEXED - 1 : MOST_INDEXED);
};
