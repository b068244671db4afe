import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { claimOf } from '../../src/contradictions/claim.ts';
import { contradictionBetween } from '../../src/contradictions/conflicts.ts';

type Pair = { readonly id: string; readonly a: string; readonly b: string; readonly conflict: boolean };

const isPair = (value: unknown): value is Pair =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'a' in value &&
  typeof value.a === 'string' &&
  'b' in value &&
  typeof value.b === 'string' &&
  'conflict' in value &&
  typeof value.conflict === 'boolean';

const pairsOf = (half: 'tuning' | 'frozen'): readonly Pair[] =>
  readFileSync(new URL(`../../../../fixtures/labelled/conflicts.${half}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isPair);

const measure = (half: 'tuning' | 'frozen'): { readonly pairs: number; readonly precision: number; readonly recall: number } => {
  const pairs = pairsOf(half);
  const found = pairs.filter(({ a, b }) => (contradictionBetween(claimOf(a), claimOf(b))?.kind ?? 'changed') !== 'changed');
  const right = found.filter(({ conflict }) => conflict).length;
  const precision = right / Math.max(found.length, 1);
  const recall = right / Math.max(pairs.filter(({ conflict }) => conflict).length, 1);
  console.log(`conflicts, ${half} half: ${pairs.length} pairs, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
  return { pairs: pairs.length, precision, recall };
};

test('[CONF-1] the tuning half of the labelled pairs is told apart', () => {
  const { pairs, precision, recall } = measure('tuning');
  expect(pairs).toBeGreaterThanOrEqual(180);
  expect(precision).toBeGreaterThanOrEqual(0.95);
  expect(recall).toBeGreaterThanOrEqual(0.83);
});

test('[CONF-1] the frozen half of the labelled pairs is told apart', () => {
  const { pairs, precision, recall } = measure('frozen');
  expect(pairs).toBeGreaterThanOrEqual(180);
  expect(precision).toBeGreaterThanOrEqual(0.92);
  expect(recall).toBeGreaterThanOrEqual(0.68);
});
