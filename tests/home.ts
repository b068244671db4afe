import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { openStore, verifyRange, type Store } from '@yarnboard/store';
import { expect } from 'vitest';
import { builtCommand } from '../packages/cli/test/terminal.ts';
import { afterFile } from './afterwards.ts';
import { PATIENCE } from './patience.ts';

/** A home of its own for the built command, as users run it. */
export type TestHome = {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly database: string;
  readonly run: (...args: readonly string[]) => { readonly status: number | null; readonly out: string; readonly err: string };
  readonly start: (...args: readonly string[]) => ChildProcess;
  readonly open: () => Promise<Store>;
};

export const testHome = (folder = mkdtempSync(join(tmpdir(), 'yarnboard-home-'))): TestHome => {
  const command = builtCommand();
  const env = {
    ...process.env,
    LC_ALL: 'C.UTF-8',
    YARNBOARD_HOME: join(folder, 'home'),
    YARNBOARD_STATE: join(folder, 'state'),
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
  };
  const database = join(folder, 'home/board/board.db');
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    env,
    database,
    run: (...args) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
        env,
        encoding: 'utf8',
        timeout: PATIENCE,
        maxBuffer: 1 << 28,
      });
      return { status, out: stdout, err: stderr };
    },
    start: (...args) => {
      const child = spawn(process.execPath, [command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      afterFile(() => void child.kill('SIGKILL'));
      return child;
    },
    open: () => openStore(`sqlite:${database}`, { prices: DEFAULT_PRICES, now: () => 0, newId: () => 'x', readOnly: true }),
  };
};

/** The chain is whole, positions and numbers run from 1 without gaps. Returns how many entries there are. */
export const expectWhole = async (store: Store): Promise<number> => {
  const { count } = await store.log.head();
  expect((await verifyRange(store.log, 1, count, { forgotten: new Set() })).broken).toBeNull();
  const next = new Map<string, number>();
  for (let at = 0; at < count;) {
    const entries = await store.log.entriesAfter(at, 2000);
    for (const { position, refs } of entries) {
      at += 1;
      expect(position).toBe(at);
      for (const ref of refs) {
        const [type = '', number = ''] = ref.split('-');
        expect(Number(number)).toBe((next.get(type) ?? 0) + 1);
        next.set(type, Number(number));
      }
    }
  }
  return count;
};

/** Waits for something that another process does. */
export const until = async <T>(look: () => Promise<T | null> | T | null, patience = PATIENCE): Promise<T> => {
  const end = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(`not within ${patience / 1000} s`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
};

/** The address a started server printed. */
export const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const [, url] = / on (http:\/\/\S+)/u.exec(out) ?? [];
      if (url !== undefined) resolve(url);
    });
    let err = '';
    child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${err}`)));
  });

export const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once('exit', resolve));
