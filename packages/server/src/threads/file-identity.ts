import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreFault } from '@yarnboard/store';

/** SRV-2: the real location of a database file, following links; the path itself if it doesn't exist yet. */
export const realPathOf = (path: string): string => {
  if (existsSync(path)) return realpathSync(path);
  // A link to a missing file: it will be created at the link's target.
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
};

/** STORE-40: refuses a file with another hard link, except those made by a restore. */
export const refuseLinked = (path: string): void => {
  if (!existsSync(path)) return;
  const file = statSync(path, { bigint: true });
  const names = Number(file.nlink) - ownNames(path, file);
  if (names > 1) throw new StoreFault('locked', linkedText(path, names, holdersOf(file)));
};

const linkedText = (path: string, names: number, pids: readonly number[]): string =>
  `${path} has ${names} names (hard links)${pids.length === 0 ? '' : `, and process ${pids.join(', ')} has it open`}. ` +
  'SQLite keeps a journal beside each name, so two programs would damage the board. Remove the other name, or make a copy: move the file aside, and copy it back';

/** An interrupted restore leaves the old board under two names; the one set aside is never opened. */
const ownNames = (path: string, file: BigIntStats): number =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith('replaced-'))
    .map((name) => join(dirname(path), name, basename(path)))
    .filter((aside) => existsSync(aside) && isSame(lstatSync(aside, { bigint: true }), file)).length;

const isSame = (a: BigIntStats, b: BigIntStats): boolean => a.dev === b.dev && a.ino === b.ino;

/** The processes with locks on the file; only Linux says. */
const holdersOf = ({ ino }: BigIntStats): readonly number[] => {
  try {
    const locks = readFileSync('/proc/locks', 'utf8').split('\n');
    const pids = locks.flatMap((line) => (line.includes(`:${ino} `) ? Number(line.trim().split(/\s+/u)[4]) : []));
    return [...new Set(pids)].filter((pid) => pid > 0 && pid !== process.pid);
  } catch {
    return [];
  }
};
