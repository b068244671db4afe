import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { WrongResult } from '../measure/run.ts';
import type { Answer, BroadcastOrder, ClientsOrder } from './job.ts';

/** A helping process: takes one order at a time. */
export type Partner = {
  readonly pid: number;
  readonly tell: <K extends Answer['is']>(order: ClientsOrder | BroadcastOrder, wanted: K) => Promise<Extract<Answer, { is: K }>>;
  readonly hear: <K extends Answer['is']>(wanted: K) => Promise<Extract<Answer, { is: K }>>;
  readonly stop: () => Promise<void>;
};

export const startPartner = (program: string, args: readonly [job: 'clients' | 'broadcast' | 'relay', ...rest: readonly string[]]): Partner => {
  const [job] = args;
  const child = fork(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  // Whatever ends this process must not leave a helper behind.
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  const hear = <K extends Answer['is']>(wanted: K): Promise<Extract<Answer, { is: K }>> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => settle(() => reject(new Error(`${job} said nothing for ${PATIENCE / 1000} s; waited for "${wanted}"`))),
        PATIENCE,
      );
      const settle = (how: () => void): void => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        how();
      };
      const onExit = (): void => settle(() => reject(new Error(`${job} ended`)));
      const onMessage = (answer: Answer): void => {
        if (answer.is === 'failed') settle(() => reject(new WrongResult(`${job}: ${answer.why}`)));
        else if (answer.is === wanted) settle(() => resolve(answer as Extract<Answer, { is: K }>)); // just compared
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
    });
  return {
    pid: child.pid ?? 0,
    hear,
    tell: (order, wanted) => {
      const answer = hear(wanted);
      child.send(order);
      return answer;
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
};

/** Runs a job to its end and returns what it printed. */
export const runJob = (program: string, args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', timeout: JOB_PATIENCE });
  if (status !== 0) throw new Error(`the measurement ${args.join(' ')} failed: ${stderr}`);
  return stdout;
};

const PATIENCE = 60_000;
const JOB_PATIENCE = 180_000;
