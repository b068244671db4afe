import { realpathSync } from 'node:fs';
import { isAbsolute, normalize, resolve, sep } from 'node:path';

/** Folders that must never be a root or be read inside one. */
export type Forbidden = {
  readonly userHome: string;
  /** Folders that stay closed even inside a root: the Yarnboard home, Claude's folder, excluded projects. */
  readonly closed: readonly string[];
};

export type Roots = {
  /** With links resolved. */
  readonly folders: readonly string[];
  readonly closed: readonly string[];
  /** Why a named folder is not a root. */
  readonly problems: readonly string[];
};

/** VAL-16: a root is a folder that the operator named. Some folders are refused even then. */
export const rootsOf = (named: readonly string[], { userHome, closed }: Forbidden): Roots => {
  const problems: string[] = [];
  const folders = named.flatMap((folder) => {
    const problem = problemWith(folder, userHome, closed);
    if (problem === null) return [realpathOf(folder) ?? normalize(folder)];
    problems.push(`${folder} ${problem}`);
    return [];
  });
  return { folders: [...new Set(folders)], closed: closed.map((folder) => realpathOf(folder) ?? resolve(folder)), problems };
};

const problemWith = (folder: string, userHome: string, closed: readonly string[]): string | null => {
  if (!isAbsolute(folder)) return 'is not an absolute path';
  const real = realpathOf(folder);
  if (real === null) return 'does not exist';
  const home = realpathOf(userHome) ?? userHome;
  if (real === sep || isWithin(home, real)) return 'holds everything you have; name the project itself';
  if (closed.some((one) => isWithin(real, realpathOf(one) ?? one))) return 'is not for checks to read';
  if (SYSTEM.some((one) => isWithin(real, one))) return 'is not a folder of files';
  if (BELOW_ONLY.some((one) => plainPath(one) === plainPath(real))) return 'is too much; name a folder below it';
  return null;
};

/** Whether a path is the folder or inside it. */
export const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/**
 * A path for comparing with folders that must stay closed: where the case of letters and the form of accents don't matter, as on macOS, every spelling
 * leads there. Elsewhere, a folder that differs in nothing else stays closed as well.
 */
export const plainPath = (path: string): string => (ASCII.test(path) ? path : path.normalize('NFC')).toLowerCase();
const ASCII = /^[ -~]*$/u;

/** The same by `plainPath`. */
export const isWithin = (path: string, folder: string): boolean => isIn(plainPath(path), plainPath(folder));

const realpathOf = (path: string): string | null => {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
};

// On macOS, the second name of everything that is no part of the system is below /System.
const SYSTEM = ['/proc', '/sys', '/dev', '/run/secrets', '/System', '/Library/Keychains'];
const BELOW_ONLY = [
  '/etc',
  '/var',
  '/usr',
  '/opt',
  '/home',
  '/Users',
  '/tmp',
  '/private',
  '/private/etc',
  '/private/var',
  '/private/tmp',
  '/Library',
  '/Applications',
  '/Volumes',
  '/mnt',
  '/media',
  '/srv',
];
