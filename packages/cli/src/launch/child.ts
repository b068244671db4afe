import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { isatty } from 'node:tty';
import { isStopped } from '@yarnboard/server/spool';

export type Ending = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly stoppedBy: NodeJS.Signals | null };

/** A `claude` that owns the terminal. */
export type Running = {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  /** Ends it: politely, then by force. */
  readonly stop: () => void;
};

export type ChildOptions = {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
};

/**
 * LAUNCH-16: starts it with our terminal. Signals from the terminal reach it directly; signals that others send to us are passed on, and without a
 * terminal all of them.
 */
export const runChild = ({ program, args, cwd, env, now }: ChildOptions): Promise<Running> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env, stdio: 'inherit' });
    const told = new Map<NodeJS.Signals, number>();
    const passOn = (name: NodeJS.Signals): void => {
      told.set(name, now());
      child.kill(name);
    };
    const releases = [
      ...TERMINAL.map((name) => hear(name, () => (isatty(0) ? void told.set(name, now()) : passOn(name)))),
      ...PASSED.map((name) => hear(name, () => passOn(name))),
    ];
    const unfollow = isatty(0) ? followStops(child) : () => {};
    const timers: NodeJS.Timeout[] = [];
    const release = (): void => {
      for (const one of releases) one();
      for (const timer of timers) clearTimeout(timer);
      unfollow();
    };
    const ended = new Promise<Ending>((settle) => {
      child.once('exit', (code, signal) => {
        release();
        if (signal === 'SIGKILL' && isatty(0)) mendTerminal();
        // A signal it survived long ago didn't end it.
        const recent = [...told].filter(([, at]) => now() - at < RECENT);
        settle({ code, signal, stoppedBy: recent.at(-1)?.[0] ?? null });
      });
    });
    child.once('error', (cause) => {
      if (child.pid !== undefined) return; // the signal could not be sent: the child ended first
      release();
      reject(cause);
    });
    child.once('spawn', () => {
      const stop = (): void => {
        child.kill('SIGCONT');
        POLITE.forEach((name, index) => timers.push(setTimeout(() => child.kill(name), index * PATIENCE)));
      };
      resolve({ pid: child.pid ?? 0, ended, stop });
    });
  });

const hear = (name: NodeJS.Signals, listener: () => void): (() => void) => {
  process.on(name, listener);
  return () => process.off(name, listener);
};

/**
 * On Ctrl-Z, Claude Code stops itself and only itself: the shell would wait for us forever. So we stop with it; whatever continues us continues it.
 */
const followStops = (child: ChildProcess): (() => void) => {
  let isAwake = true;
  const look = async (): Promise<void> => {
    const pid = child.pid ?? 0;
    const stopped = isStopped(pid) ?? (await stoppedByPs(pid));
    if (!stopped || !isAwake || child.exitCode !== null || child.signalCode !== null) return;
    isAwake = false;
    process.kill(process.pid, 'SIGSTOP');
  };
  const timer = setInterval(() => void look(), EVERY);
  const unhear = hear('SIGCONT', () => {
    child.kill('SIGCONT');
    setTimeout(() => (isAwake = true), EVERY);
  });
  return () => {
    clearInterval(timer);
    unhear();
  };
};

const stoppedByPs = (pid: number): Promise<boolean> =>
  new Promise((resolve) => {
    execFile('ps', ['-o', 'state=', '-p', String(pid)], (cause, out) => resolve(cause === null && out.trim().startsWith('T')));
  });

/** A killed program leaves the terminal in its own mode: no echo, no line ends, no cursor. */
const mendTerminal = (): void => {
  spawnSync('stty', ['sane'], { stdio: ['inherit', 'ignore', 'ignore'] });
  process.stderr.write('\u001B[?25h\u001B[?2004l\u001B[?1004l\u001B[0m');
};

const TERMINAL = ['SIGINT', 'SIGQUIT'] as const;
const PASSED = ['SIGTERM', 'SIGHUP'] as const;
const POLITE = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
const PATIENCE = 3000;
const RECENT = 5000;
const EVERY = 500;
