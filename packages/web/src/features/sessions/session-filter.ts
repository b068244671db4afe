import type { ListedSession } from '../home/projects.ts';

/** The words somebody types, in lower case. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');

/** Whether every word stands in its title, its project or at the start of its id. */
export const fits = ({ title, project, sessionId }: Pick<ListedSession, 'title' | 'project' | 'sessionId'>, words: readonly string[]): boolean => {
  const text = `${title ?? ''}\n${project ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word) || sessionId.toLowerCase().startsWith(word));
};
