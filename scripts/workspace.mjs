// Shared by the scripts a fresh clone runs first. No dependencies: nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program to its end, its output going to ours unless told otherwise. Ends this process when it fails. */
export const must = (program, args, options = {}) => {
  const { status, error, signal } = spawnSync(program, args, { cwd: root, stdio: 'inherit', ...options });
  if (error !== undefined) fail(`cannot run ${program}: ${error.message}`);
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 3));
};

const fail = (message) => {
  console.error(message);
  process.exit(3);
};

/**
 * Installs the locked dependencies unless exactly these are installed, for the node that runs. What npm says goes to stderr: stdout belongs to the command.
 * No package's script runs but the one that compiles SQLite, which has a script of its own here to say what is missing when it fails.
 */
export const ensureInstalled = () => {
  const stamp = join(root, 'node_modules', '.yarnboard-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const wanted = [lock, process.platform, process.arch, process.versions.modules].join(' ');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing dependencies…');
  const quietly = { stdio: ['ignore', 2, 2] };
  must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { ...quietly, shell: process.platform === 'win32' });
  must(process.execPath, [join(root, 'scripts', 'sqlite.mjs')], quietly);
  writeFileSync(stamp, wanted);
};

const sources = (...names) => names.map((name) => `packages/${name}/src`);

/** What is built, by which file one tells when, and what it is made of. */
const BUILT = {
  command: { output: 'yarnboard.mjs', inputs: sources('cli', 'domain', 'language', 'protocol', 'server', 'store', 'transcript') },
  page: {
    output: 'page/index.html',
    inputs: [
      'packages/web/index.html',
      'packages/web/public',
      'packages/web/vite.config.ts',
      ...sources('web', 'domain', 'language', 'protocol', 'transcript'),
    ],
  },
};

export const outputOf = (name) => join(root, 'packages', 'cli', 'dist', ...BUILT[name].output.split('/'));

/** Builds the command and the page (or the one that is named) unless they are newer than everything they are made of. */
export const ensureBuilt = (...names) => {
  const stale = (names.length === 0 ? Object.keys(BUILT) : names).filter((name) => {
    const built = existsSync(outputOf(name)) ? statSync(outputOf(name)).mtimeMs : 0;
    return ['package-lock.json', 'scripts/build.mjs', ...BUILT[name].inputs].some((input) => newestIn(join(root, input)) >= built);
  });
  if (stale.length > 0) must(process.execPath, [join(root, 'scripts', 'build.mjs'), ...stale], { stdio: ['ignore', 2, 2] });
};

const newestIn = (path) => {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestIn(join(path, name))), stat.mtimeMs);
};

export const tool = (name) => join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);

export const makeFolder = (path) => mkdirSync(path, { recursive: true });
