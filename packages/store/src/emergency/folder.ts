import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lineOfAddition, readDocument, textOfDocument, withAdditions, type EmergencyAddition, type EmergencyDocument } from '@yarnboard/domain';
import { sha256 } from '../hash.ts';
import { readLines } from './lines.ts';
import type { Doubtful, EmergencyPlace, Found } from './port.ts';

export type FolderOptions = {
  readonly name: string;
  readonly survives: string;
  readonly isLocal: boolean;
  readonly folder: string;
  /** Space reserved in advance, so that even a full disk can take this many bytes of queued commands; 0 for none. */
  readonly reserve: number;
};

/** Where the next line goes. The last line of an earlier process may be cut off, and is terminated first. */
type Tail = { readonly file: FileHandle; offset: number; isFound: boolean };

/**
 * REC-10: documents as files. Additions go to a second file beside the document, so that the thousandth command costs as much as the first. That file
 * is the reserve, renamed: blank lines that are already on the disk and get overwritten.
 */
export const folderPlace = ({ name, survives, isLocal, folder, reserve }: FolderOptions): EmergencyPlace => {
  const tails = new Map<string, Tail>();
  const reserveFile = join(folder, 'reserve');
  const documentFile = (cacheId: string): string => join(folder, `${cacheId}${DOCUMENT}`);
  const tailFile = (cacheId: string): string => join(folder, `${cacheId}${TAIL}`);

  const makeFolder = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await refuseForeign(folder);
  };

  const keepReserve = async (): Promise<void> => {
    if (reserve === 0 || (await sizeOf(reserveFile)) === reserve) return;
    const room = await roomIn(folder);
    // Taking the last space on a disk would cause the very emergency it is meant for.
    if (room !== null && room < reserve * 2) return;
    await replaceFile(folder, 'reserve', blank(reserve));
  };

  /** The second file of a document, open at the place of the next line. */
  const tailOf = async (cacheId: string): Promise<Tail> => {
    const known = tails.get(cacheId);
    if (known !== undefined) return known;
    const path = tailFile(cacheId);
    const before = await readIfThere(path);
    if (before === null && (await sizeOf(reserveFile)) !== null) {
      await rename(reserveFile, path);
      await syncFolder(folder);
    }
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    await refuseForeign(path);
    const offset = before === null ? 0 : endOf(before);
    const tail = { file, offset, isFound: offset > 0 };
    tails.set(cacheId, tail);
    return tail;
  };

  const append = async (cacheId: string, text: string): Promise<void> => {
    const tail = await tailOf(cacheId);
    const bytes = Buffer.from(tail.isFound ? `\n${text}` : text);
    await writeAt(tail.file, bytes, tail.offset);
    await tail.file.datasync();
    // Only now: the next write overwrites a failed one.
    tail.offset += bytes.length;
    tail.isFound = false;
  };

  const closeTail = async (cacheId: string): Promise<void> => {
    const tail = tails.get(cacheId);
    tails.delete(cacheId);
    await tail?.file.close();
  };

  const documentIn = async (path: string, doubtful: (one: Omit<Doubtful, 'place' | 'where'>) => void): Promise<EmergencyDocument | null> => {
    const bytes = await readIfThere(path);
    if (bytes === null) return null;
    const read = readDocument(bytes.toString(), sha256);
    if (read.ok) return read.value;
    doubtful(read.error);
    return null;
  };

  const findOne = async (cacheId: string): Promise<Found> => {
    const doubtful: Doubtful[] = [];
    const doubt = (where: string) => (one: Omit<Doubtful, 'place' | 'where'>) => doubtful.push({ ...one, place: name, where });
    try {
      const file = documentFile(cacheId);
      const tail = tailFile(cacheId);
      // The lines first: a resolved document takes them in before their file is removed.
      const { documents, additions } = readLines(await writtenIn(tail), doubt(tail));
      const whole = await documentIn(file, doubt(file));
      // On a full disk a document doesn't fit beside its predecessor, and goes into the reserve.
      const newest = [...(whole === null ? [] : [whole]), ...documents].filter((one) => one.cacheId === cacheId).toSorted(byAge)[0];
      if (newest === undefined && additions.length > 0)
        doubt(tail)({ kind: 'torn', why: `it has ${additions.length} pending writes, and their document is missing` });
      return { documents: newest === undefined ? [] : [withAdditions(newest, additions)], doubtful };
    } catch (cause) {
      doubt(documentFile(cacheId))({ kind: 'foreign', why: cause instanceof Error ? cause.message : String(cause) });
      return { documents: [], doubtful };
    }
  };

  return {
    name,
    survives,
    isLocal,
    prepare: async () => {
      await makeFolder();
      await keepReserve();
    },
    write: async (document, made) => {
      await makeFolder();
      const text = made ?? textOfDocument(document, sha256);
      try {
        await replaceFile(folder, `${document.cacheId}${DOCUMENT}`, Buffer.from(text));
      } catch (cause) {
        if (!isFull(cause)) throw cause;
        await append(document.cacheId, `${text}\n`);
        return;
      }
      if (document.resolvedAt !== null) {
        await closeTail(document.cacheId);
        await rm(tailFile(document.cacheId), { force: true });
      }
      await keepReserve();
    },
    add: (cacheId, additions) => append(cacheId, additions.map((one: EmergencyAddition) => lineOfAddition(one, sha256)).join('')),
    find: async () => {
      const found = await Promise.all([...new Set((await namesIn(folder)).flatMap(cacheIdIn))].map(findOne));
      return { documents: found.flatMap(({ documents }) => documents), doubtful: found.flatMap(({ doubtful }) => doubtful) };
    },
    remove: async (cacheId) => {
      await closeTail(cacheId);
      for (const path of [documentFile(cacheId), tailFile(cacheId)]) await rm(path, { force: true });
    },
    room: async () => {
      const reserved = (await sizeOf(reserveFile)) ?? 0;
      const free = await roomIn(folder);
      return free === null ? null : free + reserved;
    },
    device: () => deviceOf(folder),
    close: async () => {
      for (const cacheId of tails.keys()) await closeTail(cacheId);
    },
  };
};

