import { inTwo, weightOf, type Term } from './conditions.ts';
import { stemOf } from '../text/stems.ts';
import { trustOf, type Trust } from './tone.ts';
import { SENTENCE, type Shape, type Word } from './words.ts';

/** Where the words of a text are, by stem and by concept; each list of places is sorted. */
export type Sight = {
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly negated: ReadonlySet<number>;
  /** A negation comes right before the word (`denied`), or a "no" or "nothing" earlier in its clause (`reached`). */
  readonly denied: ReadonlySet<number>;
  readonly reached: ReadonlySet<number>;
  readonly trust: Trust;
  /** It contains names as programs write them, so it may be program output. */
  readonly printed: boolean;
  /** The places where sentences begin, except the first. */
  readonly sentences: readonly number[];
};

/** Where a text contains a term of a condition, and how certain each place is: 1 for the exact word. */
export type Spots = { readonly places: readonly number[]; readonly qualityAt: (place: number) => number };

export const sightOf = (words: readonly Word[]): Sight => {
  const places = new Map<string, number[]>();
  const negated = new Set<number>();
  const denied = new Set<number>();
  const reached = new Set<number>();
  const sentences: number[] = [];
  let before = 0;
  const note = (key: string, place: number): void => {
    const list = places.get(key);
    if (list === undefined) places.set(key, [place]);
    else insert(list, place);
  };
  let last: Word | undefined;
  for (const word of words) {
    const { shape, place, negated: isNegated, denied: isDenied, reached: isReached, covered, expression } = word;
    if (isNegated && !covered) negated.add(place);
    if (place - before > SENTENCE) sentences.push(place);
    before = Math.max(before, place);
    if (isReached && !covered) reached.add(place);
    if (isDenied && !covered) denied.add(place);
    note(shape.stem, place);
    if (shape.concept !== shape.stem && !covered) note(shape.concept, place);
    if (!expression && last !== undefined && place - last.place === 1 && isPlain(shape) && isPlain(last.shape))
      note(inTwo(stemOf((last.text + word.text).toLowerCase())), last.place);
    if (!expression) last = word;
    for (const name of shape.inner) note(name, place);
    for (const part of shape.parts) {
      note(part.stem, place);
      if (part.concept !== part.stem) note(part.concept, place);
    }
  }
  return { places, negated, denied, reached, trust: trustOf(words), printed: words.some(isPrinted), sentences };
};

const isPrinted = ({ shape, text }: Word): boolean =>
  (shape.kind === 'name' && !shape.either && (shape.parts.length > 2 || text.includes('_') || text.includes('.'))) || PRINTED.has(text);

const PRINTED = new Set(['Error', 'ERROR', 'error', 'Exception', 'WARN', 'WARNING', 'Warning', 'FATAL', 'fatal', 'Fatal']);

const isPlain = ({ kind, stem }: Shape): boolean => kind === 'word' && stem.length > 2 && stem.length < 12;

/** An expression is noted after its last word but at the place of its first, so the insertion may go back a few places. */
const insert = (list: number[], place: number): void => {
  let at = list.length;
  while (at > 0 && (list[at - 1] ?? 0) > place) at -= 1;
  if (list[at - 1] === place) return;
  if (at === list.length) list.push(place);
  else list.splice(at, 0, place);
};

export const spotsOf = (term: Term, sight: Sight): Spots => {
  const { stem, concept, kind } = term.shape;
  const own = sight.places.get(concept);
  const joined = [...term.joined, inTwo(stem)].flatMap((key) => sight.places.get(key) ?? []);
  if (own === undefined && joined.length === 0) return kind === 'name' ? spotsOfName(term, sight) : UNSEEN;
  const alike = joined.length === 0 ? (own ?? []) : [...new Set([...(own ?? []), ...joined])].sort((a, b) => a - b);
  const exact = concept === stem ? alike : (sight.places.get(stem) ?? []);
  return { places: alike, qualityAt: (place) => (nearestTo(exact, place) === place ? 1 : ALIKE) };
};

/** "Nothing is missing" doesn't show that something is missing, and "record found" doesn't show that no record was found. */
export const agrees = (term: Term, place: number, sight: Sight): boolean => {
  if (term.negated) return sight.negated.has(place);
  if (!term.beside && term.weight >= LEAST_DENIED && sight.denied.has(place)) return false;
  return !(term.predicate && (sight.negated.has(place) || (!term.literal && sight.reached.has(place))));
};

/** "Could not open the file" is still about opening a file; "no deadlock" is not about a deadlock. */
const LEAST_DENIED = 0.75;

export const nearestTo = (places: readonly number[], wanted: number, accepts: (place: number) => boolean = always): number | null => {
  let high = firstFrom(places, wanted);
  let low = high - 1;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const above = places[high];
    const below = places[low];
    if (above === undefined && below === undefined) return null;
    const upward = below === undefined || (above !== undefined && above - wanted <= wanted - below);
    const place = upward ? above : below;
    if (place !== undefined && accepts(place)) return place;
    if (upward) high += 1;
    else low -= 1;
  }
  return null;
};

const ALIKE = 0.9;
const MOST_TRIES = 8;
const NAME_REACH = 5;
const UNSEEN: Spots = { places: [], qualityAt: () => 0 };

const always = (): boolean => true;

/** "Unhandled promise rejection" also matches `unhandledRejection`, because its parts are telling words. */
const spotsOfName = ({ shape }: Term, sight: Sight): Spots => {
  const parts = shape.parts.map((part) => ({ weight: weightOf(part), places: sight.places.get(part.concept) ?? [] }));
  const there = parts.filter(({ places }) => places.length > 0);
  if (shape.either) return { places: there.flatMap(({ places }) => places).sort((a, b) => a - b), qualityAt: () => 1 };
  const all = parts.reduce((total, { weight }) => total + weight, 0);
  const [main] = [...there].sort((a, b) => b.weight - a.weight || a.places.length - b.places.length);
  if (main === undefined || all < 1) return UNSEEN;
  const qualities = new Map<number, number>();
  for (const place of endsOf(main.places, 32)) {
    const near = there.filter(({ places }) => Math.abs((nearestTo(places, place) ?? Infinity) - place) <= NAME_REACH);
    const seen = near.reduce((total, { weight }) => total + weight, 0) / all;
    if (near.length >= 2 && seen >= NAME_SEEN) qualities.set(place, ALIKE * seen);
  }
  return { places: [...qualities.keys()], qualityAt: (place) => qualities.get(place) ?? 0 };
};

/** How much of a name must be found if it isn't found as a whole. */
const NAME_SEEN = 0.75;

/** The beginning and the end of a long list: people say what a text is about at its start, or it becomes clear at its end. */
export const endsOf = (places: readonly number[], most: number): readonly number[] =>
  places.length <= most ? places : [...places.slice(0, most / 2), ...places.slice(-most / 2)];

/** The index of the first element that is not less, in a sorted list. */
export const firstFrom = (places: readonly number[], wanted: number): number => {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};
