import { causeConflict, causesAgree } from './blame.ts';
import type { Claim, Statement, Term } from './claim.ts';
import type { Contradiction } from './contradiction.ts';
import { areOtherCodes, matchOf, pairsOf, telling, type Match } from './matching.ts';
import { namedConflict, perConflict } from './named-values.ts';
import { negationConflict } from './negations.ts';
import { anchorConflict, orderConflict, sequenceConflict, swapConflict } from './orders.ts';
import { anchorsDiffer, isOtherTime } from './times.ts';
import { polarityConflict } from './polarity.ts';
import { quantityConflict } from './values.ts';

export const contradictionBetween = (a: Claim, b: Claim): Contradiction | null => {
  // A fixed order, so that neither the answer nor its wording depends on which came first.
  const [first, second] = a.key <= b.key ? [a, b] : [b, a];
  if (first.key === second.key) return null;
  const cause = causeConflict(first, second);
  if (cause !== null) return cause;
  if (causesAgree(first, second)) return null;
  let best: { readonly weight: number; readonly found: Contradiction } | null = null;
  let changed: Contradiction | null = null;
  const isNews = isNewsOf(first, second);
  const otherCode = areOtherCodes(first, second);
  const pairs = pairsOf(first, second).flatMap(([one, other]) => {
    const match = matchOf(one, other, first, second, otherCode);
    return match === null ? [] : [{ one, other, match, numeric: quantityConflict(one, other, match, anchorsDiffer(one.time, other.time)) }];
  });
  // A text may contain several numbers; if one of them agrees, the others are about something else.
  const agreed = pairs.some(({ numeric }) => numeric.agrees);
  for (const { one, other, match, numeric } of pairs) {
    if (best !== null && best.weight >= match.weight) continue;
    const found = conflictIn(one, other, match, agreed ? { ...numeric, found: null } : numeric);
    if (found === null) continue;
    if (isNews || isOtherTense(one, other))
      changed ??= { ...found, kind: 'changed', description: `${found.description}; one of them reports a change` };
    else best = { weight: match.weight, found };
  }
  return best?.found ?? changed ?? (isNews ? null : sequenceConflict(first, second));
};

/** A cheap check, so that comparing a text with a thousand others takes no time. */
export const haveNothingInCommon = (a: Claim, b: Claim): boolean => {
  if (a.causes.length > 0 || b.causes.length > 0) return false;
  const [few, many] = a.clues.size <= b.clues.size ? [a.clues, b.clues] : [b.clues, a.clues];
  for (const clue of few) if (many.has(clue)) return false;
  return true;
};

/** CONF-18: one reports a change, the other how it is or was. */
export const isNewsOf = (a: Claim, b: Claim): boolean => {
  const [inA, inB] = [a.statements.some(({ time }) => time.news), b.statements.some(({ time }) => time.news)];
  return inA !== inB && ![...a.statements, ...b.statements].some(({ time }) => time.still);
};

/** "It was open" and "it is closed". */
const isOtherTense = ({ time: a }: Statement, { time: b }: Statement): boolean => a.tense !== null && b.tense !== null && a.tense !== b.tense;

const EXTREMES = ['maximum', 'minimum', 'averag', 'median', 'total', 'initial', 'worst', 'best', 'spik', 'p50', 'p90', 'p95', 'p99', 'idl'];
const isOtherExtreme = (a: Statement, b: Statement): boolean => {
  const inA = EXTREMES.filter((name) => a.names.has(name));
  return inA.length > 0 && EXTREMES.some((name) => b.names.has(name)) && !inA.some((name) => b.names.has(name));
};

/** "over 5 MB" and "under 5 MB" are separate cases. */
const areOpposed = (a: Statement, b: Statement): boolean =>
  a.quantities.some((one) =>
    b.quantities.some((other) => one.measure === other.measure && [one.bound, other.bound].toSorted().join() === 'least,most'),
  );

/** "Some are wrong" and "most are right" can both be true; "some are wrong" and "none is" can't. */
const leavesRoom = (a: Statement, b: Statement): boolean => a.share === 'some' && b.share !== 'all';

/** CONF-7: whether a word that only one clause has merely specifies the subject: a name, a word before the predicate, or one after a preposition. */
const isScope = (term: Term, { words, predicate }: Statement): boolean => {
  const [before = '', earlier = ''] = [words[term.at - 1], words[term.at - 2]];
  return (
    term.identifier ||
    term.code ||
    (predicate < 0 ? term.at <= 1 : term.at < predicate) ||
    SCOPING.has(before) ||
    (ARTICLES.has(before) && SCOPING.has(earlier))
  );
};
const SCOPING: ReadonlySet<string> = new Set('in on for of under during at from with per via to across by'.split(' '));
const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'our']);

/** With about two words of the subject in common, only words that specify another thing make it another subject. */
const STRONG = 1.6;

/** Words of a limit: "the limit is 5 MB", "up to 5 MB are allowed". */
const LIMITING: ReadonlySet<string> = new Set(['limit', 'maximum', '±allow', '±able']);
const conflictIn = (a: Statement, b: Statement, match: Match, numeric: ReturnType<typeof quantityConflict>): Contradiction | null => {
  if (a.norm !== b.norm || leavesRoom(a, b) || leavesRoom(b, a)) return null;
  const caps = a.capped && b.capped;
  const subjectOf = (left: Match['leftA']): Match['leftA'] => (caps ? telling(left).filter((term) => !LIMITING.has(term.name)) : telling(left));
  const [leftA, leftB] = [subjectOf(match.leftA), subjectOf(match.leftB)];
  const strong = match.direct >= STRONG;
  const contrast =
    (strong ? leftA.some((term) => isScope(term, a)) && leftB.some((term) => isScope(term, b)) : leftA.length > 0 && leftB.length > 0) ||
    isOtherExtreme(a, b) ||
    match.otherOne ||
    match.otherCase;
  const swapped = !contrast && !a.negated && !b.negated ? swapConflict(a, b, match) : null;
  if (swapped !== null) return swapped;
  const otherTime = isOtherTime(a.time, b.time);
  const anchored = anchorsDiffer(a.time, b.time);
  const denied = negationConflict(a, b, match);
  if (otherTime) {
    if (contrast || match.thin || numeric.differs || denied !== null) return null;
    return orderConflict(a, b, match) ?? (anchored ? anchorConflict(a, b, match) : null);
  }
  if (!contrast && !match.thin) {
    // "kept for 14 days" and "deleted after 3 days" say the same thing with different durations.
    if (denied !== null && numeric.found !== null && match.shared.has('±keep')) return numeric.found;
    if (denied !== null && numeric.agrees && match.shared.has('±keep')) return null;
    if (denied !== null) return (numeric.differs && !numeric.agrees) || areOpposed(a, b) ? null : denied;
    if (numeric.found !== null && !numeric.agrees) return numeric.found;
  }
  if (numeric.differs || denied !== null) return null;
  const polar = isOtherExtreme(a, b) ? null : polarityConflict(a, b, match);
  if (polar !== null) return polar;
  if (a.negated || b.negated) return null;
  const per = perConflict(a, b, match);
  if (per !== null || numeric.agrees) return per;
  return namedConflict(a, b, match);
};
