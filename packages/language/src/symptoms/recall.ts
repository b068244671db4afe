import { areNear, nearestOf, tellingPieces, type Piece } from '../embedding/coverage.ts';
import { blend, embed, type Embedding } from '../embedding/embedding.ts';
import { readModel, scoreOf, type Model } from '../learned/forest.ts';
import { MANNER_WORDS } from '../text/lexicon/manner-words.ts';
import { weightOf } from './conditions.ts';
import { NEGATING, voiceOf } from './voice.ts';
import type { Word } from './words.ts';
import { GOLD_WEIGHTS, NEARNESS_WEIGHTS } from './weights.ts';

/** The telling words of a waypoint's whole text, those of its pattern and of its conditions, and the meaning of its texts. */
export type Memory = {
  readonly words: ReadonlyMap<string, number>;
  readonly pattern: ReadonlySet<string>;
  readonly conditions: ReadonlySet<string>;
  readonly meaning: Meaning | null;
};
type Meaning = {
  readonly whole: Float32Array;
  readonly pattern: Float32Array;
  readonly insight: Float32Array;
  readonly conditions: Float32Array;
  /** All texts in one vector, with more weight on the pattern. */
  readonly sought: Float32Array;
  readonly patternPieces: readonly Piece[];
  readonly insightPieces: readonly Piece[];
  readonly conditionPieces: readonly Piece[];
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
  const [insight, pattern, conditions] = [
    embed(embedding, keyInsight),
    embed(embedding, reusePattern),
    embed(embedding, triggerConditions.join(' ')),
  ];
  return {
    whole,
    pattern,
    insight,
    conditions,
    sought: blend(whole, pattern, PATTERN_SHARE),
    patternPieces: tellingPieces(embedding, reusePattern),
    insightPieces: tellingPieces(embedding, keyInsight),
    conditionPieces: tellingPieces(embedding, triggerConditions.join(' ')),
  };
};
const PATTERN_SHARE = 0.5;

