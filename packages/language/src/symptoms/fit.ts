import { CODELESS_TERMS, inTwo, NUMBERLESS_TERMS, type Condition, type Part, type Term } from './conditions.ts';
import { NOT_REPORTED } from './tone.ts';
import { agrees, endsOf, firstFrom, nearestTo, spotsOf, type Sight, type Spots } from './sight.ts';

/** How well a text matches a condition, and which of its terms were found. */
export type Fit = { readonly score: number; readonly seen: readonly Term[] };

/** The current worth of a term: the more conditions contain it, the lower. */
export type Rarity = (term: Term) => number;

/** The highest score that these words could reach in the condition's own order: a quick check before the slow one. */
export const hopeOf = (condition: Condition, sight: Sight, rarity: Rarity): number =>
  scoreOf(
    condition,
    condition.parts.map((part) => hopedPart(part, sight, rarity)),
  );

export const fitOf = (condition: Condition, sight: Sight, rarity: Rarity): Fit => {
  const infos = condition.parts.map((part) => hopedPart(part, sight, rarity).info);
  const all = infos.reduce((total, info) => total + info, 0);
  const kept = condition.parts.map((part, at) => bestFits(part, sight, rarity, (all - (infos[at] ?? 0)) * SHARED));
  let best: Fit = { score: 0, seen: [] };
  for (const lead of kept.flat()) {
    const chosen = kept.map((fits) => fits.find(({ place }) => Math.abs(place - lead.place) <= REACH) ?? null);
    const said = scoreOf(
      condition,
      chosen.map((fit) => fit?.evidence ?? null),
    );
    const score = chosen.reduce((least, fit) => Math.min(least, fit === null ? 1 : trustIn(fit, sight)), 1) * said;
    if (score > best.score)
      best = { score, seen: condition.parts.flatMap(({ terms }, at) => terms.filter((_, term) => isSeen(chosen[at]?.places[term]))) };
  }
  return best;
};

const isSeen = (place: number | undefined): boolean => place !== undefined && place !== UNSEEN;

/** Program output itself contains "can" and "may", so only what is clearly not a report counts against it. */
const trustIn = ({ evidence: { part, cohesion, coverage, count }, places }: PartFit, sight: Sight): number => {
  const seen = places.filter((place) => place !== UNSEEN);
  const own = seen.reduce((least, place) => Math.min(least, sight.trust.get(place) ?? 1), 1);
  const literal = sight.printed && part.literal && cohesion >= 0.85 && coverage >= 0.85;
  // Four words exactly as in the condition share its tone: "client intended to send" is not a plan.
  const verbatim = count >= VERBATIM && cohesion >= 0.95 && coverage >= 0.95;
  const trust = own <= NOT_REPORTED ? own : verbatim ? 1 : literal ? (1 + own) / 2 : own;
  // "No function timed out": if the condition denies nothing, a clause that denies is about something else.
  const denied = seen.filter((place) => sight.reached.has(place) || sight.negated.has(place)).length;
  const isDenied = denied * 2 >= seen.length || seen.some((place) => sight.denied.has(place));
  return isDenied && part.denials === 0 && !part.terms.some(isZero) ? Math.min(trust, NOT_REPORTED) : trust;
};

const isZero = ({ shape: { stem } }: Term): boolean => stem === 'zero' || stem === '#0';

const VERBATIM = 4;
/** The maximum distance between the parts of a condition, and between the words of one part. */
const REACH = 160;
const WINDOW = 40;
const CLOSE = 12;
/** A match in one half makes it likelier that the other half is meant, too. */
const SHARED = 0.7;
const LEAST_INFO = 1;
const LITTLE_INFO = 1.25;
/** "The queue is full" contains all of "queue full", in the same order. */
const LEAST_WHOLE = 0.65;
const MOST_ANCHORS = 16;
const MOST_KEPT = 6;
/** With a part below this grade, no condition can match well enough. */
const HOPELESS = 0.3;
const UNSEEN = -1;
const TURNED = 0.35;

type Evidence = {
  readonly part: Part;
  readonly count: number;
  readonly predicates: number;
  readonly denials: number;
  /** The weight found, and its share of the part. */
  readonly info: number;
  readonly coverage: number;
  /** The share of the strong terms found, and the share of the others. */
  readonly strong: number;
  readonly others: number;
  /** A long name was found literally, which is enough for its half. */
  readonly named: boolean;
  readonly cohesion: number;
  /** Its words are spread over several sentences. */
  readonly scattered: boolean;
};

type PartFit = {
  readonly evidence: Evidence;
  readonly place: number;
  /** The place of each term of the part. */
  readonly places: readonly number[];
  readonly grade: number;
};

const isWhole = (fit: Evidence | null): boolean => fit !== null && fit.count > 1 && fit.coverage > 0.99 && fit.cohesion >= 0.95;

