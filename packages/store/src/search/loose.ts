import { formsOf, isStopWord } from '@yarnboard/language';
import { optionsOf, parseQuery, type Alternatives, type Clause, type Option, type Query } from './query.ts';
import { closest, type Candidate } from './spelling.ts';

/**
 * A relaxed question in plain words (FIND-40): words that say nothing are dropped, the others count in all their forms, and most of them will do.
 * Exact things stay exact: names, codes, quotations, prefixes and exclusions.
 */
export type Loose = {
  /** What should be there. */
  readonly wishes: readonly Wish[];
  /** What must be there. */
  readonly required: readonly Required[];
  /** What must not be there. */
  readonly excluded: Query;
  /** How many wishes a text must meet. */
  readonly needed: number;
  readonly told: Loosened;
  /** The same as a query with alternatives, for callers that show where a text matches. */
  readonly asked: Query;
  readonly alternatives: Alternatives;
};

/** What was looked for instead of what was typed. */
export type Loosened = {
  /** Whether all words that count are there in some form, or most of them. */
  readonly wanted: 'all' | 'most';
  /** Words that were ignored. */
  readonly ignored: readonly string[];
  /** Words that were looked for in other forms, or joined with their neighbours. */
  readonly widened: Alternatives;
};

export type Wish = { readonly options: readonly WishOption[] };
/** `isTyped`: it is in the query in this form. */
export type WishOption = Option & { readonly weight: number; readonly isTyped: boolean };
/** One of the options, confirmed by one of the exact texts if there are any. */
export type Required = { readonly options: readonly Option[]; readonly exacts: readonly string[] };

/** How many texts have a word. */
export type Counts = (word: string) => number;

/** Every word whose count `loosen` needs. */
export const wordsToCount = (text: string): readonly string[] => {
  const { plain, names } = partsOf(parseQuery(text), text);
  const joined = neighboursIn(plain).map(([a, b]) => `${a}${b}`);
  return [
    ...new Set([
      ...plain.flatMap(({ words }) => (words.length === 1 ? words.flatMap((word) => [word, ...formsOf(word)]) : [...words, words.join('')])),
      ...joined,
      ...names.flatMap(({ words }) => words),
    ]),
  ];
};

/** Words of a query that are rare enough to be slips that others made, too. */
export const rareWordsOf = (text: string, counts: Counts): readonly string[] => {
  const { plain, names } = partsOf(parseQuery(text), text);
  const words = [...plain, ...names].flatMap((part) => part.words);
  return [...new Set(words)].filter((word) => word.length >= 5 && /^\p{L}+$/u.test(word) && counts(word) > 0 && counts(word) <= RARE);
};

/** What a rare word may have been meant as: similar spellings that are far more common. */
export const meantBy = (word: string, counts: Counts, near: readonly Candidate[]): readonly string[] =>
  closest(
    word,
    near.filter(({ documents }) => documents >= MUCH_MORE * Math.max(1, counts(word))),
    MOST_MEANT,
  );

/** Whether a query may mean something else although it finds something as typed; then `loosen` is called with all of its words. */
export const isAmbiguous = (text: string, counts: Counts, meant: Alternatives): boolean =>
  meant.size > 0 || neighboursIn(partsOf(parseQuery(text), text).plain).some(([a, b]) => counts(`${a}${b}`) > 0);

/** Whether a query asks for anything exact: a name, a code, a quotation, a prefix, or an exclusion. */
export const isExacting = (text: string): boolean => {
  const query = parseQuery(text);
  const { names, exact } = partsOf(query, text);
  return names.length + exact.length > 0 || query.clauses.some(({ negated }) => negated);
};

/** How many words of a query say what it is about. */
export const tellingWordsIn = (text: string): number => partsOf(parseQuery(text), text).plain.length;

