import { dateAt, MONTH_NAMES, WEEKDAYS } from './dates.ts';
import type { Quantity, Reading } from './measures.ts';
import { NUMBER_WORDS } from '../text/lexicon/shared-words.ts';
import { singularOf } from '../text/stems.ts';

const TIME: Readonly<Record<string, number>> = {
  ns: 1e-9,
  nanosecond: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  microsecond: 1e-6,
  ms: 1e-3,
  msec: 1e-3,
  millisecond: 1e-3,
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hr: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
  week: 604_800,
  w: 604_800,
  month: 2_592_000,
  year: 31_536_000,
};
const BYTES: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  pb: 1e15,
  kilobyte: 1e3,
  megabyte: 1e6,
  gigabyte: 1e9,
  terabyte: 1e12,
  kib: 1024,
  mib: 1_048_576,
  gib: 1_073_741_824,
  tib: 1_099_511_627_776,
  ki: 1024,
  mi: 1_048_576,
  gi: 1_073_741_824,
  ti: 1_099_511_627_776,
  kbyte: 1e3,
  mbyte: 1e6,
  gbyte: 1e9,
};
const PHYSICAL: Readonly<Record<string, readonly ['frequency' | 'current' | 'voltage' | 'bits', number]>> = {
  hz: ['frequency', 1],
  khz: ['frequency', 1e3],
  mhz: ['frequency', 1e6],
  ghz: ['frequency', 1e9],
  na: ['current', 1e-9],
  ua: ['current', 1e-6],
  µa: ['current', 1e-6],
  μa: ['current', 1e-6],
  ma: ['current', 1e-3],
  mv: ['voltage', 1e-3],
  kv: ['voltage', 1e3],
  v: ['voltage', 1],
  volt: ['voltage', 1],
  kbit: ['bits', 1e3],
  mbit: ['bits', 1e6],
  gbit: ['bits', 1e9],
  kbps: ['bits', 1e3],
  mbps: ['bits', 1e6],
  gbps: ['bits', 1e9],
};
const physicalAt = (words: readonly string[], at: number, amount: number, unit: string): Reading | null => {
  const known = Object.hasOwn(PHYSICAL, unit) ? PHYSICAL[unit] : Object.hasOwn(PHYSICAL, singularOf(unit)) ? PHYSICAL[singularOf(unit)] : undefined;
  if (known === undefined) return null;
  const isRate = known[0] === 'bits' && LINKS.has(words[at] ?? '') && lookup(TIME, words[at + 1] ?? '') === 1;
  return { measure: known[0], parts: [amount * known[1]], until: isRate ? at + 2 : at };
};
const SCALE: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  million: 1e6,
  mio: 1e6,
  mn: 1e6,
  billion: 1e9,
  bn: 1e9,
  hundred: 100,
  dozen: 12,
};
const NUMBERS: Readonly<Record<string, number>> = { ...NUMBER_WORDS, zero: 0, single: 1, hundred: 100 };
const FRACTIONS: Readonly<Record<string, number>> = { half: 50, third: 100 / 3, thirds: 200 / 3, quarter: 25, quarters: 75, fifth: 20, tenth: 10 };

const LEAST = new Set(['least', 'over', 'above', 'minimum', '>', '>=', '≥', 'exceeds', 'beyond']);
const MOST = new Set(['most', 'under', 'below', 'within', '<', '<=', '≤', 'up', 'maximum', 'nearly', 'almost']);
const ALONE = new Set(['is', '=', 'to', 'of', 'are', 'at', 'equals', 'was', 'says']);
const ABOUT = new Set(['about', 'around', 'roughly', 'approximately', 'approx', 'circa', 'ca', '~', 'nearly', 'almost', 'some', 'say']);
const BARE = /^v?\d+(?:\.\d+)*(?:-(?:rc|beta|alpha)[\d.]*)?$/u;
const RATIO = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/u;
const JOINED = /^(\d+(?:\.\d+)?)([a-zµμ]+)$/u;
const DURATION = /^(?:(\d+)h)?(?:(\d+)m(?:in)?)?(?:(\d+)s)?$/u;
const RATES: Readonly<Record<string, number>> = { rps: 1, qps: 1, tps: 1, ops: 1, fps: 1, rpm: 1 / 60 };

