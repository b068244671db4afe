import { assertNever } from '../never.ts';
import { stemOf } from '../text/stems.ts';
import { EXTENSIONS } from '../text/lexicon/shared-words.ts';
import { COMMON_WORDS, GENERIC_WORDS, LITTLE_WORDS, NEGATORS, PREDICATES, SLIGHT_WORDS } from '../text/lexicon/symptom-words.ts';
import type { Reader, Shape, Word } from './words.ts';

/** One word of a condition, as it may be found in a text. */
export type Term = {
  readonly text: string;
  readonly shape: Shape;
  readonly weight: number;
  readonly place: number;
  /** An identifier, code or literal sign: rarely there by chance, and missing in texts about something else. */
  readonly strong: boolean;
  readonly predicate: boolean;
  readonly negated: boolean;
  /** It belongs to a part that reads like program output. */
  readonly literal: boolean;
  /** Another word of its part is negated: "no mails are delivered" matches "mails not delivered". */
  readonly beside: boolean;
  /** The word joined with its neighbours: `lockfile` for "lock file". */
  readonly joined: readonly string[];
};

/** Terms that must be found close together; `A + B` has two parts. */
export type Part = {
  readonly terms: readonly Term[];
  readonly weight: number;
  /** The total weight of its strong terms. */
  readonly strong: number;
  /** Whether one of its strong terms is a number. */
  readonly numbered: boolean;
  readonly predicates: number;
  /** How many of its terms must be negated in the text. */
  readonly denials: number;
  /** The index of its half in `A + B`. A "but" splits a half into several parts. */
  readonly half: number;
  /** It reads like program output, so the order of its words counts. */
  readonly literal: boolean;
};

export type Condition = { readonly text: string; readonly parts: readonly Part[]; readonly halves: number };

/** Either code matches `ENAMETOOLONG or MSB3491 on Windows`, either verb "skips or repeats items", and either side `A / B`. */
export const parseAlternatives = (text: string, reader: Reader): readonly Condition[] => {
  const sides = text.split(' / ').map((side) => parseEither(side, reader));
  // `read-only / allow delete (api)` is one text: a side of generic words alone doesn't count as an alternative.
  const apart = !text.includes(' + ') && sides.every((side) => side.every(isTelling));
  return (apart ? sides.flat() : parseEither(text, reader)).map((one) => ({ ...one, text }));
};

const isTelling = ({ parts }: Condition): boolean => parts.some(({ terms }) => terms.some(({ weight, predicate }) => predicate || weight >= 0.75));

const parseEither = (text: string, reader: Reader): readonly Condition[] => {
  const words = text.split(' ');
  const at = words.indexOf('or');
  const [before = '', after = ''] = [words[at - 1], words[at + 1]];
  const isApart = at > 0 && !isLiteral(text) && !words.slice(0, at).some((word) => NEGATOR_SET.has(stemOf(word))) && isOne(before) && isOne(after);
  if (!isApart) return [parseCondition(text, reader)];
  const both = [stemOf(before.toLowerCase()), stemOf(after.toLowerCase())];
  // If one of the two is a predicate, so is the other.
  const told = both.some((stem) => PREDICATE_SET.has(stem)) ? both : [];
  return [words.toSpliced(at, 2), words.toSpliced(at - 1, 2)].map((one) => telling(parseCondition(one.join(' '), reader), told));
};

const telling = (condition: Condition, told: readonly string[]): Condition => ({
  ...condition,
  parts: condition.parts.map((part) => ({
    ...part,
    ...partOf(part.terms.map((term) => (told.includes(term.shape.stem) ? { ...term, predicate: true } : term))),
  })),
});

/** A word that may be an alternative; "or when it restarts" instead begins something new. */
const isOne = (word: string): boolean => /^[\w-]+$/u.test(word) && stemWeight(stemOf(word.toLowerCase())) > 0;

const parseCondition = (text: string, reader: Reader): Condition => {
  const halves = halvesOf(withoutLabel(text))
    .map((half) => partsOf(half, reader))
    .filter((parts) => parts.length > 0);
  return { text, parts: halves.flatMap((parts, half) => parts.map((part) => ({ ...part, half }))), halves: halves.length };
};

export const weightOf = (shape: Shape): number =>
  Math.min(stemWeight(shape.stem), shape.concept.startsWith('~') ? stemWeight(stemOf(shape.concept.slice(1))) : 1);

/** "Disk full" is two words but one expression, which proves a little more than one word. */
const EXPRESSION = 1.2;

/**
 * The index keys of a condition. Every text that matches well enough contains one of them, so no other conditions need checking. Every half must
 * match, so the half with the rarer words suffices.
 */
