import { exactPlacesOf, wordFinder, type Place } from './patterns.ts';
import { optionsOf, type Alternatives, type Clause, type Query } from './query.ts';

/** An excerpt of the text, and the matches in it (in UTF-16 units), in order and disjoint. */
export type Snippet = { readonly text: string; readonly highlights: readonly Place[] };

export type SnippetOptions = { readonly length?: number };

/** Makes snippets of many texts for one query. */
export type Snipper = (text: string, options?: SnippetOptions) => Snippet;

export const createSnipper = (query: Query, alternatives: Alternatives = new Map()): Snipper => {
  const clauses = query.clauses.filter(({ negated }) => !negated).map((clause) => ({ clause, ways: findersOf(clause, alternatives) }));
  return (text, { length = LENGTH } = {}) => snip(text, clauses, length);
};

/** The part of the text with most of the query; its beginning if there is no match. */
export const snippetOf = (text: string, query: Query, alternatives: Alternatives = new Map(), options: SnippetOptions = {}): Snippet =>
  createSnipper(query, alternatives)(text, options);

const snip = (text: string, clauses: readonly { readonly clause: Clause; readonly ways: readonly Find[] }[], length: number): Snippet => {
  const hits: Hit[] = [];
  const finders: Find[] = [];
  let read = 0;
  for (const { clause, ways } of clauses) {
    // For a huge text and a long query, a part will do.
    if (read > MOST_READ && hits.length > 0) break;
    read += text.length;
    const { find, places } = findFirst(text, ways);
    finders.push(find);
    for (const place of places) hits.push({ ...place, clause, weight: weightOf(clause, places.length) });
  }
  hits.sort((a, b) => a.from - b.from || b.to - a.to);
  const window = windowAround(text, bestStretch(hits, length), length);
  // Once more around the window: the whole text was searched for a limited number of hits.
  const shift = Math.max(0, window.from - MARGIN);
  const around = text.slice(shift, window.to + MARGIN);
  const nearby = finders.flatMap((find) => find(around).map(({ from, to }) => ({ from: from + shift, to: to + shift })));
  return { text: text.slice(window.from, window.to), highlights: within(window, [...hits, ...nearby]) };
};

/** Whether the text has every exact clause of a query and no excluded one. The index can't tell: it knows words, not the signs between them. */
export const fitsExactly = (text: string, query: Query): boolean =>
  query.clauses.every((clause) => clause.kind === 'word' || clause.exact === null || matchesExact(text, clause.exact) !== clause.negated);

/** Whether the text contains this, ignoring case. */
export const matchesExact = (text: string, exact: string): boolean => text.includes(exact) || exactPlacesOf(text, exact, 1).length > 0;

type Hit = Place & { readonly clause: Clause; readonly weight: number };
type Find = (text: string) => readonly Place[];

/** The ways to find a clause, best first. */
const findersOf = (clause: Clause, alternatives: Alternatives): readonly Find[] => {
  const asWords: Find = wordFinder(optionsOf(clause, alternatives), MOST_HITS);
  if (clause.kind === 'word') return [asWords];
  const { exact, words } = clause;
  // The index joins the two sides of a blob; in the text, those words are far apart.
  const asSingleWords: Find = wordFinder(
    Array.from(words, (word) => ({ words: [word], prefix: false })),
    MOST_HITS,
  );
  return exact === null ? [asWords, asSingleWords] : [(text) => exactPlacesOf(text, exact, MOST_HITS), asWords, asSingleWords];
};

const findFirst = (text: string, finders: readonly Find[]): { readonly find: Find; readonly places: readonly Place[] } => {
  for (const find of finders) {
    const places = find(text);
    if (places.length > 0) return { find, places };
  }
  return { find: () => [], places: [] };
};

