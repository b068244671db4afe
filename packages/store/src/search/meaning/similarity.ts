/**
 * SEM-1: nearness on a scale that means the same for every model: roughly the share of relevant texts among all that are at least this near, eight in
 * ten at 0.7. The points come from the tuning halves of `fixtures/labelled/search` and `archive`; values between them are interpolated linearly.
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
  [0.35, 0.19],
  [0.4, 0.32],
  [0.45, 0.46],
  [0.5, 0.58],
  [0.56, 0.7],
  [0.6, 0.82],
  [0.65, 0.95],
  LAST,
];
