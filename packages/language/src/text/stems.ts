import { IRREGULAR, SHORT_FORMS, WHOLE } from './forms.ts';

export const wordList = (words: string): readonly string[] => words.split(/\s+/u).filter((word) => word !== '');

const VOWEL = /[aeiouy]/u;
const undouble = (word: string): string => {
  const last = word.at(-1) ?? '';
  return last === word.at(-2) && !'aeioulsz'.includes(last) ? word.slice(0, -1) : word;
};
const SUFFIXES: readonly (readonly [suffix: string, instead: string])[] = [
  ['isations', 'iz'],
  ['izations', 'iz'],
  ['isation', 'iz'],
  ['ization', 'iz'],
  ['ations', ''],
  ['ation', ''],
  ['ating', ''],
  ['ated', ''],
  ['ates', ''],
  ['ate', ''],
  ['ising', 'iz'],
  ['ised', 'iz'],
  ['ises', 'iz'],
  ['ise', 'iz'],
  ['izing', 'iz'],
  ['ized', 'iz'],
  ['izes', 'iz'],
  ['ize', 'iz'],
  ['ssions', 'ss'],
  ['ssion', 'ss'],
  ['ctions', 'ct'],
  ['ction', 'ct'],
  ['ptions', 'pt'],
  ['ption', 'pt'],
  ['tions', 't'],
  ['tion', 't'],
  ['ances', ''],
  ['ance', ''],
  ['ences', ''],
  ['ence', ''],
  ['ages', ''],
  ['age', ''],
  ['able', ''],
  ['ible', ''],
  ['ments', ''],
  ['ment', ''],
  ['ings', ''],
  ['ing', ''],
  ['ies', 'y'],
  ['ied', 'y'],
  ['sses', 'ss'],
  ['xes', 'x'],
  ['ches', 'ch'],
  ['shes', 'sh'],
  ['ers', ''],
  ['ed', ''],
  ['es', ''],
  ['ly', ''],
  ['er', ''],
];

const BY_LAST: ReadonlyMap<string, typeof SUFFIXES> = new Map(
  ['s', 'n', 'g', 'd', 'e', 't', 'y', 'r'].map((last) => [last, SUFFIXES.filter(([suffix]) => suffix.endsWith(last))]),
);

/** One form for all forms of a word; not a linguistic stem, merely the same for each of them. */
export const stemOf = (word: string): string => {
  const plain = word.endsWith("'s") || word.endsWith('’s') ? word.slice(0, -2) : word;
  return KNOWN.get(plain) ?? strippedOf(plain);
};

const strippedOf = (word: string): string => {
  if (word.length < 4 || /\d/u.test(word)) return word;
  for (const [suffix, instead] of BY_LAST.get(word.at(-1) ?? '') ?? []) {
    if (!word.endsWith(suffix) || word.length - suffix.length < 3) continue;
    const rest = word.slice(0, -suffix.length) + instead;
    if (!VOWEL.test(rest)) continue;
    return closed(undouble(rest));
  }
  return closed(word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us') && !word.endsWith('is') ? word.slice(0, -1) : word);
};
const closed = (word: string): string =>
  word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word.endsWith('y') && word.length > 3 ? `${word.slice(0, -1)}i` : word;

/** All regular forms of a word: `server`, `servers`; `render`, `rendered`, `rendering`. */
const inflected = (word: string): readonly string[] => {
  const bare = word.endsWith('e') ? word.slice(0, -1) : word;
  return [word, `${word}s`, `${bare}ed`, `${bare}ing`];
};

const knownStems = (): ReadonlyMap<string, string> => {
  const stems = new Map(wordList(WHOLE).flatMap((word) => inflected(word).map((form) => [form, closed(word)] as const)));
  for (const line of [...IRREGULAR.split(', '), ...SHORT_FORMS.split(', ')]) {
    const [word = '', ...forms] = line.split(' ');
    const stem = stems.get(word) ?? strippedOf(word);
    for (const form of forms) stems.set(form, stem);
  }
  return stems;
};
const KNOWN = knownStems();

/** The irregular forms. */
export const formsWithStem = (stem: string): readonly string[] => BY_STEM.get(stem) ?? [];

const groupedByStem = (): ReadonlyMap<string, readonly string[]> => {
  const groups = new Map<string, string[]>();
  const add = (stem: string, form: string): void => {
    const known = groups.get(stem);
    if (known === undefined) groups.set(stem, [form]);
    else known.push(form);
  };
  for (const [form, stem] of KNOWN) add(stem, form);
  // The full word behind an abbreviation has no entry of its own.
  for (const line of [...IRREGULAR.split(', '), ...SHORT_FORMS.split(', ')]) {
    const [word = ''] = line.split(' ');
    if (!KNOWN.has(word)) add(stemOf(word), word);
  }
  return groups;
};
const BY_STEM = groupedByStem();

export const stemSet = (words: string): ReadonlySet<string> => new Set(wordList(words).map(stemOf));
export const wordSet = (words: string): ReadonlySet<string> => new Set(wordList(words));

/** A typo in a long word: one letter missing, added or changed, or two swapped. */
export const isSlip = (a: string, b: string): boolean => {
  if (a.length < 5 || b.length < 5 || Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const [restA, restB] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (restA.length > 2 || restB.length > 2 || /\d/u.test(a + b)) return false;
  if (Math.max(restA.length, restB.length) <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
};

export const singularOf = (word: string): string => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word);
