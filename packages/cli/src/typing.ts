import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';

/** Input that is typed, or comes through a pipe. */
export type Typing = {
  readonly isTerminal: boolean;
  /** All of it, to the end. */
  readonly text: () => Promise<string>;
  /** Reads the next key press; null if nobody can press one. */
  readonly keyboard: () => NextKey | null;
  /** Line by line, with a prompt before each. */
  readonly open: (mark: string) => Lines;
};

/** Null if aborted before a key is pressed. */
export type NextKey = (enough: AbortSignal) => Promise<string | null>;

export type Lines = {
  readonly lines: AsyncIterable<string>;
  /** Prints above the line that is being typed. */
  readonly print: (text: string) => Promise<boolean>;
  readonly close: () => void;
};

export const createTyping = (out: (text: string) => Promise<boolean>): Typing => {
  // Not process.stdin.isTTY: that would open stdin, which may be meant for a program we start.
  const isTerminal = isatty(0) && isatty(1);
  return {
    isTerminal,
    text: async () => {
      let text = '';
      process.stdin.setEncoding('utf8');
      for await (const chunk of process.stdin) text += String(chunk);
      return text;
    },
    keyboard: () => (isTerminal && isInForeground() ? nextKey : null),
    open: (mark) => {
      const typed = createInterface({ input: process.stdin, ...(isTerminal ? { output: process.stdout } : {}), terminal: isTerminal, prompt: mark });
      // Ctrl-C ends the input, and with it the conversation.
      typed.once('SIGINT', () => typed.close());
      const waiting: string[] = [];
      let isOver = false;
      let wake = (): void => {};
      // readline's own iterator would lose lines that arrive before the first read.
      typed.on('line', (line) => {
        waiting.push(line);
        wake();
      });
      typed.once('close', () => {
        isOver = true;
        wake();
      });
      if (isTerminal) typed.prompt();
      return {
        lines: {
          async *[Symbol.asyncIterator]() {
            for (;;) {
              const line = waiting.shift();
              if (line !== undefined) {
                yield line;
                if (isTerminal && !isOver) typed.prompt();
              } else if (isOver) return;
              else
                await new Promise<void>((resolve) => {
                  wake = resolve;
                });
            }
          },
        },
        print: async (text) => {
          if (!isTerminal || isOver) return out(text);
          const isOpen = await out(`\r\u001b[2K${text}`);
          typed.prompt(true);
          return isOpen;
        },
        close: () => {
          typed.close();
          process.stdin.destroy();
        },
      };
    },
  };
};

/** A shell stops a background job that reads keys (`yarnboard &`): a question must not stop a server. */
const isInForeground = (): boolean => {
  if (process.platform === 'win32') return true;
  const { stdout } = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' });
  const [own, terminal] = (stdout ?? '').trim().split(/\s+/u);
  return own !== '' && own === terminal;
};

const nextKey: NextKey = (enough) =>
  new Promise((resolve) => {
    const { stdin } = process;
    const done = (key: string | null): void => {
      stdin.off('data', onData);
      enough.removeEventListener('abort', onEnough);
      stdin.setRawMode(false);
      stdin.pause();
      resolve(key);
    };
    const onEnough = (): void => done(null);
    const onData = (data: Buffer): void => {
      const key = data.toString('utf8');
      done(key);
      // While single keys are read, the terminal delivers Ctrl-C as a key.
      if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
    };
    if (enough.aborted) {
      resolve(null);
      return;
    }
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('data', onData);
    enough.addEventListener('abort', onEnough);
  });

const CTRL_C = '\u0003';
