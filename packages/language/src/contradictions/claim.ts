import { conceptOf } from '../text/lexicon/antonyms.ts';
import { isAsserted, proseOf } from './asserted.ts';
import { causesOf, type Cause } from './causes.ts';
import type { Quantity } from './measures.ts';
import { attachedOf, isBound, perOf, squashed, thanOf, toldUntil } from './phrasing.ts';
import { keyOf, VERBS } from './places.ts';
import { quantitiesOf } from './quantities.ts';
import { rivalClassOf } from '../text/lexicon/rivals.ts';
import { timeOf, type Time } from './times.ts';
import { tokensOf, type Token } from './tokens.ts';
import { DENYING, NUMBER_WORDS } from '../text/lexicon/shared-words.ts';
import { isSlip, stemOf, wordSet } from '../text/stems.ts';
import { COLOURLESS, isExtension, isGeneric, isWeak, STOP } from '../text/lexicon/finding-words.ts';

export type Term = {
  readonly name: string;
  readonly word: string;
  /** The word without punctuation: `HTTP/2` is `http2`. */
  readonly plain: string;
  /** The telling names among an identifier's pieces; empty for a plain word. */
  readonly pieces: readonly string[];
  readonly identifier: boolean;
  readonly code: boolean;
  readonly at: number;
  readonly denied: boolean;
  /** Within reach of a "not", whatever the word itself means. */
  readonly byNot: boolean;
  /** Right before another word of the subject, as in "the cold start": it says which one is meant. */
  readonly attributive: boolean;
  /** A state between an article and a noun, anywhere in the clause: "a wrong password". */
  readonly qualifier: boolean;
  /** After an article or a preposition, so it names a thing, whatever the word. */
  readonly noun: boolean;
  /** After "without". */
  readonly lacking: boolean;
  /** Only gives the source of the statement: "dig says", "according to the docs". */
  readonly evidence: boolean;
  /** Taken over from the previous clause. */
  readonly inherited: boolean;
};

export type Rival = {
  readonly row: string;
  readonly name: string;
  readonly at: number;
  /** Right before a noun, as in "the JSON export": it says which export. */
  readonly modifies: boolean;
};

/** One clause, with what it is about. */
export type Statement = {
  readonly words: readonly string[];
  readonly terms: readonly Term[];
  /** The first term of each name, and their total weight. */
  readonly unique: readonly Term[];
  readonly weight: number;
  readonly names: ReadonlyMap<string, { readonly said: boolean; readonly denied: boolean; readonly byNot: boolean; readonly at: number }>;
  readonly quantities: readonly Quantity[];
  readonly rivals: readonly Rival[];
  /** The clause has a negation of its own (not, never, no). */
  readonly negated: boolean;
  /** The first words that the negation applies to. */
  readonly heads: ReadonlySet<string>;
  /** Where the predicate begins; -1 if there is none. */
  readonly predicate: number;
  readonly keys: ReadonlyMap<string, number>;
  /** "X is a Y": where the clause says what kind of thing X is. */
  readonly kind: number;
  /** "once per X": the X, unless it is a unit of time. */
  readonly per: string | null;
  readonly capped: boolean;
  /** Gives an upper limit, not an actual amount. */
  readonly ceiling: boolean;
  readonly only: boolean;
  /** Is about all of a kind. */
  readonly every: boolean;
  /** How many of a kind it is about: "some" leaves room for others; "all" or "none" doesn't. */
  readonly share: 'some' | 'all' | null;
  /** Says how things ought to be, not how they are. */
  readonly norm: boolean;
  /** "faster than …": what the comparison is with; empty if there is none. */
  readonly than: string;
  /** Where a "for" begins that gives the purpose of a thing. */
  readonly purpose: number;
  /** Leaves room for more of the kind, with words like also, accepts or supports. */
  readonly open: boolean;
  /** Neighbouring words written as one: "import error" as `importerror`. */
  readonly joined: ReadonlySet<string>;
  /** The object of each noun and its preposition: "the SDK for Go" maps `sdk for` to `go`. */
  readonly attached: ReadonlyMap<string, string>;
  readonly time: Time;
};

