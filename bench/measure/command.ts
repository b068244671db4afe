import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { linkModules, ROOT } from './bundle.ts';
import { cpuSeconds, peakMemory } from './process.ts';

/** The command as it is shipped, in a folder of its own: somebody who builds meanwhile does not change what is measured. */
export type Command = {
  /** `yarnboard.mjs`, to be run with Node. */
  readonly program: string;
  /** Where the programs of the threads lie. */
  readonly folder: string;
};

export const buildCommand = (scratch: string): Command => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`scripts/build.mjs failed: ${stderr}`);
  const place = join(scratch, 'command');
  linkModules(place);
  const folder = join(place, 'dist');
  cpSync(join(ROOT, 'packages', 'cli', 'dist'), folder, { recursive: true });
  return { program: join(folder, 'yarnboard.mjs'), folder };
};

export type Finished = { readonly stdout: string; readonly seconds: number; readonly cpu: number; readonly peakBytes: number };

/** Runs the command to its end; `home` is a folder of its own, and nothing of this machine's user is seen. */
export const runCommand = async (command: Command, home: string, args: readonly string[]): Promise<Finished> => {
  const startedAt = performance.now();
  const child = launch(command, home, args);
  let peakBytes = 0;
  let cpu = 0;
  const watch = setInterval(() => {
    const pid = child.process.pid ?? 0;
    peakBytes = Math.max(peakBytes, peakMemory(pid) ?? 0);
    cpu = Math.max(cpu, cpuSeconds(pid) ?? 0);
  }, 50);
  const [code] = (await once(child.process, 'close')) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`yarnboard ${args.join(' ')} ended with ${code}: ${child.stderr()}`);
  return { stdout: child.stdout(), seconds: (performance.now() - startedAt) / 1000, cpu, peakBytes };
};

export type Server = {
  readonly pid: number;
  readonly url: string;
  /** When the process was started, by `performance.now()`. */
  readonly startedAt: number;
  /** Null when it does not answer with 200. */
  readonly get: <T>(path: string) => Promise<T | null>;
  readonly stop: () => Promise<void>;
};

/** `yarnboard start` on this home and tree; resolves when it has told its address. */
export const startServer = async (command: Command, home: string, root: string): Promise<Server> => {
  const startedAt = performance.now();
  const child = launch(command, home, ['start', '--no-open', '--port', '0', '--root', root]);
  const ended = once(child.process, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    child.process.stdout?.on('data', () => {
      const found = /on (http:\S+)/u.exec(child.stdout())?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then(
      () => reject(new Error(`yarnboard start ended: ${child.stderr()}`)),
      () => {}, // told by the first
    );
  });
  return {
    pid: child.process.pid ?? 0,
    url,
    startedAt,
    get: async <T>(path: string): Promise<T | null> => {
      const response = await fetch(`${url}${path}`);
      const body: unknown = await response.json();
      return response.ok ? (body as T) : null; // the shape is the API's promise
    },
    stop: async () => {
      child.process.kill('SIGTERM');
      await ended;
    },
  };
};

/** Looks again and again until there is something. */
export const until = async <T>(what: string, look: () => Promise<T | null>, every = 5, patience = 120_000): Promise<T> => {
  const deadline = performance.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error(`waited ${patience / 1000} s in vain: ${what}`);
    await rest(every);
  }
};

export const rest = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

type Launched = { readonly process: ChildProcess; readonly stdout: () => string; readonly stderr: () => string };

const launch = ({ program }: Command, home: string, args: readonly string[]): Launched => {
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(home, 'user'), YARNBOARD_HOME: join(home, 'home'), YARNBOARD_STATE: join(home, 'state') };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  // Whatever ends this process must not leave a server behind.
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (texts.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (texts.stderr += data.toString()));
  return { process: child, stdout: () => texts.stdout, stderr: () => texts.stderr };
};