const lookup = (table: Readonly<Record<string, number>>, word: string): number | undefined =>
  Object.hasOwn(table, word) ? table[word] : Object.hasOwn(table, singularOf(word)) ? table[singularOf(word)] : undefined;

const OPENERS = new Set([
  ...Object.keys(NUMBERS),
  ...Object.keys(FRACTIONS),
  ...MONTH_NAMES,
  ...WEEKDAYS,
  'hourly',
  'daily',
  'nightly',
  'weekly',
  'monthly',
  'yearly',
  ...WEEKDAYS.map((day) => `${day}s`),
  'once',
  'twice',
  'a',
  'an',
  'every',
  'each',
  'noon',
  'midnight',
]);
const mayBegin = (word: string): boolean => {
  const first = word.charCodeAt(0);
  return (first >= 48 && first <= 57) || first === 118 || OPENERS.has(word);
};

/** The quantities in a sequence of lower-case words. `at` and `until` are indices into `words`. */
export const quantitiesOf = (words: readonly string[]): readonly Quantity[] => {
  const found: Quantity[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!mayBegin(words[at] ?? '')) continue;
    const reading = dateAt(words, at) ?? amountAt(words, at);
    if (reading === null) continue;
    found.push(dressed(words, at, reading.measure === 'time' && words[at - 1] === 'every' ? { ...reading, measure: 'interval' } : reading));
    at = reading.until - 1;
  }
  return found;
};

const dressed = (words: readonly string[], at: number, reading: Reading): Quantity => {
  const before = [words[at - 1] ?? '', words[at - 2] ?? '', words[at - 3] ?? ''];
  const [one = '', two = '', three = ''] = before;
  const than = one === 'than' ? two : '';
  const least =
    than === 'more' ||
    than === 'longer' ||
    than === 'greater' ||
    LEAST.has(one) ||
    one === 'between' ||
    (LEAST.has(two) && (one === 'a' || one === 'of' || one === 'the'));
  const upTo = (one === 'to' && two === 'up') || (one === 'a' && two === 'to' && three === 'up');
  const most =
    than === 'less' ||
    than === 'fewer' ||
    than === 'shorter' ||
    upTo ||
    (one !== 'up' && MOST.has(one)) ||
    (one === 'and' && words.slice(Math.max(0, at - 5), at).includes('between')) ||
    (one === 'a' && MOST.has(two));
  return {
    measure: reading.measure,
    parts: reading.parts,
    until: reading.until,
    at,
    bound: least ? 'least' : most ? 'most' : 'exact',
    alone: reading.until === words.length && ALONE.has(one),
    about: ABOUT.has(one) || ABOUT.has(two) || words[at]?.startsWith('third') === true,
    nouns: reading.nouns ?? [],
    label: reading.label ?? null,
    text: words.slice(at, reading.until).join(' ').replaceAll(' %', ' %'),
  };
};

const SPANNED = new Set([
  'for',
  'expire',
  'within',
  'every',
  'after',
  'of',
  'is',
  'takes',
  'take',
  'took',
  'over',
  'about',
  'least',
  'than',
  'roughly',
  'around',
]);
const CADENCES: Readonly<Record<string, number>> = {
  hourly: 3600,
  daily: 86_400,
  nightly: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
};
const LINKS = new Set(['a', 'an', 'per', 'each', 'every', '/']);
const NOT_NOUNS = new Set([
  'a',
  'an',
  'the',
  'of',
  'to',
  'in',
  'on',
  'at',
  'for',
  'from',
  'by',
  'with',
  'and',
  'or',
  'is',
  'are',
  'was',
  'were',
  'per',
  'each',
  'every',
  'when',
  'if',
  'so',
  'as',
  'than',
  'that',
  'which',
  'not',
  'no',
  'now',
  'instead',
  'after',
  'before',
  'since',
  'until',
  'during',
  '%',
  '=',
]);

