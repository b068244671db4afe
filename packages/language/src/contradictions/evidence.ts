import { MANNER_WORDS } from '../text/lexicon/manner-words.ts';
import { wordSet } from '../text/stems.ts';
import { align, nearBetween, type Alignment, type Near } from './alignment.ts';
import { compareQuantities } from './amounts.ts';
import type { Contradiction } from './contradiction.ts';
import { areOtherCodes, matchOf } from './matching.ts';
import { dot, type Clause, type Material, type Sense } from './material.ts';
import type { Quantity } from './measures.ts';
import { anchorsDiffer, isOtherTime } from './times.ts';

/** CONF-21: the evidence for and against a contradiction, by name. Evidence that each text has gives the lesser (`<`) and the greater value (`>`). */
export type Evidence = Record<string, number>;

export type Weighed = {
  readonly evidence: Evidence;
  /** The most similar pair of clauses. */
  readonly nearest: { readonly a: Clause; readonly b: Clause; readonly alignment: Alignment } | null;
};

export const evidenceOf = (a: Material, b: Material, rule: Contradiction | null): Weighed => {
  const near = nearBetween(a, b);
  const out: Evidence = {};
  const nearest = nearestClauses(a, b, near, out);
  if (nearest !== null) ofClauses(nearest, a, b, near, out);
  ofNumbers(a, b, near, out);
  ofTexts(a, b, near, out);
  if (rule !== null) out[`rule ${rule.kind}`] = 1;
  for (const word of MANNER_WORDS) {
    const [inA, inB] = [a.said.has(word), b.said.has(word)];
    if (inA || inB) out[`${inA && inB ? '&' : '^'}${word}`] = 1;
  }
  return { evidence: out, nearest };
};

const both = (out: Evidence, name: string, a: number, b: number, most: number): void => {
  out[`${name}<`] = Math.min(most, a, b);
  out[`${name}>`] = Math.min(most, Math.max(a, b));
};
/** Whether exactly one of them has it, and whether both do. */
const either = (out: Evidence, name: string, a: boolean, b: boolean): void => {
  out[`${name}^`] = a === b ? 0 : 1;
  out[`${name}&`] = a && b ? 1 : 0;
};
const weightOf = (senses: readonly Sense[]): number => senses.reduce((sum, { weight }) => sum + weight, 0);

const nearestClauses = (a: Material, b: Material, near: Near, out: Evidence): Weighed['nearest'] => {
  let [best, most]: [Weighed['nearest'], number] = [null, -1];
  const atMost = (name: string, value: number): void => {
    out[name] = Math.max(out[name] ?? 0, value);
  };
  for (const one of a.clauses)
    for (const other of b.clauses) {
      const alignment = align(near, one.senses, other.senses);
      const score =
        Math.min(alignment.coverA, alignment.coverB) + 0.5 * Math.max(alignment.coverA, alignment.coverB) + 0.05 * Math.min(6, alignment.exact);
      const { negated, opposed } = signsOf(alignment);
      const reach = Math.min(1, score);
      atMost('most negated', reach * negated);
      atMost('most opposed', reach * opposed);
      if (one.statement.negated !== other.statement.negated) atMost('most not', reach);
      if ((one.statement.share === 'all') !== (other.statement.share === 'all')) atMost('most all', reach);
      if (one.statement.time.news !== other.statement.time.news) atMost('most news', 1);
      if (score > most) [best, most] = [{ a: one, b: other, alignment }, score];
    }
  return best;
};

const signsOf = ({ links }: Alignment): { readonly negated: number; readonly opposed: number; readonly agreed: number; readonly subject: number } => {
  let [negated, opposed, agreed, subject] = [0, 0, 0, 0];
  for (const { a, b, near } of links) {
    const isState = a.term.name.startsWith('±') || b.term.name.startsWith('±');
    if (a.term.denied === b.term.denied) {
      agreed += near;
      if (!isState) subject += Math.min(a.weight, b.weight) * near;
    } else if (isState && a.term.name === b.term.name && a.term.byNot === b.term.byNot) opposed += near;
    else negated += near;
  }
  return { negated: Math.min(3, negated), opposed: Math.min(3, opposed), agreed: Math.min(6, agreed), subject: Math.min(8, subject) };
};

