import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { InputOf } from '@yarnboard/protocol';
import { printable } from '@yarnboard/transcript';
import { showHolder, type HolderNeeds } from './holder.ts';
import { refusedFor } from './request/refusal.ts';

/** RUN-42: file names in a session's working directory. Looks at nothing outside it and opens no file. */
export const listDirectoryFiles = async (needs: HolderNeeds, { id, words, limit }: InputOf<'directory_files'>): Promise<object> => {
  const { directory } = (await showHolder(needs, { id })) as { readonly directory: string | null }; // the operation's declared output
  // A transcript may say anything; a relative directory would be one of the server's.
  if (directory === null || !isAbsolute(directory)) throw refusedFor('directory-unknown', { session: id });
  const { paths, isCut } = await pathsIn(directory, needs.now);
  const fitting = pathsFitting(paths, words);
  return { directory, items: fitting.slice(0, limit), isCut: isCut || fitting.length > limit };
};

/** Paths in and below a directory, nearest first; folders end with a slash. Doesn't follow links. */
export const pathsIn = async (
  directory: string,
  now: () => number,
  most = MOST_SEEN,
): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }> => {
  const until = now() + MOST_MS;
  const paths: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    const room = most - paths.length;
    const { entries, isWhole } = await entriesIn(join(directory, folder), room, () => now() > until);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const isFolder = entry.isDirectory() && !SKIPPED.has(entry.name);
      if (isFolder) folders.push(`${folder}${entry.name}/`);
      if (isFolder || entry.isFile()) paths.push(`${folder}${entry.name}${isFolder ? '/' : ''}`);
    }
    if (!isWhole) return { paths, isCut: true };
  }
  return { paths, isCut: false };
};

/** The entries of a folder, read one after another: one folder may have millions. Nothing if it is gone by now, or unreadable. */
const entriesIn = async (
  folder: string,
  room: number,
  isOver: () => boolean,
): Promise<{ readonly entries: readonly Dirent[]; readonly isWhole: boolean }> => {
  const entries: Dirent[] = [];
  let seen = 0;
  if (room <= 0 || isOver()) return { entries, isWhole: false };
  try {
    for await (const entry of await opendir(folder)) {
      seen += 1;
      if (entries.length >= room || (seen % SOME === 0 && isOver())) return { entries, isWhole: false };
      if (canBeMentioned(entry.name)) entries.push(entry);
    }
  } catch {
    return { entries, isWhole: true };
  }
  return { entries, isWhole: true };
};

/** A name with a line break or another invisible sign would put words of its own into a prompt. */
const canBeMentioned = (name: string): boolean => printable(name) === name && !/[\t\n\u2028\u2029]/u.test(name);

/** Paths that contain the search text: first those whose own name starts with it, then those whose name contains it, then the rest. */
export const pathsFitting = (paths: readonly string[], words: string): readonly string[] => {
  const wanted = words.toLowerCase();
  const name = (path: string): string => path.replace(/\/$/u, '').split('/').at(-1)?.toLowerCase() ?? '';
  const rank = (path: string): number => {
    if (name(path).startsWith(wanted)) return 0;
    return name(path).includes(wanted) ? 1 : 2;
  };
  return paths
    .filter((path) => path.toLowerCase().includes(wanted))
    .map((path) => ({ path, rank: rank(path) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ path }) => path);
};

/** Large, and nothing anyone would mention. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules']);
const MOST_SEEN = 20_000;
/** How many to read between looks at the clock. */
const SOME = 256;
/** Don't wait for a slow file system. */
const MOST_MS = 1500;