const scoreOf = ({ parts, halves }: Condition, fits: readonly (Evidence | null)[]): number => {
  let info = 0;
  for (const fit of fits) info += fit?.info ?? 0;
  if (info < LEAST_INFO && !(info >= LEAST_WHOLE && fits.every(isWhole))) return 0;
  let sum = 0;
  let least = 1;
  let count = 0;
  let whole = halves > 1;
  for (const [at, part] of parts.entries()) {
    const fit = fits[at] ?? null;
    const score = fit === null ? 0 : gradeOf(fit, fit.info + (info - fit.info) * SHARED);
    if (fit === null || fit.coverage < 0.85) whole = false;
    if (score < 0.5 && fits.some((other) => other !== null && other.named && other.part.half === part.half)) continue;
    sum += score;
    least = Math.min(least, score);
    count += 1;
  }
  const bonus = whole ? 0.08 * within(0, (info - 2) / 1.5, 1) : 0;
  return Math.min(1, (sum / count + least) / 2 + bonus);
};

/** `evidence` is the total weight found: the higher it is, the less the arrangement of the words matters. */
const gradeOf = (
  { part, count, predicates, denials, info, coverage, cohesion, scattered, strong, others, named }: Evidence,
  evidence: number,
): number => {
  const loose = within(0, (evidence - 2) / 3.5, 0.55) * (part.literal ? 0.6 : 1) * (scattered ? SCATTERED : 1);
  const score = coverage * (loose + (1 - loose) * cohesion);
  const strongShare = part.strong / part.weight;
  if (strongShare > 0 && strong < 0.6) {
    // An error text without its code still matches if it is there word by word; but "exit code" without its number may be any exit.
    return others >= 0.95 &&
      cohesion >= 0.9 &&
      info >= LEAST_INFO &&
      count >= (part.numbered ? NUMBERLESS_TERMS : CODELESS_TERMS + (part.literal ? 0 : 1))
      ? 0.7
      : score * 0.6;
  }
  if (named) return Math.max(score, 0.8);
  // "SIGTERM received" is the opposite of "SIGTERM never received", however rare the word.
  if (denials === 0 && part.denials > 0) return score * 0.6;
  const lifted = Math.max(score, 0.3 + 0.7 * coverage);
  if (strong * strongShare >= 0.5) return lifted;
  if (predicates * 2 < part.predicates) return score * 0.6;
  // An error text of generic words only must be found completely: "too many authentication failures".
  if (part.literal && coverage < 0.95 && info < LITTLE_INFO) return score * 0.6;
  return strong * part.strong >= 1.5 ? lifted : score;
};

/** The worth of words spread over several sentences, relative to words in one. */
const SCATTERED = 0.75;

const within = (least: number, value: number, most: number): number => Math.max(least, Math.min(most, value));

/** Sums up what was found of a part. `qualities` says how certain each term is; 0 means not found. */
const evidenceOf = (part: Part, weights: readonly number[], qualities: readonly number[], cohesion: number, scattered: boolean): Evidence => {
  let [info, all, strong, strongAll, count, predicates, denials] = [0, 0, 0, 0, 0, 0, 0];
  let named = false;
  for (let at = 0; at < weights.length; at += 1) {
    const term = part.terms[at];
    const weight = weights[at] ?? 0;
    const quality = qualities[at] ?? 0;
    if (term === undefined) continue;
    all += weight;
    if (term.strong) strongAll += weight;
    if (quality === 0) continue;
    count += 1;
    info += weight * quality;
    if (term.predicate) predicates += 1;
    if (term.negated) denials += 1;
    if (!term.strong) continue;
    strong += weight * quality;
    if (quality === 1 && term.shape.parts.length > 2) named = true;
  }
  const others = share(info - strong, all - strongAll);
  return { part, count, predicates, denials, info, coverage: info / all, strong: share(strong, strongAll), others, named, cohesion, scattered };
};

const weightsOf = ({ terms }: Part, rarity: Rarity): readonly number[] => terms.map((term) => term.weight * rarity(term));

const share = (some: number, all: number): number => (all > 0 ? some / all : 0);

const hopedPart = (part: Part, sight: Sight, rarity: Rarity): Evidence =>
  evidenceOf(
    part,
    weightsOf(part, rarity),
    part.terms.map((term) => (mayBeSeen(term, sight) ? 1 : 0)),
    1,
    false,
  );

const mayBeSeen = ({ shape, joined }: Term, { places }: Sight): boolean =>
  places.has(shape.concept) ||
  [...joined, inTwo(shape.stem)].some((key) => places.has(key)) ||
  (shape.kind === 'name' && shape.parts.some(({ concept }) => places.has(concept)));

/** A few of the best matches, at different places. */
const bestFits = (part: Part, sight: Sight, rarity: Rarity, elsewhere: number): readonly PartFit[] => {
  const spots = part.terms.map((term) => spotsOf(term, sight));
  const weights = weightsOf(part, rarity);
  const best: PartFit[] = [];
  for (const anchor of anchorsOf(part, spots)) {
    const term = part.terms[anchor];
    for (const place of endsOf(spots[anchor]?.places ?? [], MOST_ANCHORS)) {
      if (term === undefined || !agrees(term, place, sight)) continue;
      const nearest = placesAt(part, spots, sight, term, place, false);
      const most = evidenceOf(part, weights, qualitiesOf(spots, nearest), 1, false);
      if (gradeOf(most, most.info + elsewhere) < HOPELESS) continue;
      const inOrder = placesAt(part, spots, sight, term, place, true);
      // More words over a greater distance may prove more or less than a few words close together.
      for (const places of distinct(inOrder, nearest, closeTo(inOrder, place))) {
        const evidence = evidenceOf(part, weights, qualitiesOf(spots, places), cohesionOf(part, places), isScattered(places, sight));
        keep(best, { evidence, place, places, grade: gradeOf(evidence, evidence.info + elsewhere) });
      }
    }
  }
  return best;
};

