import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { lockFile, type FileLock } from '@yarnboard/store';
import { makePrivateFolder, readTextIfThere, writePrivateFile, type Home } from '../home/home.ts';
import { runningServer } from '../home/running-server.ts';
import { realPathOf, refuseLinked } from './file-identity.ts';

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
  try {
    return await lockDatabase(path, home, lock);
  } catch (cause) {
    lock.release();
    throw cause;
  }
};

/** STORE-40: by the file itself, not by the name that this home has for it: two homes may lead to one file by links. */
const lockDatabase = async (path: string, home: Home, lock: FileLock): Promise<FileLock> => {
  makePrivateFolder(dirname(path));
  refuseLinked(path);
  const real = realPathOf(path);
  const beside = await lockFile(`${real}.lock`);
  const holderFile = `${real}.holder`;
  if (beside === null) throw new HomeInUse(path, holderIn(holderFile));
  noteHolder(holderFile, home);
  return {
    release: () => {
      rmSync(holderFile, { force: true });
      beside.release();
      lock.release();
    },
  };
};

/** Only for the words of a refusal: where it cannot be written, as on a full disk, others are refused without a name. */
const noteHolder = (file: string, home: Home): void => {
  try {
    writePrivateFile(file, `${JSON.stringify({ pid: process.pid, home: home.folder })}\n`);
  } catch {
    rmSync(file, { force: true });
  }
};

/** Who says that it holds the lock; it is held, so only its note can be old. */
const holderIn = (file: string): number | null => {
  try {
    return (JSON.parse(readTextIfThere(file) ?? 'null') as { readonly pid?: number } | null)?.pid ?? null; // written by us
  } catch {
    return null;
  }
};
