import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { lockFile, type FileLock } from '@yarnboard/store';
import { isForeign } from './home.ts';

/** HOME-3: a lock that only other users hold, or in a file of theirs, is nobody's: the file is made anew, and their locks are on what is gone. */
export const lockOwn = async (path: string): Promise<FileLock | null> => {
  const isTheirs = existsSync(path) && isForeign(path);
  if (!isTheirs) {
    const lock = await lockFile(path);
    if (lock !== null) return lock;
  }
  const holders = holdersOf(path);
  // Where nobody can be seen, whoever holds it may be one of us.
  if (holders === null ? !isTheirs : holders.some(isOurs) || (holders.length === 0 && !isTheirs)) return null;
  rmSync(path, { force: true });
  return lockFile(path);
};

/** The processes that hold a lock on a file, as far as the system tells; null where it does not. */
const holdersOf = (path: string): readonly number[] | null => {
  try {
    const { ino } = statSync(path);
    const lines = readFileSync('/proc/locks', 'utf8').split('\n');
    return lines.flatMap((line) => {
      const [, pid = '', inode = ''] = /\s(\d+)\s[0-9a-f]+:[0-9a-f]+:(\d+)\s/u.exec(line) ?? [];
      return inode === String(ino) && pid !== '0' ? [Number(pid)] : [];
    });
  } catch {
    return null; // not Linux
  }
};

const isOurs = (pid: number): boolean => {
  try {
    const { uid } = statSync(`/proc/${pid}`);
    return uid === process.getuid?.() || uid === 0;
  } catch {
    return false; // gone, or hidden, as only other users' are
  }
};
