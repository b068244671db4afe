import type { Embedding } from '../embedding/embedding.ts';
import { anchorsOf, parseAlternatives, weightOf, type Condition } from './conditions.ts';
import { fitOf, hopeOf, type Fit, type Rarity } from './fit.ts';
import { memoryOf, recall, worthAmong, type Memory } from './recall.ts';
import { sightOf, type Sight } from './sight.ts';
import { createReader, type Reader, type Word } from './words.ts';

export type Waypoint = {
  readonly id: string;
  readonly keyInsight: string;
  readonly reusePattern: string;
  readonly triggerConditions: readonly string[];
  /** The feedback whenever it was shown: GOLD-12. */
  readonly timesUseful?: number;
  readonly timesNotNow?: number;
};

export type TriggerMatch = {
  readonly gold: string;
  /** 0 to 1 */
  readonly score: number;
  /** The condition that matches best. */
  readonly condition: string;
  /** The words of it that were found. */
  readonly words: readonly string[];
};

/**
 * Finds the waypoints that a text recalls. The cost of a match depends on the length of the text and on the few conditions that share a telling word
 * with it, not on the size of the index. Equal contents give equal matches, whatever the order of insertion.
 */
export type TriggerIndex = {
  readonly add: (gold: Waypoint) => void;
  readonly remove: (id: string) => void;
  /** Sorted by score, then by id; only matches good enough to show. */
  readonly match: (text: string) => readonly TriggerMatch[];
  readonly size: () => number;
};

type Entry = {
  readonly gold: string;
  readonly conditions: readonly Condition[];
  readonly support: ReadonlyMap<string, number>;
  readonly memory: Memory;
  /** The text to show if the waypoint was recalled as a whole. */
  readonly about: string;
  /** How much more certain a match must be than for other waypoints. */
  readonly more: number;
};
type Posting = { readonly entry: Entry; readonly condition: Condition; readonly keys: readonly string[] };

/** On the labelled pairs, a match below this is more often about the topic than about the symptom. */
const GOOD_ENOUGH = 0.6;
/** In a long text, a few common words come together by chance. */
const SURE_ENOUGH = 0.65;
const LONG = 200;
/** The threshold for recalling a waypoint as a whole. */
const RECALLED = 0.75;
/** The number of telling words that requires. */
const LEAST_SEEN = 2;
/** TRIG-22: how far each surplus "not now" over "useful" raises the threshold, and the limits of that. */
const PER_ANSWER = 0.03;
const [LEAST_MORE, MOST_MORE] = [-0.03, 0.2];
/** With fewer waypoints, nothing shows which words are rare, or whether another waypoint would fit better. */
const ENOUGH_WAYPOINTS = 20;
/** A single word can match a condition of several words only if it is as long as an error's name. */
const LONG_NAME = 15;
const WORTH_SUPPORT = 0.5;
const MOST_SUPPORT = 0.05;
/** TRIG-17: of a longer text, only this much of its beginning and of its end is read. */
const READ = 32 * 1024;

export type TriggerIndexOptions = {
  /** The meaning of words (CARD.md), loaded once there are enough waypoints. If null, only conditions can match. */
  readonly embedding: () => Embedding | null;
};