/** Null if a query can't be relaxed. `corrected` has other spellings of unknown words, `meant` those of rare ones. */
export const loosen = (text: string, counts: Counts, corrected: Alternatives, meant: Alternatives, isWhole: boolean): Loose | null => {
  const query = parseQuery(text);
  const { plain, names, exact, ignored } = partsOf(query, text);
  const joined = new Map<string, string[]>();
  for (const [a, b] of neighboursIn(plain)) {
    if (counts(`${a}${b}`) === 0) continue;
    for (const word of [a, b]) joined.set(word, [...(joined.get(word) ?? []), `${a}${b}`]);
  }
  const others = (word: string): readonly string[] => [...(corrected.get(word) ?? []), ...(meant.get(word) ?? [])];
  const widened = new Map<string, readonly string[]>();
  const alternatives = new Map<string, readonly string[]>();
  const asked: Clause[] = [];
  const wishes = plain.flatMap(({ words }): readonly Wish[] => {
    const key = words.join(' ');
    const [word = ''] = words;
    const forms = words.length === 1 ? commonest(formsOf(word), counts) : [words.join('')].filter((one) => counts(one) > 0);
    const joins = words.length === 1 ? (joined.get(word) ?? []) : [];
    const spelled = words.length === 1 ? others(word).map((other) => other.split(' ')) : spelledOtherwise(words, others);
    const more = [...new Set([...forms, ...joins])].filter((one) => !spelled.some((other) => other.join(' ') === one));
    if (more.length > 0) widened.set(key, more);
    const all = [...more, ...spelled.map((other) => other.join(' '))];
    if (all.length > 0) alternatives.set(key, all);
    asked.push(words.length === 1 ? { kind: 'word', word, negated: false, prefix: false } : { kind: 'phrase', words, exact: null, negated: false });
    return [
      {
        options: [
          { words, prefix: false, weight: 1, isTyped: true },
          ...joins.map((one) => ({ words: [one], prefix: false, weight: 1, isTyped: false })),
          ...forms.filter((one) => !joins.includes(one)).map((one) => ({ words: [one], prefix: false, weight: FORM, isTyped: false })),
          ...spelled.map((one) => ({ words: one, prefix: false, weight: SPELLED, isTyped: false })),
        ],
      },
    ];
  });
  const named = names.map(({ words, exact: typed }) => {
    const versions = [
      { words, exact: typed },
      ...spelledOtherwise(words, others).map((other) => ({ words: other, exact: replaced(typed, words, other) })),
    ];
    for (const one of versions) asked.push({ kind: 'phrase', words: one.words, exact: one.exact, negated: false });
    return { options: versions.map((one) => ({ words: one.words, prefix: false })), exacts: versions.map((one) => one.exact) };
  });
  const fixed = exact.map((clause): Required => {
    asked.push(clause);
    return {
      options: optionsOf(clause, corrected),
      exacts: clause.kind === 'phrase' && clause.exact !== null ? [clause.exact] : [],
    };
  });
  const required = [...named, ...fixed];
  if (wishes.length + required.length === 0 || required.some(({ options }) => options.length === 0)) return null;
  const excluded = query.clauses.filter(({ negated }) => negated);
  return {
    wishes,
    required,
    excluded: { clauses: excluded },
    needed: isWhole ? wishes.length : neededOf(wishes.length, fixed.length, names.length > 0),
    told: { wanted: isWhole ? 'all' : 'most', ignored, widened },
    asked: { clauses: [...asked, ...excluded] },
    alternatives,
  };
};

/** FIND-40: all of one or two words; of more, a third, but at least two. If a name is given, that is the subject. */
const neededOf = (wishes: number, fixed: number, isNamed: boolean): number => {
  if (isNamed) return 0;
  const all = wishes + fixed;
  return Math.max(0, (all <= 2 ? all : Math.max(2, Math.ceil(all / 3))) - fixed);
};

type Plain = { readonly words: readonly string[]; readonly at: number };
type Named = { readonly words: readonly string[]; readonly exact: string };
type Parts = {
  readonly plain: readonly Plain[];
  readonly names: readonly Named[];
  readonly exact: readonly Clause[];
  readonly ignored: readonly string[];
};