/** A text's statements, analysed once. */
export type Claim = {
  readonly key: string;
  readonly statements: readonly Statement[];
  readonly causes: readonly Cause[];
  readonly vocabulary: ReadonlySet<string>;
  /** Words that clauses can be found by: texts that share none have nothing to say about each other. */
  readonly clues: ReadonlySet<string>;
};

/** A finding has a few sentences; of a longer text only the first clauses are compared, which bounds the work. */
const MOST_STATEMENTS = 300;
const MOST_TERMS = 40;
const MOST_WORDS = 60;

export const claimOf = (text: string): Claim => {
  const tokens = tokensOf(text);
  const sentences = sentencesOf(tokensOf(proseOf(text))).slice(0, MOST_STATEMENTS);
  const statements: Statement[] = [];
  for (const sentence of sentences) statements.push(...statementsOf(sentence));
  const kept = statements.slice(0, MOST_STATEMENTS);
  return {
    key: tokens.map((token) => token.word).join(' '),
    statements: kept,
    causes: causesOf(sentences),
    clues: new Set(kept.flatMap(({ terms }) => terms.flatMap((term) => [...(isGeneric(term.name) ? [] : [term.name]), ...term.pieces]))),
    vocabulary: new Set(tokens.flatMap((token) => (token.mark === '' ? [token.name, token.word] : []))),
  };
};

const LONGEST_SENTENCE = 300;
const sentencesOf = (tokens: readonly Token[]): readonly (readonly Token[])[] => {
  const sentences: Token[][] = [];
  let sentence: Token[] = [];
  const close = (isQuestion: boolean): void => {
    if (sentence.length > 0 && isAsserted(sentence, isQuestion)) sentences.push(sentence);
    sentence = [];
  };
  for (const token of tokens) {
    if (token.mark === 'sentence' || sentence.length >= LONGEST_SENTENCE) close(token.word === '?');
    if (token.mark !== 'sentence') sentence.push(token);
  }
  close(false);
  return sentences;
};

const solid = (pieces: readonly string[]): readonly string[] =>
  pieces
    .filter((piece) => !isExtension(piece))
    .map((piece) => conceptOf(piece).name)
    .filter((piece) => !isGeneric(piece));

const BREAKS = wordSet('but whereas although though which because');
const LEADS = wordSet('with without on in after before for at during since from until as under when if once by inside within to per unlike');
const ANAPHORS = wordSet('it they those these that this them both its their so then he she there');

type Clause = { readonly tokens: readonly Token[]; readonly end: Token['mark'] | 'break' };

const clausesOf = (sentence: readonly Token[]): readonly Clause[] => {
  const clauses: Clause[] = [];
  let run: Token[] = [];
  const close = (end: Clause['end']): void => {
    if (run.length > 0) clauses.push({ tokens: run, end });
    run = [];
  };
  for (const [i, token] of sentence.entries()) {
    if (run.length >= MOST_WORDS) close('clause');
    if (token.mark !== '') close(token.mark);
    else if (BREAKS.has(token.word) || (token.word === 'due' && sentence[i + 1]?.word === 'to') || (token.word === 'while' && run.length > 3)) {
      close('break');
      run.push(token);
    } else run.push(token);
  }
  close('sentence');
  return clauses;
};

const statementsOf = (sentence: readonly Token[]): readonly Statement[] => {
  const statements: Statement[] = [];
  const time = timeOf(sentence);
  let carried: readonly Term[] = [];
  let previous: readonly Term[] = [];
  for (const { tokens, end } of clausesOf(sentence)) {
    const first = tokens[0]?.word ?? '';
    const lead = (end === 'label' && first !== 'from' && first !== 'per') || (end === 'comma' && LEADS.has(first));
    const anaphoric = ANAPHORS.has(first) || (first === 'so' && ANAPHORS.has(tokens[1]?.word ?? ''));
    const inherited = anaphoric || isFragment(tokens) ? [...carried, ...previous] : carried;
    const statement = statementOf(tokens, inherited, time, end === 'label');
    if (!isContrast(tokens)) statements.push(statement);
    carried = lead ? statement.terms : [];
    previous = statement.terms;
  }
  return statements;
};

/** ", not the cache": says without a verb what a thing is not, next to what it is. */
const isContrast = (tokens: readonly Token[]): boolean =>
  tokens[0]?.word === 'not' && tokens.length <= LONGEST_FRAGMENT && !tokens.some((token) => COPULAS.has(token.word) || VERBS.has(token.word));