const qualitiesOf = (spots: readonly Spots[], places: readonly number[]): readonly number[] =>
  places.map((place, at) => (place === UNSEEN ? 0 : (spots[at]?.qualityAt(place) ?? 0)));

const isScattered = (places: readonly number[], { sentences }: Sight): boolean => {
  const seen = places.filter((place) => place !== UNSEEN);
  if (seen.length === 0) return false;
  return firstFrom(sentences, Math.min(...seen) + 1) !== firstFrom(sentences, Math.max(...seen) + 1);
};

const keep = (best: PartFit[], fit: PartFit): void => {
  const same = best.findIndex(({ place }) => place === fit.place);
  if (same >= 0) {
    if ((best[same]?.grade ?? 0) >= fit.grade) return;
    best.splice(same, 1);
  }
  const at = best.findIndex(({ grade }) => grade < fit.grade);
  if (at >= 0) best.splice(at, 0, fit);
  else if (best.length < MOST_KEPT) best.push(fit);
  if (best.length > MOST_KEPT) best.pop();
};

/** The two heaviest terms, and the one with the fewest occurrences, because it best shows where to look. */
const anchorsOf = ({ terms }: Part, spots: readonly Spots[]): ReadonlySet<number> => {
  const seen = terms.map((_, at) => at).filter((at) => (spots[at]?.places.length ?? 0) > 0);
  const heavy = seen.toSorted((a, b) => (terms[b]?.weight ?? 0) - (terms[a]?.weight ?? 0) || a - b).slice(0, 2);
  const rare = seen.toSorted((a, b) => (spots[a]?.places.length ?? 0) - (spots[b]?.places.length ?? 0) || a - b).slice(0, 1);
  return new Set([...heavy, ...rare]);
};

/** The place of each term, relative to one of them: nearest to where the condition's order puts it, or simply nearest. */
const placesAt = (part: Part, spots: readonly Spots[], sight: Sight, anchor: Term, place: number, ordered: boolean): readonly number[] =>
  part.terms.map((term, at) => {
    if (term === anchor) return place;
    const wanted = ordered ? place + (term.place - anchor.place) : place;
    const nearest = nearestTo(spots[at]?.places ?? [], wanted, (one) => agrees(term, one, sight));
    return nearest === null || Math.abs(nearest - place) > WINDOW ? UNSEEN : nearest;
  });

const closeTo = (places: readonly number[], place: number): readonly number[] => places.map((one) => (Math.abs(one - place) > CLOSE ? UNSEEN : one));

const distinct = (...all: readonly (readonly number[])[]): readonly (readonly number[])[] =>
  all.filter((places, at) => !all.slice(0, at).some((before) => before.every((place, term) => place === places[term])));

/** 1 if the words follow one another as in the condition. Distance lowers it, and in program output so does the wrong order. */
const cohesionOf = (part: Part, places: readonly number[]): number => {
  let [total, least, turned, pairs] = [0, 1, 0, 0];
  let [low, high, from, last, before] = [Infinity, UNSEEN, 0, 0, UNSEEN];
  for (const [at, term] of part.terms.entries()) {
    const place = places[at] ?? UNSEEN;
    if (place === UNSEEN) continue;
    if (before === UNSEEN) from = term.place;
    else {
      const apart = place - before;
      const spare = apart >= 0 ? Math.abs(apart - (term.place - last)) : 2 - apart;
      const pair = part.literal && apart < 0 ? 0.25 : step(spare, IN_ORDER);
      if (apart < 0) turned += 1;
      total += pair;
      least = Math.min(least, pair);
      pairs += 1;
    }
    [before, last] = [place, term.place];
    [low, high] = [Math.min(low, place), Math.max(high, place)];
  }
  if (pairs === 0) return 1;
  const inOrder = (total / pairs + least) / 2;
  return part.literal ? inOrder : Math.max(inOrder, step(high - low - (last - from), TOGETHER) * (1 - (TURNED * turned) / pairs));
};

/** How much cohesion is left for a given number of extra words between two words, or between the first and the last. */
const IN_ORDER: readonly (readonly [number, number])[] = [
  [1, 1],
  [3, 0.85],
  [6, 0.65],
  [10, 0.45],
  [16, 0.25],
  [Infinity, 0.1],
];
const TOGETHER: readonly (readonly [number, number])[] = [
  [3, 0.85],
  [5, 0.75],
  [8, 0.6],
  [12, 0.4],
  [Infinity, 0.2],
];

const step = (spare: number, steps: readonly (readonly [number, number])[]): number => steps.find(([most]) => spare <= most)?.[1] ?? 0;
