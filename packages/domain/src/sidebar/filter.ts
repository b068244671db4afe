import { maskSecrets } from '../policies/masking.ts';
import type { Sidebar } from './state.ts';

/** The words of a query. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');

/** API-41: whether a sidebar has all of them: in its task, success criteria, type, tags, name, or participants' names. */
export const hasWords = ({ ref, task, successCriteria, taskType, tags, participants }: Sidebar, words: readonly string[]): boolean => {
  if (words.length === 0) return true;
  const names = participants.map((id) => id.replace(/^AGENT-/u, ''));
  // SEC-26: text that is masked when shown can't be found either.
  const all = maskSecrets([ref, task, successCriteria ?? '', taskType ?? '', ...tags, ...names].join('\n')).text.toLowerCase();
  return words.every((word) => all.includes(word));
};
