import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIALECTS, type Dialects } from '@yarnboard/transcript';
import { Refusal } from './refusal.ts';
import { createTyping, type Typing } from './typing.ts';

/** Everything a verb may touch besides files. Only `createIo` makes a real one. */
export type Io = {
  /** Resolves once the text is written; false when nobody reads any more (`yarnboard show … | head`). */
  readonly out: (text: string) => Promise<boolean>;
  readonly err: (text: string) => void;
  readonly isErrTerminal: boolean;
  readonly isOutTerminal: boolean;
  readonly columns: number;
  readonly typing: Typing;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Opens an address in the user's browser; false if there is no screen. */
  readonly browse: (url: string) => boolean;
  /** The folder with the package's demo set, page and reading thread. */
  readonly packageFolder: string;
  /** The tools whose transcripts are read from their files. */
  readonly dialects: Dialects;
  readonly now: () => number;
  /** Whether work may run in threads of its own. */
  readonly threads: boolean;
  /** Resolves when the user (Ctrl-C), the system (SIGTERM) or the signal asks to stop. */
  readonly untilStopped: (signal: AbortSignal) => Promise<void>;
};

/** 0 success, 1 findings, 2 bad usage, 3 failure. */
export type ExitCode = 0 | 1 | 2 | 3;

export const createIo = (packageFolder: string): Io => {
  let isOpen = true;
  // Every write handles its own error, below; without a listener, an error would end the process first.
  process.stdout.on('error', () => {
    isOpen = false;
  });
  const out: Io['out'] = (text) =>
    new Promise((resolve, reject) => {
      if (!isOpen) resolve(false);
      else
        process.stdout.write(text, (cause) => {
          if (cause == null || (cause as NodeJS.ErrnoException).code === 'EPIPE') resolve(cause == null);
          else reject(new Refusal(3, `cannot write to standard output: ${cause.message}`));
        });
    });
  return {
    out,
    err: (text) => {
      process.stderr.write(text);
    },
    isErrTerminal: process.stderr.isTTY,
    isOutTerminal: process.stdout.isTTY,
    columns: process.stdout.columns ?? 120,
    typing: createTyping(out),
    env: process.env,
    home: homedir(),
    browse,
    packageFolder,
    dialects: DIALECTS,
    now: () => Date.now(),
    threads: true,
    untilStopped,
  };
};

const browse = (url: string): boolean => {
  const { platform, env } = process;
  if (platform === 'linux' && (env['DISPLAY'] ?? '') === '' && (env['WAYLAND_DISPLAY'] ?? '') === '') return false;
  const [program, ...args] =
    platform === 'darwin' ? ['open', redirectTo(url)] : platform === 'win32' ? ['cmd', '/c', 'start', '', url] : ['xdg-open', url];
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {}); // no program to open it; the printed text says how to get in
  child.unref();
  return true;
};

/**
 * SEC-21: a file that only its owner can read and that redirects to the link. On a Mac, every user sees the arguments of a program; on Linux they do,
 * too, but there the server knows whose browser it is.
 */
export const redirectTo = (url: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'yarnboard-')), 'open.html');
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>Yarnboard</title><script>location.replace(${quoted(url)})</script>\n`, {
    mode: 0o600,
  });
  return file;
};

/** As a JavaScript string in a script element: nothing in it can end the element. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('<', String.raw`\u003c`);

const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      for (const name of SIGNALS) process.off(name, done);
      resolve();
    };
    for (const name of SIGNALS) process.on(name, done);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
