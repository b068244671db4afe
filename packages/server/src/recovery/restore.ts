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

/** DATA-2: verifies a backup and puts it in place of the board. The previous board is moved aside, never deleted. */
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

/** LOG-32: clients holding an earlier position must learn that it now means something else. */
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

// Copies the write-ahead log, too. A board has one if it was killed or moved aside without closing, and without it the latest entries would be
// missing.
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

// We check the copy, not the backup: the backup may be on a read-only disk, and its schema may be old. Opening the copy updates the schema.
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
      await store.close(); // this moves the write-ahead log into the file
    }
  } catch (cause) {
    throw cause instanceof StoreFault ? new BadBackup(cause.message.replaceAll(copy, backup)) : cause;
  } finally {
    sync(copy);
  }
};

const setAside = async (home: Home, path: string, replaced: string): Promise<void> => {
  // Closing it properly leaves one file, so its latest entries are never missing.
  const old = await openForWriting(home).catch(() => null); // probably damaged: then keep it as it is
  await old?.close();
  mkdirSync(replaced, { recursive: true, mode: 0o700 });
  for (const suffix of ['-wal', '-shm']) if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, join(replaced, `board.db${suffix}`));
  try {
    linkSync(path, join(replaced, 'board.db')); // there is always a board: a start after a crash must not create an empty one
  } catch {
    renameSync(path, join(replaced, 'board.db')); // this file system has no hard links
  }
};

// Flush before renaming: after a power cut, the name would be there and the bytes would not.
const sync = (path: string): void => {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
};