const DOCUMENT = '.json';
const TAIL = '.writes.jsonl';

const cacheIdIn = (name: string): readonly string[] => {
  const ending = [TAIL, DOCUMENT].find((one) => name.endsWith(one));
  return ending === undefined || name.startsWith('.') ? [] : [name.slice(0, -ending.length)];
};

const byAge = (a: EmergencyDocument, b: EmergencyDocument): number => (a.updatedAt < b.updatedAt ? 1 : -1);

/** All or nothing, and it survives a power cut. */
const replaceFile = async (folder: string, name: string, bytes: Buffer): Promise<void> => {
  const part = join(folder, `${name}.${process.pid}.part`);
  try {
    const file = await open(part, 'w', 0o600);
    try {
      await writeAt(file, bytes, 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, join(folder, name));
  } catch (cause) {
    await rm(part, { force: true });
    throw cause;
  }
  await syncFolder(folder);
};

/** A file system may write fewer bytes than it is given. */
const writeAt = async (file: FileHandle, bytes: Buffer, offset: number): Promise<void> => {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r').catch(() => null); // some systems can't open folders, and don't need to
  if (handle === null) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const blank = (bytes: number): Buffer => Buffer.alloc(bytes, '\n');

/** Where the blank lines begin. */
const endOf = (bytes: Buffer): number => {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === NEWLINE) end -= 1;
  return end;
};

const NEWLINE = 10;

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    await refuseForeign(folder);
    return await readdir(folder);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    throw cause;
  }
};

const readIfThere = async (path: string): Promise<Buffer | null> => {
  const size = await sizeOf(path);
  if (size === null) return null;
  await refuseForeign(path);
  if (size > MOST_READ) throw new Error(`it is larger than any emergency cache (${size} bytes)`);
  return readFile(path);
};

/** Without the blank lines that haven't been overwritten yet. */
const writtenIn = async (path: string): Promise<string> => {
  const bytes = await readIfThere(path);
  return bytes === null ? '' : bytes.subarray(0, endOf(bytes)).toString();
};

const sizeOf = async (path: string): Promise<number | null> => {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    return stats.size;
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null;
    throw cause;
  }
};

/** HOME-2: a folder of another user proves nothing, and nothing is entrusted to it. */
const refuseForeign = async (path: string): Promise<void> => {
  const me = process.getuid?.();
  if (me === undefined) return;
  const { uid } = await lstat(path);
  if (uid !== me && uid !== 0 && me !== 0) throw new Error(`${path} belongs to another user`);
};

/** Of the nearest existing folder: the others would be created in it. */
const deviceOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).dev;
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT' || dirname(path) === path) throw cause;
    return deviceOf(dirname(path));
  }
};

const roomIn = async (folder: string): Promise<number | null> => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null; // some file systems don't say; only writing shows it
  }
};

const isFull = (cause: unknown): boolean => codeOf(cause) === 'ENOSPC' || codeOf(cause) === 'EDQUOT';
const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '');

/** More than a cache can ever hold (REC-14), in both files together. */
const MOST_READ = 256 * 1024 * 1024;
