import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename, join } from 'node:path';

/** What a program said, or why it said nothing. */
export type Ran = { readonly code: number | null; readonly output: string; readonly fault: string | null };

export type Programs = {
  readonly has: (name: ProgramName) => boolean;
  /** VAL-21: without a shell, with nothing in its environment, for a short while. */
  readonly run: (name: ProgramName, args: readonly string[], options: RunOptions) => Promise<Ran>;
};

export type OnGroup = (pid: number, isOver: boolean) => void;

export type RunOptions = { readonly signal: AbortSignal; readonly env?: Readonly<Record<string, string>>; readonly timeout?: number };

/** The only programs that are ever started. They are found in the folders of the system, never in a project. */
export const PROGRAMS = [
  'systemctl',
  'launchctl',
  'netstat',
  'sw_vers',
  'docker',
  'podman',
  'dpkg-query',
  'rpm',
  'python3',
  'node',
  'ruby',
  'go',
  'java',
  'php',
  'perl',
  'gcc',
  'git',
  'bash',
  'ps',
  'nginx',
  'redis-server',
  'postgres',
  'mysqld',
  'docker-compose',
  'npm',
  'make',
  'cmake',
  'rustc',
  'cargo',
] as const;
export type ProgramName = (typeof PROGRAMS)[number];

/** What may stand in an argument that comes from a claim: nothing that begins an option, and nothing a shell would care about. */
export const isPlainArgument = (text: string): boolean => /^[A-Za-z0-9][\w.@+-]{0,99}$/u.test(text);

/** `onGroup` hears of every group of processes that begins and ends: whoever ends this process ends them, too. */
export const createPrograms = (folders: readonly string[] = SYSTEM_FOLDERS, onGroup: OnGroup = () => {}): Programs => {
  const paths = new Map(
    PROGRAMS.flatMap((name) => {
      const path = findProgram(name, folders);
      return path === null ? [] : [[name, path] as const];
    }),
  );
  return {
    has: (name) => paths.has(name),
    run: async (name, args, options) => {
      const path = paths.get(name);
      return path === undefined ? { code: null, output: '', fault: `${name} is not installed` } : runProgram(path, args, options, onGroup);
    },
  };
};

const findProgram = (name: string, folders: readonly string[]): string | null => {
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      const real = realpathSync(path);
      // VAL-21: a shim runs whatever a folder above the current one names.
      if (statSync(real).isFile() && !SHIMS.has(basename(real))) return real;
    } catch {
      // not there
    }
  }
  return null;
};

const runProgram = (path: string, args: readonly string[], { signal, env = {}, timeout = LONGEST }: RunOptions, onGroup: OnGroup): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(path, args, {
      cwd: '/', // nobody else can put anything above it
      env: { PATH: SYSTEM_FOLDERS.join(':'), LANG: 'C', LC_ALL: 'C', ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      shell: false,
    });
    const { pid } = child;
    if (pid !== undefined) onGroup(pid, false);
    let output = '';
    let fault: string | null = null;
    const kill = (why: string): void => {
      fault ??= why;
      if (pid === undefined) return;
      try {
        process.kill(-pid, 'SIGKILL'); // its whole group: nothing it started stays
      } catch {
        child.kill('SIGKILL');
      }
    };
    const timer = setTimeout(() => kill('it took too long'), timeout);
    const onAbort = (): void => kill('it was cancelled');
    signal.addEventListener('abort', onAbort, { once: true });
    if (pid !== undefined) {
      try {
        setPriority(pid, 10);
      } catch {
        // ended already
      }
    }
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      output += text;
      if (output.length > MOST_OUTPUT) kill('it said too much');
    });
    const done = (code: number | null, why: string | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      kill(''); // whatever it left running
      if (pid !== undefined) onGroup(pid, true);
      resolve({ code, output: output.slice(0, MOST_OUTPUT), fault: why ?? (fault === '' ? null : fault) });
    };
    child.once('error', () => done(null, 'it cannot be started'));
    child.once('exit', (code) => {
      const before = fault;
      // What it left behind may hold the pipe open for ever.
      setImmediate(() => done(code, before));
    });
  });

const SYSTEM_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
const SHIMS: ReadonlySet<string> = new Set(['rustup', 'mise', 'asdf', 'volta-shim', 'pyenv', 'rbenv', 'goenv', 'nodenv']);
const LONGEST = 5000;
const MOST_OUTPUT = 64_000;
