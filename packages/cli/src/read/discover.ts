import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { classifyPath, type SkippedFile } from '@yarnboard/transcript';

export type FoundFile = { readonly path: string; readonly bytes: number; readonly modified: number };

export type Found = {
  /** Transcripts and sub-agents' files. */
  readonly files: readonly FoundFile[];
  /** Files that belong to a session without being transcripts, by path, with the session where the path tells. */
  readonly companions: ReadonlyMap<string, string | null>;
  readonly skipped: readonly SkippedFile[];
};

/** Walks files and folders; takes each once, whatever links lead to it. Throws what the file system throws for a path given by name. */
export const discover = (paths: readonly string[]): Found => {
  const files = new Map<string, FoundFile>();
  const companions = new Map<string, string | null>();
  const skipped: SkippedFile[] = [];
  const seen = new Set<string>();

  const take = (path: string, isNamed: boolean): void => {
    const stat = statSync(path);
    if (stat.isDirectory()) {
      takeFolder(path, realpathSync(path));
      return;
    }
    // The same file may be named twice: by itself and by its folder, or by a link.
    const identity = realpathSync(path);
    if (seen.has(identity)) return;
    seen.add(identity);
    const kind = classifyPath(path);
    if (kind.role === 'companion' && stat.isFile()) companions.set(path, kind.sessionId);
    else if (kind.role === 'companion') skipped.push({ file: path, reason: 'not a regular file' });
    else if (kind.role === 'foreign' && !isNamed) skipped.push({ file: path, reason: kind.reason });
    else if (!stat.isFile() && !isNamed) skipped.push({ file: path, reason: 'not a regular file' });
    else files.set(path, { path, bytes: stat.size, modified: stat.mtimeMs });
  };

  const takeFolder = (folder: string, identity: string): void => {
    if (seen.has(identity)) return;
    seen.add(identity);
    const names = readdirSync(folder).sort();
    // A Claude Code home: its transcripts are under projects/, everything else is named once and left alone.
    const isHome = names.includes('projects') && (HOME_NAMES.has(basename(folder)) || names.some((name) => HOME_FILES.has(name)));
    for (const name of names) {
      const path = join(folder, name);
      if (isHome && name !== 'projects') skipped.push({ file: path, reason: 'outside projects/' });
      else attempt(path);
    }
  };

  const attempt = (path: string): void => {
    try {
      take(path, false);
    } catch (cause) {
      skipped.push({ file: path, reason: `unreadable: ${reasonOf(cause)}` });
    }
  };

  for (const path of paths) take(path, true);
  return { files: [...files.values()], companions, skipped };
};

const HOME_NAMES: ReadonlySet<string> = new Set(['.claude', 'claude']);
const HOME_FILES: ReadonlySet<string> = new Set([
  'history.jsonl',
  'settings.json',
  'todos',
  'statsig',
  'shell-snapshots',
  'file-history',
  '.credentials.json',
]);

export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
