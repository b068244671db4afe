import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Builds what the measurements run, as it is shipped: tsx would count its own work, and threads only exist beside a bundle, where their programs
 * resolve. Entry points are files of this repository; what is returned is where each lies now.
 */
export const buildPrograms = async <N extends string>(
  folder: string,
  entryPoints: Readonly<Record<N, string>>,
): Promise<Readonly<Record<N, string>>> => {
  await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['yarnboard-source'],
    // Compiled for the machine, loaded when asked for, or no ES module: found through the link.
    external: ['better-sqlite3', 'pg', '@redis/client', 'ws'],
    logLevel: 'warning',
  });
  linkModules(folder);
  const names = Object.keys(entryPoints) as N[]; // keys of a literal: there are no others
  return Object.fromEntries(names.map((name) => [name, join(folder, `${name}.mjs`)])) as Record<N, string>; // one for each name
};

/** Makes the installed packages visible to programs in this folder. */
export const linkModules = (folder: string): void => {
  mkdirSync(folder, { recursive: true });
  const link = join(folder, 'node_modules');
  if (!existsSync(link)) symlinkSync(join(ROOT, 'node_modules'), link);
};

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
