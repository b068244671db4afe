import { counted, countOf } from '../../ui/wording.ts';
import { isUsual, toolName } from '../../shared/tools.ts';
import type { ListedSession } from '../../shared/projects.ts';
import type { Only, Sort } from './list-address.ts';

/** The typed words, in lower case. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');

/** Whether every word occurs in its title, tags, note, project or coding agent, or begins its id. */
export const fits = (
  { title, project, sessionId, tool, labels }: Pick<ListedSession, 'title' | 'project' | 'sessionId' | 'tool' | 'labels'>,
  words: readonly string[],
): boolean => {
  const own = labels === undefined ? '' : [...labels.tags, labels.note ?? ''].join('\n');
  const text = `${title ?? ''}\n${own}\n${project ?? ''}\n${isUsual(tool) ? '' : toolName(tool)}`.toLowerCase();
  return words.every((word) => text.includes(word) || sessionId.toLowerCase().startsWith(word));
};

/** PAGE-615: whether a session passes the filters other than its words. */
export const isWanted = ({ errors, messages, state }: ListedSession, only: readonly Only[]): boolean =>
  (!only.includes('errors') || errors > 0) && (!only.includes('nonempty') || messages > 0 || state === 'pending');

/** PAGE-615, PAGE-616: in the chosen order; by date, pinned sessions come first. */
export const sorted = (sessions: readonly ListedSession[], sort: Sort): readonly ListedSession[] => {
  if (sort === 'latest') {
    const isPinned = ({ labels }: ListedSession): boolean => labels?.pinned === true;
    return sessions.some(isPinned) ? [...sessions.filter(isPinned), ...sessions.filter((one) => !isPinned(one))] : sessions;
  }
  return sessions.toSorted((a, b) => MEASURES[sort](b) - MEASURES[sort](a));
};

const MEASURES: Readonly<Record<Exclude<Sort, 'latest'>, (session: ListedSession) => number>> = {
  cost: ({ costUsd }) => costUsd,
  messages: ({ messages }) => messages,
  errors: ({ errors }) => errors,
  longest: ({ startedAt, endedAt }) => (startedAt === null || endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt)),
};

export type Looked = {
  readonly shown: number;
  /** How many have loaded; those shown are the matching ones. */
  readonly loaded: number;
  readonly isWhole: boolean;
  readonly isFiltered: boolean;
  readonly hasFailed: boolean;
};

/** What the list shows, and how far it has looked: without a caveat, people would take it for everything. */
export const lookedText = ({ shown, loaded, isWhole, isFiltered, hasFailed }: Looked): string => {
  if (isFiltered && isWhole) return `${countOf(shown)} of ${counted(loaded, 'session')}`;
  if (isFiltered) return `${countOf(shown)} found in the latest ${counted(loaded, 'session')}, ${hasFailed ? 'couldn’t load more' : 'loading more…'}`;
  if (isWhole) return counted(shown, 'session');
  if (shown === 0) return 'Loading…';
  return `Latest ${countOf(shown)}, ${hasFailed ? 'couldn’t load more' : 'scroll for more'}`;
};
