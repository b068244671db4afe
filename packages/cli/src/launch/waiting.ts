import type { ControlCommand } from '@yarnboard/server/spool';

export type Back = { readonly sessionId: string; readonly nonce: string | null };

export type WaitOptions = {
  /** Somebody wants the session back; what to do if nobody can be asked. */
  readonly onEnter: () => Back | null;
  readonly onAsk: (listener: (command: ControlCommand) => void) => void;
  readonly err: (text: string) => void;
};

/** LAUNCH-13: waits at the terminal until the session comes back; null if the user leaves it where it is. */
export const waitAtTerminal = ({ onEnter, onAsk, err }: WaitOptions): Promise<Back | null> =>
  new Promise((resolve) => {
    const { stdin } = process;
    const done = (back: Back | null): void => {
      stdin.off('data', onData);
      stdin.off('end', leave);
      stdin.off('error', leave);
      for (const name of SIGNALS) process.off(name, leave);
      // Not a byte typed from now on is ours. Pausing within a data event would start reading again.
      setImmediate(() => {
        stdin.pause();
        setImmediate(() => resolve(back));
      });
    };
    const leave = (): void => done(null);
    const onData = (chunk: Buffer): void => {
      if (!chunk.includes(10) && !chunk.includes(13)) return;
      const back = onEnter();
      if (back !== null) done(back);
    };
    onAsk((command) => {
      if (command.kind === 'take-back') done({ sessionId: command.sessionId, nonce: command.nonce });
      else if (command.kind === 'refuse') err(`yarnboard: the session cannot come back now: ${command.why}\n`);
    });
    stdin.on('data', onData);
    stdin.on('end', leave);
    stdin.on('error', leave);
    for (const name of SIGNALS) process.on(name, leave);
    stdin.resume();
  });

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
