import { readdirSync, readFileSync } from 'node:fs';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** How to start a program for a seat. */
export type ProgramStart = {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** All of the seat's processes carry this in their environment, so that we can find each of them. */
  readonly mark: string;
};

export type Program = {
  readonly pid: number | null;
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  /** Resolves with the reason when the program has ended. */
  readonly ended: Promise<string>;
  /** Signals the program and everything in its group. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Kills whatever is left of it, including processes that left its group. */
  readonly sweep: () => void;
};

/** RT-5: starts a program without a shell, in its own process group, with an environment chosen for it. */
export const startProgram = ({ command, cwd, env, mark }: ProgramStart): Program => {
  const [file = '', ...args] = command;
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(file, args, {
    cwd,
    env: { ...env, ...markedEnv(mark) },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    shell: false,
    windowsHide: true,
  });
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // The group is already gone.
    }
  };
  const ended = new Promise<string>((resolve) => {
    child.once('error', (cause) => resolve(cannotStart(file, cause)));
    child.once('exit', (code, by) => resolve(by === null ? `the program ended with code ${code ?? 0}` : `the program was ended by ${by}`));
  });
  child.stdin.on('error', () => {}); // the pipe breaks when the program ends, which `ended` reports
  return {
    pid: child.pid ?? null,
    input: child.stdin,
    output: child.stdout,
    errors: child.stderr,
    ended,
    signal,
    sweep: () => {
      signal('SIGKILL');
      sweepMarked(mark);
    },
  };
};

/** The environment variable that marks a seat's processes. */
export const markedEnv = (mark: string): Readonly<Record<string, string>> => ({ [MARK]: mark });

/** Reads the mark from such an environment. */
export const markIn = (env: Readonly<Record<string, string | undefined>>): string => env[MARK] ?? '';

/** Kills whatever is left of a seat. */
export const sweepMarked = (mark: string): number => killMarked((found) => found === mark);

/** RT-6: kills what a killed server left behind; all marks of one home share a prefix. Returns the number of processes killed. */
export const sweepOrphans = (homeMark: string): number => killMarked((mark) => mark.startsWith(`${homeMark}/`));

/**
 * On Linux the environment identifies even processes that forked twice and left their group. Elsewhere the group must do. Repeats until none is left,
 * because a process may start another while being killed.
 */
const killMarked = (isOurs: (mark: string) => boolean): number => {
  let killed = 0;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = marked(isOurs);
    if (found.length === 0) return killed;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      } catch {
        // Already gone.
      }
    }
  }
  return killed;
};

const marked = (isOurs: (mark: string) => boolean): readonly number[] => {
  let names: readonly string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return []; // not Linux
  }
  return names
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isOurs(markOf(pid) ?? ''));
};

/** A process's mark; null if it has none or isn't ours to inspect. A process that has ended has no environment. */
const markOf = (pid: number): string | null => {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return variables.find((one) => one.startsWith(`${MARK}=`))?.slice(MARK.length + 1) ?? null;
  } catch {
    return null;
  }
};

const cannotStart = (file: string, cause: Error): string => {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOENT') return `there is no program "${file}", or its directory is missing`;
  return code === 'EACCES' ? `"${file}" is not executable` : `"${file}" could not be started: ${cause.message}`;
};

export const MARK = 'YARNBOARD_SEAT';
const MOST_ROUNDS = 20;
