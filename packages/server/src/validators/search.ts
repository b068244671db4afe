import { join } from 'node:path';
import type { Reach } from './reach.ts';

export type Found = { readonly path: string; readonly name: string; readonly isFolder: boolean };

export type Searched = {
  readonly found: readonly Found[];
  /** Whether the search was complete: only then does "not found" mean "not there". */
  readonly isWhole: boolean;
};

export type SearchOptions = {
  readonly signal: AbortSignal;
  readonly most?: number;
  readonly mostEntries?: number;
  readonly from?: readonly string[];
};

/** VAL-20: searches the allowed folders, the project first, within limits. Follows no links and skips third-party and generated folders. */
export const searchFiles = async (
  reach: Reach,
  isWanted: (name: string) => boolean,
  { signal, most = 20, mostEntries = 20_000, from }: SearchOptions,
): Promise<Searched> => {
  const began = performance.now();
  const found: Found[] = [];
  const named = from ?? [...(reach.base === null ? [] : [reach.base]), ...reach.roots];
  // Resolve the starting folders: only these may be links.
  const starts = await Promise.all(named.map((folder) => reach.look(folder)));
  const folders = [...new Set(starts.flatMap((one) => (one.kind === 'folder' ? [one.path] : [])))];
  const seen = new Set<string>();
  const walk = reach.walk();
  let entries = 0;
  try {
    for (let i = 0; i < folders.length;) {
      // Several at once, in the order they were found: reading a folder is mostly waiting for the system.
      const next = folders.slice(i, i + AT_ONCE);
      i += next.length;
      const batch = next.filter((folder) => !seen.has(folder) && seen.add(folder));
      const left = mostEntries - entries;
      if (left <= 0 || signal.aborted || performance.now() - began > LONGEST) return { found, isWhole: false };
      const lists = await Promise.all(batch.map((folder) => walk.entriesIn(folder, left + 1)));
      for (const [n, folder] of batch.entries()) {
        const listed = lists[n] ?? [];
        entries += listed.length;
        if (entries > mostEntries) return { found, isWhole: false };
        for (const entry of listed) {
          const { name } = entry;
          const isFolder = entry.isDirectory();
          const isSought = (isFolder || entry.isFile()) && isWanted(name);
          const isEntered = isFolder && !OTHERS.has(name);
          // Few entries matter here. Only those need the test for hidden names.
          if ((!isSought && !isEntered) || reach.isHidden(folder, name)) continue;
          const path = join(folder, name);
          if (isSought) found.push({ path, name, isFolder });
          if (found.length >= most) return { found, isWhole: false };
          if (isEntered) folders.push(path);
        }
      }
    }
    return { found, isWhole: true };
  } finally {
    walk.end();
  }
};

/** Folders of third-party or generated files. */
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
/** Enough to keep the system busy while folders are opened and closed. */
const AT_ONCE = 16;
