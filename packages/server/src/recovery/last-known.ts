import { existsSync } from 'node:fs';
import { StoreFault, type LogPort } from '@yarnboard/store';
import { readUnproven, snapshotIn, type UnprovenSnapshot } from '../engine/snapshot.ts';
import type { Home } from '../home/home.ts';
import { createWitness } from '../threads/witness.ts';

/** REC-78: what a server starts with while its store is away, and why the store is away. */
export type AwayStart = { readonly fault: StoreFault; readonly known: UnprovenSnapshot };

/**
 * Null if a server must not start without its store: the fault won't pass by itself, or this home has no snapshot of the board it saw at this exact
 * address. Another address may lead to another board, whose people would be shown this board's content.
 */
export const awayStart = (home: Home, cause: unknown): AwayStart | null => {
  if (!(cause instanceof StoreFault) || !PASSING.has(cause.kind)) return null;
  const known = readUnproven(snapshotIn(home, true));
  const witness = createWitness(home);
  const seen = witness.read();
  witness.close();
  return known === null || seen === null || seen === 'damaged' || seen.board !== known.boardId ? null : { fault: cause, known };
};

/** REC-79: a missing database that existed before is not created anew: its disk may be the part that is missing. */
export const missingDatabase = ({ database }: Pick<Home, 'database'>): StoreFault | null => {
  const path = fileOf({ database });
  if (path === null || existsSync(path)) return null;
  return new StoreFault(
    'unreachable',
    `${path}: the database is missing, and was there when this home was last used. Connect its disk, move the file back, or stop the server and restore a backup with \`yarnboard restore\`. For a new board, set YARNBOARD_HOME to another folder`,
  );
};

/** REC-84: the fault if this home's database is missing now; null if it exists, or never did. */
export const lostDatabase = (home: Home): StoreFault | null => {
  const missing = missingDatabase(home);
  if (missing === null) return null;
  const witness = createWitness(home);
  const seen = witness.read();
  witness.close();
  return seen === null ? null : missing;
};

/** A new board in its place would take everything written from now on. */
export const refuseLost = (home: Home): void => {
  const lost = lostDatabase(home);
  if (lost !== null) throw lost;
};

/** The database file; null if the database is not a file. */
export const fileOf = ({ database }: Pick<Home, 'database'>): string | null =>
  database.startsWith('sqlite:') ? database.slice('sqlite:'.length) : null;

/** REC-62: checked before anything is written: the board at this address must be the one we knew. */
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

/** Faults that may pass in a moment, or once someone has fixed them. */
const PASSING: ReadonlySet<StoreFault['kind']> = new Set(['unreachable', 'locked', 'corrupt', 'io', 'read-only', 'full']);