// Starting from each hit, as long as a snippet: the stretch with the most of the query, then with the most hits, then the first.
const bestStretch = (hits: readonly Hit[], length: number): Place | null => {
  let best: { readonly place: Place; readonly score: number } | null = null;
  const counts = new Map<Clause, number>();
  let score = 0;
  let next = 0;
  for (const [first, hit] of hits.entries()) {
    for (let reached = hits[next]; reached !== undefined && (next === first || reached.to - hit.from <= length); reached = hits[next]) {
      const count = counts.get(reached.clause) ?? 0;
      counts.set(reached.clause, count + 1);
      score += (count === 0 ? reached.weight : 0) + 1;
      next += 1;
    }
    if (best === null || score > best.score) best = { place: { from: hit.from, to: Math.max(hit.to, hits[next - 1]?.to ?? 0) }, score };
    const left = (counts.get(hit.clause) ?? 1) - 1;
    counts.set(hit.clause, left);
    score -= (left === 0 ? hit.weight : 0) + 1;
  }
  return best?.place ?? null;
};

// More specific clauses count more, and so do rare ones: a text full of "the" is shown at its one "zebra".
const weightOf = (clause: Clause, hits: number): number =>
  (clause.kind === 'word' ? 1 : clause.exact === null ? 2 : 3) * (MOST_HITS + Math.floor(MOST_HITS / hits));

const windowAround = (text: string, stretch: Place | null, length: number): Place => {
  if (text.length <= length) return { from: 0, to: text.length };
  const found = stretch ?? { from: 0, to: 0 };
  const lead = Math.max(0, Math.floor((length - (found.to - found.from)) / 2));
  const from = startAt(text, Math.max(0, Math.min(found.from - lead, text.length - length)), found.from);
  return { from, to: endAt(text, from, Math.min(text.length, from + length), found.to) };
};

// A word that would be cut is left out, unless it is long; a grapheme is never cut.
const startAt = (text: string, from: number, before: number): number => {
  if (from === 0) return 0;
  const space = SPACE.exec(text.slice(from - 1, Math.min(from + WORD, before)));
  const at = space === null ? from : from + space.index;
  const { index, end } = graphemeAt(text, at);
  return index < at && end <= before ? end : index;
};

const endAt = (text: string, from: number, to: number, behind: number): number => {
  if (to === text.length) return to;
  const floor = Math.max(from, to - WORD, behind);
  const space = floor < to ? text.slice(floor, to + 1).search(LAST_SPACE) : -1;
  const { index } = graphemeAt(text, space === -1 ? to : floor + space);
  if (index > from) return index;
  // Longer than the snippet by one grapheme: at least its characters stay whole.
  return isLowHalf(text.charCodeAt(to)) && to - 1 > from ? to - 1 : to;
};

// Segments from the nearest earlier place that is certainly a break, no further away than a grapheme is long.
const graphemeAt = (text: string, at: number): { readonly index: number; readonly end: number } => {
  if (at <= 0 || at >= text.length || isPlainBreak(text, at)) return { index: at, end: at + 1 };
  let anchor = at - 1;
  while (anchor > 0 && at - anchor < GRAPHEME && !isPlainBreak(text, anchor)) anchor -= 1;
  if (isLowHalf(text.charCodeAt(anchor)) && anchor > 0) anchor -= 1;
  const grapheme = GRAPHEMES.segment(text.slice(anchor, at + GRAPHEME)).containing(at - anchor);
  const index = anchor + (grapheme?.index ?? 0);
  return { index, end: index + (grapheme?.segment.length ?? 1) };
};

// Between two ASCII characters there is always a break, except in CR LF.
const isPlainBreak = (text: string, at: number): boolean =>
  text.charCodeAt(at) < 128 && text.charCodeAt(at - 1) < 128 && !(text.charCodeAt(at) === 10 && text.charCodeAt(at - 1) === 13);

const isLowHalf = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

const within = (window: Place, places: readonly Place[]): readonly Place[] => {
  const clipped = places
    .map(({ from, to }) => ({ from: Math.max(from, window.from) - window.from, to: Math.min(to, window.to) - window.from }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
  const apart: Place[] = [];
  for (const place of clipped) {
    const last = apart.at(-1);
    if (last === undefined || place.from > last.to) apart.push(place);
    else if (place.to > last.to) apart[apart.length - 1] = { from: last.from, to: place.to };
  }
  return apart;
};

const LENGTH = 240;
const MOST_HITS = 512;
const MOST_READ = 100_000_000;
/** More than the longest word. */
const MARGIN = 1024;
const WORD = 24;
const GRAPHEME = 256;
const SPACE = /\s(?=\S)/u;
const LAST_SPACE = /\s\S*$/u;
const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });
