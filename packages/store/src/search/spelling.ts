/**
 * Three characters each, with two spaces before the term and one after it. A term and anything `closest` may suggest for it share at least one, so an
 * index of trigrams finds every candidate; those without a space are also in every longer term that contains this one.
 */
export const trigramsOf = (term: string): readonly string[] => {
  const characters = Array.from(`  ${term} `);
  const trigrams = new Set<string>();
  for (let i = 0; i + 2 < characters.length; i += 1) trigrams.add(`${characters[i]}${characters[i + 1]}${characters[i + 2]}`);
  return [...trigrams];
};

/**
 * How many letters to delete, insert, replace or swap with a neighbour to turn one word into the other (optimal string alignment, in UTF-16 units);
 * anything over `most` is returned as `most + 1`.
 */
export const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let twoAbove: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row: number[] = [];
    let least = i;
    row[0] = i;
    // Further from the diagonal than this, every cell exceeds the bound.
    for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      const swapped = i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      const cost = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + (same ? 0 : 1), swapped ? at(twoAbove, j - 2) + 1 : OVER);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    // No row is better than the one above; a swap skips a row, but that one cost at most one less.
    if (least > most) return most + 1;
    twoAbove = above;
    above = row;
  }
  return Math.min(at(above, b.length), most + 1);
};

export type Candidate = { readonly term: string; readonly documents: number };

/** The terms that somebody who typed this word may have meant, nearest first, then most common; excludes the word itself. */
export const closest = (word: string, candidates: Iterable<Candidate>, most = MOST_SUGGESTIONS): readonly string[] => {
  const allowed = allowedFor(word);
  if (allowed === 0) return [];
  const found = new Map<string, { readonly term: string; readonly documents: number; readonly away: number }>();
  for (const { term, documents } of candidates) {
    if (term === word || found.has(term) || DIGIT.test(term)) continue;
    const away = distance(word, term, allowed);
    if (away <= allowed) found.set(term, { term, documents, away });
  }
  return [...found.values()]
    .sort((a, b) => a.away - b.away || b.documents - a.documents || (a.term < b.term ? -1 : 1))
    .slice(0, most)
    .map(({ term }) => term);
};

// Short words have too many neighbours, and a number with another digit is a different number.
const allowedFor = (word: string): number => {
  const letters = Array.from(word).length;
  if (letters < 4 || DIGIT.test(word)) return 0;
  return letters < 8 ? 1 : 2;
};

const at = (row: readonly number[], place: number): number => row[place] ?? OVER;

const OVER = Number.POSITIVE_INFINITY;
const DIGIT = /\p{N}/u;
const MOST_SUGGESTIONS = 8;
