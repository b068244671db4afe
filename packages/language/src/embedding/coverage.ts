import type { Embedding } from './embedding.ts';
import { piecesOf } from './pieces.ts';

/** A word piece of a text: its row, the row's length, and how telling the piece is. */
export type Piece = { readonly id: number; readonly length: number; readonly weight: number };

/** Each piece of a text once; those outside the vocabulary are left out. */
export const tellingPieces = (embedding: Embedding, text: string): readonly Piece[] =>
  [...new Set(piecesOf(embedding, text))]
    .filter((id) => id < embedding.count)
    .slice(0, MOST_PIECES)
    .map((id) => {
      const length = Math.sqrt(dot(embedding, id, id));
      return { id, length, weight: length * (embedding.scales[id] ?? 0) };
    });

/** 0 to 1: how much of one text's content is also in another, by the same pieces or by pieces with a similar meaning. */
export const coverageOf = (embedding: Embedding, of: readonly Piece[], by: readonly Piece[]): number => {
  let [covered, all] = [0, 0];
  for (const piece of of) {
    let nearest = 0;
    for (const other of by) {
      const near = piece.id === other.id ? 1 : dot(embedding, piece.id, other.id) / (piece.length * other.length);
      if (near > nearest) nearest = near;
      if (nearest === 1) break;
    }
    covered += piece.weight * Math.max(0, (nearest - UNRELATED) / (1 - UNRELATED));
    all += piece.weight;
  }
  return all === 0 ? 0 : covered / all;
};

/** Whether any of these pieces has nearly the same meaning as one of the others. */
export const areNear = (embedding: Embedding, some: readonly Piece[], others: readonly Piece[]): boolean =>
  some.some((one) => others.some((other) => one.id === other.id || dot(embedding, one.id, other.id) >= NEAR * one.length * other.length));

const dot = ({ rows, dims }: Embedding, one: number, other: number): number => {
  let sum = 0;
  for (let d = 0, a = one * dims, b = other * dims; d < dims; d += 1) sum += (rows[a + d] ?? 0) * (rows[b + d] ?? 0);
  return sum;
};

/** The similarity of two arbitrary words. */
const UNRELATED = 0.3;
const NEAR = 0.55;
const MOST_PIECES = 64;
