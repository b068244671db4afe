import { piecesOf, type Vocabulary } from './pieces.ts';

/**
 * A static text embedding (packages/language/embedding/CARD.md): each word piece has a row of small integers and a scale; the vector of a text is the sum of
 * its scaled rows, normalised.
 */
export type Embedding = Vocabulary & {
  readonly dims: number;
  readonly scales: Float32Array;
  readonly rows: Int8Array;
  /** The scale of a row derived from a hash, for a character outside the vocabulary. */
  readonly hashScale: number;
};

/** Parses the file; null if it isn't a valid one. `decode` decodes UTF-8. */
export const parseEmbedding = (bytes: Uint8Array, decode: (bytes: Uint8Array) => string): Embedding | null => {
  if (bytes.byteLength < HEADER) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== VERSION) return null;
  const dims = view.getUint32(8, true);
  const count = view.getUint32(12, true);
  const vocabulary = view.getUint32(16, true);
  const scalesAt = HEADER + vocabulary;
  const rowsAt = scalesAt + 4 * count;
  if (bytes.byteLength !== rowsAt + count * dims) return null;
  const pieces = new Map<string, number>();
  for (const piece of decode(bytes.subarray(HEADER, scalesAt)).trimEnd().split('\n')) pieces.set(piece, pieces.size);
  if (pieces.size !== count) return null;
  const scales = new Float32Array(count);
  for (let i = 0; i < count; i += 1) scales[i] = view.getFloat32(scalesAt + 4 * i, true);
  return {
    dims,
    count,
    pieces,
    scales,
    hashScale: view.getFloat32(20, true),
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, count * dims),
  };
};

/** The vector of a text: of unit length, or all zeros if it has no letter or digit. */
export const embed = (embedding: Embedding, text: string): Float32Array => embedCounting(embedding, text).vector;

/** The same, with the number of pieces: few pieces say little. */
export const embedCounting = (embedding: Embedding, text: string): { readonly vector: Float32Array; readonly pieces: number } => {
  const { dims, count, rows, scales, hashScale } = embedding;
  const sum = new Float32Array(dims);
  const ids = piecesOf(embedding, text);
  for (const id of ids) {
    if (id < count) {
      addRow(sum, rows.subarray(id * dims, (id + 1) * dims), scales[id] ?? 0);
      continue;
    }
    let state = (id - count) | 1;
    for (let d = 0; d < dims; d += 1) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      sum[d] = (sum[d] ?? 0) + ((state & 4) === 0 ? -hashScale : hashScale);
    }
  }
  return { vector: normalised(sum), pieces: ids.length };
};

/** Four at a time: embedding spends nearly all its time here, and one at a time takes half as long again. */
const addRow = (sum: Float32Array, row: Int8Array, scale: number): void => {
  const fours = row.length & ~3;
  for (let d = 0; d < fours; d += 4) {
    sum[d] = (sum[d] ?? 0) + (row[d] ?? 0) * scale;
    sum[d + 1] = (sum[d + 1] ?? 0) + (row[d + 1] ?? 0) * scale;
    sum[d + 2] = (sum[d + 2] ?? 0) + (row[d + 2] ?? 0) * scale;
    sum[d + 3] = (sum[d + 3] ?? 0) + (row[d + 3] ?? 0) * scale;
  }
  for (let d = fours; d < row.length; d += 1) sum[d] = (sum[d] ?? 0) + (row[d] ?? 0) * scale;
};

/** A message in its context: a vector with a share of another one added, normalised again. */
export const blend = (vector: Float32Array, context: Float32Array, share: number): Float32Array => normalised(added(vector, context, share));

const added = (vector: Float32Array, context: Float32Array, share: number): Float32Array => {
  const sum = new Float32Array(vector.length);
  for (let d = 0; d < vector.length; d += 1) sum[d] = (vector[d] ?? 0) + share * (context[d] ?? 0);
  return sum;
};

const normalised = (sum: Float32Array): Float32Array => {
  let square = 0;
  for (const value of sum) square += value * value;
  if (square > 0) {
    const scale = 1 / Math.sqrt(square);
    for (let d = 0; d < sum.length; d += 1) sum[d] = (sum[d] ?? 0) * scale;
  }
  return sum;
};

const HEADER = 32;
/** "YBE1", little endian. */
const MAGIC = 0x31454259;
const VERSION = 1;
