import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

// Each test file of the page has a process of its own, which spent longer on loading a thousand sources one by one than on its tests. So the packages below
// the page are bundled once a run; the page itself, and the tests, are read as they are.

const root = fileURLToPath(new URL('..', import.meta.url));

const PACKAGES = ['domain', 'language', 'transcript', 'store', 'protocol', 'server'] as const;

const sourceOf = (name: string): string => join(root, 'packages', name, 'src', 'index.ts');

/** Of this run alone: another one may have other sources. Within node_modules, so that Node finds what the bundle leaves outside. */
const folder = join(root, 'node_modules', '.cache', 'yarnboard', `packages-${process.pid}`);

/** For `resolve.alias`: what imports a package gets its bundle. */
export const BUNDLED = PACKAGES.map((name) => ({ find: new RegExp(`^@yarnboard/${name}$`, 'u'), replacement: join(folder, `${name}.mjs`) }));

/** What stands beside a source is looked for beside the source. */
const fromSources: Plugin = {
  name: 'from-sources',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^@yarnboard\/[a-z]+$/ }, ({ path }) => ({ path: sourceOf(path.slice('@yarnboard/'.length)) }));
    bundler.onLoad({ filter: /\/packages\/[a-z]+\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
    });
  },
};

/** vitest calls it before the tests of the page. */
export const setup = async (): Promise<() => Promise<void>> => {
  await build({
    entryPoints: Object.fromEntries(PACKAGES.map((name) => [name, sourceOf(name)])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    plugins: [fromSources],
    logLevel: 'warning',
  });
  return () => rm(folder, { recursive: true, force: true });
};