export const createTriggerIndex = ({ embedding }: TriggerIndexOptions = { embedding: () => null }): TriggerIndex => {
  const reader = createReader();
  const entries = new Map<string, Entry>();
  const postings = new Map<string, Set<Posting>>();
  const posted = new Map<string, readonly Posting[]>();
  const frequency = new Map<string, number>();
  const remembered = new Map<string, Set<Entry>>();
  let conditions = 0;

  const count = (entry: Entry, by: 1 | -1): void => {
    for (const condition of entry.conditions) {
      conditions += by;
      for (const concept of conceptsOf(condition)) {
        const now = (frequency.get(concept) ?? 0) + by;
        if (now === 0) frequency.delete(concept);
        else frequency.set(concept, now);
      }
    }
  };
  /** TRIG-19: a word that few waypoints have tells more. */
  const worthOf = (concept: string): number => worthAmong(remembered.get(concept)?.size ?? 0, entries.size);
  const rarity: Rarity = ({ shape }) => rarityOf(frequency.get(shape.concept) ?? 0, conditions);

  const remove = (id: string): void => {
    const entry = entries.get(id);
    if (entry === undefined) return;
    entries.delete(id);
    count(entry, -1);
    for (const posting of posted.get(id) ?? []) {
      for (const key of posting.keys) {
        const list = postings.get(key);
        list?.delete(posting);
        if (list?.size === 0) postings.delete(key);
      }
    }
    posted.delete(id);
    for (const concept of entry.memory.words.keys()) {
      const list = remembered.get(concept);
      list?.delete(entry);
      if (list?.size === 0) remembered.delete(concept);
    }
  };

  const add = (gold: Waypoint): void => {
    remove(gold.id);
    const entry = entryOf(gold, reader, embedding());
    entries.set(gold.id, entry);
    count(entry, 1);
    const own = entry.conditions.map((condition): Posting => ({ entry, condition, keys: anchorsOf(condition, frequency) }));
    posted.set(gold.id, own);
    for (const concept of entry.memory.words.keys()) {
      const list = remembered.get(concept);
      if (list === undefined) remembered.set(concept, new Set([entry]));
      else list.add(entry);
    }
    for (const posting of own) {
      for (const key of posting.keys) {
        const list = postings.get(key);
        if (list === undefined) postings.set(key, new Set([posting]));
        else list.add(posting);
      }
    }
  };

  const match = (text: string): readonly TriggerMatch[] => {
    const read = reader.read(endsOfText(text));
    const sight = sightOf(read);
    const candidates = new Set<Posting>();
    for (const key of sight.places.keys()) for (const posting of postings.get(key) ?? []) candidates.add(posting);
    const best = new Map<string, TriggerMatch>();
    for (const { entry, condition } of candidates) {
      if (hopeOf(condition, sight, rarity) + MOST_SUPPORT < GOOD_ENOUGH + entry.more) continue;
      const fit = fitOf(condition, sight, rarity);
      const score = rounded(supported(fit, entry, sight));
      if (score < (read.length > LONG ? SURE_ENOUGH : GOOD_ENOUGH) + entry.more || isOneOfMany(fit, condition)) continue;
      const other = best.get(entry.gold);
      const isBetter = other === undefined || score > other.score || (score === other.score && condition.text < other.condition);
      if (isBetter) best.set(entry.gold, { gold: entry.gold, score, condition: condition.text, words: wordsOf(fit) });
    }
    const told = recalled(text, read);
    if (told !== null && !best.has(told.gold)) best.set(told.gold, told);
    return [...best.values()].sort((a, b) => b.score - a.score || (a.gold < b.gold ? -1 : 1));
  };

  const recalled = (text: string, read: readonly Word[]): TriggerMatch | null => {
    const known = entries.size < ENOUGH_WAYPOINTS ? null : embedding();
    if (known === null) return null;
    const told = recall(
      {
        text,
        words: read,
        all: entries.values(),
        among: (concept) => remembered.get(concept) ?? [],
        rarityOf: worthOf,
      },
      known,
    );
    const entry = told === null ? undefined : entries.get(told.gold);
    if (told === null || entry === undefined || told.score < RECALLED + entry.more) return null;
    const words = told.seen.length < LEAST_SEEN ? [...told.seen, ...told.likened()] : told.seen;
    return words.length < LEAST_SEEN ? null : { gold: told.gold, score: rounded(told.score), condition: entry.about, words };
  };

  return { add, remove, match, size: () => entries.size };
};

const entryOf = (gold: Waypoint, reader: Reader, embedding: Embedding | null): Entry => {
  const conditions = gold.triggerConditions.flatMap((text) => parseAlternatives(text, reader)).filter(({ parts }) => parts.length > 0);
  const own = new Set(conditions.flatMap((condition) => [...conceptsOf(condition)]));
  const support = new Map<string, number>();
  for (const { shape } of reader.read(`${gold.keyInsight}\n\n${gold.reusePattern}`)) {
    if (shape.kind !== 'number' && weightOf(shape) >= 1 && !own.has(shape.concept)) support.set(shape.concept, 1);
  }
  const [insight, pattern, told] = [gold.keyInsight, gold.reusePattern, gold.triggerConditions.join('\n\n')].map((text) => reader.read(text));
  return {
    gold: gold.id,
    conditions,
    support,
    memory: memoryOf(gold, { insight: insight ?? [], pattern: pattern ?? [], conditions: told ?? [] }, embedding),
    about: gold.triggerConditions[0] ?? gold.reusePattern,
    more: Math.min(MOST_MORE, Math.max(LEAST_MORE, PER_ANSWER * ((gold.timesNotNow ?? 0) - (gold.timesUseful ?? 0)))),
  };
};

/** "JavaScript" alone doesn't match "JavaScript sort() on numbers". */
const isOneOfMany = ({ seen }: Fit, { parts }: Condition): boolean =>
  new Set(seen.map(({ shape }) => shape.concept)).size < 2 &&
  (seen[0]?.text.length ?? 0) < LONG_NAME &&
  parts.reduce((total, { terms }) => total + terms.filter(({ weight }) => weight > 0).length, 0) > 1;

const conceptsOf = ({ parts }: Condition): ReadonlySet<string> => new Set(parts.flatMap(({ terms }) => terms.map(({ shape }) => shape.concept)));

/** Insight and pattern support a condition that nearly matches; they never replace one. */
const supported = ({ score }: Fit, { support }: Entry, { places }: Sight): number => {
  if (score < WORTH_SUPPORT) return score;
  let seen = 0;
  for (const concept of support.keys()) if (places.has(concept)) seen += 1;
  return Math.min(1, score + MOST_SUPPORT * Math.min(1, seen / 2));
};

/** A word in more than one per cent of the conditions counts less: down to 0.6 if all of them have it. */
const rarityOf = (having: number, conditions: number): number => {
  if (conditions < 200) return 1;
  const share = (having / conditions) * 100;
  return share <= 1 ? 1 : 1 - 0.2 * Math.log10(share);
};

const wordsOf = ({ seen }: Fit): readonly string[] => [...new Set(seen.map(({ text }) => text))];

const rounded = (score: number): number => Math.round(score * 1000) / 1000;

const endsOfText = (text: string): string => (text.length <= 2 * READ ? text : `${text.slice(0, READ)}\n\n${text.slice(-READ)}`);
