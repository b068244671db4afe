import { weightOf } from './conditions.ts';
import type { Word } from './words.ts';
import { stemOf } from '../text/stems.ts';
import { ASKING, CALM, TROUBLED } from '../text/lexicon/voice-words.ts';

/** The telling words of a waypoint's whole text, and which of them are in its pattern and in its conditions. */
export type Memory = { readonly words: ReadonlyMap<string, number>; readonly pattern: ReadonlySet<string>; readonly conditions: ReadonlySet<string> };

/** TRIG-19: how the words of a message speak, whatever they are about. */
type Voice = { readonly troubled: number; readonly calm: number; readonly asks: boolean; readonly length: number };

/** The waypoint that a message reminds of, by which words, and how surely: 0 to 1. */
type Recalled = { readonly gold: string; readonly seen: readonly string[]; readonly score: number };

type Evidence = {
  /** Telling words that both have. */
  readonly words: number;
  /** How much of the pattern and of the conditions the message shows. */
  readonly pattern: number;
  readonly conditions: number;
  /** How much of the message the waypoint explains. */
  readonly explained: number;
  /** By how much more it shows than of the next waypoint. */
  readonly ahead: number;
  /** No word of trouble at all. */
  readonly quiet: number;
  readonly calm: number;
  readonly asks: number;
  readonly length: number;
};

export const memoryOf = (insight: readonly Word[], pattern: readonly Word[], conditions: readonly Word[]): Memory => ({
  words: tellingOf([...insight, ...pattern, ...conditions]),
  pattern: new Set(tellingOf(pattern).keys()),
  conditions: new Set(tellingOf(conditions).keys()),
});

/** Single letters and small numbers are everywhere; 502 and 4096 are not. */
const SMALL = /^(?:#\d{1,2}|[a-z])$/u;
const NEGATING = new Set('no not never nothing none without'.split(' ').map((word) => stemOf(word)));
/** What a word may weigh to tell anything, and what a part of a name counts beside the name. */
const TELLING = 0.4;
const PART = 0.8;
const tellingOf = (words: readonly Word[]): ReadonlyMap<string, number> => {
  const telling = new Map<string, number>();
  const note = (name: string, weight: number): void => {
    if (weight > TELLING && (telling.get(name) ?? 0) < weight) telling.set(name, weight);
  };
  for (const { shape } of words) {
    if (shape.kind === 'sign' || SMALL.test(shape.concept) || NEGATING.has(shape.stem)) continue;
    note(shape.concept, weightOf(shape));
    for (const part of shape.parts) if (!SMALL.test(part.concept)) note(part.concept, PART * weightOf(part));
  }
  return telling;
};

const voiceOf = (words: readonly Word[]): Voice => {
  const stems = words.filter(({ expression }) => !expression).map(({ shape }) => shape.stem);
  const count = (set: ReadonlySet<string>): number =>
    words.filter(({ shape, negated, denied, expression }) => !expression && !negated && !denied && (set.has(shape.stem) || set.has(shape.concept)))
      .length;
  return {
    troubled: count(TROUBLED_SET),
    calm:
      count(CALM_SET) +
      words.filter(({ shape, negated, denied }) => (negated || denied) && TROUBLED_SET.has(shape.stem) && !NEGATING.has(shape.stem)).length,
    asks: ASKING_SET.has(stems[0] ?? '') || stems.some((stem, at) => ASKING_PAIRS.has(`${stem} ${stems[at + 1] ?? ''}`)),
    length: stems.length,
  };
};

const stemsOf = (list: string): ReadonlySet<string> => new Set(list.split(' ').map((word) => stemOf(word)));
const TROUBLED_SET = stemsOf(TROUBLED);
const CALM_SET = stemsOf(CALM);
const ASKING_SET = stemsOf(ASKING);
const ASKING_PAIRS = new Set([
  'let me',
  'let us',
  'i ll',
  'we ll',
  'go to',
  'could you',
  'can you',
  'shall we',
  'we want',
  'i want',
  'plan to',
  'i need',
  'would lik',
]);

/**
 * What each piece of evidence is worth: a linear score, fitted on the tuning part of the blind messages and on published text (decision 67). Words and
 * what they cover speak for a waypoint; a plan, a question, good news and a long message speak against it.
 */
const WEIGHTS = {
  words: 0.58,
  pattern: 3,
  conditions: 1.54,
  explained: -3.68,
  ahead: 1.25,
  quiet: -1.05,
  calm: -1.17,
  asks: -3.03,
  length: -0.34,
} as const;
const BIAS = -1.67;
const scoreOf = (evidence: Evidence): number => {
  const { words, pattern, conditions, explained, ahead, quiet, calm, asks, length } = evidence;
  const sum =
    BIAS +
    WEIGHTS.words * words +
    WEIGHTS.pattern * pattern +
    WEIGHTS.conditions * conditions +
    WEIGHTS.explained * explained +
    WEIGHTS.ahead * ahead +
    WEIGHTS.quiet * quiet +
    WEIGHTS.calm * calm +
    WEIGHTS.asks * asks +
    WEIGHTS.length * length;
  return 1 / (1 + Math.exp(-sum));
};

export type Shown = { readonly gold: string; readonly memory: Memory };
/** The waypoint that a message reminds of most, among those that share a telling word with it; null where there is none. */
export const recall = (
  words: readonly Word[],
  among: (concept: string) => Iterable<Shown>,
  rarityOf: (concept: string) => number,
): Recalled | null => {
  const telling = tellingOf(words);
  const sums = new Map<Shown, number>();
  let all = 0;
  for (const [concept, weight] of telling) {
    const worth = weight * rarityOf(concept);
    all += worth;
    for (const shown of among(concept)) sums.set(shown, (sums.get(shown) ?? 0) + worth);
  }
  let [best, most, next]: [Shown | null, number, number] = [null, 0, 0];
  for (const [shown, sum] of sums) {
    if (sum > most || (sum === most && best !== null && shown.gold < best.gold)) [best, most, next] = [shown, sum, most];
    else if (sum > next) next = sum;
  }
  if (best === null) return null;
  const { memory } = best;
  const seen = new Set([...telling.keys()].filter((concept) => memory.words.has(concept)));
  const shareOf = (own: ReadonlySet<string>): number => {
    let [there, total] = [0, 0];
    for (const concept of own) {
      const worth = (memory.words.get(concept) ?? 0) * rarityOf(concept);
      total += worth;
      if (telling.has(concept)) there += worth;
    }
    return there / Math.max(LEAST_TOTAL, total);
  };
  const { troubled, calm, asks, length } = voiceOf(words);
  const evidence: Evidence = {
    words: Math.min(seen.size, MOST_WORDS),
    pattern: shareOf(memory.pattern),
    conditions: shareOf(memory.conditions),
    explained: most / Math.max(1, all),
    ahead: Math.min(most - next, MOST_AHEAD),
    quiet: troubled === 0 ? 1 : 0,
    calm: Math.min(calm, MOST_CUES),
    asks: asks ? 1 : 0,
    length: Math.log(Math.max(3, length)),
  };
  return { gold: best.gold, seen: words.filter(({ shape }) => seen.has(shape.concept)).map(({ text }) => text), score: scoreOf(evidence) };
};
const LEAST_TOTAL = 0.5;
const MOST_WORDS = 6;
const MOST_AHEAD = 3;
const MOST_CUES = 4;
