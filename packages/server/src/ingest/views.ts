import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { holderOf, isKept, keptLook, keptText } from './kept.ts';
import { isPacked, unpacked } from './packed.ts';

/** Whether the text at a path is generated: unpacked, or gathered from a database. Places refer to that text. */
export const isView = (path: string): boolean => isPacked(path) || isKept(path);

/** The text at such a path. Throws if it can't be generated. */
export const viewOf = (path: string): Buffer => (isPacked(path) ? unpacked(path) : keptText(path).text);

/** The bytes at a place of a file, or of its generated text; fewer if it ends before. */
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

/** The metadata of a file, or of a session in a database. */
export type Outside = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs'> & { readonly isFile: boolean };

/** Null if there is nothing at the path. */
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
