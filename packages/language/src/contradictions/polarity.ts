import type { Statement, Term } from './claim.ts';
import type { Contradiction } from './contradiction.ts';
import { telling, type Match } from './matching.ts';

/** States that only say whether a thing exists or works: denying one of them denies the whole clause. */
const EXISTENCE: ReadonlySet<string> = new Set(
  'present able supported allow used enable pass run keep visible apply public known fixed complete correct safe healthy stable set masked possible related'
    .split(' ')
    .map((name) => `±${name}`),
);
const isState = (term: Term): boolean => EXISTENCE.has(term.name);

/** Only a clause that says little else denies another clause as a whole. */
const MOST_OF = 0.6;

/** One clause affirms everything the other denies, whatever the words: "has none", "is missing", "fails to". */
export const polarityConflict = (a: Statement, b: Statement, match: Match): Contradiction | null => {
  if (match.direct < 2 || match.otherOne || match.otherCase || match.otherCode || [...match.shared.keys()].some((name) => EXISTENCE.has(name)))
    return null;
  if (isNeed(a, b) || isNeed(b, a) || match.direct < MOST_OF * Math.max(a.weight, b.weight)) return null;
  if ([...match.shared.keys()].some((name) => isAccounted(a, b, name))) return null;
  if (a.quantities.length > 0 && b.quantities.length > 0) return null;
  const [signA, signB] = signsOf(a, b, match);
  if (signA === signB) return null;
  const [leftA, leftB] = [restOf(match.leftA), restOf(match.leftB)];
  if (leftA.length > 0 && leftB.length > 0) return null;
  const denying = signA ? { statement: a, left: leftA } : { statement: b, left: leftB };
  if (denying.left.some((term) => denying.statement.heads.has(term.name))) return null;
  // "isn't documented" denies only the documentation, not the thing itself.
  if ((signA ? match.leftA : match.leftB).some((term) => denying.statement.heads.has(term.name) && term.word.endsWith('ed'))) return null;
  return {
    kind: 'negation',
    subject: match.subject,
    description: `both are about "${match.subject}": one says so, the other denies it`,
  };
};
/** "not without X" merely says that X is needed. */
export const isNeed = (a: Statement, b: Statement): boolean =>
  a.negated && a.terms.some((term) => term.lacking && b.terms.some((other) => other.name === term.name && !other.lacking && !other.denied));
/** "not automatic" and "manual" agree: the "not" is already accounted for. */
const isAccounted = (a: Statement, b: Statement, name: string): boolean => {
  const [inA, inB] = [a.names.get(name), b.names.get(name)];
  return name.startsWith('±') && inA !== undefined && inB !== undefined && inA.denied === inB.denied && inA.byNot !== inB.byNot;
};
/** For each clause whether it denies, not counting states that both name. */
export const signsOf = (a: Statement, b: Statement, match: Match): readonly [boolean, boolean] => [
  signOf(a, statesOf(a, match, 'a')),
  signOf(b, statesOf(b, match, 'b')),
];
const restOf = (left: readonly Term[]): readonly Term[] => telling(left).filter((term) => !isState(term));
const statesOf = (statement: Statement, match: Match, side: 'a' | 'b'): readonly Term[] => {
  const shared = side === 'a' ? new Set(match.shared.keys()) : new Set(match.shared.values());
  return statement.unique.filter(
    (term) =>
      (isState(term) ? !shared.has(term.name) : term.denied && !term.byNot && !term.name.startsWith('±')) && !term.inherited && !term.attributive,
  );
};
/** True if the clause denies. A state within reach of a "not" already includes it. */
const signOf = (statement: Statement, states: readonly Term[]): boolean => {
  const denied = states.filter((term) => term.denied).length % 2 === 1;
  if (!statement.negated && !statement.terms.some((term) => term.lacking)) return denied;
  return states.some((term) => term.byNot) ? denied : !denied;
};
