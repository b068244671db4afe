export type Relative = {
  /** Index of its parent line; undefined for the outermost. */
  readonly parent: number | undefined;
  /** From 1, among its siblings. */
  readonly position: number;
  readonly setSize: number;
};

/** The relations between the lines of an outline, for users who see only some of them. */
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
