import type { Curve } from './similarity.ts';

/** A question paired with a text: how near they are, and whether the text is relevant. `weight`: how many such texts it stands for. */
export type Judged = { readonly near: number; readonly isRight: boolean; readonly weight: number };

/**
 * SEM-7: the curve of a model, derived from questions with known answers: at a similarity of 0.7, seven in ten of the texts that are at least this
 * near are relevant. It begins where hardly any irrelevant text is left out.
 */
export const curveOf = (judged: readonly Judged[]): Curve => {
  const sorted = judged.toSorted((a, b) => b.near - a.near);
  const lowest = new Map<number, number>();
  let right = 0;
  let all = 0;
  for (const [at, { near, isRight, weight }] of sorted.entries()) {
    if (isRight) right += weight;
    all += weight;
    // Equals all count together, and a few prove nothing.
    if (sorted[at + 1]?.near === near || all < FEWEST) continue;
    for (const level of LEVELS) if (right >= level * all) lowest.set(level, near);
  }
  const first = chanceOf(judged);
  const points: (readonly [number, number])[] = [[first, 0]];
  for (const level of LEVELS) {
    const near = lowest.get(level);
    if (near !== undefined && near > (points.at(-1)?.[0] ?? 0) && near < 1) points.push([near, level]);
  }
  return [...points, [1, 1]];
};

/** Two unrelated texts are this near one time in a hundred. */
const chanceOf = (judged: readonly Judged[]): number => {
  const wrong = judged.filter(({ isRight }) => !isRight).toSorted((a, b) => b.near - a.near);
  const whole = wrong.reduce((sum, { weight }) => sum + weight, 0);
  let above = 0;
  for (const { near, weight } of wrong) {
    above += weight;
    if (above >= whole / 100) return Math.min(near, HIGHEST_CHANCE);
  }
  return 0;
};

const LEVELS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95] as const;
const FEWEST = 15;
const HIGHEST_CHANCE = 0.99;
