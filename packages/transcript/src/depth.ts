import type { Json, JsonObject } from './json.ts';

/** Deeper values are quarantined: whoever recurses over them later would run out of stack. */
export const MAX_DEPTH = 512;

/** Whether lists and objects nest deeper than `limit`. Never recurses; what is not deep costs as much as it has lists and objects. */
export const isDeeperThan = (value: Json, limit: number): boolean => {
  let level: Json[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    // Whatever is on this level is a list or an object, so there are depth + 1 of them around its content.
    if (depth >= limit) return true;
    const below: Json[] = [];
    for (const one of level) {
      for (const inner of Object.values(one as JsonObject | readonly Json[])) {
        if (typeof inner === 'object' && inner !== null) below.push(inner);
      }
    }
    level = below;
  }
  return false;
};

/**
 * Tells lines that nest too deep. Nearly none has enough brackets to, and that is seen on the bytes, four at a time, before the value is looked at:
 * this runs on every long line of every transcript.
 */
export const createDepthGuard = (): ((value: Json, bytes: Uint8Array, from: number, to: number) => boolean) => {
  let chunk: Uint8Array | null = null;
  let words: Int32Array = new Int32Array(0);
  let misfit = 0;
  return (value, bytes, from, to) => {
    if (to - from <= 2 * MAX_DEPTH) return false;
    if (bytes !== chunk) {
      // Words begin at multiples of four, up to three bytes before the chunk.
      chunk = bytes;
      misfit = bytes.byteOffset & 3;
      words = new Int32Array(bytes.buffer, bytes.byteOffset - misfit, (misfit + bytes.length) >> 2);
    }
    return mayNest(words, from + misfit, to + misfit) && isDeeperThan(value, MAX_DEPTH);
  };
};

// Counts four for every word with a bracket in it, and the bytes behind the last whole word as one more.
const mayNest = (words: Int32Array, from: number, to: number): boolean => {
  let found = 4;
  const end = Math.min(words.length, (to + 3) >> 2);
  for (let i = from >> 2; i < end; i += 1) {
    // "[" and "{" differ in one bit. A byte of `rest` is zero where one of them stands; then the subtraction borrows into its top bit.
    const rest = ((words[i] ?? 0) | 0x2020_2020) ^ 0x7b7b_7b7b;
    if (((rest - 0x0101_0101) & ~rest & 0x8080_8080) !== 0) found += 4;
  }
  return found > MAX_DEPTH;
};
