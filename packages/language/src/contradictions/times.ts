import { compareQuantities } from './amounts.ts';
import type { Quantity } from './measures.ts';
import { quantitiesOf } from './quantities.ts';
import type { Token } from './tokens.ts';
import { stemOf, wordSet } from '../text/stems.ts';
import { STOP } from '../text/lexicon/finding-words.ts';

/** When a sentence holds: a thing may be one way before and another way after without any contradiction. */
export type Time = {
  /** Only said of the past; the present may differ. */
  readonly past: boolean;
  readonly now: boolean;
  readonly orders: readonly { readonly order: 'before' | 'during' | 'after'; readonly of: readonly string[] }[];
  readonly anchors: readonly Quantity[];
  /** The part of the day or week, or the load, that a sentence speaks of. */
  readonly parts: readonly string[];
};

const PAST = wordSet('previously formerly originally initially earlier until till prior historically yesterday');
const NOW = wordSet('now today currently nowadays anymore');
const SPANS = wordSet('week month year night quarter sprint release monday tuesday wednesday thursday friday saturday sunday time');
const PARTS = wordSet('noon night midnight morning evening afternoon weekends weekdays weekend idle peak');
const AT = wordSet('at when under during on the in');
const LINKING = wordSet('is are was were be been get gets being not');
const ANCHORED = wordSet('in on for since until through by from of during as till before after');

export const timeOf = (tokens: readonly Token[]): Time => {
  const words = tokens.map((token) => token.word);
  const orders: { order: 'before' | 'during' | 'after'; of: readonly string[] }[] = [];
  let [past, now] = [false, false];
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? '';
    if (
      (PAST.has(word) && !(word === 'yesterday' && next !== '' && !STOP.has(next))) ||
      (word === 'used' && next === 'to' && !LINKING.has(words[at - 1] ?? '')) ||
      (word === 'last' && SPANS.has(next)) ||
      (word === 'back' && next === 'then') ||
      (word === 'at' && next === 'the' && words[at + 2] === 'time')
    )
      past = true;
    if (
      (word === 'through' && /^(?:19|20)\d\d$/u.test(next)) ||
      (word === 'up' && next === 'to' && /^(?:build|version|release|v\d.*)$/u.test(words[at + 2] ?? ''))
    )
      past = true;
    if (
      NOW.has(word) ||
      (word === 'this' && SPANS.has(next)) ||
      (word === 'as' && next === 'of') ||
      (word === 'at' && next === 'the' && words[at + 2] === 'moment')
    )
      now = true;
    if (word === 'from' && words.slice(at + 1, at + 5).includes('on')) now = true;
    if (word === 'since') now = true;
    const order = word === 'once' && next !== 'a' && next !== 'per' ? 'after' : word === 'while' && at === 0 ? 'during' : word;
    if ((order === 'before' || order === 'after' || order === 'during') && !/^\d/u.test(next)) {
      const of = words.slice(at + 1, at + 7).filter((later) => !STOP.has(later) && /^[a-z]/u.test(later));
      if (of.length > 0) orders.push({ order, of: of.map(stemOf) });
    }
  }
  const [was, is] = [words.includes('was') || words.includes('were') || words.includes('had'), words.includes('is') || words.includes('are')];
  if (was && !is && (orders.some(({ order }) => order === 'during') || words.includes('morning'))) past = true;
  const anchors = quantitiesOf(words).filter(
    (quantity) =>
      ((quantity.measure === 'date' || quantity.measure === 'weekday') &&
        (quantity.at === 0 || ANCHORED.has(words[quantity.at - 1] ?? '') || words[quantity.at - 1] === 'the')) ||
      (quantity.measure === 'clock' &&
        (quantity.at <= 1 || (was && !is) || isDone(words, quantity.at)) &&
        (quantity.at === 0 || words[quantity.at - 1] === 'at')) ||
      (quantity.measure === 'version' && ANCHORED.has(words[quantity.at - 1] ?? '') && quantity.text.startsWith('v')) ||
      (quantity.measure === 'count' && /^(?:build|version|release|sprint|migration)$/u.test(quantity.label ?? '')),
  );
  const parts = words.flatMap((word, at) => (PARTS.has(word) && (at === 0 || AT.has(words[at - 1] ?? '')) ? [word] : []));
  return { past, now, orders, anchors, parts };
};

export const isOtherTime = (a: Time, b: Time): boolean =>
  a.past !== b.past || isDated(a, b) || isDated(b, a) || ordersOf(a, b) || ordersOf(b, a) || anchorsDiffer(a, b) || partsDiffer(a, b);

/** "crashed at 03:12", but not "is started at 03:12". */
const isDone = (words: readonly string[], at: number): boolean => (words[at - 2]?.endsWith('ed') ?? false) && !LINKING.has(words[at - 3] ?? '');
const partsDiffer = (a: Time, b: Time): boolean => a.parts.length > 0 && b.parts.length > 0 && !a.parts.some((part) => b.parts.includes(part));

const isDated = (a: Time, b: Time): boolean => a.now && a.anchors.length === 0 && b.anchors.some((anchor) => anchor.measure === 'date');

const ordersOf = (a: Time, b: Time): boolean =>
  a.orders.some(({ order, of }) =>
    b.orders.some((other) => other.order !== order && (order === 'before' || other.of.some((word) => of.includes(word)))),
  ) ||
  (b.now && !a.now && a.orders.some(({ order }) => order === 'before'));

export const anchorsDiffer = (a: Time, b: Time): boolean =>
  a.anchors.some((one) => b.anchors.some((other) => compareQuantities(one, other, false) === 'other')) &&
  !a.anchors.some((one) => b.anchors.some((other) => compareQuantities(one, other, false) === 'same'));
