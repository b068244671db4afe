import { close, constants, fstat, open, opendir, readdir, type Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A walk through folders. Opened folders stay open for a while, to open what is inside them. */
export type FolderWalk = {
  /** Up to `most` entries of a folder; null if it may not be opened, is a link, or is gone. */
  readonly entriesIn: (folder: string, most: number) => Promise<readonly Dirent[] | null>;
  readonly end: () => void;
};

type Held = { readonly fd: Promise<number | null>; users: number };

/** VAL-16: opens each folder from within its parent, starting at the root, and never through a link. Asks `isAllowed` about each of them. */
export const createFolderWalk = (isRoot: (folder: string) => boolean, isAllowed: (folder: string) => boolean): FolderWalk => {
  // In order of last use.
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
        return null; // no permission, or gone meanwhile
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
  // Nearly every folder is read in one go. One with a million files is read in pieces, up to the limit.
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
  if (fd !== null) await end(fd).catch(() => {}); // it was open for reading only
};

/** Linux enters a folder by its open descriptor, other systems by its path. */
const placeOf = (fd: number, path: string): string => (process.platform === 'linux' ? `/proc/self/fd/${fd}` : path);

// Plain descriptors: FileHandle objects cost more than reading a folder.
const [begin, end, stat, read, readSlowly] = [promisify(open), promisify(close), promisify(fstat), promisify(readdir), promisify(opendir)];

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** The size of the folder itself in bytes: some ten thousand entries. */
const MOST_AT_ONCE = 1_000_000;
/** More than the folders read at once, including their parents. */
const MOST_OPEN = 64;
