import type { Sidebar } from '@yarnboard/domain';
import { defaultFilter } from 'cmdk';
import type { LucideIcon } from 'lucide-react';

/** Something the palette leads to or does. */
export type Entry = {
  readonly id: string;
  readonly label: string;
  readonly hint: string | null;
  readonly icon: LucideIcon;
  /** Other words it is found by. */
  readonly words: readonly string[];
  readonly run: () => void;
};

/** Those that fit what is typed, the best first; with nothing typed, the first of them. */
export const fitting = <T extends Pick<Entry, 'label' | 'words'>>(entries: readonly T[], text: string, most: number): readonly T[] => {
  const asked = text.trim();
  if (asked === '') return entries.slice(0, most);
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, asked) }))
    .filter(({ score }) => score >= LEAST)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ entry }) => entry);
};

/** PAGE-187: whether everything that is typed begins a word of it. */
export const isNamed = ({ label }: Pick<Entry, 'label'>, text: string): boolean => {
  const words = wordsIn(label);
  const asked = wordsIn(text);
  return asked.length > 0 && asked.every((one) => words.some((word) => word.startsWith(one)));
};

const wordsIn = (text: string): readonly string[] =>
  text
    .slice(0, MOST_OF_WORD)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** PAGE-187: the beginning of an id, long enough to mean one. */
export const isIdPrefix = (text: string): boolean => /^[0-9a-f]{8}(?:-?[0-9a-f]+)*-?$/iu.test(text);

const scoreOf = ({ label, words }: Pick<Entry, 'label' | 'words'>, asked: string): number =>
  Math.max(...[label, ...words].map((word) => defaultFilter(word.slice(0, MOST_OF_WORD), asked)));

/** Finds a sidebar by what it is about, or by its name. */
export const wordsOfSidebar = ({ ref, task, tags }: Pick<Sidebar, 'ref' | 'task' | 'tags'>): readonly string[] => [task, ref, ...tags];

// Letters strewn over a text fit almost anything; a word of it, or its beginning, fits well.
const LEAST = 0.05;
const MOST_OF_WORD = 200;
