import { constants, readlinkSync } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { isWithin } from './discover.ts';

/** The folders, with links resolved, that must contain a file; null if any named file may be read. */
export type Bounds = readonly string[] | null;

/**
 * SEC-36: opens a file and ensures that the opened file is within the bounds. A link may replace a file, or a folder above it, at any moment: an
 * earlier check of the path proves nothing about what it opens now.
 */
export const openWithin = async (path: string, bounds: readonly string[], openedAt: OpenedAt = kernelSays): Promise<FileHandle> => {
  const real = await realpath(path);
  if (!isWithin(bounds, real)) throw new Error(leadsTo(real));
  const handle = await open(real, FLAGS);
  try {
    const opened = openedAt(handle) ?? (await provenAt(handle, real));
    if (!isWithin(bounds, opened)) throw new Error(leadsTo(opened));
    return handle;
  } catch (cause) {
    await handle.close();
    throw cause;
  }
};

/** The path of an open file; null if the system doesn't say. */
export type OpenedAt = (handle: FileHandle) => string | null;

const kernelSays: OpenedAt = ({ fd }) => {
  if (process.platform !== 'linux') return null;
  try {
    // A file deleted in the meantime counts by its former path.
    return readlinkSync(`/proc/self/fd/${fd}`).replace(/ \(deleted\)$/u, '');
  } catch {
    return null; // no /proc here
  }
};

/** If the system doesn't say, the file at the resolved path must be the open one, and the path must still be free of links. */
const provenAt = async (handle: FileHandle, real: string): Promise<string> => {
  const [opened, there] = [await handle.stat(), await lstat(real)];
  if (opened.dev !== there.dev || opened.ino !== there.ino) throw new Error('it was replaced while it was being opened');
  return realpath(real);
};

const leadsTo = (target: string): string => `it leads to ${target}, outside the folders that are read`;

// Windows has neither flag.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
const FLAGS = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
