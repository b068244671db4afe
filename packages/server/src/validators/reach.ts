import { constants, type Dirent } from 'node:fs';
import { type FileHandle, open, opendir, readdir, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isDeniedName, isDeniedPath } from './denied.ts';
import { createFolderWalk, type FolderWalk } from './folder-walk.ts';
import { isIn, plainPath, type Roots } from './roots.ts';

/** What is at a path. `denied` covers both forbidden paths and missing ones under them: nothing was opened. */
export type Seen =
  | { readonly kind: 'file'; readonly path: string; readonly size: number; readonly stamp: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'denied' }
  | { readonly kind: 'unreadable'; readonly why: string };

export type Read =
  { readonly kind: 'text'; readonly path: string; readonly text: string; readonly stamp: string } | Exclude<Seen, { readonly kind: 'file' }>;

export type Listed = { readonly name: string; readonly isFolder: boolean; readonly isFile: boolean };

/** VAL-16: the only access to files. Opens nothing outside the roots and follows no link out of them. */
export type Reach = {
  readonly roots: readonly string[];
  /** Where relative paths start: the session's folder, if it is inside a root. */
  readonly base: string | null;
  readonly look: (path: string) => Promise<Seen>;
  readonly read: (path: string) => Promise<Read>;
  readonly list: (path: string, most: number) => Promise<readonly Listed[] | null>;
  /** For visiting many folders. Its entries include hidden ones: check each with `isHidden`. */
  readonly walk: () => FolderWalk;
  /** VAL-17: whether an entry of an allowed folder must not be revealed. */
  readonly isHidden: (folder: string, name: string) => boolean;
  /** The path as people write it, relative to its root. */
  readonly shown: (path: string) => string;
  readonly isAllowed: (path: string) => boolean;
};

export const createReach = ({ folders, closed }: Roots, cwd: string | null): Reach => {
  const rootOf = (path: string): string | null => folders.find((folder) => isIn(path, folder)) ?? null;
  const shut = closed.map(plainPath);
  const isClosed = (path: string): boolean => {
    if (shut.length === 0) return false;
    const plain = plainPath(path);
    return shut.some((folder) => isIn(plain, folder));
  };
  const isAllowed = (path: string): boolean => {
    const root = rootOf(path);
    return root !== null && !isClosed(path) && !isDeniedPath(path.slice(root.length));
  };
  const isHidden = (folder: string, name: string): boolean => isDeniedName(name) || isClosed(join(folder, name));
  const base = cwd !== null && isAbsolute(cwd) && isAllowed(resolve(cwd)) ? resolve(cwd) : null;

  /** Opens the parts of a path one by one, each from within its parent, so that none can be swapped for a link meanwhile. */
  const openAt = async (path: string, links = 0): Promise<Opened> => {
    const root = rootOf(path);
    if (root === null || !isAllowed(path)) return { kind: 'denied' };
    const parts = path
      .slice(root.length)
      .split(sep)
      .filter((part) => part !== '');
    let handle = await open(root, FOLDER);
    let at = root;
    for (const [i, part] of parts.entries()) {
      const isLast = i === parts.length - 1;
      const next = await openPart(handle, at, part, isLast);
      await handle.close();
      if ('handle' in next) {
        handle = next.handle;
        at = join(at, part);
        continue;
      }
      if (next.kind !== 'link') return next;
      // Follow a link only to a place that may be read anyway.
      const target = resolve(at, next.to, ...parts.slice(i + 1));
      return links < MOST_LINKS ? openAt(target, links + 1) : { kind: 'denied' };
    }
    return { kind: 'open', handle, path: at };
  };

  const look = async (path: string): Promise<Seen> => {
    const opened = await openAt(resolve(path));
    if (opened.kind !== 'open') return opened;
    try {
      return await seenAt(opened);
    } finally {
      await opened.handle.close();
    }
  };

  const read = async (path: string): Promise<Read> => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const opened = await openAt(resolve(path));
      if (opened.kind !== 'open') return opened;
      try {
        const before = await seenAt(opened);
        if (before.kind !== 'file') return before;
        if (before.size > MOST_BYTES) return { kind: 'unreadable', why: 'the file is larger than 1 MB' };
        const buffer = Buffer.alloc(before.size + 1);
        const { bytesRead } = await opened.handle.read(buffer, 0, buffer.length, 0);
        const after = await seenAt(opened);
        // VAL-18: a file that changes while being read is read again.
        if (after.kind !== 'file' || after.stamp !== before.stamp || bytesRead !== before.size) continue;
        return textIn(buffer.subarray(0, bytesRead), before);
      } finally {
        await opened.handle.close();
      }
    }
    return { kind: 'unreadable', why: 'the file keeps changing' };
  };

  const list = async (path: string, most: number): Promise<readonly Listed[] | null> => {
    const opened = await openAt(resolve(path));
    if (opened.kind !== 'open') return null;
    try {
      const about = await opened.handle.stat();
      if (!about.isDirectory()) return null;
      const place = insideOf(opened.handle, opened.path);
      const entries: Listed[] = [];
      // Nearly every folder is read in one go. One with a million files is read in pieces, up to the limit.
      const listed = about.size <= MOST_AT_ONCE ? await readdir(place, { withFileTypes: true }) : await opendir(place, { bufferSize: 1000 });
      const take = (entry: Dirent): void => {
        if (!isHidden(opened.path, entry.name)) entries.push({ name: entry.name, isFolder: entry.isDirectory(), isFile: entry.isFile() });
      };
      if (Array.isArray(listed)) for (const entry of listed.slice(0, most)) take(entry);
      else
        for await (const entry of listed) {
          if (entries.length >= most) break;
          take(entry);
        }
      return entries;
    } catch {
      return null; // no permission, or gone meanwhile
    } finally {
      await opened.handle.close();
    }
  };

  return {
    roots: folders,
    base,
    look,
    read,
    list,
    walk: () => createFolderWalk((folder) => folders.includes(folder), isAllowed),
    isHidden,
    isAllowed,
    shown: (path) => {
      const from = base ?? rootOf(path);
      return from !== null && isIn(path, from) && path !== from ? path.slice(from.length + 1) : path;
    },
  };
};

