/** Positions that follow one another, as verification and live readers ask for them: one query brings them all. */
export const isStretch = (positions: readonly number[]): boolean => {
  const first = positions[0] ?? 0;
  return positions.length > 1 && positions.every((position, i) => position === first + i);
};
