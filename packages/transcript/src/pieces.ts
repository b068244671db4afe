/**
 * Transforms a text piece by piece: with tens of millions of matches in one replacement, V8 gives up and takes the process with it. `mayCut` says
 * whether a text may be cut at a place; units that must stay together have at most `longest` characters.
 */
export const inPieces = (
  text: string,
  { mayCut, longest }: { readonly mayCut: (text: string, at: number) => boolean; readonly longest: number },
  change: (piece: string) => string,
): string => {
  if (text.length <= PIECE) return change(text);
  const changed: string[] = [];
  for (let from = 0; from < text.length;) {
    const most = Math.min(text.length, from + PIECE);
    let to = most;
    while (to < text.length && most - to < longest && !mayCut(text, to)) to -= 1;
    changed.push(change(text.slice(from, to)));
    from = to;
  }
  return changed.join('');
};

export const PIECE = 1024 * 1024;
