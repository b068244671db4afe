// node scripts/build.mjs [command] [page]: bundles the command (dist/yarnboard.mjs and the threads it starts), the page it serves (dist/page), or both.
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { directImports } from './direct-imports.mjs';
import { makeFolder, outputOf, root } from './workspace.mjs';

const cli = join(root, 'packages', 'cli');
const dist = join(cli, 'dist');

const buildCommand = async () => {
  const { build } = await import('esbuild');
  makeFolder(dist);
  for (const name of readdirSync(dist)) if (!OTHERS.has(name)) rmSync(join(dist, name), { recursive: true, force: true });
  await build({
    entryPoints: {
      yarnboard: join(cli, 'src', 'main.ts'),
      'reading-thread': join(cli, 'src', 'read', 'reading-thread.ts'),
      'openai-agent': join(root, 'packages', 'server', 'src', 'runtimes', 'openai', 'agent.ts'),
      'seat-bridge': join(root, 'packages', 'server', 'src', 'seat-bridge.ts'),
      validator: join(root, 'packages', 'server', 'src', 'validators', 'child.ts'),
      ...Object.fromEntries(
        ['writer', 'indexer', 'verifier', 'counter', 'finder'].map((name) => [
          `${name}-thread`,
          join(root, 'packages', 'server', 'src', 'threads', `${name}-thread.ts`),
        ]),
      ),
    },
    // Compiled for the machine it is installed on (loaded by `store/sqlite/module`), or needed by few.
    external: ['better-sqlite3', 'pg', '@redis/client'],
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    conditions: ['yarnboard-source'],
    plugins: [directImports(root)],
    legalComments: 'linked',
    // Packages that are no ES modules (ws) ask for Node's own with `require`, which an ES module does not have.
    banner: { js: "#!/usr/bin/env node\nimport { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);" },
    logLevel: 'warning',
  });
  // Looked for beside the bundle (store/search/meaning/embedding-file).
  const embedding = join(root, 'packages', 'language', 'embedding');
  copyFileSync(join(embedding, 'embedding.bin'), join(dist, 'embedding.bin'));
  copyFileSync(join(embedding, 'calibration.json'), join(dist, 'calibration.json'));
  copyFileSync(join(embedding, 'NOTICE.txt'), join(dist, 'embedding.LEGAL.txt'));
};

const buildPage = async () => {
  // What tests need to be built is what is shipped: their environment would make it React for developers.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const web = join(root, 'packages', 'web');
  // Aside, and put in place as a whole: whoever starts a server meanwhile is given the page of before.
  const part = join(root, 'node_modules', '.cache', 'yarnboard', `page-${process.pid}`);
  const output = { outDir: part, emptyOutDir: true };
  try {
    await build({ root: web, configFile: join(web, 'vite.config.ts'), build: output, logLevel: 'warn' });
    for (const item of readdirSync(part, { recursive: true, withFileTypes: true })) {
      if (item.isFile() && PACKED.has(extname(item.name)) && item.name !== 'index.html') pack(join(item.parentPath, item.name));
    }
    makeFolder(dist);
    rmSync(join(dist, 'page'), { recursive: true, force: true });
    renameSync(part, join(dist, 'page'));
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};

/** Once here instead of at every request: with as much effort as there is. */
const pack = (path) => {
  const bytes = readFileSync(path);
  const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  if (bytes.length > 1024 && packed.length < bytes.length) writeFileSync(`${path}.br`, packed);
};

const PACKED = new Set(['.css', '.js', '.json', '.svg', '.txt', '.wasm', '.webmanifest']);

/** What lies in dist and was not made by esbuild: the compiler would miss what it believes to have written. */
const OTHERS = new Set(['page', 'types', 'tsconfig.tsbuildinfo']);

const BUILDS = { command: buildCommand, page: buildPage };
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(BUILDS, name));
if (unknown !== undefined) {
  console.error(`there is no "${unknown}" to build; there are ${Object.keys(BUILDS).join(', ')}`);
  process.exit(2);
}
for (const [name, build] of Object.entries(BUILDS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const began = new Date();
  await build();
  // What was changed while it was being built is not in it.
  utimesSync(outputOf(name), began, began);
}
