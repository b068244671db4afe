import type { Random } from './random.ts';

/** Words as unequal as those of a language: the first is in almost every text, the last in a handful. */
export type Vocabulary = {
  readonly words: readonly string[];
  readonly has: (word: string) => boolean;
  /** A word by chance, the n-th one n times rarer than the first; its place in the list. */
  readonly draw: () => number;
};

/** `first` are the commonest; the others are made up. */
export const createVocabulary = (random: Random, size: number, first: readonly string[]): Vocabulary => {
  const words = new Set<string>(first);
  while (words.size < size) {
    // Common words are short.
    const syllables = words.size < 150 ? 1 : words.size < 5000 ? 2 : random.between(2, 4);
    let word = '';
    for (let i = 0; i < syllables; i += 1) word += random.pick(ONSETS) + random.pick(VOWELS) + (random.chance(0.45) ? random.pick(CODAS) : '');
    if (word.length > 2) words.add(word);
  }
  const list = [...words];
  return { words: list, has: (word) => words.has(word), draw: () => Math.min(size - 1, Math.floor(size ** random.next()) - 1) };
};

const ONSETS = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'w',
  'br',
  'ch',
  'cl',
  'cr',
  'dr',
  'fl',
  'gr',
  'pl',
  'pr',
  'sh',
  'sl',
  'sp',
  'st',
  'str',
  'th',
  'tr',
] as const;
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'a', 'e', 'i', 'o', 'ea', 'ou', 'ai', 'io'] as const;
const CODAS = ['n', 'r', 's', 't', 'l', 'm', 'd', 'ck', 'nd', 'nt', 'ng', 'st', 'x'] as const;
