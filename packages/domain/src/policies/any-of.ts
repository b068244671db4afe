export type Match = { readonly index: number; readonly 0: string };

/** Looks for the next of many texts, as a regular expression with `g` would; an alternation of hundreds of them costs the engine many times as much. */
export type Finder = { lastIndex: number; readonly exec: (text: string) => Match | null };

/** Of those that begin at one place the longest is found. All have two characters or more, of ASCII. */
export const findAnyOf = (texts: readonly string[]): Finder => {
  const isStart = new Uint8Array(SIZE * SIZE);
  const byStart = new Map<number, readonly string[]>();
  for (const text of texts.toSorted((a, b) => b.length - a.length)) {
    const pair = text.charCodeAt(0) * SIZE + text.charCodeAt(1);
    isStart[pair] = 1;
    byStart.set(pair, [...(byStart.get(pair) ?? []), text]);
  }
  const finder: Finder = {
    lastIndex: 0,
    exec: (text) => {
      let before = text.charCodeAt(finder.lastIndex);
      for (let at = finder.lastIndex; at + 1 < text.length; at += 1) {
        const after = text.charCodeAt(at + 1);
        const pair = before * SIZE + after;
        before = after;
        if (after >= SIZE || isStart[pair] !== 1) continue;
        for (const one of byStart.get(pair) ?? []) {
          if (!text.startsWith(one, at)) continue;
          finder.lastIndex = at + one.length;
          return { index: at, 0: one };
        }
      }
      finder.lastIndex = 0;
      return null;
    },
  };
  return finder;
};

const SIZE = 128;
