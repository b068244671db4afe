import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename, join } from 'node:path';
import type { DeclaredProgram } from '@yarnboard/protocol';
import { isWithin } from './roots.ts';

/** The output of a program, or why there is none. */
export type Ran = { readonly code: number | null; readonly output: string; readonly fault: string | null };

export type Programs = {
  readonly has: (name: ProgramName) => boolean;
  /** VAL-21: runs it without a shell, with an almost empty environment and a short time limit. */
  readonly run: (name: ProgramName, args: readonly string[], options: RunOptions) => Promise<Ran>;
  /** VAL-56: runs a program that the operator declared, by its name; null if there is none. */
  readonly runDeclared: (name: string, options: RunOptions) => Promise<Ran | null>;
};

type Declared = { readonly declared: readonly DeclaredProgram[]; readonly roots: readonly string[] };

export type OnGroup = (pid: number, isOver: boolean) => void;

export type RunOptions = { readonly signal: AbortSignal; readonly env?: Readonly<Record<string, string>>; readonly timeout?: number };

/** The only programs we ever start. We find them in system folders, never in a project. */
export const PROGRAMS = [
  'systemctl',
  'launchctl',
  'netstat',
  'sw_vers',
  'vm_stat',
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

/** Whether text from a claim may be an argument: it can't start an option and contains nothing special to a shell. */
export const isPlainArgument = (text: string): boolean => /^[A-Za-z0-9][\w.@+-]{0,99}$/u.test(text);

/** `onGroup` is called when a process group begins or ends, so that whoever kills this process can kill the groups, too. */
export const createPrograms = (
  folders: readonly string[] = foldersOf(process.platform),
  onGroup: OnGroup = () => {},
  { declared, roots }: Declared = NONE_DECLARED,
): Programs => {
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
    runDeclared: async (name, options) => {
      const program = declared.find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (program === undefined) return null;
      const path = programAt(program.path);
      // What lies in a root may have been written by an agent.
      const isOurs = path !== null && ![path, program.path].some((one) => roots.some((root) => isWithin(one, root)));
      return isOurs
        ? runProgram(path, program.args, options, onGroup)
        : { code: null, output: '', fault: `${program.name} is not where it was declared` };
    },
  };
};

/** Where programs of the system are, in the order in which a shell finds them. */
export const foldersOf = (platform: NodeJS.Platform): readonly string[] => (platform === 'darwin' ? MAC_FOLDERS : SYSTEM_FOLDERS);

/** VAL-36: in `/usr/bin`, macOS has stand-ins that ask the human to install the developer tools. The real ones are with those. */
export const isStandIn = (platform: NodeJS.Platform, folder: string, name: string): boolean =>
  platform === 'darwin' && folder === '/usr/bin' && STAND_INS.has(name);

const findProgram = (name: string, folders: readonly string[]): string | null => {
  for (const folder of folders) {
    if (isStandIn(process.platform, folder, name)) continue;
    const path = programAt(join(folder, name));
    if (path !== null) return path;
  }
  return null;
};

/** The program at a path, with links resolved. */
const programAt = (path: string): string | null => {
  try {
    accessSync(path, constants.X_OK);
    const real = realpathSync(path);
    // VAL-21: a shim runs whatever a folder above the current one names.
    return statSync(real).isFile() && !SHIMS.has(basename(real)) ? real : null;
  } catch {
    return null;
  }
};

const runProgram = (path: string, args: readonly string[], { signal, env = {}, timeout = LONGEST }: RunOptions, onGroup: OnGroup): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(path, args, {
      cwd: '/', // nobody else can put a file above it
      env: { PATH: foldersOf(process.platform).join(':'), LANG: 'C', LC_ALL: 'C', ...env },
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
        process.kill(-pid, 'SIGKILL'); // the whole group: no child survives
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
        // it has already ended
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
      kill(''); // ends whatever it left running
      if (pid !== undefined) onGroup(pid, true);
      resolve({ code, output: output.slice(0, MOST_OUTPUT), fault: why ?? (fault === '' ? null : fault) });
    };
    child.once('error', () => done(null, 'it cannot be started'));
    child.once('exit', (code) => {
      const before = fault;
      // A process it left behind may keep the pipe open forever.
      setImmediate(() => done(code, before));
    });
  });

const SYSTEM_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
const MAC_FOLDERS = ['/opt/homebrew/bin', '/usr/local/bin', '/Library/Developer/CommandLineTools/usr/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
const STAND_INS: ReadonlySet<string> = new Set(['git', 'make', 'gcc', 'python3', 'java']);
const SHIMS: ReadonlySet<string> = new Set(['rustup', 'mise', 'asdf', 'volta-shim', 'pyenv', 'rbenv', 'goenv', 'nodenv']);
const NONE_DECLARED: Declared = { declared: [], roots: [] };
const LONGEST = 5000;
const MOST_OUTPUT = 64_000;
