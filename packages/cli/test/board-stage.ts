import { join } from 'node:path';
import { homeOf, startServer, type RunningServer } from '@yarnboard/server';
import { afterTest } from '../../../tests/afterwards.ts';
import type { Io } from '../src/io.ts';
import type { Typing } from '../src/typing.ts';
import { conversation, folderWith, SESSION, yarnboard, type Ended } from './terminal.ts';

/** A home with one session beside it, worked on from a terminal, with or without a server. */
export const boardStage = () => {
  const folder = folderWith({ [`claude/projects/-home-dev-proj/${SESSION}.jsonl`]: conversation(SESSION, 'Please mend the gateway') });
  const env = { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state'), CLAUDE_CONFIG_DIR: join(folder, 'claude') };
  const home = homeOf({ env, home: folder });
  const runAs = (line: string | readonly string[], changes: Partial<Io> = {}): Promise<Ended> =>
    yarnboard(typeof line === 'string' ? line.split(' ') : line, { ...changes, env: { ...env, ...changes.env } });
  return {
    folder,
    env,
    home,
    runAs,
    run: (line: string | readonly string[]): Promise<Ended> => runAs(line),
    /** What a verb answers, as a document. */
    ask: async (line: string): Promise<Readonly<Record<string, unknown>>> => {
      const { code, out, err } = await runAs(`${line} --json`);
      if (code !== 0) throw new Error(`${line}: ${err}`);
      return JSON.parse(out) as Readonly<Record<string, unknown>>; // the caller knows the answer
    },
    serve: async (more: Pick<Parameters<typeof startServer>[0], 'onStop'> = {}): Promise<RunningServer> => {
      const server = await startServer({
        home,
        settings: { excludedProjects: [], roots: [] },
        roots: [join(folder, 'claude')],
        version: '0',
        programs: null,
        port: 0,
        ...more,
      });
      let closing: Promise<void> | null = null;
      const close = (): Promise<void> => (closing ??= server.close());
      afterTest(close);
      await server.imported;
      await server.drain();
      return { ...server, close };
    },
  };
};

/** Somebody at a terminal: types when told to, and sees what is printed. */
export const somebody = () => {
  const waiting: string[] = [];
  let isOver = false;
  let wake = (): void => {};
  let seen = '';
  const typing: Typing = {
    isTerminal: true,
    text: () => Promise.resolve(''),
    keyboard: () => async () => {
      while (waiting.length === 0 && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return waiting.shift() ?? null;
    },
    open: () => ({
      lines: {
        async *[Symbol.asyncIterator]() {
          for (;;) {
            const line = waiting.shift();
            if (line !== undefined) yield line;
            else if (isOver) return;
            else
              await new Promise<void>((resolve) => {
                wake = resolve;
              });
          }
        },
      },
      print: (text) => {
        seen += text;
        return Promise.resolve(true);
      },
      close: () => {},
    }),
  };
  return {
    typing,
    seen: (): string => seen,
    types: (line: string): void => {
      waiting.push(line);
      wake();
    },
    leaves: (): void => {
      isOver = true;
      wake();
    },
  };
};