const LONGEST_FRAGMENT = 8;
/** ", 38 % of CPU": a number without a verb belongs to the previous clause. */
const isFragment = (tokens: readonly Token[]): boolean =>
  tokens.length <= LONGEST_FRAGMENT &&
  /^(?:\d|about|around|roughly|only|just|at|up)/u.test(tokens[0]?.word ?? '') &&
  tokens.some((token) => /^\d/u.test(token.word)) &&
  !tokens.some((token) => COPULAS.has(token.word) || VERBS.has(token.word));

const NEGATORS = wordSet(`${DENYING} no-longer hardly rarely lacks lack lacking`);
const LIGHT = wordSet(
  'see saw find found have has had get gets got do does did show shows observe notice notices seem seems be been being any a an the to really actually yet longer contain contains take takes use uses used make makes always even only true that marked',
);
const COPULAS = wordSet('is are was were = be been stays remains');
const statementOf = (tokens: readonly Token[], inherited: readonly Term[], time: Time, isLabel: boolean): Statement => {
  const words = tokens.map((token) => token.word);
  const read = quantitiesOf(words).map((quantity) => (quantity.bound === 'least' && isDeniedBound(words, quantity.at) ? turned(quantity) : quantity));
  // "Error 1: …": the number in a label is part of a name.
  const quantities = isLabel ? read.filter(({ measure, label }) => measure !== 'count' || label === null) : read;
  const numbers = new Set(quantities.flatMap((quantity) => Array.from({ length: quantity.until - quantity.at }, (_, i) => quantity.at + i)));
  const told = toldUntil(words);
  const source = words.findIndex((word, at) => at > 0 && (word === 'according' || isSlip(word, 'according')) && words[at + 1] === 'to');
  const sourced = source < 0 ? words.length : source - 1;
  const own: Term[] = [];
  const heads = new Set<string>();
  const rivals: Rival[] = [];
  const keys = new Map<string, number>();
  let [predicate, denied, narrow, pending, negated, skipUntil] = [-1, false, 0, 0, false, -1];
  let negators = 0;
  const isPlainNext = (at: number): boolean =>
    at + 1 < words.length && !STOP.has(words[at + 1] ?? '') && !VERBS.has(words[at + 1] ?? '') && !numbers.has(at + 1);
  const isState = (at: number): boolean => tokens[at]?.name.startsWith('±') ?? false;
  const attributive = (at: number): boolean =>
    predicate < 0 &&
    !words.slice(0, at).some((word) => word === 'has' || word === 'have') &&
    (at === 0 || (at <= 2 && STOP.has(words[at - 1] ?? '')) || (at <= 3 && isState(at) && !isFiniteVerb(words, at))) &&
    isPlainNext(at);
  for (const [at, token] of tokens.entries()) {
    const { word } = token;
    const key = keyOf(words, at);
    if (predicate < 0 && at > 0 && (COPULAS.has(word) || key !== undefined)) predicate = at;
    if (key !== undefined && !keys.has(key)) keys.set(key, at);
    if ((word === 'instead' || word === 'rather') && (words[at + 1] === 'of' || words[at + 1] === 'than')) skipUntil = at + 5;
    else if (word === 'than' && !numbers.has(at + 1)) skipUntil = at + 4;
    if (at <= skipUntil) continue;
    if (word === 'unless') denied = true;
    if (
      NEGATORS.has(word) &&
      !isBound(words, at) &&
      !(word === 'not' && (words[at + 1] === 'only' || isNotFound(words, at))) &&
      !(word === 'no' && words[at + 1] === 'more')
    ) {
      if (word === 'without' || (word.startsWith('lack') && denied)) {
        narrow = 2;
        continue;
      }
      if (word !== 'nor') negators += 1;
      denied = !denied;
      negated = true;
      pending = word === 'no' || word === 'nothing' || word === 'nobody' || word === 'none' ? 2 : 1;
      continue;
    }
    if ((word === 'fails' || word === 'failed' || word === 'fail' || word === 'unable' || word === 'refuses') && words[at + 1] === 'to') {
      denied = !denied;
      negated = true;
      pending = 1;
      continue;
    }
    if (narrow > 0 && token.code && tokens[at - 1]?.code === false && words[at - 1] !== 'without') narrow = 0;
    if (narrow > 0 && at > 0 && (word === 'the' || word === 'is' || word === 'are') && words[at - 1] !== 'without') narrow = 0;
    const isNumber = numbers.has(at) && !quantityNoun(quantities, at);
    if (isNumber && word !== '0') continue;
    const state = stateWord(words, at);
    if (state === null && STOP.has(word)) continue;
    const { name, negative } = word === '0' ? { name: '±zero', negative: false } : (state ?? token);
    const row = rivalClassOf(name) ?? rivalClassOf(word) ?? (token.negative ? rivalClassOf(stemOf(word)) : undefined);
    if (row !== undefined)
      rivals.push({
        row,
        name,
        at,
        modifies: at + 1 < words.length && !STOP.has(words[at + 1] ?? '') && !VERBS.has(words[at + 1] ?? '') && !numbers.has(at + 1),
      });
    const lacking = narrow > 0;
    const inDenial = lacking ? false : denied;
    if (lacking) narrow -= 1;
    own.push({
      name,
      word,
      plain: squashed(word),
      pieces: solid(token.pieces),
      identifier: token.pieces.length > 0,
      code: token.code || token.pieces.length > 0,
      at,
      denied: inDenial !== negative,
      byNot: inDenial,
      attributive: attributive(at),
      qualifier: isState(at) && ARTICLES.has(words[at - 1] ?? '') && isPlainNext(at),
      noun: BEFORE_NOUNS.has(words[at - 1] ?? '') || COPULAS.has(words[at + 1] ?? ''),
      lacking,
      evidence: at < told || at > sourced,
      inherited: false,
    });
    if (pending > 0 && !LIGHT.has(word)) {
      heads.add(name);
      pending -= 1;
    }
  }
  // "not true that it never …" asserts that it does.
  const twice = negators === 2;
  if (twice) heads.clear();
  const terms = [
    ...inherited.map((term) => ({ ...term, at: term.inherited ? term.at : term.at - LONGEST_SENTENCE - 1, inherited: true })),
    ...(twice ? own.map(undenied) : own),
  ].slice(0, MOST_TERMS);
  const unique = [...new Map(terms.toReversed().map((term) => [term.name, term])).values()].toReversed();
  return {
    words,
    terms,
    unique,
    weight: unique.reduce((sum, term) => sum + (isGeneric(term.name) || isFiller(term) ? 0 : weightOf(term)), 0),
    names: namesOf(terms),
    quantities,
    rivals,
    negated: negated && !twice,
    heads,
    predicate,
    keys,
    kind: words.findIndex((word, at) => COPULAS.has(word) && (words[at + 1] === 'a' || words[at + 1] === 'an')),
    capped:
      words.some((word, at) => CAPS.has(word) || (word === 'up' && words[at + 1] === 'to')) ||
      tokens.some((token) => token.pieces.some((piece) => CAPS.has(piece))),
    ceiling: words.some((word) => CEILINGS.has(word)),
    per: perOf(words),
    only: words.includes('only'),
    every: EVERY.has(words[0] ?? '') || words.some((word, at) => EVERYONE.has(word) && WIDE.has(words[at - 1] ?? '')),
    share: shareOf(words),
    norm: words.some((word) => NORMS.has(word)),
    purpose: words.lastIndexOf('for'),
    than: thanOf(words, numbers),
    open: words.some((word) => OPEN.has(word)),
    attached: attachedOf(words),
    joined: new Set(words.map((word, at) => squashed(word) + (words[at + 1] ?? ''))),
    time,
  };
};
/** Words for how much there ought to be or may be, as opposed to how much there is. */
const NORMS = wordSet('must target targets budget slo sla goal estimate estimated forecast requirement requirements');
const SOME = wordSet('some most many several few often usually sometimes mostly partly occasionally');
const ALL = wordSet('all every each always any none no nothing nobody never no-longer everything everyone anyone');
const shareOf = (words: readonly string[]): Statement['share'] => {
  const isPart = (word: string, at: number): boolean =>
    word === 'of' &&
    (words[at + 1] === 'the' || /^\d/u.test(words[at + 1] ?? '')) &&
    words.slice(at - 1, at).some(isNumeral) &&
    words.slice(at + 1, at + 3).some(isNumeral);
  if (words.some((word, at) => (SOME.has(word) && words[at - 1] !== 'at') || isPart(word, at))) return 'some';
  return words.some((word) => ALL.has(word)) ? 'all' : null;
};
const isNumeral = (word: string): boolean => /^\d/u.test(word) || word in NUMBER_WORDS;
/** "answers Not Found" gives a status. */
const isNotFound = (words: readonly string[], at: number): boolean =>
  words[at + 1] === 'found' &&
  !COPULAS.has(words[at - 1] ?? '') &&
  !/^(?:be|been|being|could|can|have|has|had|did|do|does)$/u.test(words[at - 1] ?? '');
