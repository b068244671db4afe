import type { Rival, Statement, Term } from './claim.ts';
import { valueConflict, type Contradiction } from './contradiction.ts';
import { ENOUGH, isBare, telling, type Match } from './matching.ts';
import { wordFor } from './negations.ts';
import { VERBS } from './places.ts';
import { codeConflict, SCOPES, slotConflict } from './slots.ts';
import { stemSet, wordSet } from '../text/stems.ts';

/** Words for something that exists only once: "X is the bottleneck". */
const UNIQUE = stemSet('bottleneck culprit leader owner default maintainer winner origin');
const shown = (terms: readonly Term[]): string =>
  terms
    .slice(0, 4)
    .map((term) => term.word)
    .join(' ');
const EXCLUSIVE = stemSet(
  'branch target level type format encoding timezone zone owner unit driver engine default leader primary mode strategy policy algorithm protocol language framework database region bottleneck culprit',
);

export const perConflict = (a: Statement, b: Statement, match: Match): Contradiction | null => {
  if (a.per === null || b.per === null || a.per === b.per) return null;
  const others = [telling(match.leftA).filter((term) => term.name !== a.per), telling(match.leftB).filter((term) => term.name !== b.per)];
  return others.every((left) => left.length > 0) ? null : valueConflict(match.subject, `per ${a.per}`, `per ${b.per}`);
};

/** "X is a tree" and "X is a net": nothing else may differ, and the whole subject must come before. */
const isOtherKind = (a: Statement, b: Statement, leftA: readonly Term[], leftB: readonly Term[]): boolean =>
  a.kind > 0 &&
  b.kind > 0 &&
  leftA.length > 0 &&
  leftB.length > 0 &&
  [...leftA.map((term) => term.at - a.kind), ...leftB.map((term) => term.at - b.kind)].every((distance) => distance > 0) &&
  a.terms.filter((term) => term.at < a.kind && b.names.has(term.name)).length > 1;

/** Rows whose names are also everyday words: there a name counts only in the position of a name. */
const WORDY = wordSet('method join level separator colour place review timeunit byteunit state server queue order balance backoff');
const isNamed = (statement: Statement, rival: Rival): boolean =>
  rival.at >= statement.words.length - 1 ||
  statement.terms.some((term) => term.at === rival.at && (term.noun || term.code || term.at > statement.predicate));
/** A word before the name says which one is meant. */
const isAttributed = (left: readonly Term[], { at }: Rival): boolean => left.some((term) => term.attributive && term.at < at);
/** "the GraphQL API …": the name says which one is meant, and isn't the value. */
const tellsWhich = (statement: Statement, rival: Rival): boolean => rival.modifies && (statement.predicate < 0 || rival.at < statement.predicate);
/** `orders` before one value and `order_lines` before the other: two different things. */
const hasCodeBefore = (terms: readonly Term[], at: number): boolean => terms.some((term) => term.code && term.at < at);

/** "Redis for sessions" and "Memcached for fragments" don't conflict. */
const isForAnother = (a: Statement, b: Statement, one: Rival, other: Rival, match: Match): boolean =>
  a.purpose > one.at &&
  b.purpose > other.at &&
  telling(match.leftA).some((term) => term.at > a.purpose) &&
  telling(match.leftB).some((term) => term.at > b.purpose);

/** "One deadlock …" and "the other deadlock …", "the first run" and "the second run" don't conflict. */
const isOtherWhich = (a: Statement, b: Statement): boolean =>
  [...a.attached].some(([head, which]) => head.endsWith(' which') && b.attached.has(head) && b.attached.get(head) !== which);

const IRREGULAR = wordSet(
  'came went got ran broke took gave made did sent kept held left lost found saw wrote built brought began fell rose grew threw hit cut put let cost use need have can cannot will do',
);
/** A clause without a verb states nothing about a thing, except a number or a state. */
const isTitle = (statement: Statement): boolean =>
  statement.predicate < 0 && !statement.words.some((word, at) => at > 0 && (VERBS.has(word) || IRREGULAR.has(word) || /(?:[^su]s|ed)$/u.test(word)));

