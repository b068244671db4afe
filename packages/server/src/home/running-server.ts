import { readTextIfThere, writePrivateFile, type Home } from './home.ts';
import { lockOwn } from './own-lock.ts';

export type ServerMark = {
  readonly pid: number;
  readonly url: string;
  readonly startedAt: string;
  readonly version: string;
  /** Which board it serves, without a password. */
  readonly database: string;
};

/** Tells every command of this home where its server is. */
export const markServer = (home: Home, { url, version }: Pick<ServerMark, 'url' | 'version'>): void => {
  const mark: ServerMark = { pid: process.pid, url, startedAt: new Date().toISOString(), version, database: withoutPassword(home.database) };
  writePrivateFile(home.serverFile, `${JSON.stringify(mark)}\n`);
};

export const withoutPassword = (database: string): string => database.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/u, '$1:…@');

/**
 * The server that works on this home; null when there is none. Whoever left a note may be gone, and its process number somebody else's by now: only
 * one who holds the lock is believed, since the operator's token is sent to it.
 */
export const findServer = async (home: Home): Promise<ServerMark | null> => {
  const mark = runningServer(home);
  if (mark === null) return null;
  const lock = await lockOwn(home.lockFile);
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
