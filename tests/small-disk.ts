import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const canMount = process.getuid?.() === 0 && process.platform === 'linux';
// Mounting a small file system needs root: in CI that is a failure, elsewhere a skip with this name.
export const isSkipped = !canMount && process.env['CI'] === undefined;

export const mount = (...args: readonly string[]): void => {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`);
};

/** A disk of its own for a folder; given back by the function returned. */
export const diskFor = (folder: string, size: string): (() => void) => {
  mkdirSync(folder, { recursive: true });
  mount('-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder);
  return () => void spawnSync('umount', ['-l', folder]);
};

/** Until not even a page more fits. */
export const fill = (folder: string): void => {
  const filler = openSync(join(folder, 'filler'), 'a');
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) writeSync(filler, Buffer.alloc(size, 1));
    } catch {
      // no room for more of this size
    }
  }
  closeSync(filler);
};