const partsOf = (query: Query, text: string): Parts => {
  const plain: Plain[] = [];
  const names: Named[] = [];
  const exact: Clause[] = [];
  const stops: Plain[] = [];
  const known = new Set<string>();
  const add = (words: readonly string[], at: number): void => {
    const key = words.join(' ');
    if (known.has(key)) return;
    known.add(key);
    (words.every(isStopWord) ? stops : plain).push({ words, at });
  };
  for (const [at, clause] of query.clauses.entries()) {
    if (clause.negated) continue;
    if (clause.kind === 'word') {
      if (clause.prefix || /\p{N}/u.test(clause.word)) exact.push(clause);
      else add([clause.word], at);
      continue;
    }
    const typed = clause.exact === null ? null : clause.exact.replace(AROUND, '');
    const isQuoted = clause.exact === null ? text.includes('"') : text.includes(`"${clause.exact}`);
    if (typed === null || isQuoted || typed === '' || clause.words.length === 0) exact.push(clause);
    else if (CONTRACTED.test(typed)) add(clause.words.slice(0, 1), at);
    else if (HYPHENED.test(typed)) add(clause.words, at);
    else names.push({ words: clause.words, exact: typed });
  }
  // A question of nothing but such words is about them.
  const isEmpty = plain.length + names.length + exact.length === 0;
  return { plain: isEmpty ? stops : plain, names, exact, ignored: isEmpty ? [] : stops.map(({ words }) => words.join(' ')) };
};

const neighboursIn = (plain: readonly Plain[]): readonly (readonly [string, string])[] =>
  plain.flatMap((one, i) => {
    const next = plain[i + 1];
    const [a, b] = [one.words[0], next?.words[0]];
    return a === undefined || b === undefined || one.words.length > 1 || next === undefined || next.words.length > 1 || next.at !== one.at + 1
      ? []
      : [[a, b] as const];
  });

const commonest = (forms: readonly string[], counts: Counts): readonly string[] =>
  forms
    .map((form) => ({ form, documents: counts(form) }))
    .filter(({ documents }) => documents > 0)
    .sort((a, b) => b.documents - a.documents || (a.form < b.form ? -1 : 1))
    .slice(0, MOST_FORMS)
    .map(({ form }) => form);

/** A phrase with other spellings of one or more of its words. */
const spelledOtherwise = (words: readonly string[], others: (word: string) => readonly string[]): readonly (readonly string[])[] => {
  let versions: readonly (readonly string[])[] = [[]];
  for (const word of words) {
    const known = others(word).filter((other) => !other.includes(' '));
    versions = versions
      .flatMap((version) => (known.length === 0 ? [[...version, word]] : known.map((one) => [...version, one])))
      .slice(0, MOST_VERSIONS);
  }
  return versions.filter((version) => version.some((word, at) => word !== words[at]));
};

/** `sesion_id` with its words respelled and its signs kept. */
const replaced = (typed: string, words: readonly string[], others: readonly string[]): string => {
  let rest = typed;
  let made = '';
  for (const [at, word] of words.entries()) {
    const from = rest.toLowerCase().indexOf(word);
    // Where letters were folded into others, it is unclear which belong to a word; then the signs can't be confirmed either.
    if (from === -1) return others.join(' ');
    made += `${rest.slice(0, from)}${others[at] ?? word}`;
    rest = rest.slice(from + word.length);
  }
  return made + rest;
};

const AROUND = /^[([{<'‘“]+|[)\]}>'’”.,:;?!]+$/gu;
const CONTRACTED = /^\p{L}+['’]\p{L}{1,2}$/u;
const HYPHENED = /^\p{L}{2,}(?:-\p{L}{2,})+$/u;
/** A word in no more texts than this may be a slip. */
const RARE = 3;
const MUCH_MORE = 10;
const MOST_MEANT = 3;
const MOST_FORMS = 6;
const MOST_VERSIONS = 6;
/** The weight of another form of a word relative to the word itself, and of another spelling. */
const FORM = 0.9;
const SPELLED = 0.8;