export const anchorsOf = ({ parts, halves }: Condition, frequency: ReadonlyMap<string, number>): readonly string[] => {
  const least = parts.length > 1 ? LEAST_OF_MANY : LEAST_OF_ONE;
  let best: readonly string[] = [];
  let fewest = Infinity;
  for (let half = 0; half < halves; half += 1) {
    const keys = new Set(parts.filter((part) => part.half === half).flatMap((part) => anchorsOfPart(part, least, frequency)));
    const found = [...keys].reduce((total, key) => total + 1 + (frequency.get(key) ?? 0), 0);
    if (found < fewest) [best, fewest] = [[...keys], found];
  }
  return best;
};

/** The smallest share of a part that must be found for the condition to match well enough (gradeOf and scoreOf in fit.ts). */
const LEAST_OF_ONE = 0.53;
const LEAST_OF_MANY = 0.4;

/** How many terms a match needs if the part's code, or its number, is missing. */
export const CODELESS_TERMS = 2;
export const NUMBERLESS_TERMS = 4;

const anchorsOfPart = ({ terms, weight, strong, numbered }: Part, least: number, frequency: ReadonlyMap<string, number>): readonly string[] => {
  const seldom = ({ shape }: Term): number => frequency.get(shape.concept) ?? 0;
  const others = terms.filter((term) => !term.strong).toSorted((a, b) => seldom(a) - seldom(b) || b.weight - a.weight);
  const keys = terms.filter((term) => term.strong).flatMap(keysOf);
  if (strong > 0) {
    // Without its strong terms a part needs all the others, and enough of them: so one of those is a sufficient key.
    const enough = weight - strong >= 1 && others.length >= (numbered ? NUMBERLESS_TERMS : CODELESS_TERMS);
    return enough ? [...keys, ...others.slice(0, 1).flatMap(keysOf)] : keys;
  }
  let left = weight;
  for (const term of others) {
    if (left < least * weight) break;
    keys.push(...keysOf(term));
    left -= term.weight;
  }
  return keys;
};

/** The key of a word that a text may write as two: "key stroke" for "keystroke". */
export const inTwo = (stem: string): string => `&${stem}`;

/** The parts of a name can match in its place. */
const keysOf = ({ shape, joined }: Term): readonly string[] => [
  shape.concept,
  inTwo(shape.stem),
  ...joined,
  ...(shape.kind === 'name' ? shape.parts.filter((part) => weightOf(part) > 0).map(({ concept }) => concept) : []),
];

const LABELS = new Set([
  'similar symptoms',
  'similar symptom',
  'symptoms',
  'symptom',
  'when you see',
  'if you see',
  'you see',
  'error',
  'error text',
  'error message',
  'log',
  'log line',
  'message',
  'trigger',
  'look for',
  'watch for',
]);

const withoutLabel = (text: string): string => {
  const colon = text.indexOf(':');
  return colon > 0 && colon < 24 && LABELS.has(text.slice(0, colon).trim().toLowerCase()) ? text.slice(colon + 1) : text;
};

const halvesOf = (text: string): readonly string[] => {
  const halves = text.split(/\s\+\s/u).filter((half) => half.trim() !== '');
  return halves.length === 0 ? [text] : halves;
};

const partsOf = (half: string, reader: Reader): readonly Omit<Part, 'half'>[] => {
  const words = reader.read(half);
  const literal = isLiteral(half) || words.length > 11;
  const parts: Omit<Part, 'half'>[] = [];
  let from = 0;
  const close = (to: number): void => {
    const terms = termsOf(words.slice(from, to), literal);
    if (terms.length > 0) parts.push({ ...partOf(terms), literal });
    from = to;
  };
  if (!literal) for (const [at, word] of words.entries()) if (CONTRASTS.has(word.shape.stem) && at > from) close(at);
  close(words.length);
  return parts;
};

const partOf = (terms: readonly Term[]): Omit<Part, 'half' | 'literal'> => {
  const strong = terms.filter((term) => term.strong);
  return {
    terms,
    weight: sum(terms),
    strong: sum(strong),
    numbered: strong.some(({ shape }) => shape.kind === 'number'),
    predicates: terms.filter(({ predicate }) => predicate).length,
    denials: terms.filter(({ negated }) => negated).length,
  };
};

/** Program output begins with a capital and continues in lower case, or begins with a code and a colon. */
const isLiteral = (text: string): boolean => {
  const [first = '', second = ''] = text.trim().split(' ', 2);
  if (first.endsWith(':')) return true;
  const initial = first.charAt(0);
  const capital = initial !== initial.toLowerCase() && first.slice(1) === first.slice(1).toLowerCase();
  return capital && second !== '' && second.charAt(0) === second.charAt(0).toLowerCase();
};

