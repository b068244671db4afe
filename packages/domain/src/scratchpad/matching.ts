import { compareQuantities } from './amounts.ts';
import { weightOf, type Claim, type Statement, type Term } from './claim.ts';
import { isSlip } from './stems.ts';
import { COLOURLESS } from './synonyms.ts';
import { isGeneric, isWeak } from './words.ts';

/** A word in this many clauses of one text is no clue to which clauses belong together; this also bounds the pairs. */
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
const cluesOf = (statement: Statement): ReadonlySet<string> =>
  new Set(statement.terms.flatMap((term) => (isWeak(term.name) ? [] : [term.name, ...term.pieces])));

export type Match = {
  readonly weight: number;
  readonly named: number;
  /** Too little in common for anything but another name in the same place. */
  readonly thin: boolean;
  readonly subject: string;
  readonly shared: ReadonlyMap<string, string>;
  readonly leftA: readonly Term[];
  readonly leftB: readonly Term[];
};

/** More than one word: what is denied needs a subject beside it. */
export const ENOUGH = 1.3;
const COVERED = 0.4;
const HALF = 0.5;
/** Words that name the subject, states and opposites not counted. */
const SUBJECT = 0.3;
/** A word that the other text has in another clause. */
const ELSEWHERE = 0.34;

export const matchOf = (a: Statement, b: Statement, claimA: Claim, claimB: Claim): Match | null => {
  const [piecesA, piecesB] = [unfolded(a, b, claimB), unfolded(b, a, claimA)];
  const shared = new Map<string, string>();
  const words: string[] = [];
  let [weight, named] = [0, 0];
  const leftA: Term[] = [];
  for (const term of a.unique) {
    const partner = partnerOf(term, b) ?? (piecesB.has(term.name) ? term.name : null);
    if (partner !== null) {
      shared.set(term.name, partner);
      weight += weightOf(term);
      if (!term.name.startsWith('±')) {
        words.push(term.word);
        named += weightOf(term);
      }
    } else if (!covered(term, claimB)) leftA.push(term);
    else if (!isWeak(term.name)) {
      weight += ELSEWHERE;
      named += ELSEWHERE;
    }
  }
  if (sameNumbers(a, b)) weight += 1;
  if (weight < 1 || named < SUBJECT) return null;
  const matched = new Set(shared.values());
  const leftB = b.unique.filter(
    (term) => !matched.has(term.name) && partnerOf(term, a) === null && !piecesA.has(term.name) && !covered(term, claimA),
  );
  const least = Math.min(a.weight, b.weight);
  if (weight < COVERED * least || (named < ENOUGH && before(leftA, a).length > 0 && before(leftB, b).length > 0)) return null;
  const thin = named < (weight < HALF * least ? ENOUGH : 1) && (beside(leftA, a).length > 0 || beside(leftB, b).length > 0);
  return { weight, named, thin, subject: words.slice(0, 5).join(' '), shared, leftA, leftB };
};
/** The pieces of the identifiers that the other text spells out: `statement_timeout` is "the statement timeout" there. */
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
/** The name under which the other clause has this term: the same word, a slip of it, or an identifier spelled out. */
const partnerOf = (term: Term, other: Statement): string | null => {
  if (other.names.has(term.name)) return term.name;
  const { pieces } = term;
  for (const candidate of other.unique) {
    if (isSlip(term.name, candidate.name) || isSlip(term.word, candidate.word)) return candidate.name;
    if (pieces.length > 0 && candidate.pieces.length > 0) {
      const theirs = candidate.pieces;
      if (pieces.every((piece) => theirs.includes(piece)) && theirs.every((piece) => pieces.includes(piece))) return candidate.name;
    }
  }
  return spelled(pieces, other) ? term.name : null;
};
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
  terms.filter((term) => !isGeneric(term.name) && !COLOURLESS.has(term.word) && !term.evidence && (!term.identifier || term.pieces.length > 0));
