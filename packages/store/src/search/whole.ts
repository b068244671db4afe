import type { Unindexed } from './port.ts';

/**
 * FIND-18: no text costs more than this to index. Of a longer one the beginning is found by search; its entry is listed, so that nobody takes silence for an
 * answer. Real tool outputs stay far below.
 */
export const MOST_INDEXED = 32 * 1024 * 1024;

/** Does with the text of an entry what puts it into the index. What is left out of it is said; what makes the engine give up is left out, and the rest goes on. */
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
    // A string, a list or a stack beyond what JavaScript has. Whatever else fails is not the text's fault, and is tried again.
    if (!(cause instanceof RangeError)) throw cause;
    return { position, why: 'too large' };
  }
};

/** Never half a character. */
const beginningOf = (text: string): string => {
  const last = text.charCodeAt(MOST_INDEXED - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? MOST_INDEXED - 1 : MOST_INDEXED);
};
