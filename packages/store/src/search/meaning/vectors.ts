import { blend, embedCounting, type Embedding } from '@yarnboard/language';
import type { Passage } from '../port.ts';
import { passagesOf } from './prose.ts';

/** A stored passage: its range in the entry's prose, its number of word pieces, one bit per dimension, and one byte per dimension. */
export type StoredPassage = {
  readonly from: number;
  readonly length: number;
  readonly pieces: number;
  readonly bits: Buffer;
  readonly row: Buffer;
};

/** `prompt` is what a reply answers: "done, all green" is about what was asked for (MEAN-12). */
export const storedPassagesOf = (embedding: Embedding, prose: string, prompt: Float32Array | null = null): readonly StoredPassage[] =>
  passagesOf(prose).flatMap(({ from, to }) => {
    const { vector: own, pieces } = embedCounting(embedding, prose.slice(from, to));
    if (own.every((value) => value === 0)) return [];
    const vector = prompt === null ? own : blend(own, prompt, OF_PROMPT);
    return [{ from, length: to - from, pieces, bits: bitsOf(vector), row: rowOf(vector) }];
  });

/** A passage with its text, for a remote model. */
export type SaidPassage = Passage & { readonly text: string };

/** The passages of a text that have a letter or a digit. */
export const sayingPassagesOf = (prose: string): readonly SaidPassage[] =>
  passagesOf(prose).flatMap((passage) => {
    const text = prose.slice(passage.from, passage.to).trim();
    return SAYS.test(text) ? [{ ...passage, text }] : [];
  });

/** A passage with the vector from a remote model; null if the vector has no direction. */
export const storedPassage = ({ from, to }: Passage, vector: Float32Array): StoredPassage | null => {
  const unit = normalised(vector);
  return unit.every((value) => value === 0) ? null : { from, length: to - from, pieces: WHOLE, bits: bitsOf(unit), row: rowOf(unit) };
};

export const normalised = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
};

export const bitsOf = (vector: Float32Array): Buffer => {
  const bits = Buffer.alloc(4 * Math.ceil(vector.length / 32));
  for (let at = 0; at < vector.length; at += 1) if ((vector[at] ?? 0) > 0) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  return bits;
};

/** With an index loop: a callback for each of 256 numbers takes ten times as long. */
const rowOf = (vector: Float32Array): Buffer => {
  let most = 0;
  for (let at = 0; at < vector.length; at += 1) most = Math.max(most, Math.abs(vector[at] ?? 0));
  const row = new Int8Array(vector.length);
  for (let at = 0; at < vector.length; at += 1) row[at] = Math.round(((vector[at] ?? 0) / most) * 127);
  return Buffer.from(row.buffer);
};

/**
 * How near a stored row is to a unit vector: their cosine, reduced for a passage of few pieces, which is near to much by chance (MEAN-13). Rounded to
 * four places, so that it is the same on every machine.
 */
export const nearnessOf = (vector: Float32Array, row: Buffer, pieces: number): number => {
  if (row.length !== vector.length) return 0;
  let product = 0;
  let square = 0;
  for (let at = 0; at < vector.length; at += 1) {
    const value = row.readInt8(at);
    product += value * (vector[at] ?? 0);
    square += value * value;
  }
  return square === 0 ? 0 : Math.round((product / Math.sqrt(square)) * (pieces / (pieces + FEW)) * 1e4) / 1e4;
};

/** The bits of all passages, in memory: 32 bytes each for 256 dimensions, plus the position. All have the same length. */
export type Bits = {
  readonly add: (id: number, bits: Uint8Array) => void;
  readonly clear: () => void;
  readonly last: () => number;
  /** At least `most` passages nearest by Hamming distance (including all ties with the last one), as ids in order of distance. */
  readonly nearest: (bits: Uint8Array, most: number) => readonly number[];
};

export const createBits = (): Bits => {
  /** How many 32-bit words a passage has: as many as the first one. */
  let width = 0;
  let ids = new Float64Array(0);
  let words = new Uint32Array(0);
  let count = 0;
  const grow = (): void => {
    const room = Math.max(1024, ids.length * 2);
    const moreIds = new Float64Array(room);
    moreIds.set(ids);
    const moreWords = new Uint32Array(room * width);
    moreWords.set(words);
    ids = moreIds;
    words = moreWords;
  };
  return {
    add: (id, bits) => {
      if (count === 0 && width !== bits.byteLength >> 2) {
        width = bits.byteLength >> 2;
        ids = new Float64Array(0);
        words = new Uint32Array(0);
      }
      if (count === ids.length) grow();
      ids[count] = id;
      words.set(wordsOf(bits).subarray(0, width), count * width);
      count += 1;
    },
    clear: () => {
      count = 0;
    },
    last: () => (count === 0 ? 0 : (ids[count - 1] ?? 0)),
    nearest: (bits, most) => {
      const asked = wordsOf(bits);
      if (asked.length !== width) return [];
      const distances = new Uint16Array(count);
      const perDistance = new Uint32Array(width * 32 + 1);
      for (let i = 0, at = 0; i < count; i += 1) {
        let distance = 0;
        for (let w = 0; w < width; w += 1, at += 1) distance += onesIn((words[at] ?? 0) ^ (asked[w] ?? 0));
        distances[i] = distance;
        perDistance[distance] = (perDistance[distance] ?? 0) + 1;
      }
      let furthest = 0;
      for (let sum = perDistance[0] ?? 0; sum < most && furthest < width * 32; sum += perDistance[furthest] ?? 0) furthest += 1;
      const found: { readonly id: number; readonly distance: number }[] = [];
      for (let i = 0; i < count; i += 1) {
        const distance = distances[i] ?? 0;
        if (distance <= furthest) found.push({ id: ids[i] ?? 0, distance });
      }
      return found.sort((a, b) => a.distance - b.distance || b.id - a.id).map(({ id }) => id);
    },
  };
};

const wordsOf = (bits: Uint8Array): Uint32Array => {
  const view = new DataView(bits.buffer, bits.byteOffset, bits.byteLength);
  return Uint32Array.from({ length: bits.byteLength >> 2 }, (_, at) => view.getUint32(at * 4, true));
};

const onesIn = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** Both were tuned on the tuning half of fixtures/labelled/search (decision 55). */
const OF_PROMPT = 0.5;
const FEW = 4;
/** A model that reads sentences is rarely near by chance: nothing is deducted (MEAN-13). */
const WHOLE = 2 ** 31 - 1;
export const SAYS = /[\p{L}\p{N}]/u;
