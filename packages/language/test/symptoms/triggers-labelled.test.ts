import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shippedEmbedding } from '../embedding/shipped.ts';
import { createTriggerIndex, type TriggerIndex, type Waypoint } from '../../src/symptoms/triggers.ts';

type Half = 'tuning' | 'frozen';
type Gold = { readonly key_insight: string; readonly reuse_pattern: string; readonly trigger_conditions: readonly string[] };
type Pair = { readonly id: string; readonly gold: Gold; readonly message: string; readonly surface: boolean };

const isGold = (value: unknown): value is Gold =>
  typeof value === 'object' &&
  value !== null &&
  'key_insight' in value &&
  typeof value.key_insight === 'string' &&
  'reuse_pattern' in value &&
  typeof value.reuse_pattern === 'string' &&
  'trigger_conditions' in value &&
  Array.isArray(value.trigger_conditions);

const isPair = (value: unknown): value is Pair =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'message' in value &&
  typeof value.message === 'string' &&
  'surface' in value &&
  typeof value.surface === 'boolean' &&
  'gold' in value &&
  isGold(value.gold);

const pairsOf = (half: Half): readonly Pair[] =>
  readFileSync(new URL(`../../../../fixtures/labelled/triggers.${half}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isPair);

// Pairs about the same waypoint have it in equal words, so its text is its id.
const waypointOf = ({ gold }: Pair): Waypoint => ({
  id: JSON.stringify(gold),
  keyInsight: gold.key_insight,
  reusePattern: gold.reuse_pattern,
  triggerConditions: gold.trigger_conditions,
});

const indexOf = (pairs: readonly Pair[]): TriggerIndex => {
  const index = createTriggerIndex({ embedding: shippedEmbedding });
  for (const pair of pairs) index.add(waypointOf(pair));
  return index;
};

type Measured = { readonly pairs: number; readonly precision: number; readonly recall: number; readonly strangers: number };

const measure = (name: string, pairs: readonly Pair[], indexFor: (pair: Pair) => TriggerIndex): Measured => {
  const surfaced = pairs.map((pair) => ({
    pair,
    golds: indexFor(pair)
      .match(pair.message)
      .map(({ gold }) => gold),
  }));
  const own = surfaced.filter(({ pair, golds }) => golds.includes(waypointOf(pair).id));
  const right = own.filter(({ pair }) => pair.surface).length;
  const precision = right / Math.max(own.length, 1);
  const recall = right / Math.max(pairs.filter(({ surface }) => surface).length, 1);
  const strangers = surfaced.reduce((total, { pair, golds }) => total + golds.filter((gold) => gold !== waypointOf(pair).id).length, 0);
  console.log(
    `triggers, ${name}: ${pairs.length} pairs, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, ${strangers} of other pairs`,
  );
  return { pairs: pairs.length, precision, recall, strangers };
};

const alone = (half: Half): Measured => measure(`${half} half, each waypoint alone`, pairsOf(half), (pair) => indexOf([pair]));

const together = (half: Half): Measured => {
  const pairs = pairsOf(half);
  const index = indexOf(pairs);
  return measure(`${half} half, all waypoints in one index`, pairs, () => index);
};

const ALL_HOLD = { enough: true, precision: true, recall: true, quiet: true };

const holds = (
  { pairs, precision, recall, strangers }: Measured,
  least: { readonly precision: number; readonly recall: number },
): typeof ALL_HOLD => ({
  enough: pairs >= 180,
  precision: precision >= least.precision,
  recall: recall >= least.recall,
  quiet: strangers <= pairs * 0.05,
});

test('[TRIG-1] the tuning half of the labelled pairs is told apart by each waypoint alone', () => {
  expect(holds(alone('tuning'), { precision: 0.95, recall: 0.85 })).toEqual(ALL_HOLD);
});

test('[TRIG-1] the tuning half of the labelled pairs is told apart by one index of all', () => {
  expect(holds(together('tuning'), { precision: 0.93, recall: 0.92 })).toEqual(ALL_HOLD);
});

test('[TRIG-1] the frozen half of the labelled pairs is told apart by each waypoint alone', () => {
  expect(holds(alone('frozen'), { precision: 0.9, recall: 0.7 })).toEqual(ALL_HOLD);
});

test('[TRIG-1] the frozen half of the labelled pairs is told apart by one index of all', () => {
  expect(holds(together('frozen'), { precision: 0.85, recall: 0.7 })).toEqual(ALL_HOLD);
});
