import { compareQuantities } from './amounts.ts';
import { weightOf, type Claim, type Statement, type Term } from './claim.ts';
import { VERBS } from './places.ts';
import { isSlip, wordSet } from '../text/stems.ts';
import { COLOURLESS, isExtension, isGeneric, isWeak } from '../text/lexicon/finding-words.ts';

/** A word in more clauses than this doesn't show which clauses belong together; this also bounds the number of pairs. */
const COMMON = 24;

export const pairsOf = (a: Claim, b: Claim): readonly (readonly [Statement, Statement])[] => {
  const places = new Map<string, number[]>();
  for (const [at, statement] of b.statements.entries())
    for (const clue of cluesOf(statement)) {
      const known = places.get(clue);
      if (known === undefined) places.set(clue, [at]);
      else if (known.length <= COMMON) known.push(at);
    }
  return a.statements.flatMap((statement) => {
    const near = new Set<number>();
    for (const clue of cluesOf(statement)) {
      const at = places.get(clue) ?? [];
      if (at.length <= COMMON) for (const place of at) near.add(place);
    }
    return [...near]
      .toSorted((x, y) => x - y)
      .flatMap((place) => {
        const other = b.statements[place];
        return other === undefined ? [] : [[statement, other] as const];
      });
  });
};
/** Caches the clues of a statement, because it is compared with a thousand others. */
const CLUES = new WeakMap<Statement, ReadonlySet<string>>();
const cluesOf = (statement: Statement): ReadonlySet<string> => {
  const known = CLUES.get(statement);
  if (known !== undefined) return known;
  const clues = new Set(statement.terms.flatMap((term) => (isGeneric(term.name) ? [] : [term.name, ...term.pieces])));
  CLUES.set(statement, clues);
  return clues;
};

export type Match = {
  readonly weight: number;
  readonly named: number;
  /** They share so little that only another name in the same position could contradict. */
  readonly thin: boolean;
  /** The weight these two clauses share, not counting words of other clauses. */
  readonly direct: number;
  /** Each text contains a name in code that the other lacks. */
  readonly otherCode: boolean;
  /** Each text consists of one clause. */
  readonly single: boolean;
  readonly subject: string;
  readonly shared: ReadonlyMap<string, string>;
  readonly leftA: readonly Term[];
  readonly leftB: readonly Term[];
  /** The same noun, modified by a different word on each side: "cold start" and "warm start". */
  readonly otherOne: boolean;
  /** One has a thing that the other lacks, or "X for A" on one side and "X for B" on the other. */
  readonly otherCase: boolean;
};

/** More than one word: a denial needs a subject besides what it denies. */
export const ENOUGH = 1.3;
const COVERED = 0.4;
const HALF = 0.5;
/** The additional weight of two weak words together. */
const NAME = 0.64;
/** The weight of words that name the subject, not counting states and opposites. */
const SUBJECT = 0.3;
/** The share of a state's weight that counts if both give it in the same sense. */
const STATE = 0.7;
/** The weight of a word that the other text has in a different clause. */
const ELSEWHERE = 0.34;

