import { MODEL } from './embedding-file.ts';

/**
 * SEM-1: what a cosine of the embedding is worth, as a number that means the same for every model: about the share of what is as near or nearer that
 * belongs to the question. The points were read off the tuning half of `fixtures/labelled/archive`; between them it goes straight.
 */
export const similarityOf = (cosine: number): number => {
  const above = CURVE.findIndex(([at]) => cosine < at);
  if (above === 0) return 0;
  if (above === -1) return 1;
  const [[x0, y0], [x1, y1]] = [CURVE[above - 1] ?? FIRST, CURVE[above] ?? LAST];
  return y0 + ((cosine - x0) / (x1 - x0)) * (y1 - y0);
};

type Point = readonly [cosine: number, similarity: number];
const FIRST: Point = [0.25, 0];
const LAST: Point = [1, 1];

/** One curve for each model: vectors of another one are as near by chance as these are by meaning. */
const CURVES: Readonly<Record<string, readonly Point[]>> = {
  [MODEL]: [FIRST, [0.3, 0.1], [0.35, 0.2], [0.4, 0.33], [0.45, 0.44], [0.5, 0.52], [0.6, 0.6], [0.72, 0.7], [0.78, 0.8], [0.85, 0.9], LAST],
};
const CURVE = CURVES[MODEL] ?? [FIRST, LAST];