export const namedConflict = (a: Statement, b: Statement, match: Match): Contradiction | null => {
  if (((a.open || b.open) && !a.only && !b.only) || isOtherWhich(a, b)) return null;
  const [leftA, leftB] = [telling(match.leftA), telling(match.leftB)];
  for (const one of a.rivals)
    for (const other of b.rivals) {
      if (hasCodeBefore(match.leftA, one.at) && hasCodeBefore(match.leftB, other.at)) continue;
      if (one.row !== other.row || one.name === other.name || a.names.has(other.name) || b.names.has(one.name)) continue;
      if (WORDY.has(one.row) && (match.direct < ENOUGH || !isNamed(a, one) || !isNamed(b, other))) continue;
      // "logs in JSON" and "gets its config from YAML" share one word, and each continues with something else.
      if (match.direct < ENOUGH && !isBare(match.leftA, a) && !isBare(match.leftB, b)) continue;
      if (isForAnother(a, b, one, other, match)) continue;
      const restA = leftA.filter((term) => term.at < a.predicate && term.name !== one.name && !EXCLUSIVE.has(term.name));
      const restB = leftB.filter((term) => term.at < b.predicate && term.name !== other.name && !EXCLUSIVE.has(term.name));
      // "The raw zone holds …", "the curated zone holds …"
      if (match.otherOne && isAttributed(leftA, one) && isAttributed(leftB, other)) continue;
      if (tellsWhich(a, one) || tellsWhich(b, other) || (restA.length > 0 && restB.length > 0)) continue;
      return valueConflict(match.subject, wordFor(a, one.name), wordFor(b, other.name));
    }
  if ((a.only && b.every) || (b.only && a.every)) return valueConflict(match.subject, a.only ? 'only some' : 'all', a.only ? 'all' : 'only some');
  const inverse = [...match.shared.keys()].some(
    (name) => UNIQUE.has(name) && (a.names.get(name)?.at ?? -1) > a.predicate && (b.names.get(name)?.at ?? -1) > b.predicate,
  );
  if (
    inverse &&
    a.predicate > 0 &&
    b.predicate > 0 &&
    leftA.length > 0 &&
    leftB.length > 0 &&
    leftA.every((term) => term.at < a.predicate) &&
    leftB.every((term) => term.at < b.predicate)
  )
    return valueConflict(match.subject, shown(leftA), shown(leftB));
  const unique = [...match.shared.keys()].some((name) => UNIQUE.has(name));
  if (unique && leftA.length === 1 && leftB.length === 1) return valueConflict(match.subject, shown(leftA), shown(leftB));
  if (isTitle(a) || isTitle(b)) return null;
  if (match.direct < ENOUGH) return match.single ? slotConflict(a, b, match) : null;
  if (isOtherKind(a, b, leftA, leftB)) return valueConflict(match.subject, shown(leftA), shown(leftB));
  const slot = slotConflict(a, b, match) ?? codeConflict(a, b, match);
  if (slot !== null) return slot;
  const key = [...a.keys.keys()].find((name) => b.keys.has(name));
  const exclusive = key !== undefined || a.only || b.only || [...match.shared.keys()].some((name) => EXCLUSIVE.has(name));
  if (!exclusive) return null;
  const [fromA, fromB] = key === undefined ? [a.predicate, b.predicate] : [a.keys.get(key) ?? -1, b.keys.get(key) ?? -1];
  const [slotA, slotB] = [leftA.filter((term) => term.at !== fromA), leftB.filter((term) => term.at !== fromB)];
  if ([...a.quantities.filter((quantity) => quantity.at > fromA), ...b.quantities.filter((quantity) => quantity.at > fromB)].length > 0) return null;
  if (fromA < 0 || fromB < 0 || slotA.length === 0 || slotB.length === 0) return null;
  if (match.otherOne || [...slotA, ...slotB].some((term) => SCOPES.has(term.word)) || slotA.length + slotB.length > 6) return null;
  if (key !== 'outcome' && [...slotA, ...slotB].some((term) => term.name.startsWith('±'))) return null;
  if (key?.startsWith('uses') === true && match.named < 2) return null;
  if (a.purpose >= 0 && b.purpose >= 0 && slotA.some((term) => term.at > a.purpose) && slotB.some((term) => term.at > b.purpose)) return null;
  if (key === 'own' ? slotA.length + slotB.length > 3 : slotA.some((term) => term.at < fromA) || slotB.some((term) => term.at < fromB)) return null;
  return valueConflict(match.subject, shown(slotA), shown(slotB));
};
