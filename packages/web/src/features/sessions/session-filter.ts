import { counted, countOf } from '../../ui/wording.ts';
import { isUsual, toolName } from '../../shared/tools.ts';
import type { ListedSession } from '../../shared/projects.ts';

/** The words somebody types, in lower case. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');

/** Whether every word stands in its title, its project or the name of its program, or at the start of its id. */
export const fits = (
  { title, project, sessionId, tool }: Pick<ListedSession, 'title' | 'project' | 'sessionId' | 'tool'>,
  words: readonly string[],
): boolean => {
  const text = `${title ?? ''}\n${project ?? ''}\n${isUsual(tool) ? '' : toolName(tool)}`.toLowerCase();
  return words.every((word) => text.includes(word) || sessionId.toLowerCase().startsWith(word));
};

export type Looked = {
  readonly shown: number;
  /** How many are here, of which those that are shown fit. */
  readonly loaded: number;
  readonly isWhole: boolean;
  readonly isFiltered: boolean;
  readonly hasFailed: boolean;
};

/** What is listed, and how far it was looked: what is not said to be missing is taken for everything. */
export const lookedText = ({ shown, loaded, isWhole, isFiltered, hasFailed }: Looked): string => {
  if (isFiltered && isWhole) return `${countOf(shown)} of ${counted(loaded, 'session')}`;
  if (isFiltered) return `${countOf(shown)} found in the latest ${counted(loaded, 'session')}, ${hasFailed ? 'couldn’t load more' : 'loading more…'}`;
  if (isWhole) return counted(shown, 'session');
  if (shown === 0) return 'Loading…';
  return `Latest ${countOf(shown)}, ${hasFailed ? 'couldn’t load more' : 'scroll for more'}`;
};