const amountAt = (words: readonly string[], at: number): Reading | null => {
  const word = words[at] ?? '';
  const previous = words[at - 1] ?? '';
  if (word === 'once' || word === 'twice') {
    if (word === 'once' && !LINKS.has(words[at + 1] ?? '') && previous !== 'only' && previous !== 'exactly' && previous !== 'just') return null;
    const times = word === 'once' ? 1 : 2;
    const each = LINKS.has(words[at + 1] ?? '') ? lookup(TIME, words[at + 2] ?? '') : undefined;
    return each === undefined ? { measure: 'count', parts: [times], until: at + 1 } : { measure: 'interval', parts: [each / times], until: at + 3 };
  }
  const cadence = Object.hasOwn(CADENCES, word) ? CADENCES[word] : undefined;
  if (cadence !== undefined && at > 0 && (words[at + 1] === undefined || NOT_NOUNS.has(words[at + 1] ?? '')))
    return { measure: 'interval', parts: [cadence], until: at + 1 };
  const fraction = lookup(FRACTIONS, word);
  if (
    fraction !== undefined &&
    (previous === 'a' || previous === 'one' || previous === 'two' || previous === 'three' || word === 'half') &&
    words[at + 1] === 'of'
  )
    return { measure: 'percent', parts: [fraction], until: at + 1 };
  if (
    (word === 'a' || word === 'an') &&
    !(previous === 'of' && Object.hasOwn(FRACTIONS, words[at - 2] ?? '')) &&
    (MOST.has(previous) || SPANNED.has(previous)) &&
    lookup(TIME, words[at + 1] ?? '') !== undefined &&
    (words[at + 1] ?? '').length > 3
  )
    return { measure: 'time', parts: [lookup(TIME, words[at + 1] ?? '') ?? 0], until: at + 2 };
  if ((word === 'every' || word === 'each') && (words[at + 1] ?? '').length > 3 && lookup(TIME, words[at + 1] ?? '') !== undefined)
    return { measure: 'interval', parts: [lookup(TIME, words[at + 1] ?? '') ?? 0], until: at + 2 };
  const ratio = RATIO.exec(word);
  if (ratio !== null) return { measure: 'ratio', parts: [Number(ratio[1]) / Math.max(Number(ratio[2]), 1e-9)], until: at + 1 };
  const spelled = lookup(NUMBERS, word);
  if (
    word === 'one' &&
    !(SPANNED.has(previous) && lookup(TIME, words[at + 1] ?? '') !== undefined && (words[at + 1] ?? '').length > 3) &&
    (!['by', 'exactly', 'only', 'just', 'is', 'with', 'has', 'in', 'and', 'shows', 'finds', 'lists', 'sees', 'found', 'after'].includes(previous) ||
      !/^[a-z]{3,}/u.test(words[at + 1] ?? ''))
  )
    return null;
  if (spelled !== undefined) return measured(words, at + 1, spelled, at);
  if (word.length > 1 && /^\d/u.test(word)) {
    const rate = JOINED.exec(word);
    if (rate !== null) return joined(words, at, Number(rate[1]), rate[2] ?? '');
    const duration = DURATION.exec(word);
    if (duration !== null)
      return { measure: 'time', parts: [Number(duration[1] ?? 0) * 3600 + Number(duration[2] ?? 0) * 60 + Number(duration[3] ?? 0)], until: at + 1 };
  }
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u.test(word) ? word.replaceAll(',', '') : word.replaceAll('_', '');
  if (!BARE.test(grouped)) return null;
  const dots = grouped.split('.').length - 1;
  if (grouped.startsWith('v') || dots >= 2) return { measure: 'version', parts: versionParts(grouped), until: at + 1, ...labelled(previous) };
  return measured(words, at + 1, Number(grouped), at);
};
const versionParts = (word: string): readonly number[] =>
  word
    .replace(/^v/u, '')
    .split(/[.-]/u)
    .map(Number)
    .filter((part) => !Number.isNaN(part))
    .slice(0, 4);
const UNLABELLED = new Set(
  'has have had takes take took runs run lists says shows returns return uses use used needs need about only exactly just up least most all some then now currently around over under than got gets found saw prints print equals stays was'.split(
    ' ',
  ),
);
const labelled = (word: string): { readonly label?: string } =>
  /^[a-z][\w./-]*$/u.test(word) && !NOT_NOUNS.has(word) && !UNLABELLED.has(word) ? { label: word } : {};