type Opened = { readonly kind: 'open'; readonly handle: FileHandle; readonly path: string } | Exclude<Seen, { readonly kind: 'file' | 'folder' }>;
type Part = { readonly handle: FileHandle } | { readonly kind: 'link'; readonly to: string } | Exclude<Seen, { readonly kind: 'file' | 'folder' }>;

const openPart = async (folder: FileHandle, at: string, part: string, isLast: boolean): Promise<Part> => {
  const path = join(insideOf(folder, at), part);
  try {
    return { handle: await open(path, isLast ? ANYTHING : FOLDER) };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { kind: 'absent' };
    if (code === 'ELOOP' || code === 'ENOTDIR' || code === 'EMLINK') {
      const to = await readlink(path).catch(() => null);
      return to === null ? { kind: 'absent' } : { kind: 'link', to };
    }
    // A socket cannot be opened, and other special files are of no interest.
    return code === 'EACCES' || code === 'EPERM'
      ? { kind: 'unreadable', why: 'permission denied' }
      : { kind: 'unreadable', why: 'it cannot be opened' };
  }
};

const seenAt = async ({ handle, path }: { readonly handle: FileHandle; readonly path: string }): Promise<Seen> => {
  const found = await handle.stat({ bigint: true });
  if (found.isDirectory()) return { kind: 'folder', path };
  if (!found.isFile()) return { kind: 'unreadable', why: 'it is not a regular file' };
  return { kind: 'file', path, size: Number(found.size), stamp: `${found.ino}:${found.size}:${found.mtimeNs}` };
};

const textIn = (bytes: Buffer, { path, stamp }: { readonly path: string; readonly stamp: string }): Read => {
  if (bytes.includes(0)) return { kind: 'unreadable', why: 'it is not a text' };
  try {
    return { kind: 'text', path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), stamp };
  } catch {
    return { kind: 'unreadable', why: 'it is not valid UTF-8' };
  }
};

/** Linux enters a folder by its open handle. Other systems use its path, and the new handle tells what was opened. */
const insideOf = ({ fd }: FileHandle, path: string): string => (process.platform === 'linux' ? `/proc/self/fd/${fd}` : path);

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
// Open a FIFO without waiting for a writer.
const ANYTHING = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
const MOST_BYTES = 1_000_000;
const MOST_TRIES = 3;
/** The size of the folder itself in bytes: some ten thousand entries. */
const MOST_AT_ONCE = 1_000_000;
const MOST_LINKS = 8;

/** The repository around a project: the nearest folder with a `.git`, searching upwards as far as we may look. */
export const repositoryOf = async (reach: Reach): Promise<string | null> => {
  for (let folder = reach.base; folder !== null && reach.isAllowed(folder); folder = dirname(folder) === folder ? null : dirname(folder)) {
    const git = await reach.look(join(folder, '.git'));
    if (git.kind === 'folder' || git.kind === 'file') return folder;
  }
  return reach.base;
};
