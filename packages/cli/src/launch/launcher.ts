import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, hostname } from 'node:os';
import { join } from 'node:path';
import {
  appendSpool,
  hasServer,
  launchFiles,
  parseSpoolLine,
  processOf,
  type ControlCommand,
  type Spool,
  type SpoolLine,
} from '@yarnboard/server/spool';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { argumentsToResume, type Asked } from './arguments.ts';
import { runChild, type ChildOptions, type Ending, type Running } from './child.ts';
import { followControl } from './control.ts';
import { quoted } from './own-command.ts';
import { withHook } from './settings.ts';
import { waitAtTerminal } from './waiting.ts';

export type LaunchOptions = {
  readonly program: string;
  readonly args: readonly string[];
  readonly asked: Asked;
  readonly spool: Spool;
  readonly cwd: string;
  /** Calls our hook from anywhere; the launch's id is appended. */
  readonly hookCommand: readonly string[];
  readonly io: Pick<Io, 'env' | 'err' | 'now'>;
};

type Line<K extends SpoolLine['kind']> = Omit<Extract<SpoolLine, { kind: K }>, 'kind' | 'at'>;

/** Runs one `yarnboard claude` to its end and returns the exit code. Failures on our side are reported at the end and stop nothing. */
export const launch = async ({ program, args, asked, spool, cwd, hookCommand, io }: LaunchOptions): Promise<number> => {
  const { folder } = spool;
  const launchId = randomUUID();
  const files = launchFiles(folder, launchId);
  const troubles = new Set<string>();
  const say = <K extends SpoolLine['kind']>(kind: K, fields: Line<K>): void => {
    attempt(() => appendSpool(folder, launchId, { kind, at: io.now(), ...fields } as unknown as SpoolLine)); // one of the kinds, with its fields
  };
  const attempt = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch (cause) {
      troubles.add(`cannot write down what happens in this session: ${cause instanceof Error ? cause.message : String(cause)}`);
      return false;
    }
  };

  say('started', { ...processOf(process.pid), host: hostname(), cwd, isFork: asked.isFork });
  let running: Running | null = null;
  let releasing: string | null = null;
  /** Set while the session is elsewhere. */
  let onCommand: ((command: ControlCommand) => void) | null = null;
  const unfollow = followControl(folder, launchId, (command) => {
    if (onCommand !== null) onCommand(command);
    else if (command.kind === 'release' && releasing === null) {
      releasing = command.nonce;
      running?.stop();
    }
  });

  const start = async (given: readonly string[], where: string): Promise<Running> => {
    const command = [...hookCommand, launchId].map(quoted).join(' ');
    let all = given;
    // Without a hook, the session goes unnoticed; claude works nevertheless.
    attempt(() => {
      all = withHook(given, {
        command,
        cwd: where,
        keep: (ordinal, text) => {
          writeFileSync(files.settings(ordinal), text, { mode: 0o600 });
          return files.settings(ordinal);
        },
        onTrouble: (text) => troubles.add(text),
      });
    });
    // An id for callers, and a home that means the same wherever the hook is called.
    const home = io.env['YARNBOARD_HOME'] === undefined ? {} : { YARNBOARD_HOME: spool.home };
    const child = await run({ program, args: all, cwd: where, env: { ...io.env, ...home, YARNBOARD_LAUNCH: launchId }, now: io.now });
    say('spawned', processOf(child.pid));
    return child;
  };

  const finish = (ending: Ending): number => {
    say('ended', ending);
    return codeOf(ending);
  };

  try {
    for (let [given, where] = [args, cwd]; ;) {
      running = await start(given, where);
      if (releasing !== null) running.stop(); // requested while it was starting
      const ending = await running.ended;
      running = null;
      if (releasing === null) return finish(ending);
      say('released', { nonce: releasing });
      releasing = null;
      const last = lastSession(files.spool);
      // Nobody at the terminal could take it back.
      if (asked.isPrint || last === null) return finish({ code: null, signal: 'SIGINT', stoppedBy: null });
      io.err('yarnboard: this session goes on elsewhere; Enter takes it back, Ctrl-C leaves it there\n');
      const back = await waitAtTerminal({
        onEnter: () => {
          say('wants-back', {});
          // The server that had it is gone.
          return hasServer(spool) ? null : { sessionId: last.sessionId, nonce: null };
        },
        onAsk: (listener) => (onCommand = listener),
        err: io.err,
      });
      onCommand = null;
      if (back === null) return finish({ code: 0, signal: null, stoppedBy: null });
      say('taken-back', back);
      [given, where] = [argumentsToResume(args, back.sessionId), last.cwd === '' ? cwd : last.cwd];
    }
  } catch (cause) {
    say('ended', { code: 3, signal: null, stoppedBy: null });
    throw cause;
  } finally {
    unfollow();
    attempt(() => {
      // Only the spool is for others.
      for (const name of readdirSync(folder))
        if (name.startsWith(`${launchId}.`) && !name.endsWith('.jsonl')) rmSync(join(folder, name), { force: true });
    });
    for (const trouble of troubles) io.err(`yarnboard: ${trouble}\n`);
  }
};

/** Only passes it on: there is no session to follow. */
export const runAlone = async (options: ChildOptions): Promise<number> => codeOf(await (await run(options)).ended);

const run = async (options: ChildOptions): Promise<Running> => {
  try {
    return await runChild(options);
  } catch (cause) {
    throw new Refusal(3, `cannot run ${options.program}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
};

/** LAUNCH-1: a program killed by a signal has no exit code; shells use this one. */
const codeOf = ({ code, signal }: Ending): number => code ?? 128 + (signal === null ? 0 : constants.signals[signal]);

/** The session that the hook reported last. */
const lastSession = (path: string): Extract<SpoolLine, { kind: 'session' }> | null => {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').map(parseSpoolLine);
    const last = lines.findLast((line) => 'kind' in line && line.kind === 'session');
    return last !== undefined && 'kind' in last && last.kind === 'session' ? last : null;
  } catch {
    return null;
  }
};
