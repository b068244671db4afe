import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Opens a file that is one: a pipe would keep a thread of Node's waiting, and four of them everything else. */
export const openRegular = async (path: string): Promise<{ readonly handle: FileHandle; readonly found: Stats }> => {
  const handle = await open(path, constants.O_RDONLY | NEVER_WAIT);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('not a regular file');
    return { handle, found };
  } catch (cause) {
    await handle.close();
    throw cause;
  }
};

/** Which file it is, whatever it is called. */
export const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** The bytes at a place; fewer where the file ends before. */
export const bytesAt = async (handle: FileHandle, from: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, from + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
};

export const EMPTY: Buffer = Buffer.alloc(0);
export const NEWLINE = 10;
// Windows has no such flag.
const NEVER_WAIT = (constants as Partial<typeof constants>).O_NONBLOCK ?? 0;
