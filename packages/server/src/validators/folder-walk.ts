import { close, constants, fstat, open, opendir, readdir, type Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A walk through folders: those that were opened stay open for a while, for what lies in them. */
export type FolderWalk = {
  /** What is in a folder, as far as it is wanted; null for one that may not be opened, is a link, or is gone. */
  readonly entriesIn: (folder: string, most: number) => Promise<readonly Dirent[] | null>;
  readonly end: () => void;
};

type Held = { readonly fd: Promise<number | null>; users: number };

/** VAL-16: each folder is opened below the one around it, from its root on, and never by way of a link. `isAllowed` is asked of every one of them. */
export const createFolderWalk = (isRoot: (folder: string) => boolean, isAllowed: (folder: string) => boolean): FolderWalk => {
  // In the order of their last use.
  const held = new Map<string, Held>();

  const take = (folder: string): Held => {
    const one = held.get(folder) ?? { fd: openBelow(folder), users: 0 };
    held.delete(folder);
    held.set(folder, one);
    one.users += 1;
    return one;
  };

  const release = (one: Held): void => {
    one.users -= 1;
    for (const [folder, { fd, users }] of held) {
      if (held.size <= MOST_OPEN) break;
      if (users > 0) continue;
      held.delete(folder);
      void closeLater(fd);
    }
  };

  const openBelow = async (folder: string): Promise<number | null> => {
    if (!isAllowed(folder)) return null;
    if (isRoot(folder)) return openFolder(folder);
    const around = take(dirname(folder));
    try {
      const fd = await around.fd;
      return fd === null ? null : await openFolder(join(placeOf(fd, dirname(folder)), basename(folder)));
    } finally {
      release(around);
    }
  };

  return {
    entriesIn: async (folder, most) => {
      const one = take(folder);
      try {
        const fd = await one.fd;
        return fd === null ? null : await listed(fd, placeOf(fd, folder), most);
      } catch {
        return null; // not ours to read, or gone meanwhile
      } finally {
        release(one);
      }
    },
    end: () => {
      for (const { fd } of held.values()) void closeLater(fd);
      held.clear();
    },
  };
};

const listed = async (fd: number, place: string, most: number): Promise<readonly Dirent[]> => {
  const { size } = await stat(fd);
  // Nearly all folders are read at once; one with a million files is read bit by bit, as far as it is wanted.
  if (size <= MOST_AT_ONCE) {
    const all = await read(place, { withFileTypes: true });
    return all.length <= most ? all : all.slice(0, most);
  }
  const entries: Dirent[] = [];
  for await (const entry of await readSlowly(place, { bufferSize: 1000 })) {
    if (entries.length >= most) break;
    entries.push(entry);
  }
  return entries;
};

const openFolder = (path: string): Promise<number | null> => begin(path, FOLDER).catch(() => null);

const closeLater = async (opening: Promise<number | null>): Promise<void> => {
  const fd = await opening;
  if (fd !== null) await end(fd).catch(() => {}); // it was only read
};

/** On Linux a folder is entered by what was opened. Elsewhere by its name. */
const placeOf = (fd: number, path: string): string => (process.platform === 'linux' ? `/proc/self/fd/${fd}` : path);

// By number: the objects that stand for open files cost more than reading a folder does.
const [begin, end, stat, read, readSlowly] = [promisify(open), promisify(close), promisify(fstat), promisify(readdir), promisify(opendir)];

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Bytes of a folder itself: some ten thousand entries. */
const MOST_AT_ONCE = 1_000_000;
/** More than are read at once, with those around them. */
const MOST_OPEN = 64;
