import type { Sidebar } from '@yarnboard/domain';
import { defaultFilter } from 'cmdk';
import type { LucideIcon } from 'lucide-react';

/** A place or an action that the palette offers. */
export type Entry = {
  readonly id: string;
  readonly label: string;
  readonly hint: string | null;
  readonly icon: LucideIcon;
  /** Other words that find it. */
  readonly words: readonly string[];
  readonly run: () => void;
};

/** The entries that match the typed text, the best first; with no text, the first entries. */
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

/** PAGE-187: whether every typed word begins a word of the label. */
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

/** PAGE-187: whether it is the beginning of an id, long enough to mean one. */
export const isIdPrefix = (text: string): boolean => /^[0-9a-f]{8}(?:-?[0-9a-f]+)*-?$/iu.test(text);

const scoreOf = ({ label, words }: Pick<Entry, 'label' | 'words'>, asked: string): number =>
  Math.max(...[label, ...words].map((word) => defaultFilter(word.slice(0, MOST_OF_WORD), asked)));

/** The words that find a sidebar: its task, its name and its tags. */
export const wordsOfSidebar = ({ ref, task, tags }: Pick<Sidebar, 'ref' | 'task' | 'tags'>): readonly string[] => [task, ref, ...tags];

// Letters scattered over a text match almost anything; a word of it, or the beginning of one, scores well above this.
const LEAST = 0.05;
const MOST_OF_WORD = 200;
