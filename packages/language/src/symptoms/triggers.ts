import { anchorsOf, parseAlternatives, weightOf, type Condition } from './conditions.ts';
import { fitOf, hopeOf, type Fit, type Rarity } from './fit.ts';
import { sightOf, type Sight } from './sight.ts';
import { createReader, type Reader } from './words.ts';

export type Waypoint = {
  readonly id: string;
  readonly keyInsight: string;
  readonly reusePattern: string;
  readonly triggerConditions: readonly string[];
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

type Entry = { readonly gold: string; readonly conditions: readonly Condition[]; readonly support: ReadonlyMap<string, number> };
type Posting = { readonly entry: Entry; readonly condition: Condition; readonly keys: readonly string[] };

/** Below it, on the labelled pairs, it is more often the topic than the symptom. */
const GOOD_ENOUGH = 0.6;
const WORTH_SUPPORT = 0.5;
const MOST_SUPPORT = 0.05;
/** Of a longer text its beginning and its end are read, so much of each: TRIG-17. */
const READ = 32 * 1024;

export const createTriggerIndex = (): TriggerIndex => {
  const reader = createReader();
  const entries = new Map<string, Entry>();
  const postings = new Map<string, Set<Posting>>();
  const posted = new Map<string, readonly Posting[]>();
  const frequency = new Map<string, number>();
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
  };

  const add = (gold: Waypoint): void => {
    remove(gold.id);
    const entry = entryOf(gold, reader);
    entries.set(gold.id, entry);
    count(entry, 1);
    const own = entry.conditions.map((condition): Posting => ({ entry, condition, keys: anchorsOf(condition, frequency) }));
    posted.set(gold.id, own);
    for (const posting of own) {
      for (const key of posting.keys) {
        const list = postings.get(key);
        if (list === undefined) postings.set(key, new Set([posting]));
        else list.add(posting);
      }
    }
  };

  const match = (text: string): readonly TriggerMatch[] => {
    const sight = sightOf(reader.read(endsOfText(text)));
    const candidates = new Set<Posting>();
    for (const key of sight.places.keys()) for (const posting of postings.get(key) ?? []) candidates.add(posting);
    const best = new Map<string, TriggerMatch>();
    for (const { entry, condition } of candidates) {
      if (hopeOf(condition, sight, rarity) + MOST_SUPPORT < GOOD_ENOUGH) continue;
      const fit = fitOf(condition, sight, rarity);
      const score = rounded(supported(fit, entry, sight));
      if (score < GOOD_ENOUGH) continue;
      const other = best.get(entry.gold);
      const isBetter = other === undefined || score > other.score || (score === other.score && condition.text < other.condition);
      if (isBetter) best.set(entry.gold, { gold: entry.gold, score, condition: condition.text, words: wordsOf(fit) });
    }
    return [...best.values()].sort((a, b) => b.score - a.score || (a.gold < b.gold ? -1 : 1));
  };

  return { add, remove, match, size: () => entries.size };
};

const entryOf = (gold: Waypoint, reader: Reader): Entry => {
  const conditions = gold.triggerConditions.flatMap((text) => parseAlternatives(text, reader)).filter(({ parts }) => parts.length > 0);
  const own = new Set(conditions.flatMap((condition) => [...conceptsOf(condition)]));
  const support = new Map<string, number>();
  for (const { shape } of reader.read(`${gold.keyInsight}\n\n${gold.reusePattern}`)) {
    if (shape.kind !== 'number' && weightOf(shape) >= 1 && !own.has(shape.concept)) support.set(shape.concept, 1);
  }
  return { gold: gold.id, conditions, support };
};

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