/** "the wrapper rethrows errors": here a verb, not a word that modifies a noun. */
const isFiniteVerb = (words: readonly string[], at: number): boolean => /[^us]s$/u.test(words[at] ?? '') && !STOP.has(words[at - 1] ?? '');
const isFiller = (term: Term): boolean => COLOURLESS.has(term.word) && !term.attributive && !term.noun && !term.code;
const undenied = (term: Term): Term => (term.byNot ? { ...term, denied: !term.denied, byNot: false } : term);
const turned = (quantity: Quantity): Quantity => ({ ...quantity, bound: 'most' });
const isDeniedBound = (words: readonly string[], at: number): boolean =>
  words.slice(Math.max(0, at - 5), at).some((word, i) => NEGATORS.has(word) && isBound(words, Math.max(0, at - 5) + i));
const ARTICLES = wordSet('the a an');
const BEFORE_NOUNS = wordSet('the a an of for on in at by with from per our its their each every between under via');
const EVERY = wordSet('every any all anyone everyone anybody everybody each');
const EVERYONE = wordSet('everybody everyone all every');
const WIDE = wordSet('for in on across');
const OPEN = wordSet(
  'also too another additionally accepts accept supports support handles parses exports includes include contains provides offers some sometimes either or',
);
const CEILINGS = wordSet('capped limited max maximum');
const CAPS = wordSet('max maximum limit limits limited cap capped most ceiling');
const quantityNoun = (quantities: readonly Quantity[], at: number): boolean =>
  quantities.some((quantity) => quantity.measure === 'rate' && at > quantity.at && at < quantity.until && quantity.nouns.length > 0);

