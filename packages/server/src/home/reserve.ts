import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { roomAt } from '@yarnboard/store';
import type { Home } from './home.ts';

/**
 * SRV-34: even reading a database takes a little space, for the index of its write-ahead log. A reserve is kept while there is space, and released
 * when a board is opened on a full disk: then everything is readable, and the server is running when space becomes available.
 */
export const keepReserve = (home: Home): void => {
  const file = reserveOf(home);
  if (file === null || existsSync(file)) return;
  const room = roomAt(file);
  if (room !== null && room > RESERVE * WORTH_KEEPING) writeFileSync(file, Buffer.alloc(RESERVE, 1), { mode: 0o600 });
};

/** Releases it if there is less space than that. */
export const releaseReserve = (home: Home): void => {
  const file = reserveOf(home);
  const room = file === null ? null : roomAt(file);
  if (file !== null && room !== null && room < RESERVE) rmSync(file, { force: true });
};

const reserveOf = ({ database }: Home): string | null =>
  database.startsWith('sqlite:') ? join(dirname(database.slice('sqlite:'.length)), 'reserve') : null;

const RESERVE = 256 * 1024;
/** Taking the last space on a disk would cause the very problem it is meant for. */
const WORTH_KEEPING = 16;
