import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, copyFileSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { forgottenIn, StoreFault, verifyRange } from '@yarnboard/store';
import type { Home } from '../home/home.ts';
import { createCheckpoints } from '../threads/checkpoints.ts';
import { epochDraft } from '../threads/epoch.ts';
import { lockHome } from '../threads/lock.ts';
import { openForWriting } from '../threads/threads.ts';

export type Restored = { readonly entries: number; readonly replaced: string | null };

export class BadBackup extends Error {}

/** DATA-2: puts a backup in place of the board, after it was verified. What was there is moved aside, never deleted. */
export const restoreBackup = async (home: Home, backup: string, now: () => number): Promise<Restored> => {
  if (!home.database.startsWith('sqlite:')) throw new BadBackup('only a SQLite board is restored from a file; for PostgreSQL use pg_restore');
  const lock = await lockHome(home);
  const path = home.database.slice('sqlite:'.length);
  const stamp = new Date(now()).toISOString().replaceAll(/[:.]/gu, '-');
  const folder = join(dirname(path), `restoring-${stamp}`);
  try {
    if (!existsSync(backup)) throw new BadBackup(`there is no file "${backup}"`);
    const copy = copyOf(backup, folder);
    const entries = await verifyCopy(home, copy, backup);
    const replaced = existsSync(path) ? join(dirname(path), `replaced-${stamp}`) : null;
    if (replaced !== null) await setAside(home, path, replaced);
    renameSync(copy, path);
    for (const index of ['search.db', 'meaning.db']) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(join(dirname(path), `${index}${suffix}`), { force: true });
    }
    await beginEpoch(home, entries, now);
    return { entries, replaced };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    lock.release();
  }
};

/** LOG-32: whoever went on from a position of before must learn that it means something else now. */
const beginEpoch = async (home: Home, entries: number, now: () => number): Promise<void> => {
  const store = await openForWriting(home);
  try {
    const { log } = store;
    const note = { by: 'command', had: entries, why: `a backup of ${entries} entries was restored` } as const;
    await log.append({ items: [{ draft: epochDraft(note, randomUUID(), now()), payload: null, reading: null }], files: [] });
    const checkpoints = createCheckpoints(home, log.boardId, now);
    checkpoints.write(await log.head(), true);
    checkpoints.close();
  } finally {
    await store.close();
  }
};

// With its write-ahead log, which a board has that was not closed: a killed one, or one that was moved aside. Without it its end would be missing.
const copyOf = (backup: string, folder: string): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, 'board.db');
  for (const suffix of ['', '-wal']) {
    if (!existsSync(`${backup}${suffix}`)) continue;
    copyFileSync(`${backup}${suffix}`, `${copy}${suffix}`);
    chmodSync(`${copy}${suffix}`, 0o600);
  }
  return copy;
};

// The copy is looked at, not the backup: that may lie where nothing can be written, and have an older schema, which is brought up to date here.
const verifyCopy = async (home: Home, copy: string, backup: string): Promise<number> => {
  try {
    const store = await openForWriting({ ...home, database: `sqlite:${copy}` });
    try {
      const head = await store.log.head();
      if (head.count === 0) throw new BadBackup(`${backup} has no entries: it is no backup of a board; nothing was changed`);
      const { broken } = await verifyRange(store.log, 1, head.count, { forgotten: await forgottenIn(store.log) });
      if (broken !== null) throw new BadBackup(`${backup} is damaged at entry ${broken.position}: ${broken.why}; nothing was changed`);
      return head.count;
    } finally {
      await store.close(); // and with it the write-ahead log is in the file
    }
  } catch (cause) {
    throw cause instanceof StoreFault ? new BadBackup(cause.message.replaceAll(copy, backup)) : cause;
  } finally {
    sync(copy);
  }
};

const setAside = async (home: Home, path: string, replaced: string): Promise<void> => {
  // Closed properly it is one file, and there is no moment without its end.
  const old = await openForWriting(home).catch(() => null); // damaged, most likely: then it is kept as it is
  await old?.close();
  mkdirSync(replaced, { recursive: true, mode: 0o700 });
  for (const suffix of ['-wal', '-shm']) if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, join(replaced, `board.db${suffix}`));
  try {
    linkSync(path, join(replaced, 'board.db')); // there is a board at any moment: a start after a crash must not make an empty one
  } catch {
    renameSync(path, join(replaced, 'board.db')); // a file system without links
  }
};

// What is renamed must be on the disk: the name would outlive a power cut, and the bytes not.
const sync = (path: string): void => {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
};
