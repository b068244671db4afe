import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Builds what the measurements run, as it is shipped: tsx would count its own work, and reading threads only exist beside a bundle, where
 * `./reading-thread.mjs` resolves.
 */
export const buildChildren = async (folder: string): Promise<{ readonly child: string; readonly appends: string }> => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  await build({
    absWorkingDir: root,
    entryPoints: {
      child: fileURLToPath(new URL('./child.ts', import.meta.url)),
      appends: fileURLToPath(new URL('./appends.ts', import.meta.url)),
      'reading-thread': 'packages/cli/src/read/reading-thread.ts',
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['yarnboard-source'],
    logLevel: 'warning',
  });
  return { child: join(folder, 'child.mjs'), appends: join(folder, 'appends.mjs') };
};
