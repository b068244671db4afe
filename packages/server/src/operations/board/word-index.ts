/** Texts by their words, also by parts of them. Texts are numbered from 0, in the order they were added. */
export type WordIndex = {
  readonly size: () => number;
  readonly add: (words: Iterable<string>) => void;
  /** Which texts have each of these in one of their words. */
  readonly having: (parts: readonly string[]) => Having;
};

export type Having = {
  /** Every text that fits is among them; null if that could be any. */
  readonly candidates: Uint8Array | null;
  readonly has: (text: number) => boolean;
};

export const createWordIndex = (): WordIndex => {
  const ids = new Map<string, number>();
  /** All known words, a line each, and where each begins: a part is looked for in one text instead of in every word. */
  let vocabulary = '';
  const starts: number[] = [];
  const postings: number[][] = [];
  /** The words of all texts, one text after the other, and where each ends. */
  let used = new Uint32Array(1024);
  const ends: number[] = [];

  const idOf = (word: string): number => {
    const known = ids.get(word);
    if (known !== undefined) return known;
    const id = starts.length;
    ids.set(word, id);
    starts.push(vocabulary.length);
    vocabulary += `${word}\n`;
    postings.push([]);
    return id;
  };

  const wordsWith = (part: string): readonly number[] => {
    const found: number[] = [];
    let at = vocabulary.indexOf(part);
    while (at >= 0) {
      const id = lastAtMost(starts, at);
      found.push(id);
      const next = starts[id + 1];
      at = next === undefined ? -1 : vocabulary.indexOf(part, next);
    }
    return found;
  };

  const marked = (part: string): { readonly words: readonly number[]; readonly isMeant: Uint8Array; readonly texts: number } => {
    const words = wordsWith(part);
    const isMeant = new Uint8Array(starts.length);
    for (const id of words) isMeant[id] = 1;
    return { words, isMeant, texts: words.reduce((sum, id) => sum + (postings[id]?.length ?? 0), 0) };
  };

  return {
    size: () => ends.length,
    add: (words) => {
      const text = ends.length;
      let end = ends.at(-1) ?? 0;
      for (const word of new Set(words)) {
        const id = idOf(word);
        postings[id]?.push(text);
        if (end === used.length) used = grown(used);
        used[end] = id;
        end += 1;
      }
      ends.push(end);
    },
    having: (parts) => {
      const wanted = parts.map(marked).toSorted((a, b) => a.texts - b.texts);
      const [rarest] = wanted;
      const has = (text: number): boolean => {
        const [from, to] = [ends[text - 1] ?? 0, ends[text] ?? 0];
        return wanted.every(({ isMeant }) => {
          for (let at = from; at < to; at += 1) if (isMeant[used[at] ?? 0] === 1) return true;
          return false;
        });
      };
      // A part that nearly every text has narrows nothing down.
      if (rarest === undefined || rarest.texts > ends.length) return { candidates: null, has };
      const candidates = new Uint8Array(ends.length);
      for (const id of rarest.words) for (const text of postings[id] ?? []) candidates[text] = 1;
      return { candidates, has };
    },
  };
};

/** The last place in an ascending list whose value is not above this one. */
const lastAtMost = (list: readonly number[], value: number): number => {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((list[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
};

const grown = (array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
};