const ofClauses = ({ a, b, alignment }: NonNullable<Weighed['nearest']>, one: Material, other: Material, near: Near, out: Evidence): void => {
  const { leftA, leftB, coverA, coverB, exact } = alignment;
  both(out, 'cover', coverA, coverB, 1);
  out['exact'] = Math.min(6, exact);
  both(out, 'left', weightOf(leftA), weightOf(leftB), 6);
  Object.assign(out, signsOf(alignment));
  const [said, against] = [a.statement, b.statement];
  either(out, 'not', said.negated, against.negated);
  either(out, 'some', said.share === 'some', against.share === 'some');
  either(out, 'all', said.share === 'all', against.share === 'all');
  either(out, 'only', said.only, against.only);
  either(out, 'norm', said.norm, against.norm);
  either(out, 'open', said.open, against.open);
  either(out, 'capped', said.capped, against.capped);
  either(out, 'past', said.time.past, against.time.past);
  either(out, 'now', said.time.now, against.time.now);
  either(out, 'news', said.time.news, against.time.news);
  out['tense'] = said.time.tense !== null && against.time.tense !== null && said.time.tense !== against.time.tense ? 1 : 0;
  out['other time'] = isOtherTime(said.time, against.time) ? 1 : 0;
  out['anchors'] = anchorsDiffer(said.time, against.time) ? 1 : 0;
  let [rivals, agreeing] = [0, 0];
  for (const x of said.rivals)
    for (const y of against.rivals) {
      if (x.row !== y.row) continue;
      if (x.name === y.name) agreeing += 1;
      else if (!against.names.has(x.name) && !said.names.has(y.name)) rivals += 1;
    }
  out['rivals'] = Math.min(2, rivals);
  out['rivals agreeing'] = Math.min(2, agreeing);
  both(out, 'names', namesIn(leftA), namesIn(leftB), 3);
  both(
    out,
    'proper',
    leftA.filter(({ term }) => one.proper.has(term.word)).length,
    leftB.filter(({ term }) => other.proper.has(term.word)).length,
    3,
  );
  both(out, 'front', inFront(a, leftA), inFront(b, leftB), 3);
  both(out, 'senses', a.senses.length, b.senses.length, 20);
  both(out, 'quantities', said.quantities.length, against.quantities.length, 4);
  out['near left'] = leftA.reduce((most, x) => Math.max(most, ...leftB.map((y) => near(x, y))), 0);
  const [firstA, firstB] = [a.senses.find(({ term }) => !term.inherited), b.senses.find(({ term }) => !term.inherited)];
  out['first'] = firstA === undefined || firstB === undefined ? 0 : near(firstA, firstB);
  both(
    out,
    'head',
    firstA === undefined ? 0 : Math.max(0, ...b.senses.map((y) => near(firstA, y))),
    firstB === undefined ? 0 : Math.max(0, ...a.senses.map((x) => near(x, firstB))),
    1,
  );
  const match = matchOf(said, against, one.claim, other.claim, areOtherCodes(one.claim, other.claim));
  out['match'] = Math.min(5, match?.weight ?? 0);
  out['named'] = Math.min(5, match?.named ?? 0);
  out['direct'] = Math.min(5, match?.direct ?? 0);
  out['other one'] = match?.otherOne === true ? 1 : 0;
  out['other case'] = match?.otherCase === true ? 1 : 0;
};

const namesIn = (senses: readonly Sense[]): number => senses.filter(({ term }) => term.identifier || term.code).length;
/** Words that say which one is meant: right before the noun, or before the predicate. */
const inFront = ({ statement }: Clause, left: readonly Sense[]): number =>
  left.filter(({ term }) => !term.inherited && (term.attributive || (statement.predicate >= 0 && term.at < statement.predicate))).length;

type Told = { readonly quantity: Quantity; readonly clause: Clause };
const toldIn = ({ clauses }: Material): readonly Told[] =>
  clauses.flatMap((clause) => clause.statement.quantities.map((quantity) => ({ quantity, clause }))).slice(0, MOST_NUMBERS);
const MOST_NUMBERS = 10;
const around = ({ quantity, clause }: Told): readonly string[] => clause.statement.words.slice(Math.max(0, quantity.at - 5), quantity.until + 4);
const nounsOf = ({ quantity, clause }: Told): readonly Sense[] =>
  clause.senses.filter(({ term }) => quantity.nouns.includes(term.name) || (term.at >= quantity.until && term.at <= quantity.until + 1));

