import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf } from '@yarnboard/server/entrance';
import { sqliteFault } from '@yarnboard/store';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { buildSqlite } from './build.ts';

/** Kept equal to package.json by a test. */
export const SQLITE_VERSION = '12.11.1';

/**
 * INST-3: SQLite is compiled for one machine and one Node. If the installation couldn't do that (no access to the binaries or headers, scripts
 * disabled, a different Node since), it is done here, once, for all boards of this user.
 */
export const readySqlite = async (io: Io, { mayBuild }: { readonly mayBuild: boolean }): Promise<void> => {
  if (sqliteFault() === null) return;
  const folder = builtFolder(io);
  const module = join(folder, 'node_modules', 'better-sqlite3');
  // Threads and programs that we start inherit it.
  process.env['YARNBOARD_SQLITE'] = module;
  if (sqliteFault() === null) return;
  if (!mayBuild) throw new Refusal(3, 'SQLite is not built for this machine yet; run `yarnboard start` once in a terminal');
  io.err(`Building SQLite for Node ${process.versions.node}, once. This takes a minute or two…\n`);
  // Built elsewhere and moved in place as a whole: another command may be doing the same.
  const part = `${folder}.${process.pid}.part`;
  removeLeftovers(join(folder, '..'));
  // This may create the state folder, which holds a key.
  mkdirSync(part, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(part, 'package.json'), JSON.stringify(PROJECT));
    const problem = await buildSqlite({
      folder: part,
      npm: ['install', '--prefix', part, '--no-package-lock', '--no-save', '--global=false'],
      logFile: join(folder, '..', 'build.log'),
      env: io.env,
    });
    if (problem !== null) throw new Refusal(3, `${problem}. \`inspect\`, \`show\` and \`envelopes\` work without it`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};

/** Named by everything that a compiled module depends on. */
const builtFolder = ({ env, home }: Io): string =>
  join(homeOf({ env, home }).stateFolder, 'sqlite', `${SQLITE_VERSION}-${process.platform}-${process.arch}-${process.versions.modules}`);

/** Left by builds that were killed. */
const removeLeftovers = (folder: string): void => {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.part') && Date.now() - statSync(path).mtimeMs > AN_HOUR) rmSync(path, { recursive: true, force: true });
  }
};

const AN_HOUR = 3_600_000;

const PROJECT = { private: true, dependencies: { 'better-sqlite3': SQLITE_VERSION }, allowScripts: { 'better-sqlite3': true } };
