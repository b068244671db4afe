import { eachWord, wordsOf } from './words.ts';

export type Clause =
  | { readonly kind: 'word'; readonly word: string; readonly negated: boolean; readonly prefix: boolean }
  | {
      readonly kind: 'phrase';
      /** Empty if there are only signs: an index of words can't answer that. */
      readonly words: readonly string[];
      /** What the index can't know and the text must confirm; null if the words suffice. */
      readonly exact: string | null;
      readonly negated: boolean;
    };

/** All clauses must hold. */
export type Query = { readonly clauses: readonly Clause[] };

/** Maps a word to words that may replace it: corrected spellings, longer words that contain it. */
export type Alternatives = ReadonlyMap<string, readonly string[]>;

/** Parses what somebody typed, as they probably meant it. Every text is a query. */
export const parseQuery = (text: string): Query => {
  const clauses: Clause[] = [];
  for (const [, minus = '', quoted, chunk] of text.slice(0, LONGEST_QUERY).matchAll(PIECE)) {
    const negated = minus !== '';
    const clause = chunk === undefined ? phraseOf(quoted ?? '', negated) : clauseOf(chunk, negated);
    if (clause !== null) clauses.push(clause);
    if (clauses.length === MOST_CLAUSES) break;
  }
  return { clauses };
};

/**
 * The expression for FTS5's MATCH, or null for an empty query. For exact clauses it finds too much: `fitsExactly` filters that, and for the same
 * reason nothing exact is excluded here.
 */
export const toFts5 = (query: Query, alternatives: Alternatives = new Map()): string | null => {
  const wanted = query.clauses.flatMap((clause) => (clause.negated ? [] : fts5Group(optionsOf(clause, alternatives))));
  if (wanted.length === 0) return null;
  const unwanted = excludedBy(query).map((option) => fts5Option(option));
  // One NOT over an OR: a chain of NOTs is as deep as it is long, and FTS5 refuses depth 256.
  return unwanted.length === 0 ? wanted.join(' AND ') : `(${wanted.join(' AND ')}) NOT (${unwanted.join(' OR ')})`;
};

/** The same for PostgreSQL, to be cast with `::tsquery`. */
export const toTsquery = (query: Query, alternatives: Alternatives = new Map()): string | null => {
  const wanted = query.clauses.flatMap((clause) => (clause.negated ? [] : tsqueryGroup(optionsOf(clause, alternatives))));
  if (wanted.length === 0) return null;
  return [...wanted, ...excludedBy(query).map((option) => `!(${tsqueryOption(option)})`)].join(' & ');
};

/** Consecutive words; with prefix, the last one is only the beginning of a word. */
export type Option = { readonly words: readonly string[]; readonly prefix: boolean };

/** What satisfies a clause, starting with the clause itself. */
export const optionsOf = (clause: Clause, alternatives: Alternatives): readonly Option[] => {
  const others = (typed: string): readonly Option[] =>
    (alternatives.get(typed) ?? []).map((other) => ({ words: wordsOf(other), prefix: false })).filter(({ words }) => words.length > 0);
  if (clause.kind === 'word') return [{ words: [clause.word], prefix: clause.prefix }, ...others(clause.word)];
  if (clause.words.length === 0) return [];
  return [{ words: clause.words, prefix: false }, ...(clause.exact === null ? others(clause.words.join(' ')) : [])];
};

/** What the index can exclude by itself. */
export const excludedBy = (query: Query): readonly Option[] =>
  query.clauses.flatMap((clause) => (clause.negated && (clause.kind === 'word' || clause.exact === null) ? optionsOf(clause, new Map()) : []));

const fts5Group = (options: readonly Option[]): readonly string[] => {
  const [first, ...others] = options.map(fts5Option);
  if (first === undefined) return [];
  return [others.length === 0 ? first : `(${[first, ...others].join(' OR ')})`];
};

/** One option in FTS5's syntax. */
export const fts5Option = ({ words, prefix }: Option): string =>
  words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' + ') + (prefix ? ' *' : '');

const tsqueryGroup = (options: readonly Option[]): readonly string[] => {
  const [first, ...others] = options.map(tsqueryOption);
  if (first === undefined) return [];
  return [others.length === 0 ? first : `(${[first, ...others].join(' | ')})`];
};

/** One option in PostgreSQL's syntax. */
export const tsqueryOption = ({ words, prefix }: Option): string =>
  words.map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`).join(' <-> ') + (prefix ? ':*' : '');

const phraseOf = (text: string, negated: boolean): Clause | null => {
  const { words, isPlain } = readWords(text);
  if (words.length === 0 && isPlain) return null;
  return { kind: 'phrase', words, exact: isPlain ? null : text, negated };
};

const clauseOf = (chunk: string, negated: boolean): Clause => {
  const starred = chunk.endsWith('*') ? readWords(chunk.slice(0, -1)) : null;
  const isPrefix = starred !== null && starred.isPlain && starred.words.length > 0;
  const { words, isPlain } = isPrefix ? starred : readWords(chunk);
  const [word] = words;
  if (word !== undefined && words.length === 1) return { kind: 'word', word, negated, prefix: isPrefix };
  return { kind: 'phrase', words, exact: isPlain ? null : chunk, negated };
};

// Plain text has only words and spaces between them: nothing that the index leaves out.
const readWords = (text: string): { readonly words: readonly string[]; readonly isPlain: boolean } => {
  const words: string[] = [];
  let isPlain = true;
  let end = 0;
  eachWord(text, (word, from, to) => {
    words.push(word);
    isPlain &&= text.slice(end, from).trim() === '';
    end = to;
  });
  return { words, isPlain: isPlain && text.slice(end).trim() === '' };
};

// A minus excludes what follows it only if that begins like a word or a quotation: `--no-open`, `-1` and `->` are searched for. A quotation mark
// inside a chunk is part of it, as in print("x"); an unclosed one extends to the end.
const PIECE = /(?:(?<!\S)(-)(?=["\p{L}]))?(?:"([^"]*)(?:"|$)|(\S+))/gu;

const LONGEST_QUERY = 4096;
const MOST_CLAUSES = 64;
