import { compareQuantities } from './amounts.ts';
import type { Statement } from './claim.ts';
import { valueConflict, type Contradiction } from './contradiction.ts';
import type { Match } from './matching.ts';
import type { Quantity } from './measures.ts';
import { rivalClassOf } from '../text/lexicon/rivals.ts';
import { stemOf, wordSet } from '../text/stems.ts';
import { isGeneric } from '../text/lexicon/finding-words.ts';

/** After one of these, a number is a name: a different number means a different thing. */
const NUMBERED = wordSet(
  'replica node region zone server instance thread core shard invoice account cluster queue topic channel driver client api phase round run customer tenant user build page row job issue ticket shard step migration offset line case order phase day week pr sprint chapter section item id number test worker host pod partition ios android windows chrome firefox safari macos ubuntu debian',
);
const PLATFORMS = wordSet('ios android windows chrome firefox safari macos ubuntu debian');

const NOTHING = { found: null, agrees: false, differs: false } as const;
export const quantityConflict = (
  a: Statement,
  b: Statement,
  match: Match,
  anchored: boolean,
): { readonly found: Contradiction | null; readonly agrees: boolean; readonly differs: boolean } => {
  if (a.quantities.length === 0 || b.quantities.length === 0) return NOTHING;
  let [found, alike]: [Contradiction | null, boolean] = [null, false];
  let [agrees, differs, named] = [false, false, false];
  let otherThing = a.negated !== b.negated;
  const caps = a.capped && b.capped;
  for (const one of a.quantities) {
    for (const other of b.quantities) {
      if (anchored && (isAnchor(one, a) || isAnchor(other, b))) continue;
      // "Migration 0041" in both is a name, not the value of anything.
      if (isSameName(one, b) !== isSameName(other, a)) continue;
      if (isPart(one, a) !== isPart(other, b)) continue;
      if (!sameMeasure(one, other, a, b)) continue;
      const verdict = compareQuantities(ceilinged(one, a, b), ceilinged(other, b, a), caps);
      if (verdict === 'unlike') continue;
      if (verdict === 'same') {
        if (isLabel(one) && one.label === other.label) named = true;
        else agrees = true;
      } else if (!isBounded(match) && (isName(one, a) || isName(other, b))) [differs, otherThing] = [true, true];
      else {
        differs = true;
        // If several pairs differ, the one that counts the same thing explains it best.
        const same = one.nouns.some((noun) => other.nouns.includes(noun));
        if (found === null || (same && !alike)) [found, alike] = [valueConflict(match.subject, shownText(one), shownText(other)), same];
      }
    }
  }
  // "Pixel 6" in both is the same phone, whatever else was measured on it.
  if (named && (found === null || otherThing)) agrees = true;
  return { found: otherThing ? null : found, agrees, differs };
};
/** "capped at 1 GiB" next to "uses 600 MiB". */
const ceilinged = (quantity: Quantity, own: Statement, other: Statement): Quantity =>
  own.ceiling && !other.capped && quantity.bound === 'exact' ? { ...quantity, bound: 'most' } : quantity;
const shownText = (quantity: Quantity): string => [quantity.text, ...quantity.nouns.slice(0, quantity.measure === 'count' ? 1 : 0)].join(' ');
const isAnchor = (quantity: Quantity, statement: Statement): boolean =>
  statement.time.anchors.some((anchor) => anchor.text === quantity.text && anchor.measure === quantity.measure);
const isName = (quantity: Quantity, statement: Statement): boolean =>
  isSubject(quantity, statement) ||
  (quantity.label !== null && NUMBERED.has(quantity.label) && !quantity.text.includes('.') && !(statement.only && PLATFORMS.has(quantity.label)));

/** "Five endpoints of the API are public": five of them, not the total. */
const isPart = (quantity: Quantity, { words, predicate }: Statement): boolean =>
  quantity.measure === 'count' && quantity.at === 0 && words.slice(quantity.until, predicate < 0 ? words.length : predicate).includes('of');

/** "Bit 3 enables …", "Revision 7 is …", "the 2023 files": a number at the beginning says which one is meant. */
const isSubject = (quantity: Quantity, statement: Statement): boolean =>
  quantity.measure === 'count' &&
  ((quantity.label !== null &&
    (quantity.at === 1 || (quantity.at === 2 && statement.words[0] === 'the')) &&
    /^\d+$/u.test(quantity.text.split(' ')[0] ?? '') &&
    quantity.at + 2 < statement.words.length) ||
    (/^(?:19|20)\d\d$/u.test(quantity.text.split(' ')[0] ?? '') && quantity.nouns.length > 0));

const isSameName = (quantity: Quantity, other: Statement): boolean =>
  isLabel(quantity) && other.quantities.some((twin) => isLabel(twin) && twin.label === quantity.label && twin.text === quantity.text);

const isLabel = (quantity: Quantity): boolean => quantity.measure === 'count' && quantity.label !== null;
/** "the minimum iOS is 13": here the number after the name is the value. */
const isBounded = (match: Match): boolean => ['minimum', 'maximum', 'target', '±require', '±supported', 'pin'].some((name) => match.shared.has(name));

const ANSWERS = wordSet('returns return returned answers answered responds responded gives gave got gets status code error a an with');
/** "returns 429": a status, not an amount. */
const isStatus = (quantity: Quantity, statement: Statement): boolean =>
  /^[1-5]\d\d$/u.test(quantity.text) && quantity.nouns.length === 0 && ANSWERS.has(statement.words[quantity.at - 1] ?? '');

const sameMeasure = (one: Quantity, other: Quantity, a: Statement, b: Statement): boolean => {
  if (isStatus(one, a) !== isStatus(other, b) && !(/^[1-5]\d\d$/u.test(one.text) && /^[1-5]\d\d$/u.test(other.text))) return false;
  if (
    one.label !== null &&
    other.label !== null &&
    one.label !== other.label &&
    one.nouns.length === 0 &&
    other.nouns.length === 0 &&
    (NUMBERED.has(one.label) || NUMBERED.has(other.label))
  )
    return false;
  if (one.label !== null && one.label === other.label) return true;
  if (one.label !== null && other.label !== null && rivalClassOf(one.label) !== undefined && rivalClassOf(one.label) === rivalClassOf(other.label))
    return false;
  if ((one.measure === 'interval') !== (other.measure === 'interval'))
    return [...a.terms, ...b.terms].some((term) => term.name === 'interval' || term.name === 'period' || term.name === 'frequenci');
  if (one.measure !== 'count' || other.measure !== 'count')
    return (
      one.measure !== 'rate' ||
      other.measure !== 'rate' ||
      one.nouns.length === 0 ||
      other.nouns.length === 0 ||
      one.nouns.some((noun) => other.nouns.includes(noun))
    );
  const [nounsA, nounsB] = [nounNames(one, a), nounNames(other, b)];
  if (nounsA.length === 0 && nounsB.length === 0) return true;
  if (nounsA.length > 0 && nounsB.length > 0) return nounsA.some((noun) => nounsB.includes(noun));
  const [nouns, statement] = nounsA.length > 0 ? [nounsA, b] : [nounsB, a];
  return nouns.some((noun) => statement.names.has(noun) || statement.terms.some((term) => term.pieces.some((piece) => piece.startsWith(noun))));
};
const nounNames = (quantity: Quantity, statement: Statement): readonly string[] =>
  quantity.nouns.map((noun) => statement.terms.find((term) => term.word === noun)?.name ?? stemOf(noun)).filter((noun) => !isGeneric(noun));
