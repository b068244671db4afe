import type { Role } from '../entry.ts';

/**
 * The contents of the tags in which the CLI wraps commands, shell lines, their output and notices: <command-name>/compact</command-name> … Null if
 * the text has none.
 */
export const inTags = (role: Role, text: string): readonly string[] | null => {
  const tags = TAGS.get(role);
  // Longer ones stay as they are: a text of open tags would be searched to its end for each.
  if (tags === undefined || text.length > 20_000) return null;
  const inner = [...text.matchAll(tags)];
  return inner.length === 0 ? null : inner.map(([, , words = '']) => words.trim()).filter((words) => words !== '');
};

const WRAPPED = /<(command-name|command-args|local-command-\w+|bash-\w+|user-memory-input)>([\s\S]*?)<\/\1>/gu;
const TAGS: ReadonlyMap<Role, RegExp> = new Map<Role, RegExp>([
  ['command', WRAPPED],
  ['output', WRAPPED],
  ['bash', WRAPPED],
  ['memory', WRAPPED],
  ['notice', /<(summary|result|tick|goal|teammate-message|agent-message|cross-session-message|channel)(?:\s[^<>]*)?>([\s\S]*?)<\/\1>/gu],
]);
