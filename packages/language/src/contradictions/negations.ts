import type { Statement, Term } from './claim.ts';
import type { Contradiction } from './contradiction.ts';
import { ENOUGH, type Match } from './matching.ts';
import { isNeed, signsOf } from './polarity.ts';
import { stemOf } from '../text/stems.ts';
import { isGeneric } from '../text/lexicon/finding-words.ts';

export const negationConflict = (a: Statement, b: Statement, match: Match): Contradiction | null => {
  if ((a.negated && b.negated) || isNeed(a, b) || isNeed(b, a)) return null;
  let found: string | null = null;
  const isTurned = (): boolean => {
    const [signA, signB] = signsOf(a, b, match);
    return signA !== signB;
  };
  for (const [nameA, nameB] of match.shared) {
    const [inA, inB] = [a.names.get(nameA), b.names.get(nameB)];
    if (inA === undefined || inB === undefined || isLacking(a, nameA) || isLacking(b, nameB)) continue;
    if (inA.denied && inB.denied && !inA.said && !inB.said && (inA.byNot || inB.byNot)) return null;
    if (inA.denied === inB.denied && inA.said === inB.said) {
      // "not automatic" and "manual" agree: the "not" is already accounted for.
      if (nameA.startsWith('±') && inA.byNot !== inB.byNot) return null;
      continue;
    }
    if (nameA.startsWith('±') && [a, b].some((statement) => statement.terms.every((term) => term.name !== nameA || term.attributive))) return null;
    if (
      ((nameA.startsWith('±') || (!a.negated && !b.negated && isPrefixed(inA, inB, match))) && a.than === b.than) ||
      (match.direct >= ENOUGH && (a.heads.has(nameA) || b.heads.has(nameB)) && isTurned())
    )
      found ??= nameA;
  }
  found ??= lackConflict(a, b, match) ?? lackConflict(b, a, match);
  if (found === null) return goneConflict(a, b, match, match.leftA) ?? goneConflict(b, a, match, match.leftB);
  const [says = '', denies = ''] = [wordFor(a, found), wordFor(b, match.shared.get(found) ?? found)].toSorted();
  const subject = match.subject;
  const plain = !found.startsWith('±') || stemOf(says) === stemOf(denies);
  return {
    kind: 'negation',
    subject,
    description: plain
      ? `both are about "${subject}": one says "${says}", the other denies it`
      : `both are about "${subject}": one says "${says}", the other "${denies}"`,
  };
};
/** "needs X" versus "without X". */
const lackConflict = (a: Statement, b: Statement, match: Match): string | null => {
  const required = b.names.get('±require');
  if (required === undefined || required.denied) return null;
  return a.terms.find((term) => term.lacking && match.shared.has(term.name))?.name ?? null;
};
const GONE = ['±enable', '±present', '±used', '±allow'];
/** One contains everything the other says, and adds only that it is off, missing or unused. */
const goneConflict = (a: Statement, b: Statement, match: Match, leftA: readonly Term[]): Contradiction | null => {
  if (
    a.negated ||
    b.negated ||
    leftA.length > 0 ||
    match.weight < 2 ||
    [...b.terms, ...a.terms].some((term) => term.inherited) ||
    GONE.some((name) => a.names.has(name))
  )
    return null;
  const gone = b.terms.find((term) => GONE.includes(term.name) && term.denied && !term.inherited);
  if (gone === undefined || b.terms.some((term) => term !== gone && !a.names.has(term.name) && !isGeneric(term.name))) return null;
  return {
    kind: 'negation',
    subject: match.subject,
    description: `both are about "${match.subject}": one takes it as given, the other says "${gone.word}"`,
  };
};
export const wordFor = (statement: Statement, name: string): string =>
  statement.terms.find((term) => term.name === name && !term.inherited)?.word ?? name.replace('±', '');
/** "uncompressed" denies "compressed" without a "not". */
const isPrefixed = (inA: { denied: boolean; byNot: boolean }, inB: { denied: boolean; byNot: boolean }, match: Match): boolean =>
  match.named >= ENOUGH && ((inA.denied && !inA.byNot) || (inB.denied && !inB.byNot));
const isLacking = (statement: Statement, name: string): boolean => statement.terms.some((term) => term.lacking && term.name === name);
