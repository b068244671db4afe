import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { roomAt } from '@yarnboard/store';
import type { Home } from './home.ts';

/**
 * SRV-34: even reading a database takes a little room, for the index of its write-ahead log. It is kept aside while there is some, and given back when
 * a board is opened on a full disk: then everything can be read, and whoever makes room finds the server at work.
 */
export const keepReserve = (home: Home): void => {
  const file = reserveOf(home);
  if (file === null || existsSync(file)) return;
  const room = roomAt(file);
  if (room !== null && room > RESERVE * WORTH_KEEPING) writeFileSync(file, Buffer.alloc(RESERVE, 1), { mode: 0o600 });
};

/** Gives it back where there is less room than that. */
export const releaseReserve = (home: Home): void => {
  const file = reserveOf(home);
  const room = file === null ? null : roomAt(file);
  if (file !== null && room !== null && room < RESERVE) rmSync(file, { force: true });
};

const reserveOf = ({ database }: Home): string | null =>
  database.startsWith('sqlite:') ? join(dirname(database.slice('sqlite:'.length)), 'reserve') : null;

const RESERVE = 256 * 1024;
/** Taking the last room of a disk would bring about what it is for. */
const WORTH_KEEPING = 16;
