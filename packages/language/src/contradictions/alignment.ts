import { isSlip } from '../text/stems.ts';
import { dot, type Material, type Sense } from './material.ts';

/** How near in meaning two words are, 0 to 1. */
export type Near = (one: Sense, other: Sense) => number;

/** Compares each pair of words once, however many clauses contain them. */
export const nearBetween = (a: Material, b: Material): Near => {
  const table = new Float32Array(a.count * b.count).fill(-1);
  return (one, other) => {
    const at = one.at * b.count + other.at;
    const before = table[at] ?? -1;
    if (before >= 0) return before;
    const near = nearness(one, other);
    table[at] = near;
    return near;
  };
};

const nearness = ({ term: a, vector: one }: Sense, { term: b, vector: other }: Sense): number => {
  if (a.name === b.name || a.plain === b.plain || isSlip(a.word, b.word)) return 1;
  if (a.pieces.length > 0 || b.pieces.length > 0) {
    const [piecesA, piecesB] = [a.pieces.length > 0 ? a.pieces : [a.name], b.pieces.length > 0 ? b.pieces : [b.name]];
    const common = piecesA.filter((piece) => piecesB.includes(piece)).length;
    if (common > 0) return Math.max(SAME_PIECE, common / Math.max(piecesA.length, piecesB.length));
  }
  return one === null || other === null ? 0 : Math.max(0, Math.min(ALMOST, dot(one, other)));
};
const SAME_PIECE = 0.6;
const ALMOST = 0.95;

export type Alignment = {
  /** How much of one text the other also says, at least approximately. */
  readonly coverA: number;
  readonly coverB: number;
  /** The weight of the words that both have in common. */
  readonly exact: number;
  readonly links: readonly { readonly a: Sense; readonly b: Sense; readonly near: number }[];
  readonly leftA: readonly Sense[];
  readonly leftB: readonly Sense[];
};

export const align = (near: Near, a: readonly Sense[], b: readonly Sense[]): Alignment => {
  const bestA = new Float64Array(a.length);
  const bestB = new Float64Array(b.length);
  const links: { a: Sense; b: Sense; near: number }[] = [];
  let exact = 0;
  for (const [i, one] of a.entries()) {
    let [most, partner]: [number, Sense | null] = [0, null];
    for (const [j, other] of b.entries()) {
      const found = near(one, other);
      if (found > (bestB[j] ?? 0)) bestB[j] = found;
      if (found > most) [most, partner] = [found, other];
    }
    bestA[i] = most;
    if (partner !== null && most >= ALIGNED) links.push({ a: one, b: partner, near: most });
    if (most === 1) exact += one.weight;
  }
  return {
    coverA: coverOf(a, bestA),
    coverB: coverOf(b, bestB),
    exact,
    links,
    leftA: a.filter((_, i) => (bestA[i] ?? 0) < ALIGNED),
    leftB: b.filter((_, j) => (bestB[j] ?? 0) < ALIGNED),
  };
};

const coverOf = (senses: readonly Sense[], best: Float64Array): number => {
  let [covered, all] = [0, 0];
  for (const [at, { weight }] of senses.entries()) {
    covered += weight * Math.max(0, ((best[at] ?? 0) - UNRELATED) / (1 - UNRELATED));
    all += weight;
  }
  return all === 0 ? 0 : covered / all;
};

/** From here on, two words count as the same thing. */
const ALIGNED = 0.62;
/** The similarity that any two words have. */
const UNRELATED = 0.3;
