import { realpathSync } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { isWithin } from './discover.ts';
import { FLAGS, kernelSays } from './own-file.ts';

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

/** Throws where what is at a path lies outside the bounds now. */
export const refuseBeyond = (path: string, bounds: Bounds): void => {
  if (bounds === null) return;
  const real = realpathSync(path);
  if (!isWithin(bounds, real)) throw new Error(leadsTo(real));
};

/** Where an open file lies; null where the system does not say. */
export type OpenedAt = (handle: FileHandle) => string | null;

/** Where nobody tells, the file at the path without links must be the one that is open, and the path must still be without links. */
const provenAt = async (handle: FileHandle, real: string): Promise<string> => {
  const [opened, there] = [await handle.stat(), await lstat(real)];
  if (opened.dev !== there.dev || opened.ino !== there.ino) throw new Error('it was replaced while it was being opened');
  return realpath(real);
};

const leadsTo = (target: string): string => `it leads to ${target}, outside the folders that are read`;
