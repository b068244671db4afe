import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { reasonOf } from '@yarnboard/server/entrance';
import { Refusal } from '../refusal.ts';

/** Writes a file atomically: first beside its place, then moved there. Anything but a plain file (a pipe, a device) is written directly. */
export const writeFile = (path: string, texts: Iterable<string>): void => {
  const known = statSync(path, { throwIfNoEntry: false });
  const isPlain = known === undefined || known.isFile();
  const target = isPlain ? `${path}.${process.pid}.part` : path;
  try {
    const descriptor = openSync(target, 'w');
    try {
      for (const text of texts) {
        const bytes = Buffer.from(text);
        for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
      }
      if (isPlain) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (isPlain) renameSync(target, path);
  } catch (cause) {
    if (isPlain) rmSync(target, { force: true });
    throw new Refusal(3, `cannot write ${path}: ${reasonOf(cause)}`);
  }
};
