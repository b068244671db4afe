import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './postgres.ts';

/** A Redis to test with. */
export type TestRedis = {
  readonly url: string;
  /** Ends it at once; null when it is not ours to end. */
  readonly kill: (() => Promise<void>) | null;
  /** Starts it again at the same address, empty. */
  readonly revive: (() => Promise<void>) | null;
  /** Lets it hang, and go on. */
  readonly pause: (() => void) | null;
  readonly resume: (() => void) | null;
  readonly stop: () => Promise<void>;
};

/**
 * A Redis to test with: named by YARNBOARD_TEST_REDIS, else a private one of an installed binary, else (Debian, as root) installed now. Null when there is
 * none to be had. Whoever gets one stops it.
 */
export const findRedis = async (): Promise<TestRedis | null> => {
  const named = process.env['YARNBOARD_TEST_REDIS'];
  if (named !== undefined && named !== '') return { url: named, kill: null, revive: null, pause: null, resume: null, stop: () => Promise.resolve() };
  const program = findProgram() ?? installed();
  return program === null ? null : start(program);
};

const findProgram = (): string | null =>
  ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path)) ?? null;

const installed = (): string | null => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null;
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', timeout: 120_000 });
  spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '-qq', 'redis-server'], {
    stdio: 'ignore',
    timeout: 600_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return findProgram();
};

const start = async (program: string): Promise<TestRedis> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-redis-'));
  const port = await freePort();
  const run = async (): Promise<ChildProcess> => {
    const child = spawn(program, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await ready(child);
    return child;
  };
  let server = await run();
  // Also when a test process ends before its tests could.
  const last = (): void => {
    server.kill('SIGKILL');
  };
  process.once('exit', last);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => ended(server),
    revive: async () => {
      server = await run();
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    stop: async () => {
      await ended(server);
      process.off('exit', last);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const ready = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-10_000);
      if (said.includes('Ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => {
      reject(new Error(`redis-server did not start: ${said}`));
    });
  });

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once('exit', () => {
      resolve();
    });
    child.kill('SIGKILL');
  });
