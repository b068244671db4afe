import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileLock } from '@yarnboard/store';
import { closeToOthers, makePrivateFolder, readTextIfThere, writePrivateFile, type Home } from '../home/home.ts';
import { lockOwn } from '../home/own-lock.ts';
import { runningServer } from '../home/running-server.ts';
import { realPathOf, refuseLinked } from './file-identity.ts';

/** Another process uses this home. */
export class HomeInUse extends Error {
  readonly pid: number | null;
  constructor(what: string, pid: number | null, waited = 0) {
    const who = pid === null ? '' : ` (process ${pid})`;
    const long = waited === 0 ? '' : `, and was not done after ${Math.round(waited / 1000)} s`;
    super(`another yarnboard works on ${what}${who}${long}; use that one, stop it with \`yarnboard stop\`, or set YARNBOARD_HOME to another folder`);
    this.name = 'HomeInUse';
    this.pid = pid;
  }
}

export type Turn = {
  /** How long to wait for another command on this home, in milliseconds. A server isn't waited for, since it doesn't end. */
  readonly patience?: number | undefined;
};

/**
 * SRV-2: one process writes to a home, and to a database that two homes might share; a second one is refused, with the name of the first. SRV-40:
 * commands without a server take turns. If the database is away (`isAway`), only the home is locked.
 */
export const lockHome = async (home: Home, { patience = 0, isAway = false }: Turn & { readonly isAway?: boolean } = {}): Promise<FileLock> => {
  makePrivateFolder(home.folder);
  closeToOthers(home);
  const path = home.database.startsWith('sqlite:') && !isAway ? home.database.slice('sqlite:'.length) : null;
  if (path !== null) {
    makePrivateFolder(dirname(path));
    refuseLinked(path);
  }
  const since = performance.now();
  for (;;) {
    const lock = await lockBoth(home, path);
    if ('release' in lock) return lock;
    const waited = performance.now() - since;
    const server = runningServer(home);
    if (server !== null || waited >= patience) throw new HomeInUse(lock.held, server?.pid ?? lock.by, patience === 0 ? 0 : waited);
    // Random, so that they don't all retry together.
    await later(POLL * (0.5 + Math.random()));
  }
};

/** REC-78: the same for a database that was away when its home was locked. */
export const lockDatabase = async (path: string): Promise<FileLock> => {
  refuseLinked(path);
  const real = realPathOf(path);
  const lock = await lockOwn(`${real}.lock`);
  if (lock === null) throw new HomeInUse(path, holderIn(`${real}.holder`));
  noteHolder(`${real}.holder`);
  return {
    release: () => {
      rmSync(`${real}.holder`, { force: true });
      lock.release();
    },
  };
};

type Held = { readonly held: string; readonly by: number | null };

/**
 * PostgreSQL allows any number of writers, so only the home is locked. STORE-40: a file is locked by its identity, not by this home's name for it:
 * two homes may link to one file.
 */
const lockBoth = async (home: Home, path: string | null): Promise<FileLock | Held> => {
  const lock = await lockOwn(home.lockFile);
  if (lock === null) return { held: home.folder, by: holderIn(home.holderFile) };
  const real = path === null ? null : realPathOf(path);
  const beside = real === null ? null : await lockOwn(`${real}.lock`);
  if (path !== null && beside === null) {
    lock.release();
    return { held: path, by: holderIn(`${real}.holder`) };
  }
  const notes = [home.holderFile, ...(real === null ? [] : [`${real}.holder`])];
  for (const file of notes) noteHolder(file);
  return {
    release: () => {
      for (const file of notes) rmSync(file, { force: true });
      beside?.release();
      lock.release();
    },
  };
};

/** Only for the wording of a refusal: if it can't be written, as on a full disk, the refusal has no name. */
const noteHolder = (file: string): void => {
  try {
    writePrivateFile(file, `${process.pid}\n`);
  } catch {
    rmSync(file, { force: true });
  }
};

/** The noted holder of the lock; the lock is held, so only the note can be stale. */
const holderIn = (file: string): number | null => {
  const pid = Number.parseInt(readTextIfThere(file) ?? '', 10);
  return Number.isNaN(pid) ? null : pid;
};

const later = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const POLL = 50;
