import { maskSecrets } from '../policies/masking.ts';
import type { Sidebar } from './state.ts';

/** What somebody looks for, in words. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');

/** API-41: whether a sidebar has all of them: in its task, success criteria, type, tags, name, or the names of those who take part. */
export const hasWords = ({ ref, task, successCriteria, taskType, tags, participants }: Sidebar, words: readonly string[]): boolean => {
  if (words.length === 0) return true;
  const names = participants.map((id) => id.replace(/^AGENT-/u, ''));
  // SEC-26: what is masked when it is shown is not found either.
  const all = maskSecrets([ref, task, successCriteria ?? '', taskType ?? '', ...tags, ...names].join('\n')).text.toLowerCase();
  return words.every((word) => all.includes(word));
};
