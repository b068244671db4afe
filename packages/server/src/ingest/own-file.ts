import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';

/**
 * The bytes of a file at a path without links; null where it is none. Only of a file: a pipe would keep everybody waiting. What a link has taken the place of
 * since the path was looked at is not read.
 */
export const readAt = (real: string): Buffer | null => within(real, (fd) => readFileSync(fd));

/** So many bytes from its start, or of its end if `length` is negative. */
export const pieceAt = (real: string, length: number): Buffer | null =>
  within(real, (fd, size) => {
    const bytes = Buffer.allocUnsafe(Math.min(size, Math.abs(length)));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, length < 0 ? size - bytes.length : 0));
  });

const within = (real: string, read: (fd: number, size: number) => Buffer): Buffer | null => {
  const fd = openSync(real, FLAGS);
  try {
    const opened = kernelSays({ fd });
    const found = fstatSync(fd);
    return (opened === null || opened === real) && found.isFile() ? read(fd, found.size) : null;
  } finally {
    closeSync(fd);
  }
};

/** Where an open file lies; null where the system does not say. */
export const kernelSays = ({ fd }: { readonly fd: number }): string | null => {
  if (process.platform !== 'linux') return null;
  try {
    // One that was taken away meanwhile is called by where it was.
    return readlinkSync(`/proc/self/fd/${fd}`).replace(/ \(deleted\)$/u, '');
  } catch {
    return null; // no /proc here
  }
};

// Windows has neither flag.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
export const FLAGS = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
