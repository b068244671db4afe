// node scripts/sqlite.mjs: compiles SQLite in node_modules for this machine, or says in one sentence what to install.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './workspace.mjs';

// The command does the same where it was installed from its package: one program for both, bundled here because nothing is built yet.
const program = join(root, 'node_modules', '.cache', 'yarnboard', 'sqlite', 'build.mjs');
await build({
  entryPoints: [join(root, 'packages', 'cli', 'src', 'sqlite', 'build.ts')],
  outfile: program,
  bundle: true,
  platform: 'node',
  format: 'esm',
});
const { buildSqlite } = await import(pathToFileURL(program).href);
console.error('Building SQLite for this machine. This takes a minute or two…');
const problem = await buildSqlite({ folder: root, npm: ['rebuild', 'better-sqlite3'], logFile: join(root, 'install.log'), env: process.env });
if (problem !== null) {
  console.error(problem);
  process.exitCode = 3;
}
