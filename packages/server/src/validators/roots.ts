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
  if (real === sep || isIn(home, real)) return 'holds everything you have; name the project itself';
  if (closed.some((one) => isIn(real, realpathOf(one) ?? one))) return 'is not for checks to read';
  if (SYSTEM.some((one) => isIn(real, one))) return 'is not a folder of files';
  if (BELOW_ONLY.includes(real)) return 'is too much; name a folder below it';
  return null;
};

/** Whether a path is the folder or inside it. */
export const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

const realpathOf = (path: string): string | null => {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
};

const SYSTEM = ['/proc', '/sys', '/dev', '/run/secrets'];
const BELOW_ONLY = ['/etc', '/var', '/usr', '/opt', '/home', '/Users', '/tmp', '/private/tmp', '/mnt', '/media', '/srv'];
