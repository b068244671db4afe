/** Nodes that are their own ancestors, one per cycle. Linear: every node is visited once. */
export const findCycles = (parentOf: ReadonlyMap<string, string | null>): readonly string[] => {
  const seen = new Map<string, number>();
  const cycles: string[] = [];
  let walk = 0;
  for (const start of parentOf.keys()) {
    walk += 1;
    let at: string | null | undefined = start;
    while (at != null && !seen.has(at)) {
      seen.set(at, walk);
      at = parentOf.get(at);
    }
    // It reached a node of this same walk, so the cycle is closed.
    if (at != null && seen.get(at) === walk && parentOf.has(at)) cycles.push(at);
  }
  return cycles;
};
