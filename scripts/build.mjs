// Bundles the command: dist/yarnboard.mjs and the threads it starts.
import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

const cli = join(root, 'packages', 'cli');
rmSync(join(cli, 'dist'), { recursive: true, force: true });
await build({
  entryPoints: {
    yarnboard: join(cli, 'src', 'main.ts'),
    'reading-thread': join(cli, 'src', 'read', 'reading-thread.ts'),
    ...Object.fromEntries(
      ['writer', 'indexer', 'verifier'].map((name) => [`${name}-thread`, join(root, 'packages', 'server', 'src', 'board', `${name}-thread.ts`)]),
    ),
  },
  // Has parts that are compiled for the machine it is installed on; or is needed by few.
  external: ['better-sqlite3', 'pg'],
  outdir: join(cli, 'dist'),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  conditions: ['yarnboard-source'],
  legalComments: 'linked',
  sourcemap: true,
  // Packages that are no ES modules (ws) ask for Node's own with `require`, which an ES module does not have.
  banner: { js: "#!/usr/bin/env node\nimport { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);" },
  logLevel: 'warning',
});
