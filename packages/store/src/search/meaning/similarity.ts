/**
 * SEM-1: what nearness is worth (together with what a text says of the question, MEAN-17), as a number that means the same for every model: about the share of
 * what is as near or nearer that belongs to the question, eight in ten at 0.7. The points were read off the tuning half of `fixtures/labelled/search`; above 0.6
 * they are what is at least to be expected of other questions, since few texts are that near (decision 98). Between them it goes straight.
 */
export const similarityOf = (near: number, curve: Curve = CURVE): number => {
  const above = curve.findIndex(([at]) => near < at);
  if (above === 0) return 0;
  if (above === -1) return 1;
  const [[x0, y0], [x1, y1]] = [curve[above - 1] ?? FIRST, curve[above] ?? LAST];
  return y0 + ((near - x0) / (x1 - x0)) * (y1 - y0);
};

/** From near by chance to identical; both numbers rise. */
export type Curve = readonly Point[];
type Point = readonly [near: number, similarity: number];
const FIRST: Point = [0.2, 0];
const LAST: Point = [1, 1];

/** The curve of the built-in embedding. Each model needs its own: vectors of another may be as near by chance as these are by meaning. */
export const CURVE: Curve = [
  FIRST,
  [0.25, 0.05],
  [0.3, 0.1],
  [0.35, 0.2],
  [0.4, 0.31],
  [0.445, 0.4],
  [0.475, 0.47],
  [0.512, 0.55],
  [0.54, 0.6],
  [0.57, 0.64],
  [0.65, 0.7],
  [0.71, 0.82],
  [0.77, 0.95],
  LAST,
];