export const matchOf = (a: Statement, b: Statement, claimA: Claim, claimB: Claim, otherCode: boolean): Match | null => {
  const [piecesA, piecesB] = [unfolded(a, b, claimB), unfolded(b, a, claimA)];
  const single = claimA.statements.length === 1 && claimB.statements.length === 1;
  const shared = new Map<string, string>();
  const words: string[] = [];
  let [weight, named, direct, weak, elsewhereA] = [0, 0, 0, 0, 0];
  const leftA: Term[] = [];
  for (const term of a.unique) {
    const partner = partnerOf(term, b) ?? (piecesB.has(term.name) ? term.name : null);
    if (partner !== null) {
      shared.set(term.name, partner);
      if (isWeak(term.name) && !COLOURLESS.has(term.word)) weak += 1;
      weight += weightOf(term);
      if (!term.name.startsWith('±')) {
        words.push(term.word);
        named += weightOf(term);
        if (!term.inherited) direct += weightOf(term);
      } else if (agreesOn(term, b)) {
        named += STATE * weightOf(term);
        if (!term.inherited) direct += STATE * weightOf(term);
      }
    } else if (!covered(term, claimB)) leftA.push(term);
    else if (!isWeak(term.name)) elsewhereA += ELSEWHERE;
  }
  const matched = new Set(shared.values());
  const restB = b.unique.filter((term) => !matched.has(term.name) && partnerOf(term, a) === null && !piecesA.has(term.name));
  const leftB = restB.filter((term) => !covered(term, claimA));
  const elsewhere = Math.max(elsewhereA, ELSEWHERE * restB.filter((term) => covered(term, claimA) && !isWeak(term.name)).length);
  [weight, named] = [weight + elsewhere, named + elsewhere];
  // Two weak words form a name: "page size", "log level".
  if (weak > 1) [weight, named] = [weight + NAME, named + NAME];
  if (sameNumbers(a, b)) weight += 1;
  if (weight < 1 || named < SUBJECT) return null;
  // Rivals exclude each other, so neither can be expected in the other clause.
  const least = Math.min(a.weight, b.weight) - (single && areRivals(a, b) && (isBare(leftA, a) || isBare(leftB, b)) ? 1 : 0);
  if (weight < COVERED * least || (named < ENOUGH && before(leftA, a).length > 0 && before(leftB, b).length > 0)) return null;
  // A single common word proves little if each clause has much more to say.
  if (named < ENOUGH && weight < COVERED * Math.max(a.weight, b.weight) && !areRivals(a, b)) return null;
  const thin = named < (weight < HALF * least ? ENOUGH : 1) && (beside(leftA, a).length > 0 || beside(leftB, b).length > 0);
  return {
    weight,
    named,
    direct,
    otherCode,
    single,
    thin,
    subject: words.slice(0, 5).join(' '),
    shared,
    leftA,
    leftB,
    otherOne: isOtherOne(a, b, shared),
    otherCase: isOtherCase(a, b, shared),
  };
};
/** Apart from the rival, only a verb is left. */
export const isBare = (left: readonly Term[], statement: Statement): boolean =>
  left.every((term) => VERBS.has(term.word) || COLOURLESS.has(term.word) || statement.rivals.some((rival) => rival.name === term.name));
const areRivals = (a: Statement, b: Statement): boolean =>
  a.rivals.some((one) => b.rivals.some((other) => one.row === other.row && one.name !== other.name));
const agreesOn = (term: Term, other: Statement): boolean => {
  const known = other.names.get(term.name);
  return known !== undefined && !(known.said && known.denied) && known.denied === term.denied;
};
/** The pieces of identifiers that the other text spells out: `statement_timeout` is written as "the statement timeout" there. */
const NONE: ReadonlySet<string> = new Set();
const unfolded = (statement: Statement, other: Statement, claim: Claim): ReadonlySet<string> => {
  if (!statement.terms.some((term) => term.pieces.length > 0)) return NONE;
  return new Set(
    statement.terms.flatMap((term) => {
      const { pieces } = term;
      return pieces.every((piece) => other.names.has(piece) || claim.vocabulary.has(piece)) ? pieces : [];
    }),
  );
};
/** The name that the other clause uses for this term: the same word, a misspelling of it, or the identifier spelled out. */
const partnerOf = (term: Term, other: Statement): string | null => {
  if (other.names.has(term.name)) return term.name;
  const { pieces } = term;
  const { plain } = term;
  const joinable = term.word.length >= JOINED && other.joined.has(plain);
  for (const candidate of other.unique) {
    if ((term.identifier || candidate.identifier) && plain === candidate.plain) return candidate.name;
    if (joinable && candidate.at >= 0 && plain.startsWith(candidate.word) && candidate.word.length > 2) return candidate.name;
    if (isSlip(term.name, candidate.name) || isSlip(term.word, candidate.word)) return candidate.name;
    if (pieces.length > 0 && candidate.pieces.length > 0) {
      const theirs = candidate.pieces;
      if (!isOtherMember(term, candidate) && pieces.every((piece) => theirs.includes(piece)) && theirs.every((piece) => pieces.includes(piece)))
        return candidate.name;
    }
  }
  return spelled(pieces, other) ? term.name : null;
};
/** `orders.total` and `orders.note` are different members. */
const isOtherMember = ({ word }: Term, { word: other }: Term): boolean =>
  word.includes('.') && other.includes('.') && word.slice(word.lastIndexOf('.')) !== other.slice(other.lastIndexOf('.'));
const JOINED = 6;
const spelled = (pieces: readonly string[], other: Statement): boolean => pieces.length > 0 && pieces.every((piece) => other.names.has(piece));
const covered = (term: Term, claim: Claim): boolean =>
  claim.vocabulary.has(term.name) ||
  claim.vocabulary.has(term.word) ||
  (term.identifier && term.pieces.every((piece) => claim.vocabulary.has(piece)));

