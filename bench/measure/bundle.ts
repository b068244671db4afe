import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Builds what the measurements run, as it is shipped: tsx would count its own work, and reading threads only exist beside a bundle, where
 * `./reading-thread.mjs` resolves. Returns the path of the child.
 */
export const buildChild = async (folder: string): Promise<string> => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  await build({
    absWorkingDir: root,
    entryPoints: { child: 'bench/measure/child.ts', 'reading-thread': 'packages/cli/src/read/reading-thread.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['yarnboard-source'],
    logLevel: 'warning',
  });
  return join(folder, 'child.mjs');
};
