import { readdirSync, readFileSync } from 'node:fs';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** How to start a program for a seat. */
export type ProgramStart = {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What all processes of the seat carry in their environment, so that none of them is lost. */
  readonly mark: string;
};

export type Program = {
  readonly pid: number | null;
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  /** Resolves with why it ended, once it has. */
  readonly ended: Promise<string>;
  /** To the program and everything in its group. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Kills whatever of it is left, also what went into a group of its own. */
  readonly sweep: () => void;
};

/** RT-5: starts a program without a shell, in a process group of its own, with an environment that was chosen for it. */
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
      // The group is gone: that is what was wanted.
    }
  };
  const ended = new Promise<string>((resolve) => {
    child.once('error', (cause) => resolve(cannotStart(file, cause)));
    child.once('exit', (code, by) => resolve(by === null ? `the program ended with code ${code ?? 0}` : `the program was ended by ${by}`));
  });
  child.stdin.on('error', () => {}); // whoever ended reads nothing any more; that it ended is told
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

/** What the processes of a seat carry. */
export const markedEnv = (mark: string): Readonly<Record<string, string>> => ({ [MARK]: mark });

/** The mark in an environment that was made so. */
export const markIn = (env: Readonly<Record<string, string | undefined>>): string => env[MARK] ?? '';

/** Kills whatever is left of a seat. */
export const sweepMarked = (mark: string): number => killMarked((found) => found === mark);

/** RT-6: what a server that was killed has left behind; the marks of one home begin alike. Tells how many processes it ended. */
export const sweepOrphans = (homeMark: string): number => killMarked((mark) => mark.startsWith(`${homeMark}/`));

/**
 * The environment tells on Linux, also of a process that forked twice and left its group. Elsewhere the group has to do. Looked for until nobody is left:
 * a process may start another one while it is being killed.
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
        // Gone meanwhile.
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

/** The mark that a process carries; null when it has none, or is not ours to look at. One that has ended has no environment. */
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
