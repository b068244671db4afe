import { join } from 'node:path';
import { uuidFor } from '@yarnboard/store';
import { readTextIfThere, writePrivateFile, type Home } from '../home/home.ts';
import { isGoing, processOf, type Process } from './spool.ts';

/** The server that runs a run. If several share a board, only this one knows how the run is doing. */
export type RunOwner = Process & {
  /** New after each start. */
  readonly server: string;
  readonly host: string;
  /** Stays the same as long as the folder exists. */
  readonly home: string;
};

/** Describes this process as an owner. Gives the home an id if it has none. */
export const ownerIn = (home: Pick<Home, 'folder'>, host: string, newId: () => string): RunOwner => {
  const path = join(home.folder, 'home.id');
  const known = readTextIfThere(path)?.trim() ?? '';
  const id = known === '' ? newId() : known;
  if (known === '') writePrivateFile(path, `${id}\n`);
  // A copied home counts as another home.
  return { server: newId(), host, home: uuidFor(`home|${id}|${home.folder}`), ...processOf(process.pid) };
};

/** The id of a home; empty if it has none yet. Never creates one. */
export const homeIdIn = (home: Pick<Home, 'folder'>): string => {
  const known = readTextIfThere(join(home.folder, 'home.id'))?.trim() ?? '';
  return known === '' ? '' : uuidFor(`home|${known}|${home.folder}`);
};

/** The owner for read-only use: it starts no runs. */
export const noOwner = (host: string): RunOwner => ({ server: '', home: '', pid: 0, mark: null, host });

/**
 * RUN-13: whether we know that a server is gone. An earlier server of this home is, since we hold its lock. For another home on this machine we check
 * the process. About other machines we know nothing.
 */
export const isOwnerGone = (owner: RunOwner | undefined, me: RunOwner): boolean => {
  if (owner === undefined || owner.server === me.server) return false;
  return owner.home === me.home || (owner.host === me.host && !isGoing(owner));
};
