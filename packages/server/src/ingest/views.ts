import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { holderOf, isKept, keptLook, keptText } from './kept.ts';
import { isPacked, unpacked } from './packed.ts';

/** Whether what is read at a path is made of what is there: unpacked, or gathered from a database. Places are those in the text that was made. */
export const isView = (path: string): boolean => isPacked(path) || isKept(path);

/** The text at such a path. Throws where it cannot be made. */
export const viewOf = (path: string): Buffer => (isPacked(path) ? unpacked(path) : keptText(path).text);

/** What of it cannot be read; null where it is whole. */
export const problemIn = (path: string): string | null => (isKept(path) ? keptText(path).problem : null);

/** The bytes at a place of a file, or of the text that stands for it; fewer where it ends before. */
export const sliceOf = (path: string, from: number, length: number): Buffer => {
  if (isView(path)) return viewOf(path).subarray(from, from + length);
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, length, from));
  } finally {
    closeSync(descriptor);
  }
};

/** How something looks from outside: a file, or a session in a database. */
export type Outside = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs'> & { readonly isFile: boolean };

/** Null when there is nothing at the path. */
export const outsideOf = (path: string): Outside | null => {
  if (isKept(path)) {
    const look = keptLook(path);
    if (look === null) return null;
    const { dev, ino } = statSync(holderOf(path));
    return { dev, ino, size: look.bytes, mtimeMs: look.modified, isFile: true };
  }
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : { dev: found.dev, ino: found.ino, size: found.size, mtimeMs: found.mtimeMs, isFile: found.isFile() };
};
