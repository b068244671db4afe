import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../source-files.ts';

/** Where the built page lies; it is built first, if it is older than what it is made of. */
export const builtPage = (): string => {
  // Whoever runs all tests has built it.
  if (process.env['YARNBOARD_BUILT'] === undefined) {
    const build = "(await import('./scripts/workspace.mjs')).ensureBuilt('page')";
    execFileSync(process.execPath, ['--input-type=module', '-e', build], { cwd: root });
  }
  return join(root, 'packages', 'cli', 'dist', 'page');
};