const before = (terms: readonly Term[], statement: Statement): readonly Term[] =>
  beside(terms, statement).filter((term) => term.at < statement.predicate);
const beside = (terms: readonly Term[], statement: Statement): readonly Term[] =>
  telling(terms).filter((term) => !statement.rivals.some((rival) => rival.name === term.name));
const sameNumbers = (a: Statement, b: Statement): boolean =>
  a.quantities.some((one) => one.measure !== 'count' && b.quantities.some((other) => compareQuantities(one, other, false) === 'same'));

export const telling = (terms: readonly Term[]): readonly Term[] =>
  terms.filter(
    (term) =>
      !isGeneric(term.name) &&
      (term.attributive || term.noun || term.identifier || !COLOURLESS.has(term.word)) &&
      !term.evidence &&
      (!term.identifier || term.pieces.length > 0),
  );

/** Each side modifies a common noun with a word of its own. */
const isOtherOne = (a: Statement, b: Statement, shared: ReadonlyMap<string, string>): boolean => {
  for (const [nameA, nameB] of shared) {
    if (nameA.startsWith('±')) {
      if (isOpposite(a, b, nameA)) return true;
      continue;
    }
    const [before, other] = [beforeNoun(a, nameA), beforeNoun(b, nameB)];
    if (before === null || other === null) continue;
    if (
      before.name === other.name
        ? before.name.startsWith('±') && before.denied !== other.denied
        : partnerOf(before, b) === null && partnerOf(other, a) === null
    )
      return true;
  }
  return false;
};
const isBeforeNoun = (term: Term): boolean => term.attributive || term.qualifier;
const isOpposite = (a: Statement, b: Statement, name: string): boolean => {
  const [one, other] = [a.unique.find((term) => term.name === name), b.unique.find((term) => term.name === name)];
  return (
    one !== undefined && other !== undefined && isBeforeNoun(one) && isBeforeNoun(other) && one.denied !== other.denied && !one.byNot && !other.byNot
  );
};
const beforeNoun = (statement: Statement, name: string): Term | null => {
  const noun = statement.terms.find((term) => term.name === name);
  if (noun === undefined) return null;
  const before = statement.terms.find((term) => term.at === noun.at - 1);
  return before === undefined ||
    before.evidence ||
    before.byNot ||
    (!before.attributive && (!before.noun || COLOURLESS.has(before.word) || before.code))
    ? null
    : before;
};
/** Each text contains a name in code that the other lacks. */
export const areOtherCodes = (a: Claim, b: Claim): boolean => hasOtherCode(a, b) && hasOtherCode(b, a);
const hasOtherCode = (claim: Claim, other: Claim): boolean =>
  claim.statements
    .slice(0, FEW)
    .some(({ terms }) => terms.some((term) => term.code && !term.inherited && !isExtension(term.word) && !covered(term, other)));
/** A finding has few clauses; in a longer text the first ones show what it is about. */
const FEW = 8;

const isOtherCase = (a: Statement, b: Statement, shared: ReadonlyMap<string, string>): boolean =>
  [...shared].some(
    ([nameA, nameB]) =>
      nameA.startsWith('±') && isConditional(a, nameA) && isConditional(b, nameB) && a.names.get(nameA)?.denied !== b.names.get(nameB)?.denied,
  ) ||
  (a.per !== null && b.names.has('total')) ||
  (b.per !== null && a.names.has('total')) ||
  [...shared].some(
    ([nameA, nameB]) => !nameA.startsWith('±') && lacks(a, nameA) !== lacks(b, nameB) && !a.names.has('±require') && !b.names.has('±require'),
  ) ||
  areParallel(a, b);
const CONDITIONS = wordSet('when if once while unless whenever as with');
/** The state belongs to a condition, not to the statement itself. */
const isConditional = (statement: Statement, name: string): boolean =>
  CONDITIONS.has(statement.words[0] ?? '') || statement.terms.some((term) => term.name === name && term.inherited);
const lacks = (statement: Statement, name: string): boolean => statement.terms.some((term) => term.lacking && term.name === name);
const areParallel = (a: Statement, b: Statement): boolean => {
  if (a.only || b.only) return false;
  for (const [head, object] of a.attached) {
    const other = b.attached.get(head);
    if (other !== undefined && other !== object && !b.names.has(object) && !a.names.has(other) && !isSlip(object, other)) return true;
  }
  return false;
};
