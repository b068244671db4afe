import { spawn, type ChildProcess } from 'node:child_process';
import { within } from './checks.ts';
import type { Surroundings } from './surroundings.ts';

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly out: string; readonly err: string };

/** A program that was started by a scenario. */
export type Running = {
  readonly out: () => string;
  readonly err: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** What a terminal does: everything that runs in it is told. */
  readonly pressCtrlC: () => void;
  /** Its end; one that takes too long is killed, and told. */
  readonly ended: (patience?: number) => Promise<Ended>;
};

export type Command = {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** Starts a program in the project, with exactly this environment, in a process group of its own. */
export const start = (surroundings: Surroundings, { program, args, env }: Command): Running => {
  const [traced, tracedArgs] = surroundings.observed(program, args);
  const child = spawn(traced, tracedArgs, { cwd: surroundings.project, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running.add(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const end = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, out, err });
    });
  });
  end.catch(() => {}); // told to whoever waits for the end
  return {
    out: () => out,
    err: () => err,
    kill: (signal) => {
      child.kill(signal);
    },
    pressCtrlC: () => killGroup(child, 'SIGINT'),
    ended: async (patience = 60_000) => {
      try {
        return await within(`the end of ${program} ${args.join(' ')}`, end, patience);
      } catch (cause) {
        killGroup(child, 'SIGKILL');
        throw cause;
      }
    },
  };
};

const killGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  if (pid === undefined) return; // could not be started
  try {
    process.kill(-pid, signal);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause; // ended meanwhile
  }
};

/** Nothing outlives the test, also when it is interrupted. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) killGroup(child, 'SIGKILL');
});
