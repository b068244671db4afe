import { dirname } from 'node:path';
import { lockFile, type FileLock } from '@yarnboard/store';
import { makePrivateFolder, type Home } from '../home/home.ts';
import { runningServer } from '../home/running-server.ts';

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
