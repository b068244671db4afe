import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server to test with. */
export type Postgres = {
  readonly url: string;
  /** Ends it at once, without warning anybody, and starts it again; null when the server is not ours to restart. */
  readonly restart: (() => Promise<void>) | null;
  /** Ends it at once; null as above. */
  readonly kill: (() => Promise<void>) | null;
  /** Starts it again, with what it had acknowledged. */
  readonly revive: (() => Promise<void>) | null;
  /** A server that follows this one, to be promoted with `SELECT pg_promote()`; null as above. */
  readonly follow: (() => Promise<Postgres>) | null;
  readonly stop: () => Promise<void>;
};

/**
 * A PostgreSQL to test with: named by YARNBOARD_TEST_POSTGRES, else a private one of an installed binary, else (Debian, as root) installed now. Null when
 * there is none to be had. Whoever gets one stops it.
 */
export const findPostgres = async ({ isDurable = false }: { readonly isDurable?: boolean } = {}): Promise<Postgres | null> => {
  const named = process.env['YARNBOARD_TEST_POSTGRES'];
  if (named !== undefined && named !== '')
    return { url: named, restart: null, kill: null, revive: null, follow: null, stop: () => Promise.resolve() };
  const bin = findBinaries() ?? installed();
  return bin === null ? null : start(bin, isDurable, null);
};

const FOLDERS = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin', '/usr/local/pgsql/bin'];

const findBinaries = (): string | null => {
  const debian = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`) : [];
  const newest = debian.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return [...newest, ...FOLDERS].find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
};

const installed = (): string | null => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null;
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', timeout: 120_000 });
  spawnSync('apt-get', ['install', '-y', '-qq', 'postgresql'], {
    stdio: 'ignore',
    timeout: 600_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return findBinaries();
};

// PostgreSQL refuses to run as root.
const someUser = (): { readonly uid: number; readonly gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string, name: string): number => Number.parseInt(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout, 10);
  const name = Number.isNaN(idOf('-u', 'postgres')) ? 'nobody' : 'postgres';
  return { uid: idOf('-u', name), gid: idOf('-g', name) };
};

const start = async (bin: string, isDurable: boolean, leader: number | null): Promise<Postgres> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-postgres-'));
  const data = join(folder, 'data');
  const user = someUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const as = user === null ? {} : user;
  const [maker, ...how] =
    leader === null
      ? ['initdb', '-D', data, '-U', 'yarnboard', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
      : ['pg_basebackup', '-D', data, '-U', 'yarnboard', '-h', '127.0.0.1', '-p', `${leader}`, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  const made = spawnSync(join(bin, maker ?? 'initdb'), how, {
    ...as,
    cwd: folder,
    encoding: 'utf8',
  });
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${maker ?? ''} failed: ${made.stderr}${made.error === undefined ? '' : made.error.message}`);
  }
  const port = await freePort();
  const url = `postgresql://yarnboard@127.0.0.1:${port}/postgres`;
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    `fsync=${isDurable ? 'on' : 'off'}`, // tests kill processes, not machines
    'max_connections=200',
    'shared_buffers=64MB',
  ];
  const run = async (): Promise<ChildProcess> => {
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
      ...as,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(child);
    return child;
  };
  let server = await run();
  // Also when a test process ends before its tests could.
  const last = (): void => {
    server.kill('SIGQUIT');
  };
  process.once('exit', last);
  return {
    url,
    restart: async () => {
      await ended(server, 'SIGQUIT');
      server = await run();
    },
    follow: () => start(bin, isDurable, port),
    kill: () => ended(server, 'SIGQUIT'),
    revive: async () => {
      server = await run();
    },
    stop: async () => {
      await ended(server, 'SIGINT');
      process.off('exit', last);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const ready = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-10_000);
      if (said.includes('ready to accept ')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => {
      reject(new Error(`postgres did not start: ${said}`));
    });
  });

const ended = (child: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once('exit', () => {
      resolve();
    });
    child.kill(signal);
  });

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('no port'));
      });
    });
  });
