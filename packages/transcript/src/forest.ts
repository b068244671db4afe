/** A member of a forest of disjoint sets: members with the same root are in one set. `tree` leads towards it. */
export type Member<T> = { tree: T | null };

/** The root of a member's set. Halves the path for later calls. */
export const rootOf = <T extends Member<T>>(member: T): T => {
  let at = member;
  for (let next = at.tree; next !== null; next = at.tree) {
    if (next.tree !== null) at.tree = next.tree;
    at = at.tree ?? next;
  }
  return at;
};

/** Joins one set to another; false if they are the same, so that joining would close a cycle. */
export const unite = <T extends Member<T>>(above: T, below: T): boolean => {
  const root = rootOf(above);
  const other = rootOf(below);
  if (root === other) return false;
  other.tree = root;
  return true;
};
