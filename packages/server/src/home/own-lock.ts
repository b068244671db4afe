import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { lockFile, type FileLock } from '@yarnboard/store';
import { isForeign } from './home.ts';

/** HOME-3: a lock held only by other users, or in a file of theirs, doesn't count: the file is replaced, and their locks are on the deleted one. */
export const lockOwn = async (path: string): Promise<FileLock | null> => {
  const isTheirs = existsSync(path) && isForeign(path);
  if (!isTheirs) {
    const lock = await lockFile(path);
    if (lock !== null) return lock;
  }
  const holders = holdersOf(path);
  // If holders can't be determined, the holder may be one of our processes.
  if (holders === null ? !isTheirs : holders.some(isOurs) || (holders.length === 0 && !isTheirs)) return null;
  rmSync(path, { force: true });
  return lockFile(path);
};

/** The processes that hold a lock on a file, according to the system; null if it doesn't say. */
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
    return false; // gone, or hidden, as only other users' processes are
  }
};
