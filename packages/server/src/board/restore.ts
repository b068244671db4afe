import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { verifyRange } from '@yarnboard/store';
import type { Home } from '../home.ts';
import { createCheckpoints } from './checkpoints.ts';
import { lockHome } from './lock.ts';
import { openReader } from './threads.ts';

export type Restored = { readonly entries: number; readonly replaced: string | null };

export class BadBackup extends Error {}

/** DATA-2: puts a backup in place of the board, after it was verified. What was there is moved aside, never deleted. */
export const restoreBackup = async (home: Home, backup: string, now: () => number): Promise<Restored> => {
  if (!home.database.startsWith('sqlite:')) throw new BadBackup('only a SQLite board is restored from a file; for PostgreSQL use pg_restore');
  const lock = lockHome(home);
  try {
    const entries = await verifyBackup(home, backup);
    const path = home.database.slice('sqlite:'.length);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const replaced = existsSync(path) ? join(dirname(path), `replaced-${new Date(now()).toISOString().replaceAll(/[:.]/gu, '-')}`) : null;
    const part = `${path}.part`;
    copyFileSync(backup, part);
    if (replaced !== null) {
      mkdirSync(replaced, { recursive: true });
      for (const suffix of ['', '-wal', '-shm'])
        if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, join(replaced, `board.db${suffix}`));
    }
    renameSync(part, path);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(dirname(path), `search.db${suffix}`), { force: true });
    const store = await openReader(home);
    createCheckpoints(home, store.log.boardId, now).write(await store.log.head(), true);
    await store.close();
    return { entries, replaced };
  } finally {
    lock.release();
  }
};

const verifyBackup = async (home: Home, backup: string): Promise<number> => {
  if (!existsSync(backup)) throw new BadBackup(`there is no file "${backup}"`);
  const store = await openReader({ ...home, database: `sqlite:${backup}` });
  try {
    const head = await store.log.head();
    const forgotten = new Set<string>();
    for (const position of await store.log.positionsOfType('payload.forgotten')) forgotten.add((await store.log.entryAt(position))?.note ?? '');
    const { broken } = await verifyRange(store.log, 1, head.count, { forgotten });
    if (broken !== null) throw new BadBackup(`${backup} is damaged at entry ${broken.position}: ${broken.why}; nothing was changed`);
    return head.count;
  } finally {
    await store.close();
  }
};
