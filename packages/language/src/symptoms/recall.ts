import { areNear, coverageOf, tellingPieces, type Piece } from '../embedding/coverage.ts';
import { blend, embed, type Embedding } from '../embedding/embedding.ts';
import { weightOf } from './conditions.ts';
import { NEGATING, voiceOf, type Voice } from './voice.ts';
import type { Word } from './words.ts';

/** The telling words of a waypoint's whole text, which of them are in its pattern and in its conditions, and what its texts mean. */
export type Memory = {
  readonly words: ReadonlyMap<string, number>;
  readonly pattern: ReadonlySet<string>;
  readonly conditions: ReadonlySet<string>;
  readonly meaning: Meaning | null;
};
type Meaning = {
  readonly whole: Float32Array;
  readonly pattern: Float32Array;
  /** Both in one, with more of the pattern. */
  readonly sought: Float32Array;
  readonly patternPieces: readonly Piece[];
  readonly insightPieces: readonly Piece[];
};

export type Remembered = { readonly keyInsight: string; readonly reusePattern: string; readonly triggerConditions: readonly string[] };
type Read = { readonly insight: readonly Word[]; readonly pattern: readonly Word[]; readonly conditions: readonly Word[] };

export const memoryOf = (gold: Remembered, { insight, pattern, conditions }: Read, embedding: Embedding | null): Memory => ({
  words: tellingOf([...insight, ...pattern, ...conditions]),
  pattern: new Set(tellingOf(pattern).keys()),
  conditions: new Set(tellingOf(conditions).keys()),
  meaning: embedding === null ? null : meaningOf(gold, embedding),
});

const meaningOf = ({ keyInsight, reusePattern, triggerConditions }: Remembered, embedding: Embedding): Meaning => {
  const whole = embed(embedding, [keyInsight, reusePattern, ...triggerConditions].join(' '));
  const pattern = embed(embedding, reusePattern);
  return {
    whole,
    pattern,
    sought: blend(whole, pattern, PATTERN_SHARE),
    patternPieces: tellingPieces(embedding, reusePattern),
    insightPieces: tellingPieces(embedding, keyInsight),
  };
};
const PATTERN_SHARE = 0.5;

