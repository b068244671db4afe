import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { BRIDGE } from '../variables.ts';
import type { BridgeTask } from './task.ts';

export type BridgedProgram = { readonly input: Writable; readonly output: Readable; readonly ended: Promise<string> };

/** Starts the program behind a bridge, in the bridge's process group and environment, so that whatever ends one also ends the other. */
export const startBridged = ({ command, cwd }: BridgeTask): BridgedProgram => {
  const [file = '', ...args] = command;
  const { [BRIDGE]: _task, ...env } = process.env;
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {}); // the pipe breaks when the program ends, which `ended` reports
  const ended = new Promise<string>((resolve) => {
    child.once('error', (cause) => resolve(`"${file}" could not be started: ${cause.message}`));
    child.once('exit', (code, by) => resolve(by === null ? `"${file}" ended with code ${code ?? 0}` : `"${file}" was ended by ${by}`));
  });
  return { input: child.stdin, output: child.stdout, ended };
};

/** Writes the reason to standard error and exits; the server reports it as the reason for the exit. */
export const giveUp = (why: string): never => {
  process.stderr.write(`${why}\n`);
  process.exit(1);
};
