/** Consecutive positions, as verification and live readers request them: a single query returns them all. */
export const isStretch = (positions: readonly number[]): boolean => {
  const first = positions[0] ?? 0;
  return positions.length > 1 && positions.every((position, i) => position === first + i);
};
