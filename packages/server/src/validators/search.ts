import { join } from 'node:path';
import type { Reach } from './reach.ts';

export type Found = { readonly path: string; readonly name: string; readonly isFolder: boolean };

export type Searched = {
  readonly found: readonly Found[];
  /** Whether everything was looked at: only then is what was not found not there. */
  readonly isWhole: boolean;
};

export type SearchOptions = {
  readonly signal: AbortSignal;
  readonly most?: number;
  readonly mostEntries?: number;
  readonly from?: readonly string[];
};

/** VAL-20: walks through the folders that may be read, the project first, and stops at its bounds. Links are not followed; what others made is left out. */
export const searchFiles = async (
  reach: Reach,
  isWanted: (name: string) => boolean,
  { signal, most = 20, mostEntries = 20_000, from }: SearchOptions,
): Promise<Searched> => {
  const began = performance.now();
  const found: Found[] = [];
  const seen = new Set<string>();
  const folders = [...new Set(from ?? [...(reach.base === null ? [] : [reach.base]), ...reach.roots])];
  let entries = 0;
  for (let i = 0; i < folders.length; i += 1) {
    const folder = folders[i] ?? '';
    if (seen.has(folder)) continue;
    seen.add(folder);
    const left = mostEntries - entries;
    if (left <= 0 || signal.aborted || performance.now() - began > LONGEST) return { found, isWhole: false };
    const listed = await reach.list(folder, left + 1);
    if (listed === null) continue;
    entries += listed.length;
    if (entries > mostEntries) return { found, isWhole: false };
    for (const { name, isFolder, isFile } of listed) {
      const path = join(folder, name);
      if ((isFile || isFolder) && isWanted(name)) found.push({ path, name, isFolder });
      if (found.length >= most) return { found, isWhole: false };
      if (isFolder && !OTHERS.has(name)) folders.push(path);
    }
  }
  return { found, isWhole: true };
};

/** Folders with what others made, or what was made of it. */
const OTHERS: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'site-packages',
  '.venv',
  'venv',
  'target',
  'dist',
  'build',
  'out',
  '.next',
  '.cache',
  '__pycache__',
  '.tox',
  'vendor',
  '.gradle',
  'coverage',
]);
const LONGEST = 2000;
