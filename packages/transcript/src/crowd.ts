import { MAX_DEPTH } from './depth.ts';

/**
 * PARSE-9: how many values a line may have. Parsed, each takes a hundred bytes or more, however short it is when written: a line of `[[[[…` or of
 * ever new keys would exhaust the memory before it could be refused. No transcript comes near.
 */
export const MOST_VALUES = 2_000_000;

/** Whether a line has more values than may be parsed, judged by its bytes. Short lines can't, and cost nothing. */
export const crowdIn = (bytes: Uint8Array, from: number, to: number): 'too deep' | 'too many values' | null => {
  if (to - from <= MOST_VALUES) return null;
  let depth = 0;
  let values = 1;
  for (let i = from; i < to; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) i = endOfString(bytes, i + 1, to);
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) return 'too deep';
    }
    // A line may have several objects; an unbalanced bracket is broken anyway.
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth = Math.max(0, depth - 1);
    if (values > MOST_VALUES) return 'too many values';
  }
  return null;
};

/** The end of a string; the last byte if it isn't closed. */
const endOfString = (bytes: Uint8Array, from: number, to: number): number => {
  for (let at = bytes.indexOf(QUOTE, from); at !== -1 && at < to; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH && at - 1 - slashes >= from) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return to;
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
