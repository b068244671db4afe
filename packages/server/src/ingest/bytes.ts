import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { KeptEnds } from '@yarnboard/transcript';
import { openWithin, refuseBeyond, type Bounds } from './bounds.ts';
import { holderOf, isKept, keptEnds, keptText } from './kept.ts';
import { isPacked, unpack } from './packed.ts';
import { outsideOf } from './views.ts';

/** A file open for reading, whatever it is stored in. */
export type Handle = {
  readonly read: (into: Buffer, at: number, length: number, from: number) => Promise<{ readonly bytesRead: number }>;
  readonly close: () => Promise<void>;
};

/** An opened file; `problem` says which part of it can't be read. */
export type Opened = { readonly handle: Handle; readonly found: Seen; readonly problem: string | null };

/** A file's metadata: its size is that of its text. */
export type Seen = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs'>;

/**
 * Opens a regular file only: a pipe would block one of Node's threads, and four of them everything else. Within bounds, the opened file counts, and
 * not what was there when somebody looked (SEC-36).
 */
export const openRegular = async (path: string, bounds: Bounds = null): Promise<Opened> => {
  if (isKept(path)) return openKept(path, bounds);
  const handle = await (bounds === null ? open(path, constants.O_RDONLY | NEVER_WAIT) : openWithin(path, bounds));
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('not a regular file');
    if (!isPacked(path)) return { handle, found, problem: null };
    const text = unpack(await handle.readFile());
    await handle.close();
    return { handle: inMemory(text), found: { dev: found.dev, ino: found.ino, size: text.length, mtimeMs: found.mtimeMs }, problem: null };
  } catch (cause) {
    await handle.close();
    throw cause;
  }
};

// Looked at before it is read: what is written in between is found by the next look.
const openKept = (path: string, bounds: Bounds): Opened => {
  refuseBeyond(holderOf(path), bounds);
  const outside = outsideOf(path);
  if (outside === null) throw Object.assign(new Error(`ENOENT: there is no session at ${path} any more`), { code: 'ENOENT' });
  const { text, problem } = keptText(path);
  // Once more: a link may have taken the place of what holds it in between.
  refuseBeyond(holderOf(path), bounds);
  return { handle: inMemory(text), problem, found: { dev: outside.dev, ino: outside.ino, size: text.length, mtimeMs: outside.mtimeMs } };
};

/** The ends of a session that isn't a file of lines, made without the rest; null if it is one, or all of it has to be made. */
export const endsWithin = (path: string, bounds: Bounds): KeptEnds | null => {
  if (!isKept(path)) return null;
  refuseBeyond(holderOf(path), bounds);
  const ends = keptEnds(path);
  refuseBeyond(holderOf(path), bounds);
  return ends;
};

/** Its present metadata. Throws if there is nothing. */
export const seenAt = async (path: string): Promise<Seen> => {
  if (!isKept(path)) return stat(path);
  const outside = outsideOf(path);
  if (outside === null) throw Object.assign(new Error(`ENOENT: there is no session at ${path} any more`), { code: 'ENOENT' });
  return outside;
};

/** The identity of a file, whatever its name. */
export const identityOf = ({ dev, ino }: Seen): string => `${dev}:${ino}`;

/** The bytes at a place; fewer if the file ends before. */
export const bytesAt = async (handle: Handle, from: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, from + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
};

const inMemory = (text: Buffer): Handle => ({
  read: (into, at, length, from) => Promise.resolve({ bytesRead: text.copy(into, at, from, Math.min(text.length, from + length)) }),
  close: () => Promise.resolve(),
});

export const EMPTY: Buffer = Buffer.alloc(0);
export const NEWLINE = 10;
// Windows has no such flag.
const NEVER_WAIT = (constants as Partial<typeof constants>).O_NONBLOCK ?? 0;
