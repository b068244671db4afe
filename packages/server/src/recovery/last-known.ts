import { existsSync } from 'node:fs';
import { StoreFault, type LogPort } from '@yarnboard/store';
import { readUnproven, snapshotIn, type UnprovenSnapshot } from '../engine/snapshot.ts';
import type { Home } from '../home/home.ts';
import { createWitness } from '../threads/witness.ts';

/** REC-78: what a server starts with while its store is away, and why it is. */
export type AwayStart = { readonly fault: StoreFault; readonly known: UnprovenSnapshot };

/**
 * Null where a server must not start without its store: what went wrong does not pass by itself, or this home keeps no snapshot of the board that it saw at
 * this very address. Another address may lead to another board, whose people would get the words of these.
 */
export const awayStart = (home: Home, cause: unknown): AwayStart | null => {
  if (!(cause instanceof StoreFault) || !PASSING.has(cause.kind)) return null;
  const known = readUnproven(snapshotIn(home, true));
  const witness = createWitness(home);
  const seen = witness.read();
  witness.close();
  return known === null || seen === null || seen === 'damaged' || seen.board !== known.boardId ? null : { fault: cause, known };
};

/** REC-79: a database that was there is not made anew where it is missing: its disk may be. */
export const missingDatabase = ({ database }: Pick<Home, 'database'>): StoreFault | null => {
  const path = fileOf({ database });
  if (path === null || existsSync(path)) return null;
  return new StoreFault(
    'unreachable',
    `${path}: the database is missing, and was there when this home was last used. Connect its disk, move the file back, or stop the server and restore a backup with \`yarnboard restore\`. For a new board, set YARNBOARD_HOME to another folder`,
  );
};

/** REC-84: a database that this home has used and that is missing now; null where it is there, or where there was none yet. */
export const lostDatabase = (home: Home): StoreFault | null => {
  const missing = missingDatabase(home);
  if (missing === null) return null;
  const witness = createWitness(home);
  const seen = witness.read();
  witness.close();
  return seen === null ? null : missing;
};

/** A board that is made in its place would take everything that comes from then on. */
export const refuseLost = (home: Home): void => {
  const lost = lostDatabase(home);
  if (lost !== null) throw lost;
};

/** The file of the database; null where it is elsewhere. */
export const fileOf = ({ database }: Pick<Home, 'database'>): string | null =>
  database.startsWith('sqlite:') ? database.slice('sqlite:'.length) : null;

/** REC-62: looked at before anything is written: what is at the address now must be the board that was there. */
export const refuseAnotherBoard = async (log: Pick<LogPort, 'boardId' | 'entryAt'>, known: UnprovenSnapshot): Promise<void> => {
  if (log.boardId !== known.boardId)
    throw new StoreFault(
      'exchanged',
      `the database has the board ${log.boardId} now, and had ${known.boardId}: nothing is written to it. Put the right database in its place`,
    );
  const entry = await log.entryAt(known.position);
  if (entry?.checksum === known.checksum) return;
  throw new StoreFault(
    'went-back',
    `${entry === null ? `entry ${known.position} was on the log and is gone` : `entry ${known.position} of the log is another one than before`}: nothing is written to it`,
  );
};

/** What may be otherwise a moment later, or after somebody has seen to it. */
const PASSING: ReadonlySet<StoreFault['kind']> = new Set(['unreachable', 'locked', 'corrupt', 'io', 'read-only', 'full']);
