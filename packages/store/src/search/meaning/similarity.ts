import { MODEL } from './embedding-file.ts';

/**
 * SEM-1: what nearness is worth, as a number that means the same for every model: about the share of what is as near or nearer that belongs to the question,
 * eight in ten at 0.7. The points were read off the tuning halves of `fixtures/labelled/search` and `archive`; between them it goes straight.
 */
export const similarityOf = (near: number): number => {
  const above = CURVE.findIndex(([at]) => near < at);
  if (above === 0) return 0;
  if (above === -1) return 1;
  const [[x0, y0], [x1, y1]] = [CURVE[above - 1] ?? FIRST, CURVE[above] ?? LAST];
  return y0 + ((near - x0) / (x1 - x0)) * (y1 - y0);
};

type Point = readonly [near: number, similarity: number];
const FIRST: Point = [0.2, 0];
const LAST: Point = [1, 1];

/** One curve for each model: vectors of another one are as near by chance as these are by meaning. */
const CURVES: Readonly<Record<string, readonly Point[]>> = {
  [MODEL]: [FIRST, [0.25, 0.05], [0.3, 0.1], [0.35, 0.19], [0.4, 0.32], [0.45, 0.46], [0.5, 0.58], [0.56, 0.7], [0.6, 0.82], [0.65, 0.95], LAST],
};
const CURVE = CURVES[MODEL] ?? [FIRST, LAST];
