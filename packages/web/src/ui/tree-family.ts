export type Relative = {
  /** Index of the line that it is a part of; undefined for the outermost. */
  readonly parent: number | undefined;
  /** From 1, among those that are parts of the same. */
  readonly position: number;
  readonly setSize: number;
};

/** How the lines of an outline belong together. Whoever sees only some of them is told which these are. */
export const familyOf = (items: readonly { readonly level: number }[]): readonly Relative[] => {
  const parents: (number | undefined)[] = [];
  const counts: number[] = [0];
  const positions: number[] = [];
  const open: number[] = [];
  items.forEach(({ level }, i) => {
    while (open.length >= level) open.pop();
    const parent = open.at(-1);
    const group = parent === undefined ? 0 : parent + 1;
    counts[group] = (counts[group] ?? 0) + 1;
    counts[i + 1] = 0;
    parents.push(parent);
    positions.push(counts[group]);
    open.push(i);
  });
  return parents.map((parent, i) => ({ parent, position: positions[i] ?? 1, setSize: counts[parent === undefined ? 0 : parent + 1] ?? 1 }));
};
