import type { Json, JsonObject } from './json.ts';

/** Deeper values are quarantined: recursing over them later would overflow the stack. */
export const MAX_DEPTH = 512;

/** Whether lists and objects nest deeper than `limit`. Never recurses; the cost is proportional to the number of lists and objects. */
export const isDeeperThan = (value: Json, limit: number): boolean => {
  let level: Json[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    // Anything on this level is a list or an object, so depth + 1 of them surround its content.
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
 * Detects lines that nest too deep. Hardly any has enough brackets, which the bytes show, four at a time, before the value is examined: this runs on
 * every long line of every transcript.
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

// Counts four for every word with a bracket in it, and the bytes after the last whole word as one more.
const mayNest = (words: Int32Array, from: number, to: number): boolean => {
  let found = 4;
  const end = Math.min(words.length, (to + 3) >> 2);
  for (let i = from >> 2; i < end; i += 1) {
    // "[" and "{" differ in one bit. A byte of `rest` is zero at a bracket; the subtraction then borrows into its top bit.
    const rest = ((words[i] ?? 0) | 0x2020_2020) ^ 0x7b7b_7b7b;
    if (((rest - 0x0101_0101) & ~rest & 0x8080_8080) !== 0) found += 4;
  }
  return found > MAX_DEPTH;
};
