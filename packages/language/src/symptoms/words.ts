import { isDigit, isLetter, NEWLINE, partsOfName, scanText, SPACE } from '../text/scan.ts';
import { stemOf } from '../text/stems.ts';
import { NUMBER_WORDS } from '../text/lexicon/shared-words.ts';
import { NEGATORS, UNITS } from '../text/lexicon/symptom-words.ts';
import { readRows, SYMPTOM_ROWS } from '../text/lexicon/synonyms.ts';

/** What a piece of text stands for, independent of its position. */
export type Shape = {
  readonly kind: 'word' | 'name' | 'number' | 'sign';
  /** A word's stem; a number's digits after a #; all parts of a name in one. */
  readonly stem: string;
  /** The name of the synonym row that contains the stem, or the stem itself. */
  readonly concept: string;
  /** The shapes of the parts of a name like `evicted_keys` or `unhandledRejection`. */
  readonly parts: readonly Shape[];
  /** For a name with dots or slashes, the names between them: `forEach` in `files.forEach`. */
  readonly inner: readonly string[];
  /** `Loki/Kibana`: either part is enough. */
  readonly either: boolean;
};

export type Word = {
  readonly shape: Shape;
  readonly text: string;
  readonly from: number;
  /** The word count so far. The end of a line, clause or sentence adds a few more, so that places reflect how closely two words belong together. */
  readonly place: number;
  readonly negated: boolean;
  /** A negating word comes right before it. */
  readonly denied: boolean;
  /** A "no" or "nothing" comes a few words earlier in its clause. */
  readonly reached: boolean;
  /** Several words that mean one thing; listed after the last of them, with the place of the first. */
  readonly expression: boolean;
  /** Part of an expression, so on its own it only has its literal sense: "gone through" is not "gone". */
  readonly covered: boolean;
};

export type Reader = { readonly read: (text: string) => readonly Word[] };

/** Caches the shapes of pieces: most words of a text have occurred before. */
export const createReader = (): Reader => {
  const known = new Map<string, Shape>();
  const shapeOf = (piece: string): Shape => {
    const met = known.get(piece);
    if (met !== undefined) return met;
    const shape = readShape(piece);
    if (known.size >= REMEMBERED) known.clear();
    known.set(piece, shape);
    return shape;
  };
  return { read: (text) => readWords(text, shapeOf) };
};

const REMEMBERED = 20_000;
const LONGEST_PIECE = 120;
/** How many words the end of a line, clause or sentence counts as. */
const LINE = 3;
export const CLAUSE = 5;
export const SENTENCE = 10;
const NEGATED_REACH = 3;
const DENIED_REACH = 5;

const readWords = (text: string, shapeOf: (piece: string) => Shape): readonly Word[] => {
  const words: Word[] = [];
  let place = 0;
  let negatedUntil = -1;
  let deniedUntil = -1;
  let negatedAt = -1;
  let stems: string[] = [];
  const take = (from: number, to: number): void => {
    if (to - from > LONGEST_PIECE) return;
    const piece = text.slice(from, to);
    const shape = shapeOf(piece);
    place += 1;
    if (NEXT_THOUGHT.has(shape.stem)) deniedUntil = -1;
    const negator = NEGATOR_SET.has(shape.stem);
    const negated = place <= negatedUntil;
    const denied = !ACTIONS.has(shape.stem) && isDenied(stems);
    // "not seen a single memory leak" denies the leak too
    if (denied) deniedUntil = Math.max(deniedUntil, place + (stems.at(-1) === stemOf('single') ? DENIED_REACH : 1));
    // "aren't getting any notification delivered": what is missing comes after the "any".
    if (negated && shape.stem === 'any') negatedUntil = place + NEGATED_REACH;
    // "used to be slow", but not "is used to connect"
    if (shape.stem === 'to' && stems.at(-1) === stemOf('used') && !BE.has(stems.at(-2) ?? '')) deniedUntil = place + NEGATED_REACH;
    if (isNone(stems, piece)) deniedUntil = place + DENIED_REACH - 1;
    const reached = place <= deniedUntil;
    words.push({ shape, text: piece, from, place, negated, denied, reached, expression: false, covered: false });
    stems.push(shape.stem);
    if (negated && negatedAt >= 0 && ACTIONS.has(shape.stem))
      words.push({
        shape: FAILURE,
        text: piece,
        from,
        place: negatedAt,
        negated: false,
        denied: false,
        reached: false,
        expression: true,
        covered: false,
      });
    if (negator) {
      negatedUntil = place + NEGATED_REACH;
      if (DENIALS.has(shape.stem)) deniedUntil = place + DENIED_REACH;
      negatedAt = DENIALS.has(shape.stem) ? -1 : place;
    }
    const expression = EXPRESSIONS.get(shape.stem)?.find((one) => endsWith(stems, one.stems)) ?? (isLongWait(stems, shape) ? LONG_WAIT : undefined);
    if (expression === undefined) return;
    let [first, isNegated] = [from, false];
    for (let back = words.length - 1, left = expression.stems.length; left > 0 && back >= 0; back -= 1) {
      const word = words[back];
      if (word === undefined || word.expression) continue;
      words[back] = { ...word, covered: true };
      [first, isNegated] = [word.from, word.negated || word.reached];
      left -= 1;
    }
    const start = place - Math.max(0, expression.stems.length - 1);
    words.push({
      shape: expression.shape,
      text: text.slice(first, to),
      from: first,
      place: start,
      negated: false,
      denied: false,
      reached: isNegated,
      expression: true,
      covered: false,
    });
  };
  const pause = (places: number): void => {
    place += places;
    [negatedUntil, deniedUntil] = [-1, -1];
    if (places >= SENTENCE) stems = [];
  };

  let next = 0;
  scanText(text, {
    // `$lookup` is an identifier, `lookup` a word.
    word: (from, to) => take(text.charCodeAt(from - 1) === DOLLAR && isLetter(text.charCodeAt(from)) ? from - 1 : from, to),
    sign: (at, code) => {
      if (at < next) return;
      if (code === QUESTION && text.startsWith('???', at)) {
        next = at;
        while (text.charCodeAt(next) === QUESTION) next += 1;
        take(at, at + 3);
      } else if (code === DOT || code === EXCLAMATION || code === QUESTION) {
        if (!isBlank(text, at + 1)) return;
        if (code === QUESTION && words.length > 0) words.push({ ...ASKED, from: at, place });
        pause(SENTENCE);
      } else if (code === SEMICOLON) pause(CLAUSE);
      else if (code === NEWLINE) pause(text.charCodeAt(at + 1) === NEWLINE ? SENTENCE : LINE);
      else if (code === COLON && isBlank(text, at + 1)) pause(1);
      else if (code === COMMA || code === OPENED || code === CLOSED) pause(0);
      else if (code === PERCENT) take(at, at + 1);
    },
  });
  return words;
};

