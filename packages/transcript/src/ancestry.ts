/**
 * The lines of a file so far, the last one first: nearly every line goes on from that. `stands` is the record that goes on from a line: its own, or, where it says
 * nothing, the one before it.
 */
export type Ancestry = { readonly id: string; readonly stands: string | null; readonly earlier: Ancestry | null };

/** What a line goes on from that names its parent; `tip` where nobody is called so. */
export const standsAt = (lines: Ancestry | null, parent: string, tip: string | null): string | null => {
  for (let line = lines; line !== null; line = line.earlier) if (line.id === parent) return line.stands;
  return tip;
};