/** Single letters and small numbers are everywhere; 502 and 4096 are not. */
const SMALL = /^(?:#\d{1,2}|[a-z])$/u;
/** The weight a word must exceed to be telling, and the weight of a name's part relative to the whole name. */
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

/** How much a word tells if this many of all waypoints have it. */
export const worthAmong = (having: number, all: number): number => Math.log(1 + all / (having + 0.5)) / Math.log(1 + 2 * all);

/** TRIG-19: the evidence for and against a waypoint, by name. */
export type Evidence = Record<string, number>;

export type Shown = { readonly gold: string; readonly memory: Memory };
/** The waypoint that a message recalls, the words that recall it, and the certainty from 0 to 1. */
type Recalled = {
  readonly gold: string;
  readonly seen: readonly string[];
  /** Words of the message that aren't in the waypoint, but nearly mean the same as some that are. */
  readonly likened: () => readonly string[];
  readonly score: number;
};
type Asked = {
  readonly text: string;
  readonly words: readonly Word[];
  /** All waypoints, and those that contain a given telling word. */
  readonly all: Iterable<Shown>;
  readonly among: (concept: string) => Iterable<Shown>;
  readonly rarityOf: (concept: string) => number;
};

/** TRIG-19: the waypoint that a message recalls most; null if the message is too long to tell, or nothing comes close. */
export const recall = (asked: Asked, embedding: Embedding): Recalled | null => {
  const reminders = remindersOf(asked, embedding);
  const [best, next] = ranked(reminders, NEARNESS);
  if (best === undefined) return null;
  const { words, text } = asked;
  const { shown, seen } = best;
  const { meaning } = shown.memory;
  return {
    gold: shown.gold,
    seen: textsOf(words.filter(({ shape }) => seen.has(shape.concept))),
    likened: () => {
      const own = [...(meaning?.patternPieces ?? []), ...(meaning?.insightPieces ?? [])];
      const others = words.filter(({ shape, expression }) => !expression && !seen.has(shape.concept) && weightOf(shape) > TELLING);
      return textsOf(others.filter((word) => areNear(embedding, tellingPieces(embedding, word.text), own)));
    },
    score: scoreOf(GOLD, evidenceOf(text, words, best, next)),
  };
};

/** A candidate waypoint, and how close the message comes to each of its texts. */
export type Reminder = { readonly shown: Shown; readonly seen: ReadonlySet<string>; readonly fit: Evidence };

/** The few waypoints closest in shared words and in meaning. */
export const remindersOf = ({ text, words, all, among, rarityOf }: Asked, embedding: Embedding): readonly Reminder[] => {
  const length = words.filter(({ expression }) => !expression).length;
  if (length > LONGEST || text.length > LONGEST_TEXT) return [];
  const telling = tellingOf(words);
  const sums = new Map<Shown, number>();
  let worthOfAll = 0;
  for (const [concept, weight] of telling) {
    const worth = weight * rarityOf(concept);
    worthOfAll += worth;
    for (const shown of among(concept)) sums.set(shown, (sums.get(shown) ?? 0) + worth);
  }
  const vector = embed(embedding, text);
  const nearest: { readonly shown: Shown; readonly meaning: Meaning; readonly sum: number }[] = [];
  for (const shown of all) {
    const { meaning } = shown.memory;
    if (meaning === null) continue;
    const sum = (sums.get(shown) ?? 0) / WORDS_AGAINST_MEANING + nearness(vector, meaning.sought);
    const before = (other: { readonly shown: Shown; readonly sum: number }): boolean =>
      other.sum > sum || (other.sum === sum && other.shown.gold < shown.gold);
    const place = nearest.findLastIndex(before) + 1;
    if (place >= MOST_REMINDERS) continue;
    nearest.splice(place, 0, { shown, meaning, sum });
    if (nearest.length > MOST_REMINDERS) nearest.pop();
  }
  const pieces = nearest.length === 0 ? [] : tellingPieces(embedding, text);
  return nearest.map(({ shown, meaning, sum }) => {
    const { memory } = shown;
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
    const [pattern, insight, conditions] = [meaning.patternPieces, meaning.insightPieces, meaning.conditionPieces].map((own) =>
      nearestOf(embedding, own, pieces),
    );
    const worth = sums.get(shown) ?? 0;
    return {
      shown,
      seen,
      fit: {
        sum,
        shown: Math.min(worth, MOST_SHOWN),
        shared: Math.min(seen.size, MOST_WORDS),
        pattern: shareOf(memory.pattern),
        conditions: shareOf(memory.conditions),
        explained: worth / Math.max(1, worthOfAll),
        near: nearness(vector, meaning.whole),
        'near pattern': nearness(vector, meaning.pattern),
        'near insight': nearness(vector, meaning.insight),
        'near conditions': nearness(vector, meaning.conditions),
        'said pattern': pattern?.covered ?? 0,
        'said insight': insight?.covered ?? 0,
        'said conditions': conditions?.covered ?? 0,
        'by pattern': pattern?.covering ?? 0,
        'by insight': insight?.covering ?? 0,
        'by conditions': conditions?.covering ?? 0,
      },
    };
  });
};

/** The most likely first: which waypoint is meant is a separate question from whether one is meant at all. */
export const ranked = (reminders: readonly Reminder[], weights: Model): readonly Reminder[] =>
  reminders
    .map((reminder) => ({ reminder, score: scoreOf(weights, reminder.fit) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ reminder }) => reminder);

/** The evidence for the best candidate: its own fit, its lead over the next one, and the voice of the message. */
export const evidenceOf = (text: string, words: readonly Word[], best: Reminder, next: Reminder | undefined): Evidence => {
  const length = words.filter(({ expression }) => !expression).length;
  const out: Evidence = { ...best.fit, ...voiceOf(words), length: Math.log(Math.max(3, length)) };
  for (const [name, value] of Object.entries(best.fit)) out[`ahead ${name}`] = value - (next?.fit[name] ?? 0);
  out['digits'] = Math.min(3, text.match(/\d+/gu)?.length ?? 0);
  out['lines'] = Math.min(5, text.split('\n').length);
  out['code'] = /[{}()=[\]$]/u.test(text) ? 1 : 0;
  out['question'] = text.includes('?') ? 1 : 0;
  const said = text.slice(0, LONGEST_TEXT).toLowerCase().replaceAll('’', "'").match(LITTLE) ?? [];
  const known = new Set(said);
  for (const word of MANNER_WORDS) if (known.has(word)) out[`w ${word}`] = 1;
  for (const [at, word] of said.slice(0, 3).entries()) if (MANNER.has(word)) out[`${at} ${word}`] = 1;
  return out;
};
const MANNER: ReadonlySet<string> = new Set(MANNER_WORDS);
const LITTLE = /[a-z]+(?:'[a-z]+)?|[?!]/gu;
const GOLD = readModel(GOLD_WEIGHTS);
const NEARNESS = readModel(NEARNESS_WEIGHTS);

/** Each word once. */
const textsOf = (words: readonly Word[]): readonly string[] => [...new Map(words.map((word) => [word.shape.concept, word.text])).values()];

const nearness = (one: Float32Array, other: Float32Array): number => {
  // Unrolled by four: recall spends nearly all its time here, once for each waypoint.
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

/** Longer messages cover many topics: for those, a condition must match. */
const LONGEST = 120;
const LONGEST_TEXT = 2000;
const WORDS_AGAINST_MEANING = 4;
const LEAST_TOTAL = 0.5;
const MOST_SHOWN = 5;
const MOST_WORDS = 6;
/** How many candidates to examine closely. */
const MOST_REMINDERS = 3;
