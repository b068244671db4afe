import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { InputOf } from '@yarnboard/protocol';
import { showHolder, type HolderNeeds } from './holder.ts';
import { refusedFor } from './request/refusal.ts';

/** RUN-42: file names in a session's working directory. Looks at nothing outside it and opens no file. */
export const listDirectoryFiles = async (needs: HolderNeeds, { id, words, limit }: InputOf<'directory_files'>): Promise<object> => {
  const { directory } = (await showHolder(needs, { id })) as { readonly directory: string | null }; // the operation's declared output
  if (directory === null) throw refusedFor('directory-unknown', { session: id });
  const { paths, isCut } = await pathsIn(directory, needs.now);
  const fitting = pathsFitting(paths, words);
  return { directory, items: fitting.slice(0, limit), isCut: isCut || fitting.length > limit };
};

/** Paths in and below a directory, nearest first; folders end with a slash. Doesn't follow links. */
export const pathsIn = async (directory: string, now: () => number): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }> => {
  const until = now() + MOST_MS;
  const paths: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    if (paths.length >= MOST_SEEN || now() > until) return { paths, isCut: true };
    // The folder may be gone by now, or unreadable.
    const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(`${folder}${entry.name}/`);
      if (entry.isFile() || (entry.isDirectory() && !SKIPPED.has(entry.name))) paths.push(`${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`);
    }
  }
  return { paths, isCut: false };
};

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
/** Don't wait for a slow file system. */
const MOST_MS = 1500;
