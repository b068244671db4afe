import { closeSync, openSync, writeSync } from 'node:fs';

/** Where lines go. */
export type Sheet = {
  readonly write: (line: string) => void;
  readonly lines: () => number;
  /** Roughly, until closed: characters stand for bytes. */
  readonly size: () => number;
  /** Returns the exact number of bytes. */
  readonly close: () => number;
};

export const openFileSheet = (path: string): Sheet => {
  const descriptor = openSync(path, 'w');
  let held: string[] = [];
  let heldSize = 0;
  let size = 0;
  let lines = 0;
  let bytes = 0;
  const flush = (): void => {
    const chunk = Buffer.from(held.join('\n') + (held.length > 0 ? '\n' : ''), 'utf8');
    for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at);
    bytes += chunk.length;
    held = [];
    heldSize = 0;
  };
  return {
    write: (line) => {
      held.push(line);
      heldSize += line.length + 1;
      size += line.length + 1;
      lines += 1;
      if (heldSize > FLUSH) flush();
    },
    lines: () => lines,
    size: () => size,
    close: () => {
      flush();
      closeSync(descriptor);
      return bytes;
    },
  };
};

export const createMemorySheet = (kept: string[]): Sheet => {
  let size = 0;
  return {
    write: (line) => {
      kept.push(line);
      size += line.length + 1;
    },
    lines: () => kept.length,
    size: () => size,
    close: () => size,
  };
};

const FLUSH = 1024 * 1024;