const AFTER_STATE = wordSet('for in by at during since after before until when if and or again everywhere here there by');
/** `on`, `off`, `up` and `down` are states only in the position of a state. */
const stateWord = (words: readonly string[], at: number): { readonly name: string; readonly negative: boolean } | null => {
  const [word, before, next] = [words[at] ?? '', words[at - 1] ?? '', words[at + 1] ?? ''];
  const linked =
    COPULAS.has(before) ||
    before === 'not' ||
    before === 'still' ||
    before === 'currently' ||
    before === 'both' ||
    before === 'turned' ||
    before === 'switched' ||
    before === 'left';
  if (word === 'same' && before === 'the' && COPULAS.has(words[at - 2] ?? '')) return { name: '±same', negative: false };
  if (word === 'off' && (linked || next === '' || at === 0)) return { name: '±enable', negative: true };
  if (word === 'on' && ((linked && (next === '' || AFTER_STATE.has(next))) || next === '')) return { name: '±enable', negative: false };
  if (word === 'up' && linked && (next === '' || AFTER_STATE.has(next))) return { name: '±run', negative: false };
  if (word === 'down' && linked) return { name: '±run', negative: true };
  return null;
};

const namesOf = (terms: readonly Term[]): Statement['names'] => {
  const names = new Map<string, { said: boolean; denied: boolean; byNot: boolean; at: number }>();
  // A clause's own words take precedence over inherited ones: "kept for 90 days, then the job removes them".
  const own = new Set(terms.flatMap((term) => (term.inherited ? [] : [term.name])));
  for (const term of terms) {
    if (term.inherited && own.has(term.name)) continue;
    const known = names.get(term.name);
    names.set(term.name, {
      said: (known?.said ?? false) || !term.denied,
      denied: (known?.denied ?? false) || term.denied,
      byNot: (known?.byNot ?? false) || term.byNot,
      at: Math.max(known?.at ?? -1, term.at),
    });
  }
  return names;
};

export const weightOf = (term: Term): number => (isWeak(term.name) ? 0.34 : term.identifier ? 1.5 : 1);