const endsWith = (stems: readonly string[], ending: readonly string[]): boolean => {
  const from = stems.length - ending.length;
  return from >= 0 && ending.every((stem, at) => stem === stems[from + at] || (stem === 'not' && NEGATOR_SET.has(stems[from + at] ?? '')));
};

/** "no freeze", "without any freeze", "we haven't seen a single freeze" */
const isDenied = (stems: readonly string[]): boolean => {
  let at = stems.length - 1;
  while (at > stems.length - DENIED_REACH && BETWEEN.has(stems[at] ?? '')) at -= 1;
  return NEGATOR_SET.has(stems[at] ?? '');
};

/** "Zero errors" and "0 errors" mean no errors; "division by zero" is something else. */
const isNone = (stems: readonly string[], piece: string): boolean =>
  (stems.at(-1) === 'zero' || (stems.at(-1) === '#0' && piece.endsWith('s') && piece.length > 3)) && !BEFORE_ZERO.has(stems.at(-2) ?? '');
const BE = new Set('is are was were be been being'.split(' ').map((word) => stemOf(word)));
const BEFORE_ZERO = new Set(['by', 'to', 'than', 'non', 'below', 'above', stemOf('code'), 'status']);

/** "takes 48 seconds", "took half a minute": people write that only about something slow. */
const isLongWait = (stems: readonly string[], unit: Shape): boolean =>
  WAITS.has(unit.concept) &&
  (stems.at(-2)?.startsWith('#') === true || stems.at(-3) === 'half' || unit.kind === 'number') &&
  stems.slice(-6, -1).some((stem) => TAKES.has(stem));

const TAKES = new Set(['take', 'need'].map((word) => stemOf(word)));

const EXCLAMATION = 33;
const DOLLAR = 36;
const PERCENT = 37;
const OPENED = 40;
const CLOSED = 41;
const COMMA = 44;
const DOT = 46;
const COLON = 58;
const SEMICOLON = 59;
const QUESTION = 63;

const isAll = (text: string, is: (code: number) => boolean): boolean => {
  for (let at = 0; at < text.length; at += 1) if (!is(text.charCodeAt(at))) return false;
  return true;
};

const isBlank = (text: string, at: number): boolean => {
  let next = at;
  // Markdown and quotes that close after the full stop: `**Done.** Next`
  while (next - at < 4 && '*_`"\')]'.includes(text.charAt(next)) && next < text.length) next += 1;
  return next >= text.length || text.charCodeAt(next) <= SPACE;
};

const readShape = (piece: string): Shape => {
  if (piece.startsWith('??')) return { kind: 'sign', stem: '???', concept: '???', parts: [], inner: [], either: false };
  if (piece === '%') return { kind: 'sign', stem: '%', concept: '%', parts: [], inner: [], either: false };
  const plain = piece.replaceAll('\u2019', "'");
  const first = plain.charCodeAt(0);
  if (isDigit(first)) {
    const number = readNumber(plain);
    if (number !== null) return number;
  }
  const atoms = partsOfName(plain);
  const [only = ''] = atoms;
  if (atoms.length <= 1) return wordShape(only.toLowerCase());
  const parts = atoms.map((atom) => wordShape(atom.toLowerCase()));
  const joined = wordShape(atoms.join('').toLowerCase());
  const segments = plain.split(/[./\\]/u);
  const inner = segments.length < 2 ? [] : segments.map((segment) => wordShape(partsOfName(segment).join('').toLowerCase()).stem);
  return {
    kind: 'name',
    stem: joined.stem,
    concept: joined.concept,
    parts,
    inner,
    either: atoms.length === 2 && plain.includes('/') && !plain.includes('.'),
  };
};

