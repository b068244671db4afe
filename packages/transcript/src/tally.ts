/** How often each key occurs. A map, because keys come from foreign files and may be "__proto__". */
export type Tally = ReadonlyMap<string, number>;

export const addToTally = (tally: Map<string, number>, key: string, count: number): void => {
  tally.set(key, (tally.get(key) ?? 0) + count);
};

/** The sum of several tallies, most frequent first. */
export const mergeTallies = (tallies: readonly Tally[]): Tally => {
  const sum = new Map<string, number>();
  for (const tally of tallies) for (const [key, count] of tally) addToTally(sum, key, count);
  return new Map([...sum].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
};

export const tallyOf = (keys: readonly string[]): Tally => {
  const tally = new Map<string, number>();
  for (const key of [...keys].sort()) addToTally(tally, key, 1);
  return tally;
};
