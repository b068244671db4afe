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
  /** What was said of it where it came up: GOLD-12. */
  readonly timesUseful?: number;
  readonly timesNotNow?: number;
};

export type TriggerMatch = {
  readonly gold: string;
  /** 0 to 1 */
  readonly score: number;
  /** The condition that fits best. */
  readonly condition: string;
  /** What of it was seen. */
  readonly words: readonly string[];
};

/**
 * Which waypoints a text reminds of. A match costs what the text is long and the few conditions it shares a telling word with,
 * not what the index holds. Equal contents match equally, in whatever order they were added.
 */
export type TriggerIndex = {
  readonly add: (gold: Waypoint) => void;
  readonly remove: (id: string) => void;
  /** Sorted by score, then by id; only what is good enough to be shown. */
  readonly match: (text: string) => readonly TriggerMatch[];
  readonly size: () => number;
};

type Entry = {
  readonly gold: string;
  readonly conditions: readonly Condition[];
  readonly support: ReadonlyMap<string, number>;
  readonly memory: Memory;
  /** What is shown where the whole text was recognised. */
  readonly about: string;
  /** How much surer a match has to be than of any other waypoint. */
  readonly more: number;
};
type Posting = { readonly entry: Entry; readonly condition: Condition; readonly keys: readonly string[] };

/** Below it, on the labelled pairs, it is more often the topic than the symptom. */
const GOOD_ENOUGH = 0.6;
/** In a long text a few common words stand together by chance. */
const SURE_ENOUGH = 0.65;
const LONG = 200;
/** The same for the whole text of a waypoint. */
const RECALLED = 0.75;
/** And by so many telling words. */
const LEAST_SEEN = 2;
/** TRIG-22: what each "not now" more than "useful" asks for, and how far that goes. */
const PER_ANSWER = 0.03;
const [LEAST_MORE, MOST_MORE] = [-0.03, 0.2];
/** With fewer waypoints nothing says which words are rare, nor whether another one would fit better. */
const ENOUGH_WAYPOINTS = 20;
/** One word stands for a condition of several only if it is as long as the name of an error. */
const LONG_NAME = 15;
const WORTH_SUPPORT = 0.5;
const MOST_SUPPORT = 0.05;
/** Of a longer text its beginning and its end are read, so much of each: TRIG-17. */
const READ = 32 * 1024;

export type TriggerIndexOptions = {
  /** What words mean (CARD.md), asked for when there are waypoints enough; null where it is missing: then only conditions are seen. */
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
  /** TRIG-19: a word that few waypoints have says more. */
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

/** "JavaScript" alone is not "JavaScript sort() on numbers". */
const isOneOfMany = ({ seen }: Fit, { parts }: Condition): boolean =>
  new Set(seen.map(({ shape }) => shape.concept)).size < 2 &&
  (seen[0]?.text.length ?? 0) < LONG_NAME &&
  parts.reduce((total, { terms }) => total + terms.filter(({ weight }) => weight > 0).length, 0) > 1;

const conceptsOf = ({ parts }: Condition): ReadonlySet<string> => new Set(parts.flatMap(({ terms }) => terms.map(({ shape }) => shape.concept)));

/** Insight and pattern help a condition that is nearly seen; they never stand for one. */
const supported = ({ score }: Fit, { support }: Entry, { places }: Sight): number => {
  if (score < WORTH_SUPPORT) return score;
  let seen = 0;
  for (const concept of support.keys()) if (places.has(concept)) seen += 1;
  return Math.min(1, score + MOST_SUPPORT * Math.min(1, seen / 2));
};

/** From one condition in a hundred on, a word that many conditions have counts less: down to 0.6 for one that all have. */
const rarityOf = (having: number, conditions: number): number => {
  if (conditions < 200) return 1;
  const share = (having / conditions) * 100;
  return share <= 1 ? 1 : 1 - 0.2 * Math.log10(share);
};

const wordsOf = ({ seen }: Fit): readonly string[] => [...new Set(seen.map(({ text }) => text))];

const rounded = (score: number): number => Math.round(score * 1000) / 1000;

const endsOfText = (text: string): string => (text.length <= 2 * READ ? text : `${text.slice(0, READ)}\n\n${text.slice(-READ)}`);
