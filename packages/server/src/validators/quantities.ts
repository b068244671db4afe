import type { Bound } from '@yarnboard/language';

/** Whether a found value matches the claimed one; null if we can't tell. */
export type Comparison = boolean | null;

type Unit = { readonly dimension: string; readonly factor: number };

const units = (dimension: string, table: Readonly<Record<string, number>>): readonly (readonly [string, Unit])[] =>
  Object.entries(table).flatMap(([names, factor]) => names.split(' ').map((name) => [name, { dimension, factor }] as const));

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...units('time', {
    'ns nanosecond nanoseconds': 1e-6,
    'us µs microsecond microseconds': 1e-3,
    'ms msec msecs millis millisecond milliseconds': 1,
    's sec secs second seconds': 1000,
    'm min mins minute minutes': 60_000,
    'h hr hrs hour hours': 3_600_000,
    'd day days': 86_400_000,
    'week weeks': 604_800_000,
  }),
  ...units('size', {
    'b byte bytes': 1,
    'k kb kilobyte kilobytes': 1000,
    kib: 1024,
    'mb megabyte megabytes': 1e6,
    mib: 1_048_576,
    'g gb gigabyte gigabytes': 1e9,
    gib: 1_073_741_824,
    tb: 1e12,
    tib: 1_099_511_627_776,
  }),
  ...units('share', { '% percent pct': 1 }),
  ...units('frequency', { hz: 1, khz: 1000, mhz: 1e6, ghz: 1e9 }),
]);

export const unitOf = (name: string | null): Unit | null => (name === null ? null : (UNITS.get(name.toLowerCase()) ?? null));

/** A number with its unit; null for anything else. */
const quantityIn = (text: string): { readonly amount: number; readonly unit: string | null } | null => {
  const [, digits, unit = ''] = /^\s*["']?(-?\d[\d_,]*(?:\.\d+)?(?:e[+-]?\d+)?)\s*([a-zµ%]*)["']?\s*$/iu.exec(text) ?? [];
  if (digits === undefined) return null;
  const amount = Number(digits.replaceAll(/[_,]/gu, ''));
  return Number.isFinite(amount) ? { amount, unit: unit === '' ? null : unit } : null;
};

/** The claimed value, as the classifier read it. */
export type Claimed = { readonly value: string; readonly unit: string | null; readonly bound: Bound };

/**
 * Compares a found value with the claimed one, converting units if both have one. A number without a unit matches the same number; a different number
 * refutes only if no unit could make them equal.
 */
export const compare = (claimed: Claimed, found: string, foundUnit: string | null = null): Comparison => {
  const wanted = quantityIn(claimed.value);
  const there = quantityIn(found);
  if (wanted === null) return sameWord(claimed.value, found);
  if (there === null) return null;
  const mine = unitOf(claimed.unit);
  const its = unitOf(there.unit ?? foundUnit);
  if (mine !== null && its !== null)
    return mine.dimension === its.dimension ? fits(claimed.bound, there.amount * its.factor, wanted.amount * mine.factor) : null;
  if (fits(claimed.bound, there.amount, wanted.amount)) return true;
  const known = mine ?? its;
  if (known === null || claimed.bound !== 'exactly') return false;
  const amounts = [...UNITS.values()].filter(({ dimension }) => dimension === known.dimension).map(({ factor }) => factor / known.factor);
  const [with_, without] = mine === null ? [there.amount, wanted.amount] : [wanted.amount, there.amount];
  return amounts.some((factor) => near(without * factor, with_)) ? null : false;
};

const fits = (bound: Bound, found: number, claimed: number): boolean => {
  if (bound === 'at-least') return found >= claimed || near(found, claimed);
  if (bound === 'at-most') return found <= claimed || near(found, claimed);
  if (bound === 'above') return found > claimed;
  if (bound === 'below') return found < claimed;
  return bound === 'about' ? Math.abs(found - claimed) <= Math.abs(claimed) * 0.1 : near(found, claimed);
};

const near = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-9;

const sameWord = (claimed: string, found: string): boolean => {
  const [a, b] = [plain(claimed), plain(found)];
  return a === b || (SWITCHES.get(a) ?? a) === (SWITCHES.get(b) ?? b);
};

const plain = (text: string): string =>
  text
    .trim()
    .replaceAll(/^["'`]|["'`]$/gu, '')
    .toLowerCase();

const SWITCHES: ReadonlyMap<string, string> = new Map([
  ...['true', 'on', 'yes', 'enabled', '1'].map((word) => [word, 'true'] as const),
  ...['false', 'off', 'no', 'disabled', '0'].map((word) => [word, 'false'] as const),
]);

/** VAL-23: what may be shown of a value that differs: numbers, switches, versions and plain words. */
export const tellable = (value: string): string =>
  /^["']?(?:-?[\d.,_]+\s?[a-zµ%]{0,12}|[A-Za-z][A-Za-z-]{0,20}|v?\d+(?:\.\d+)*[\w.-]{0,12})["']?$/u.test(value.trim())
    ? value.trim()
    : 'another value';