const ofNumbers = (a: Material, b: Material, near: Near, out: Evidence): void => {
  const [ones, others] = [toldIn(a), toldIn(b)];
  let [same, most] = [0, -1];
  let best: { readonly x: Told; readonly y: Told; readonly context: number; readonly nouns: number } | null = null;
  for (const x of ones)
    for (const y of others) {
      const verdict = compareQuantities(x.quantity, y.quantity, true);
      if (verdict === 'same') same += 1;
      if (verdict !== 'other') continue;
      const { coverA, coverB } = align(near, x.clause.senses, y.clause.senses);
      const [nounsA, nounsB] = [nounsOf(x), nounsOf(y)];
      const nouns =
        nounsA.length === 0 && nounsB.length === 0 ? 0.5 : nounsA.reduce((top, one) => Math.max(top, ...nounsB.map((other) => near(one, other))), 0);
      const context = Math.max(coverA, coverB) + 0.5 * Math.min(coverA, coverB);
      const score = context + (x.quantity.measure === 'count' ? nouns : 0.6);
      if (score > most) [best, most] = [{ x, y, context, nouns }, score];
    }
  out['numbers same'] = Math.min(4, same);
  both(out, 'numbers', ones.length, others.length, 5);
  if (best === null) return;
  const { x, y, context, nouns } = best;
  const { measure } = x.quantity;
  const [p, q] = [Math.abs(x.quantity.parts[0] ?? 0), Math.abs(y.quantity.parts[0] ?? 0)];
  out['numbers differ'] = most;
  out['numbers context'] = context;
  out['numbers nouns'] = nouns;
  out['numbers unit'] = measure === 'count' || measure === 'version' || measure === 'date' ? 0 : 1;
  out['numbers version'] = measure === 'version' || measure === 'date' ? 1 : 0;
  out['numbers ratio'] = p === 0 || q === 0 ? MOST_RATIO : Math.min(MOST_RATIO, Math.abs(Math.log(p / q)));
  out['numbers alone'] = Number(x.quantity.alone) + Number(y.quantity.alone);
  either(out, 'numbers bound', x.quantity.bound !== 'exact', y.quantity.bound !== 'exact');
  const [byX, byY] = [around(x), around(y)];
  for (const [name, list] of NUMBERED)
    either(
      out,
      name,
      byX.some((word) => list.has(word)),
      byY.some((word) => list.has(word)),
    );
};
const MOST_RATIO = 6;
/** What a number stands for: a limit, an observation, or part of something. */
const NUMBERED = [
  [
    'numbers limit',
    wordSet(
      'max maximum min minimum limit limits limited cap capped quota budget target goal threshold allowed least most up over under above below timeout slo sla requires required at',
    ),
  ],
  [
    'numbers seen',
    wordSet(
      'took takes peaked peaks reached reaches measured used uses usage currently yesterday today last saw seen got went came longest largest biggest average typical',
    ),
  ],
  ['numbers part', wordSet('of them those these only rest remaining other others half')],
] as const;

const ofTexts = (a: Material, b: Material, near: Near, out: Evidence): void => {
  const whole = align(near, a.senses, b.senses);
  both(out, 'all cover', whole.coverA, whole.coverB, 1);
  out['all exact'] = Math.min(8, whole.exact);
  out['meaning'] = dot(a.vector, b.vector);
  both(out, 'words', a.words, b.words, 60);
  both(out, 'sentences', a.sentences, b.sentences, 6);
  both(out, 'clauses', a.clauses.length, b.clauses.length, 8);
  const own = (left: readonly Sense[], mine: Material, theirs: Material): number =>
    left.filter(({ term }) => mine.proper.has(term.word) && !theirs.said.has(term.word)).length;
  both(out, 'all proper', own(whole.leftA, a, b), own(whole.leftB, b, a), 3);
  let [against, along] = [0, 0];
  for (const [at, side] of a.stance.entries()) {
    const agreed = Math.sign(side) * Math.sign(b.stance[at] ?? 0);
    if (agreed < 0) against += 1;
    if (agreed > 0) along += 1;
  }
  out['against'] = Math.min(6, against);
  out['along'] = Math.min(8, along);
  out['against share'] = against / Math.max(1, against + along);
  const count = (words: ReadonlySet<string>, { said }: Material): number => [...words].filter((word) => said.has(word)).length;
  both(out, 'universal', count(UNIVERSAL, a), count(UNIVERSAL, b), 3);
  const [denialsA, denialsB] = [count(DENIALS, a), count(DENIALS, b)];
  both(out, 'denials', denialsA, denialsB, 3);
  const apart = Math.min(3, Math.abs(denialsA - denialsB));
  out['denials apart'] = apart;
  out['denials covered'] = apart * Math.min(whole.coverA, whole.coverB);
};
const UNIVERSAL = wordSet('all every any each always everything everyone whole entire nothing nobody none never no only whatever exactly');
const DENIALS = wordSet('not no never nothing nobody none without neither nor cannot lacks lack missing nowhere unable fails');
