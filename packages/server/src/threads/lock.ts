import { dirname } from 'node:path';
import { lockFile, type FileLock } from '@yarnboard/store';
import { makePrivateFolder, readTextIfThere, type Home } from '../home/home.ts';

/** Somebody else works on this home. */
export class HomeInUse extends Error {
  readonly pid: number | null;
  constructor(what: string, pid: number | null) {
    const who = pid === null ? '' : ` (process ${pid})`;
    super(`another yarnboard works on ${what}${who}; use that one, stop it with \`yarnboard stop\`, or set YARNBOARD_HOME to another folder`);
    this.name = 'HomeInUse';
    this.pid = pid;
  }
}

/** SRV-2: one process writes to a home, and to a database that two homes might name; a second one is refused and told who it is. */
export const lockHome = async (home: Home): Promise<FileLock> => {
  makePrivateFolder(home.folder);
  const lock = await lockFile(home.lockFile);
  if (lock === null) throw new HomeInUse(home.folder, runningServer(home)?.pid ?? null);
  const path = home.database.startsWith('sqlite:') ? home.database.slice('sqlite:'.length) : null;
  if (path === null) return lock; // PostgreSQL has any number of writers
  makePrivateFolder(dirname(path));
  const beside = await lockFile(`${path}.lock`);
  if (beside === null) {
    lock.release();
    throw new HomeInUse(path, null);
  }
  return {
    release: () => {
      beside.release();
      lock.release();
    },
  };
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
