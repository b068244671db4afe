import type { Embedding } from './embedding.ts';
import { piecesOf } from './pieces.ts';

/**
 * 0 to 1: how much of a question each text says, by the same word pieces or by pieces of a near meaning; a piece counts by how much it says. Unlike the cosine
 * of two vectors, it is not moved by whatever else the text says. Texts mostly have the same words: how near a piece is to the question is worked out once.
 */
export const shareSaidOf = (embedding: Embedding, question: string): ((text: string) => number) => {
  const { count, dims, scales, hashScale } = embedding;
  const asked = [...new Set(piecesOf(embedding, question))].slice(0, MOST_ASKED).map((id) => {
    const unit = unitRow(embedding, id);
    return { id, unit, weight: id < count ? (scales[id] ?? 0) * lengthOf(embedding, id) : hashScale * Math.sqrt(dims) };
  });
  const whole = asked.reduce((sum, { weight }) => sum + weight, 0);
  const known = new Map<number, Float32Array>();
  const nearTo = (id: number): Float32Array => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const own = unitRow(embedding, id);
    const shares = Float32Array.from(asked, (piece) =>
      piece.id === id ? 1 : Math.max(0, (productOf(piece.unit, own) - UNRELATED) / (1 - UNRELATED)),
    );
    known.set(id, shares);
    return shares;
  };
  return (text) => {
    if (whole === 0) return 0;
    const best = new Float32Array(asked.length);
    for (const id of new Set(piecesOf(embedding, text.slice(0, LONGEST)))) {
      const shares = nearTo(id);
      for (let at = 0; at < best.length; at += 1) best[at] = Math.max(best[at] ?? 0, shares[at] ?? 0);
    }
    return asked.reduce((sum, { weight }, at) => sum + weight * (best[at] ?? 0), 0) / whole;
  };
};

const lengthOf = ({ rows, dims }: Embedding, id: number): number => {
  let square = 0;
  for (let d = id * dims; d < (id + 1) * dims; d += 1) square += (rows[d] ?? 0) ** 2;
  return Math.sqrt(square);
};

/** Empty for what is outside the vocabulary: that is near to nothing but itself. */
const unitRow = (embedding: Embedding, id: number): Float32Array => {
  const { rows, dims, count } = embedding;
  if (id >= count) return new Float32Array(0);
  const length = lengthOf(embedding, id);
  return Float32Array.from(rows.subarray(id * dims, (id + 1) * dims), (value) => (length === 0 ? 0 : value / length));
};

const productOf = (a: Float32Array, b: Float32Array): number => {
  const most = Math.min(a.length, b.length);
  let sum = 0;
  for (let d = 0; d < most; d += 1) sum += (a[d] ?? 0) * (b[d] ?? 0);
  return sum;
};

/** What any two words have in common. */
const UNRELATED = 0.3;
const MOST_ASKED = 64;
/** Of a passage this is all, and of a prompt what it begins with. */
const LONGEST = 2000;
