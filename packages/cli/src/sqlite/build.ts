import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { adviceOn, type Machine } from './advice.ts';

type Env = Readonly<Record<string, string | undefined>>;

export type Build = {
  /** The folder whose node_modules gets it, and the npm command to run there. */
  readonly folder: string;
  readonly npm: readonly string[];
  readonly logFile: string;
  readonly env: Env;
};

/** Null on success; otherwise one sentence that says what to do and where the log is. */
export const buildSqlite = async ({ folder, npm, logFile, env }: Build): Promise<string | null> => {
  mkdirSync(dirname(logFile), { recursive: true });
  rmSync(logFile, { force: true });
  let log = '';
  // First the author's way, which may be a download; if the result can't be loaded, it is compiled.
  for (const extra of [{}, { npm_config_build_from_source: 'true' }]) {
    const { status, output } = await run([...npm, ...QUIETLY], folder, { ...env, ...headersFor(env), ...extra });
    log += output;
    writeFileSync(logFile, log);
    if (status !== 0) break;
    if (isWorking(join(folder, 'node_modules', 'better-sqlite3'), env)) {
      rmSync(logFile, { force: true });
      return null;
    }
  }
  const advice = adviceOn(log, machineOf(env));
  return `SQLite cannot be built on this machine${advice === null ? '' : `: ${advice}, then try again`}; the full log is in ${logFile}`;
};

/** INST-1: headers next to the running node need no download. A setting of the user takes precedence. */
export const headersFor = (env: Env, execPath = process.execPath): Readonly<Record<string, string>> => {
  if (Object.entries(env).some(([name, value]) => /^npm_config_nodedir$/iu.test(name) && (value ?? '') !== '')) return {};
  const folder = resolve(dirname(execPath), '..');
  const version = join(folder, 'include', 'node', 'node_version.h');
  if (!existsSync(version)) return {};
  // Headers of another version, installed by the system's packages, would make a binary that this node can't load.
  const [, major] = /^#define NODE_MAJOR_VERSION (\d+)$/mu.exec(readFileSync(version, 'utf8')) ?? [];
  return major === process.versions.node.split('.')[0] ? { npm_config_nodedir: folder } : {};
};

/**
 * Whether it can be loaded now: a downloaded binary may be for another system. Tried in a separate process, since a loaded module can't be moved on
 * Windows.
 */
const isWorking = (module: string, env: Env): boolean =>
  spawnSync(process.execPath, ['-e', `new (require(${JSON.stringify(module)}))(':memory:')`], { env, stdio: 'ignore' }).status === 0;

const machineOf = (env: Env): Machine => {
  const folders = (env['PATH'] ?? '').split(delimiter);
  return {
    platform: process.platform,
    has: (program) => folders.some((folder) => existsSync(join(folder, program))),
    hasHeaders: 'npm_config_nodedir' in { ...env, ...headersFor(env) },
  };
};

const run = (args: readonly string[], cwd: string, env: Env): Promise<{ readonly status: number; readonly output: string }> =>
  new Promise((done) => {
    const child = spawn('npm', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', (cause) => done({ status: -1, output: `${output}npm cannot be run: ${cause.message}\n` }));
    child.once('close', (status) => done({ status: status ?? -1, output }));
  });

// The scripts must run, whatever npm is configured to do; and their output is what the log is for.
const QUIETLY = ['--no-audit', '--no-fund', '--ignore-scripts=false', '--foreground-scripts', '--loglevel=warn'];