const joined = (words: readonly string[], at: number, amount: number, unit: string): Reading | null => {
  if (unit === 'x') return { measure: 'factor', parts: [amount], until: at + 1 };
  const scale = unit === 'm' && !LINKS.has(words[at + 1] ?? '') && /^[a-z]{3,}s$/u.test(words[at + 1] ?? '') ? 1e6 : unit === 'k' ? 1e3 : undefined;
  if (scale !== undefined) return measured(words, at + 1, amount * scale, at);
  const bytes = lookup(BYTES, unit);
  if (bytes !== undefined && unit.length > 1) return perTime(words, at + 1, { measure: 'bytes', parts: [amount * bytes], until: at + 1 });
  const time = lookup(TIME, unit);
  if (time !== undefined) return { measure: 'time', parts: [amount * time], until: at + 1 };
  return physicalAt(words, at + 1, amount, unit);
};

const measured = (words: readonly string[], from: number, amount: number, at: number): Reading => {
  let value = amount;
  let until = from;
  const scale = lookup(SCALE, words[until] ?? '');
  if (scale !== undefined) {
    value *= scale;
    until += 1;
  }
  const unit = words[until] ?? '';
  if (unit === '%' || unit === 'percent' || unit === 'pct' || (unit === 'per' && words[until + 1] === 'cent'))
    return { measure: 'percent', parts: [value], until: until + 1 };
  if (unit === 'x' || (unit === 'times' && ['faster', 'slower', 'larger', 'bigger', 'smaller', 'more', 'as'].includes(words[until + 1] ?? '')))
    return { measure: 'factor', parts: [value], until: until + 1 };
  const rate = lookup(RATES, unit);
  if (rate !== undefined) return { measure: 'rate', parts: [value * rate], until: until + 1 };
  if (['$', '€', '£', 'usd', 'eur', 'dollar', 'dollars', 'euro', 'euros'].includes(unit))
    return { measure: 'money', parts: [value], until: until + 1 };
  const physical = physicalAt(words, until + 1, value, unit);
  if (physical !== null) return physical;
  const bytes = lookup(BYTES, unit);
  if (bytes !== undefined) return perTime(words, until + 1, { measure: 'bytes', parts: [value * bytes], until: until + 1 });
  const time = lookup(TIME, unit);
  if (time !== undefined && unit !== 'd' && unit !== 'w') return { measure: 'time', parts: [value * time], until: until + 1 };
  const nouns: string[] = [];
  for (let i = until; i < Math.min(words.length, until + 3); i += 1) {
    const word = words[i] ?? '';
    if (NOT_NOUNS.has(word) || /^[,;:.()!?|—–]/u.test(word) || !/^[a-z]/u.test(word)) break;
    nouns.push(word);
  }
  const after = words[until + nouns.length] ?? '';
  const span = lookup(TIME, words[until + nouns.length + 1] ?? '');
  if (LINKS.has(after) && span !== undefined && nouns[0] === 'times')
    return { measure: 'interval', parts: [span / Math.max(value, 1e-9)], until: until + nouns.length + 2 };
  if (LINKS.has(after) && span !== undefined && nouns.length > 0)
    return { measure: 'rate', parts: [value / span], nouns, until: until + nouns.length + 2 };
  if (LINKS.has(after) && span !== undefined && nouns.length === 0) return { measure: 'rate', parts: [value / span], nouns, until: until + 2 };
  return {
    measure: 'count',
    parts: [value],
    nouns: nouns[0] === 'times' || nouns[0] === 'time' ? [] : nouns,
    until,
    ...labelled(words[at - 1] ?? ''),
  };
};
const perTime = (words: readonly string[], at: number, reading: Reading): Reading => {
  const span = lookup(TIME, words[at + 1] ?? '');
  return LINKS.has(words[at] ?? '') && span !== undefined
    ? { measure: 'rate', parts: [(reading.parts[0] ?? 0) / span], nouns: ['byte'], until: at + 2 }
    : reading;
};
