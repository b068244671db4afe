import type { Quantity } from './measures.ts';

export type Verdict = 'same' | 'other' | 'unlike';

/** Whether two quantities of one subject agree. `caps` means that both are limits, so that "up to 20" and "8" differ. */
export const compareQuantities = (a: Quantity, b: Quantity, caps: boolean): Verdict => {
  if (a.measure === b.measure) {
    if (a.measure === 'version' || a.measure === 'date') return partwise(a, b);
    if (a.measure === 'weekday' || a.measure === 'clock') return a.parts[0] === b.parts[0] ? 'same' : 'other';
    if (a.measure === 'count' && isFiner(a, b)) return 'same';
    return amounts(a, b, a.parts[0] ?? 0, b.parts[0] ?? 0, caps);
  }
  const pair = [a.measure, b.measure].toSorted().join('+');
  if (pair === 'factor+percent') return 'other';
  if (pair === 'interval+time') return amounts(a, b, a.parts[0] ?? 0, b.parts[0] ?? 0, caps);
  if (pair === 'count+version') return partwise(a, b);
  const [count, other] = a.measure === 'count' ? [a, b] : [b, a];
  if (count.measure !== 'count' || count.nouns.length > 0 || !count.alone) return 'unlike';
  const bare = count.parts[0] ?? 0;
  const value = other.parts[0] ?? 0;
  if (other.measure === 'percent')
    return bare > 0 && bare < 1 ? (near(bare * 100, value, 0.001) ? 'same' : 'other') : near(bare, value, 0.001) ? 'same' : 'unlike';
  if (!Number.isInteger(bare)) return 'unlike';
  if (other.measure === 'time') return [1, 1e-3, 60, 3600, 86_400].some((unit) => near(bare * unit, value, 0.001)) ? 'same' : 'other';
  if (other.measure === 'bytes')
    return [1, 1e3, 1e6, 1e9, 1024, 1_048_576, 1_073_741_824].some((unit) => near(bare * unit, value, 0.05)) ? 'same' : 'other';
  return 'unlike';
};

/** 15.4 is also a 15. */
const isFiner = (a: Quantity, b: Quantity): boolean =>
  a.nouns.length === 0 && b.nouns.length === 0 && a.text.includes('.') !== b.text.includes('.') && partwise(a, b) === 'same';
const near = (a: number, b: number, tolerance: number): boolean => Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
const partwise = (a: Quantity, b: Quantity): Verdict => {
  const [partsA, partsB] = [versioned(a), versioned(b)];
  let compared = 0;
  for (let i = 0; i < Math.min(partsA.length, partsB.length); i += 1) {
    const [x = 0, y = 0] = [partsA[i], partsB[i]];
    if (a.measure === 'date' && (x === 0 || y === 0)) continue;
    compared += 1;
    if (x !== y) return 'other';
  }
  return compared > 0 ? 'same' : 'unlike';
};
const versioned = (quantity: Quantity): readonly number[] =>
  quantity.measure === 'count' ? (quantity.text.split(' ')[0] ?? '').split('.').map(Number) : quantity.parts;

const amounts = (a: Quantity, b: Quantity, x: number, y: number, caps: boolean): Verdict => {
  const tolerance = a.about || b.about ? 0.2 : a.measure === 'bytes' ? 0.05 : a.measure === 'percent' || a.measure === 'count' ? 1e-9 : 0.005;
  if (near(x, y, tolerance)) return 'same';
  if (a.bound === b.bound || caps) return a.bound === 'exact' || caps || a.bound === b.bound ? 'other' : 'same';
  const [bounded, exact, limit, value] = a.bound === 'exact' ? [b, a, y, x] : [a, b, x, y];
  if (exact.bound !== 'exact') return 'same';
  return bounded.bound === 'least' ? (value >= limit ? 'same' : 'other') : value <= limit ? 'same' : 'other';
};
