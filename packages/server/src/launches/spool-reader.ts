import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parseSpoolLine, type SpoolLine } from './spool.ts';

export type NumberedLine = { readonly number: number; readonly line: SpoolLine };

/** The lines of a spool that could not be read. */
export type BadLines = { readonly count: number; readonly first: string };

/** Reads a growing spool: every complete line once. */
export type SpoolReader = {
  readonly read: () => readonly NumberedLine[];
  readonly bad: () => BadLines | null;
  /** When the file was last modified. */
  readonly modified: () => number;
};

export const createSpoolReader = (path: string): SpoolReader => {
  let offset = 0;
  let number = 0;
  let modified = 0;
  let bad: BadLines | null = null;

  const take = (text: string): readonly NumberedLine[] => {
    number += 1;
    if (text === '') return [];
    const line = parseSpoolLine(text);
    if (!('fault' in line)) return [{ number, line }];
    bad = { count: (bad?.count ?? 0) + 1, first: bad?.first ?? `line ${number}: ${line.fault}` };
    return [];
  };

  return {
    read: () => {
      const file = openSync(path, 'r');
      try {
        const { size, mtimeMs } = fstatSync(file);
        modified = mtimeMs;
        if (size <= offset) return [];
        const bytes = Buffer.alloc(size - offset);
        const got = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
        const end = got.lastIndexOf(10) + 1; // anything after the last newline is still being written
        offset += end;
        return got.toString('utf8', 0, end).split('\n').slice(0, -1).flatMap(take);
      } finally {
        closeSync(file);
      }
    },
    bad: () => bad,
    modified: () => modified,
  };
};
