import { readTextIfThere, writePrivateFile, type Home } from './home.ts';
import { lockOwn } from './own-lock.ts';

export type ServerMark = {
  readonly pid: number;
  readonly url: string;
  readonly startedAt: string;
  readonly version: string;
  /** The board it serves, without a password. */
  readonly database: string;
};

/** Tells every command of this home where its server is. */
export const markServer = (home: Home, { url, version }: Pick<ServerMark, 'url' | 'version'>): void => {
  const mark: ServerMark = { pid: process.pid, url, startedAt: new Date().toISOString(), version, database: withoutPassword(home.database) };
  writePrivateFile(home.serverFile, `${JSON.stringify(mark)}\n`);
};

export const withoutPassword = (database: string): string => database.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/u, '$1:…@');

/**
 * The server running on this home; null if there is none. The author of a mark may be gone, and its process id reused: only the holder of the lock is
 * trusted, since it receives the operator's token.
 */
export const findServer = async (home: Home): Promise<ServerMark | null> => {
  const mark = runningServer(home);
  if (mark === null) return null;
  const lock = await lockOwn(home.lockFile);
  if (lock === null) return mark;
  lock.release();
  return null;
};

/** A server's mark; null if there is none, or the server is gone. */
export const runningServer = (home: Home): ServerMark | null => {
  const text = readTextIfThere(home.serverFile);
  if (text === null) return null;
  let mark: ServerMark;
  try {
    mark = JSON.parse(text) as ServerMark; // written by us; anything else isn't a mark
    process.kill(mark.pid, 0);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EPERM') return null;
    mark = JSON.parse(text) as ServerMark;
  }
  return mark;
};