/** Single letters and small numbers are everywhere; 502 and 4096 are not. */
const SMALL = /^(?:#\d{1,2}|[a-z])$/u;
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

export type Evidence = Voice & {
  /** What the words that both have are worth, and by how much more that is than for any other waypoint. */
  readonly shown: number;
  readonly ahead: number;
  /** How many telling words both have. */
  readonly shared: number;
  /** How much of the pattern and of the conditions the message shows, and how much of the message the waypoint explains. */
  readonly pattern: number;
  readonly conditions: number;
  readonly explained: number;
  /** How near the message is to the whole text and to the pattern, and by how much nearer than to the next. */
  readonly near: number;
  readonly nearPattern: number;
  readonly nearer: number;
  /** How much of the pattern is said in the same words or in words of a near meaning. */
  readonly saidPattern: number;
  readonly words: number;
  readonly logWords: number;
};

/**
 * What each piece of evidence is worth: a linear score (decision 82), fitted on texts of the development and the tuning part and on published text, never on
 * the frozen part.
 */
const WEIGHTS: Readonly<Record<keyof Evidence, number>> = {
  shown: -0.491,
  ahead: 0.903,
  near: 0.433,
  nearer: 2.207,
  nearPattern: -0.52,
  saidPattern: 2.745,
  pattern: -0.543,
  conditions: 1.245,
  explained: -2.028,
  shared: 0.663,
  troubled: 0.175,
  quiet: -0.446,
  calm: -0.501,
  asks: -1.891,
  denials: -0.05,
  distrust: -2.63,
  logWords: 0.82,
  words: -3.877,
  manner: 1,
};
const BIAS = -3.722;
const scoreOf = (evidence: Evidence): number => {
  let sum = BIAS;
  for (const name of NAMES) sum += WEIGHTS[name] * evidence[name];
  return 1 / (1 + Math.exp(-sum));
};
const NAMES = Object.keys(WEIGHTS) as readonly (keyof Evidence)[]; // its own keys

export type Shown = { readonly gold: string; readonly memory: Memory };
/** The waypoint that a message reminds of, by which words, and how surely: 0 to 1. */
type Recalled = {
  readonly gold: string;
  readonly seen: readonly string[];
  /** Words that are not in the waypoint, but others of nearly their meaning. */
  readonly likened: () => readonly string[];
  readonly evidence: Evidence;
  readonly score: number;
};
type Asked = {
  readonly text: string;
  readonly words: readonly Word[];
  /** All waypoints, and those that share a telling word. */
  readonly all: Iterable<Shown>;
  readonly among: (concept: string) => Iterable<Shown>;
  readonly rarityOf: (concept: string) => number;
  /** Below this score nothing is asked for. */
  readonly atLeast: number;
};

/** TRIG-19: the waypoint that a message reminds of most; null where it is too long to tell, or there is none. */
export const recall = ({ text, words, all, among, rarityOf, atLeast }: Asked, embedding: Embedding): Recalled | null => {
  const length = words.filter(({ expression }) => !expression).length;
  if (length > LONGEST || text.length > LONGEST_TEXT) return null;
  const telling = tellingOf(words);
  const sums = new Map<Shown, number>();
  let worthOfAll = 0;
  for (const [concept, weight] of telling) {
    const worth = weight * rarityOf(concept);
    worthOfAll += worth;
    for (const shown of among(concept)) sums.set(shown, (sums.get(shown) ?? 0) + worth);
  }
  const vector = embed(embedding, text);
  let [best, most, next]: [Shown | null, number, Shown | null] = [null, -Infinity, null];
  let nextMost = -Infinity;
  for (const shown of all) {
    const { meaning } = shown.memory;
    if (meaning === null) continue;
    const sum = (sums.get(shown) ?? 0) / WORDS_AGAINST_MEANING + nearness(vector, meaning.sought);
    if (sum > most || (sum === most && best !== null && shown.gold < best.gold)) [next, nextMost, best, most] = [best, most, shown, sum];
    else if (sum > nextMost) [next, nextMost] = [shown, sum];
  }
  const meaning = best?.memory.meaning ?? null;
  if (best === null || meaning === null) return null;
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
  const shown = sums.get(best) ?? 0;
  const others = [...sums].reduce((least, [other, sum]) => (other === best ? least : Math.max(least, sum)), 0);
  const near = nearness(vector, meaning.whole);
  const known = {
    ...voiceOf(text, words),
    shown: Math.min(shown, MOST_SHOWN),
    ahead: Math.min(MOST_AHEAD, Math.max(-1, shown - others)),
    shared: Math.min(seen.size, MOST_WORDS),
    pattern: shareOf(memory.pattern),
    conditions: shareOf(memory.conditions),
    explained: shown / Math.max(1, worthOfAll),
    near,
    nearer: near - (next?.memory.meaning == null ? 0 : nearness(vector, next.memory.meaning.whole)),
    nearPattern: nearness(vector, meaning.pattern),
    words: Math.min(length, LONGEST) / 100,
    logWords: Math.log(Math.max(3, length)),
  };
  // What is not sure enough with all of it said need not be looked at more closely, which takes longer than all the rest.
  if (scoreOf({ ...known, saidPattern: 1 }) < atLeast) return null;
  const pieces = tellingPieces(embedding, text);
  const evidence: Evidence = {
    ...known,
    saidPattern: coverageOf(embedding, meaning.patternPieces, pieces),
  };
  return {
    gold: best.gold,
    seen: textsOf(words.filter(({ shape }) => seen.has(shape.concept))),
    likened: () => {
      const own = [...meaning.patternPieces, ...meaning.insightPieces];
      const others = words.filter(({ shape, expression }) => !expression && telling.has(shape.concept) && !seen.has(shape.concept));
      return textsOf(others.filter((word) => areNear(embedding, tellingPieces(embedding, word.text), own)));
    },
    evidence,
    score: scoreOf(evidence),
  };
};

/** Each of the words once. */
const textsOf = (words: readonly Word[]): readonly string[] => [...new Map(words.map((word) => [word.shape.concept, word.text])).values()];

const nearness = (one: Float32Array, other: Float32Array): number => {
  // Four at a time: nearly all of the time of recalling is spent here, once for each waypoint.
  let [a, b, c, rest] = [0, 0, 0, 0];
  const fours = one.length & ~3;
  for (let d = 0; d < fours; d += 4) {
    a += (one[d] ?? 0) * (other[d] ?? 0);
    b += (one[d + 1] ?? 0) * (other[d + 1] ?? 0);
    c += (one[d + 2] ?? 0) * (other[d + 2] ?? 0);
    rest += (one[d + 3] ?? 0) * (other[d + 3] ?? 0);
  }
  for (let d = fours; d < one.length; d += 1) rest += (one[d] ?? 0) * (other[d] ?? 0);
  return a + b + c + rest;
};

/** Longer messages are about many things: there a condition must be seen. */
const LONGEST = 120;
const LONGEST_TEXT = 2000;
const WORDS_AGAINST_MEANING = 4;
const LEAST_TOTAL = 0.5;
const MOST_SHOWN = 5;
const MOST_WORDS = 6;
const MOST_AHEAD = 3;
