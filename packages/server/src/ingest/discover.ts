import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { classifyFile, DIALECTS, type Dialects, type SkippedFile } from '@yarnboard/transcript';
import { isKept, keptIn } from './kept.ts';
import { reasonOf } from '../home/reason.ts';

/** `dialect` is the name of the file's dialect. */
export type FoundFile = {
  readonly path: string;
  readonly dialect: string;
  readonly bytes: number;
  readonly modified: number;
  /** Whether its tool has archived it. */
  readonly isArchived?: true;
};

export type Found = {
  /** Transcripts and sub-agents' files. */
  readonly files: readonly FoundFile[];
  /** Files whose lines concern several sessions, by path, with their dialect. */
  readonly indexes: ReadonlyMap<string, string>;
  /** Files that belong to a session without being transcripts, by path, with the session if the path says. */
  readonly companions: ReadonlyMap<string, string | null>;
  readonly skipped: readonly SkippedFile[];
  /** The folders and files, with links resolved, that contain everything. */
  readonly bounds: readonly string[];
};

/**
 * Walks files and folders; visits each once, whatever links lead to it. A link that leads out of the named paths is skipped and reported (SEC-22).
 * Throws the file system's errors for named paths.
 */
export const discover = (paths: readonly string[], dialects: Dialects = DIALECTS): Found => {
  const files = new Map<string, FoundFile>();
  const companions = new Map<string, string | null>();
  const indexes = new Map<string, string>();
  const skipped: SkippedFile[] = [];
  const seen = new Set<string>();
  const bounds = paths.map(realOf);

  // `real` is the path without links: it identifies a file with two names.
  const take = (path: string, real: string, isNamed: boolean): void => {
    if (seen.has(real)) return;
    if (isKept(path) && !existsSync(path) && takeKept(dirname(path), path)) return;
    const stat = statSync(path);
    seen.add(real);
    if (stat.isDirectory()) {
      takeFolder(path, real, isNamed);
      return;
    }
    if (stat.isFile() && takeAll(path, null, isNamed)) return;
    const { role: kind, dialect } = classifyFile(dialects, path);
    if (kind.role === 'companion' && stat.isFile()) companions.set(path, kind.sessionId);
    else if (kind.role === 'index' && stat.isFile()) indexes.set(path, dialect?.name ?? '');
    else if (kind.role === 'companion' || kind.role === 'index') skipped.push({ file: path, reason: 'not a regular file' });
    else if (kind.role === 'foreign' && kind.isKnown === true && !isNamed)
      return; // DIALECT-10
    else if (kind.role === 'foreign' && !isNamed) skipped.push({ file: path, reason: kind.reason });
    else if (!stat.isFile() && !isNamed) skipped.push({ file: path, reason: 'not a regular file' });
    else {
      const isArchived = dialect?.isArchived?.(path) === true ? { isArchived: true as const } : {};
      files.set(path, { path, dialect: (dialect ?? dialects.at(-1))?.name ?? '', bytes: stat.size, modified: stat.mtimeMs, ...isArchived });
    }
  };

  const takeFolder = (folder: string, real: string, isNamed: boolean): void => {
    const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    // The home of a tool: its transcripts are in one folder of it; everything else is listed once and skipped.
    const names = entries.map(({ name }) => name);
    if (takeAll(folder, names, isNamed)) return;
    const only = dialects.map(({ transcriptsIn }) => transcriptsIn(basename(folder), names)).find((found) => found !== null) ?? null;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const target = entry.isSymbolicLink() ? realOf(path) : join(real, entry.name);
      // Some people keep all their transcripts on another disk, and link that folder as a whole.
      if (only?.includes(entry.name) === true && entry.isSymbolicLink() && !isBelow(real, target)) bounds.push(target);
      if (only !== null && !only.includes(entry.name)) {
        const { role } = classifyFile(dialects, path);
        if (role.role !== 'foreign' || role.isKnown !== true) skipped.push({ file: path, reason: `outside ${only[0] ?? ''}/` });
      } else if (entry.isSymbolicLink() && !isWithin(bounds, target)) skipped.push({ file: path, reason: leadsOut(target) });
      else attempt(path, target);
    }
  };

  /** Takes the sessions of a database or folder with a format of its own; false for anything else. */
  const takeAll = (path: string, names: readonly string[] | null, isNamed: boolean): boolean => {
    const found = keptIn(path, names, isNamed);
    if (found === null || dialects.every(({ name }) => name !== found.dialect)) return false;
    for (const session of found.kept.sessions) files.set(session.path, { ...session, dialect: found.dialect });
    if (found.kept.problem !== null) skipped.push({ file: path, reason: found.kept.problem });
    return true;
  };

  // A single one of them that was named: only the file or folder above it can be opened.
  const takeKept = (above: string, wanted: string): boolean => {
    const folder = statSync(above, { throwIfNoEntry: false });
    if (folder === undefined) return dirname(above) !== above && takeKept(dirname(above), wanted);
    const found = keptIn(above, folder.isDirectory() ? readdirSync(above) : null, true);
    const session = found?.kept.sessions.find(({ path }) => path === wanted);
    if (found === null || session === undefined) return false;
    files.set(wanted, { ...session, dialect: found.dialect });
    return true;
  };

  const attempt = (path: string, real: string): void => {
    try {
      take(path, real, false);
    } catch (cause) {
      skipped.push({ file: path, reason: `unreadable: ${reasonOf(cause)}` });
    }
  };

  for (const path of paths) take(path, realOf(path), true);
  return { files: [...files.values()], indexes, companions, skipped, bounds };
};

/** SEC-22: whether a path, with links resolved, is below one of those. */
export const isWithin = (bounds: readonly string[], real: string): boolean => bounds.some((bound) => isBelow(real, bound));

const isBelow = (real: string, bound: string): boolean => real === bound || real.startsWith(bound.endsWith(sep) ? bound : bound + sep);

/** Reported like unreadable files: nobody should wonder where a session has gone. */
const leadsOut = (target: string): string =>
  `unreadable: links to ${target}, outside the folders that are read; add that folder to "roots" in settings.json if it belongs to them`;

// A shell's pipe (`<(…)`) has a name that leads nowhere.
export const realOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
};
