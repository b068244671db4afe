import { lockFile, type FileLock } from '@yarnboard/store';
import { makePrivateFolder, readTextIfThere, type Home } from '../home.ts';

/** Somebody else works on this home. */
export class HomeInUse extends Error {
  readonly pid: number | null;
  constructor(home: Home, pid: number | null) {
    const who = pid === null ? '' : ` (process ${pid})`;
    super(`another yarnboard works on ${home.folder}${who}; use that one, stop it with \`yarnboard stop\`, or set YARNBOARD_HOME to another folder`);
    this.name = 'HomeInUse';
    this.pid = pid;
  }
}

/** SRV-2: one process writes to a home; a second one is refused and told who it is. */
export const lockHome = async (home: Home): Promise<FileLock> => {
  makePrivateFolder(home.folder);
  const lock = await lockFile(home.lockFile);
  if (lock === null) throw new HomeInUse(home, runningServer(home)?.pid ?? null);
  return lock;
};

export type ServerMark = {
  readonly pid: number;
  readonly url: string;
  readonly startedAt: string;
  readonly version: string;
  /** Which board it serves, without a password. */
  readonly database: string;
};

export const withoutPassword = (database: string): string => database.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/u, '$1:…@');

/**
 * The server that works on this home; null when there is none. Whoever left a note may be gone, and its process number somebody else's by now: only
 * one who holds the lock is believed, since the operator's token is sent to it.
 */
export const findServer = async (home: Home): Promise<ServerMark | null> => {
  const mark = runningServer(home);
  if (mark === null) return null;
  const lock = await lockFile(home.lockFile);
  if (lock === null) return mark;
  lock.release();
  return null;
};

/** What a running server wrote down about itself; null when none did, or it is gone. */
export const runningServer = (home: Home): ServerMark | null => {
  const text = readTextIfThere(home.serverFile);
  if (text === null) return null;
  let mark: ServerMark;
  try {
    mark = JSON.parse(text) as ServerMark; // written by us; anything else is no mark
    process.kill(mark.pid, 0);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EPERM') return null;
    mark = JSON.parse(text) as ServerMark;
  }
  return mark;
};
