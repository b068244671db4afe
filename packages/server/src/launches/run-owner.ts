import { join } from 'node:path';
import { uuidFor } from '@yarnboard/store';
import { readTextIfThere, writePrivateFile, type Home } from '../home/home.ts';
import { isGoing, processOf, type Process } from './spool.ts';

/** The server that has a run: of several on one board, only it knows how the run goes. */
export type RunOwner = Process & {
  /** Another one after each start. */
  readonly server: string;
  readonly host: string;
  /** Stays the same as long as the folder does. */
  readonly home: string;
};

/** This process as an owner; the home gets an id when it has none. */
export const ownerIn = (home: Pick<Home, 'folder'>, host: string, newId: () => string): RunOwner => {
  const path = join(home.folder, 'home.id');
  const known = readTextIfThere(path)?.trim() ?? '';
  const id = known === '' ? newId() : known;
  if (known === '') writePrivateFile(path, `${id}\n`);
  // A copy of a home is another one.
  return { server: newId(), host, home: uuidFor(`home|${id}|${home.folder}`), ...processOf(process.pid) };
};

/** The id of a home, without giving it one; empty where it has none. */
export const homeIdIn = (home: Pick<Home, 'folder'>): string => {
  const known = readTextIfThere(join(home.folder, 'home.id'))?.trim() ?? '';
  return known === '' ? '' : uuidFor(`home|${known}|${home.folder}`);
};

/** Whoever only reads starts nothing. */
export const noOwner = (host: string): RunOwner => ({ server: '', home: '', pid: 0, mark: null, host });

/**
 * RUN-13: whether a server is known to be gone. The earlier server of this home is: we have its lock. Of another home on this machine the process is looked
 * at; of another machine nobody here knows anything.
 */
export const isOwnerGone = (owner: RunOwner | undefined, me: RunOwner): boolean => {
  if (owner === undefined || owner.server === me.server) return false;
  return owner.home === me.home || (owner.host === me.host && !isGoing(owner));
};