const readNumber = (piece: string): Shape | null => {
  let digits = '';
  let at = 0;
  for (; at < piece.length; at += 1) {
    const code = piece.charCodeAt(at);
    if (isDigit(code)) digits += piece.charAt(at);
    else if (code === DOT) digits += '.';
    else if (code !== COMMA && code !== COLON && code !== 45 && code !== 47) break;
    else if (code !== COMMA) digits += ':';
  }
  const rest = piece.slice(at).toLowerCase();
  // `502s` is several of them, `30s` are seconds.
  if (rest !== '' && rest !== 'x' && !UNIT_SET.has(rest)) return null;
  const unit = rest === '' || rest === 'x' ? [] : [wordShape(rest)];
  return { kind: 'number', stem: `#${digits}`, concept: isFloatNoise(digits) ? '~float-noise' : `#${digits}`, parts: unit, inner: [], either: false };
};

/** 0.30000000000000004 and 59.970000000000006 are one symptom. */
const isFloatNoise = (digits: string): boolean =>
  digits.length > 13 && digits.includes('.') && (digits.includes('00000') || digits.includes('99999'));

const wordShape = (lower: string): Shape => {
  const number = NUMBER_WORDS[lower];
  if (number !== undefined) return { kind: 'number', stem: `#${number}`, concept: `#${number}`, parts: [], inner: [], either: false };
  if (lower !== '' && isDigit(lower.charCodeAt(0)) && isAll(lower, isDigit))
    return { kind: 'number', stem: `#${lower}`, concept: `#${lower}`, parts: [], inner: [], either: false };
  const bare = lower.endsWith("'s") ? lower.slice(0, -2) : lower.replaceAll("'", '');
  const stem = stemOf(bare);
  return { kind: 'word', stem, concept: CONCEPTS.get(stem) ?? stem, parts: [], inner: [], either: false };
};

const wordStem = (word: string): string => (NUMBER_WORDS[word] === undefined ? stemOf(word) : `#${NUMBER_WORDS[word]}`);

type Expression = { readonly stems: readonly string[]; readonly shape: Shape };

const readExpressions = (): ReadonlyMap<string, readonly Expression[]> => {
  const expressions = new Map<string, Expression[]>();
  for (const { name, words } of SYNONYMS.expressions) {
    const stems = words.map((word) => wordStem(word));
    const last = stems.at(-1) ?? '';
    const shape: Shape = { kind: 'word', stem: `~${name}:${words.join(' ')}`, concept: `~${name}`, parts: [], inner: [], either: false };
    expressions.set(
      last,
      [...(expressions.get(last) ?? []), { stems, shape }].sort((a, b) => b.stems.length - a.stems.length),
    );
  }
  return expressions;
};

const SYNONYMS = readRows(SYMPTOM_ROWS);
const CONCEPTS: ReadonlyMap<string, string> = new Map([...SYNONYMS.names].map(([stem, name]) => [stem, `~${name}`]));
const EXPRESSIONS = readExpressions();
const NEGATOR_SET = new Set(NEGATORS.split(' ').map((word) => stemOf(word)));
const WAITS = new Set(['~second', '~minute', '~hour']);
const LONG_WAIT: Expression = { stems: [], shape: { kind: 'word', stem: '~slow:wait', concept: '~slow', parts: [], inner: [], either: false } };
/** Something that doesn't do one of these has failed, unless the text merely says that there is none of it. */
const ACTIONS = new Set(
  ['compile', 'build', 'start', 'load', 'open', 'connect', 'boot', 'install', 'launch', 'save', 'render', 'upload', 'resolve', 'deploy', 'sync'].map(
    (word) => stemOf(word),
  ),
);
const DENIALS = new Set(['no', 'none', 'nothing', 'nobody', 'neither', 'nor', 'without'].map((word) => stemOf(word)));
const NEXT_THOUGHT = new Set('and but why since when after because as while if that so idea'.split(' ').map((word) => stemOf(word)));
const FAILURE: Shape = { kind: 'word', stem: '~fail:not', concept: '~fail', parts: [], inner: [], either: false };
const BETWEEN = new Set('a an any the been be more single longer seen see had have get got new'.split(' ').map((word) => stemOf(word)));
const ASKED: Word = {
  shape: { kind: 'sign', stem: '?', concept: '?', parts: [], inner: [], either: false },
  text: '?',
  from: 0,
  place: 0,
  negated: false,
  denied: false,
  reached: false,
  expression: false,
  covered: false,
};
const UNIT_SET = new Set(UNITS.split(' '));