const termsOf = (words: readonly Word[], literal: boolean): readonly Term[] => {
  const terms: Term[] = [];
  const seen = new Set<string>();
  let negatedAt = -1;
  const kept = words.filter(({ covered }) => !covered);
  for (const [at, word] of kept.entries()) {
    const { shape } = word;
    if (NEGATOR_SET.has(shape.stem)) {
      negatedAt = word.place;
      continue;
    }
    const next = kept[at + 1];
    const { weight, strong } = gradeOf(word, next);
    const negated = negatedAt >= 0 && word.place - negatedAt <= 3;
    if (weight === 0 || seen.has(shape.stem)) continue;
    seen.add(shape.stem);
    terms.push({
      text: word.text,
      shape,
      weight,
      place: word.place,
      strong,
      predicate: negated || PREDICATE_SET.has(shape.concept) || PREDICATE_SET.has(shape.stem),
      negated,
      literal,
      beside: false,
      joined: [joinedOf(kept[at - 1], word), joinedOf(word, next)].filter((key) => key !== null),
    });
    negatedAt = -1;
  }
  return terms.some(({ negated }) => negated) ? terms.map((term) => ({ ...term, beside: !term.negated })) : terms;
};

const joinedOf = (first: Word | undefined, second: Word | undefined): string | null =>
  first !== undefined && second !== undefined && second.place - first.place === 1 && first.shape.kind === 'word' && second.shape.kind === 'word'
    ? stemOf((first.text + second.text).toLowerCase())
    : null;

const gradeOf = (word: Word, next: Word | undefined): { readonly weight: number; readonly strong: boolean } => {
  const { shape, text } = word;
  switch (shape.kind) {
    case 'sign':
      if (shape.stem === '?') return { weight: 0, strong: false };
      return shape.stem === '%' ? { weight: 0.2, strong: false } : { weight: 1.6, strong: true };
    case 'number':
      return gradeNumber(text, shape, next);
    case 'name':
      return gradeName(text, shape);
    case 'word':
      if (text.length === 1 && text === text.toUpperCase()) return { weight: 0, strong: false };
      if (isCode(text, shape)) return { weight: 1.8, strong: true };
      return { weight: weightOf(shape) * (word.expression ? EXPRESSION : 1), strong: false };
    default:
      return assertNever(shape.kind);
  }
};

const gradeNumber = (text: string, shape: Shape, next: Word | undefined): { readonly weight: number; readonly strong: boolean } => {
  const measured = shape.parts.length > 0 || (next !== undefined && (UNITS_SEEN.has(next.shape.concept) || next.shape.stem === '%'));
  if (measured) return { weight: 0.6, strong: false };
  if (text.toLowerCase() === 'one') return { weight: 0, strong: false };
  return shape.stem.length > 3 ? { weight: 1.4, strong: true } : { weight: 0.4, strong: false };
};

const gradeName = (text: string, shape: Shape): { readonly weight: number; readonly strong: boolean } => {
  if (shape.either) return { weight: 1, strong: false };
  const last = shape.parts.at(-1)?.stem ?? '';
  if (EXTENSION_SET.has(last) && shape.parts.length <= 3) return { weight: 1, strong: false };
  if (shape.parts.length > 2) return { weight: 2.4, strong: true };
  // `keep-alive` and `GitHub` are ordinary words; `evicted_keys` and `unhandledRejection` are identifiers.
  if (text.includes('-') || (!text.includes('_') && !text.includes('.') && text.charAt(0) !== text.charAt(0).toLowerCase()))
    return { weight: 1.3, strong: false };
  return { weight: 1.8, strong: true };
};

const isCode = (text: string, shape: Shape): boolean => {
  if (text.startsWith('$')) return true;
  if (PERCENTILE.test(text)) return false;
  if (stemWeight(shape.stem) < 1 || weightOf(shape) < 1) return false;
  const digits = /\d/u.test(text);
  return digits ? text.length > 2 : text.length >= 5 && text === text.toUpperCase();
};

/** `p99` comes up in every discussion of latency. */
const PERCENTILE = /^p\d\d$/iu;

const stemWeight = (stem: string): number => WEIGHTS.get(stem) ?? 1;

const sum = (of: readonly { readonly weight: number }[]): number => of.reduce((total, { weight }) => total + weight, 0);

const stemsOf = (words: string): readonly string[] => words.split(' ').map((word) => stemOf(word));

const WEIGHTS: ReadonlyMap<string, number> = new Map([
  ...stemsOf(COMMON_WORDS).map((stem) => [stem, 0.75] as const),
  ...stemsOf(GENERIC_WORDS).map((stem) => [stem, 0.5] as const),
  ...stemsOf(SLIGHT_WORDS).map((stem) => [stem, 0.2] as const),
  ...stemsOf(LITTLE_WORDS).map((stem) => [stem, 0] as const),
]);
const PREDICATE_SET = new Set([...stemsOf(PREDICATES), ...PREDICATES.split(' ').map((word) => `~${word}`)]);
const NEGATOR_SET = new Set(stemsOf(NEGATORS));
const EXTENSION_SET = new Set(stemsOf(EXTENSIONS));
const CONTRASTS = new Set(stemsOf('although though but however yet while'));
const UNITS_SEEN = new Set(['~second', '~minute', '~hour', 'ms', stemOf('day'), stemOf('byte'), 'kb', 'mb', 'gb']);
