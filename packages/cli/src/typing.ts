import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';

/** What is typed, or comes through a pipe. */
export type Typing = {
  readonly isTerminal: boolean;
  /** All of it, to the end. */
  readonly text: () => Promise<string>;
  /** Line by line, with a mark before what is typed next. */
  readonly open: (mark: string) => Lines;
};

export type Lines = {
  readonly lines: AsyncIterable<string>;
  /** Prints above the line that is being typed. */
  readonly print: (text: string) => Promise<boolean>;
  readonly close: () => void;
};

export const createTyping = (out: (text: string) => Promise<boolean>): Typing => {
  // Not asked of process.stdin: that would open it, and it may be for a program that we start.
  const isTerminal = isatty(0) && isatty(1);
  return {
    isTerminal,
    text: async () => {
      let text = '';
      process.stdin.setEncoding('utf8');
      for await (const chunk of process.stdin) text += String(chunk);
      return text;
    },
    open: (mark) => {
      const typed = createInterface({ input: process.stdin, ...(isTerminal ? { output: process.stdout } : {}), terminal: isTerminal, prompt: mark });
      // Ctrl-C ends what is typed, and by that the conversation.
      typed.once('SIGINT', () => typed.close());
      const waiting: string[] = [];
      let isOver = false;
      let wake = (): void => {};
      // An iterator of readline's own would lose lines that come before somebody asks for the first.
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
