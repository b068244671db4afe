import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIALECTS } from '@yarnboard/transcript';
import { afterFile } from '../../../tests/afterwards.ts';
import type { Io } from '../src/io.ts';
import { run } from '../src/run.ts';
import type { Typing } from '../src/typing.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export type Ended = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command line in this process, with a home of its own and a clock that stands still. */
export const yarnboard = async (args: readonly string[], changes: Partial<Io> = {}): Promise<Ended> => {
  let out = '';
  let err = '';
  const io: Io = {
    out: (text) => {
      out += text;
      return Promise.resolve(true);
    },
    err: (text) => {
      err += text;
    },
    isErrTerminal: false,
    isOutTerminal: false,
    columns: 120,
    typing: pipedLines(),
    env: {},
    home: join(tmpdir(), 'no-such-home'),
    browse: () => false,
    packageFolder: join(root, 'packages', 'cli'),
    dialects: DIALECTS,
    now: () => Date.UTC(2026, 10, 20),
    threads: false,
    untilStopped: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    ...changes,
  };
  return { code: await run(args, io), out, err };
};

/** What comes through a pipe. */
export const pipedLines = (...lines: readonly string[]): Typing => ({
  isTerminal: false,
  text: () => Promise.resolve(lines.map((line) => `${line}\n`).join('')),
  keyboard: () => null,
  open: () => ({
    lines: (async function* () {
      for (const line of lines) yield await Promise.resolve(line);
    })(),
    print: () => Promise.resolve(true),
    close: () => {},
  }),
});

/** The built command as users run it. */
export const builtCommand = (): string => {
  // Whoever runs all tests has built it, and looks once instead of in every process.
  if (!isBuilt) {
    execFileSync(process.execPath, ['--input-type=module', '-e', "(await import('./scripts/workspace.mjs')).ensureBuilt('command')"], { cwd: root });
    isBuilt = true;
  }
  return join(root, 'packages', 'cli', 'dist', 'yarnboard.mjs');
};

let isBuilt = process.env['YARNBOARD_BUILT'] !== undefined;

export const spawned = (
  command: string,
  args: readonly string[],
  input?: string,
  env: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [command, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // Signs are as they are where a terminal shows them (CLI-62).
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
    ...(input === undefined ? {} : { input }),
  });

/** An empty folder that is gone when the tests are through. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-test-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A new folder with the given files; paths may name folders. */
export const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

export const jsonl = (...records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');

export const SESSION = '11111111-2222-4333-8444-555555555555';

export const conversation = (sessionId = SESSION, words = 'Hello'): string =>
  jsonl(
    {
      type: 'user',
      uuid: `${sessionId}-u1`,
      parentUuid: null,
      sessionId,
      cwd: '/home/dev/proj',
      version: '2.1.50',
      timestamp: '2026-01-15T10:00:00.000Z',
      message: { role: 'user', content: words },
    },
    {
      type: 'assistant',
      uuid: `${sessionId}-a1`,
      parentUuid: `${sessionId}-u1`,
      sessionId,
      timestamp: '2026-01-15T10:00:01.000Z',
      message: {
        role: 'assistant',
        id: `${sessionId}-m1`,
        model: 'claude-sonnet-4-5',
        content: [{ type: 'text', text: 'Hi there' }],
        usage: { input_tokens: 1000, output_tokens: 100 },
      },
    },
  );
