import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { until } from './checks.ts';
import { LONG_BEGAN } from './model-scripts.ts';
import { startModelServer, type ModelServer } from './model-server.ts';
import type { CliVersion, Programs } from './programs.ts';
import { startRecordingProxy, type RecordingProxy } from './recording-proxy.ts';

/** Everything a scenario needs, and nothing of the user's: no settings, no key, no way out. */
export type Surroundings = {
  readonly programs: Programs;
  readonly model: ModelServer;
  readonly proxy: RecordingProxy;
  /** Where the programs work. */
  readonly project: string;
  /** Until the command of `play:long` runs. */
  readonly longBegan: () => Promise<void>;
  /** A new folder that is removed at the end. */
  readonly folder: (name: string) => string;
  /** Runs a program so that its connections are written down, where the machine can do that. */
  readonly observed: (program: string, args: readonly string[]) => readonly [string, readonly string[]];
  readonly canObserve: boolean;
  /** Every address that an observed program connected to and that is not on this machine. */
  readonly strangers: () => readonly string[];
  readonly env: (options: { readonly claudeFolder: string; readonly version?: CliVersion }) => Record<string, string>;
  readonly close: () => Promise<void>;
};

export const makeSurroundings = async (programs: Programs): Promise<Surroundings> => {
  // Programs name the folder they are in by its real path.
  const all = realpathSync(mkdtempSync(join(tmpdir(), 'yarnboard-e2e-run-')));
  const project = join(all, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'README.md'), '# A project\n');
  const traces = join(all, 'traces');
  mkdirSync(traces);
  const model = await startModelServer(project);
  const proxy = await startRecordingProxy();
  const canObserve = canTrace();
  let count = 0;
  return {
    programs,
    model,
    proxy,
    project,
    longBegan: async () => {
      const file = join(project, LONG_BEGAN);
      await until('the long command runs', () => (existsSync(file) ? true : null));
      rmSync(file);
    },
    folder: (name) => {
      count += 1;
      const folder = join(all, `${count}-${name.replaceAll(/[^0-9a-z.]+/giu, '-')}`);
      mkdirSync(folder);
      return folder;
    },
    observed: (program, args) => {
      if (!canObserve) return [program, args];
      count += 1;
      return [TRACER, [...TRACING, '-o', join(traces, String(count)), program, ...args]];
    },
    canObserve,
    strangers: () => [...new Set(readdirSync(traces).flatMap((name) => strangersIn(readFileSync(join(traces, name), 'utf8'))))],
    env: ({ claudeFolder, version }) => ({
      PATH: [...(version === undefined ? [] : [programs.binFolder(version)]), process.env['PATH'] ?? ''].join(delimiter),
      HOME: claudeFolder,
      CLAUDE_CONFIG_DIR: join(claudeFolder, '.claude'),
      ANTHROPIC_BASE_URL: model.url,
      // Not an API key: with one, 2.0.76 asks its maker whether it may send metrics, whatever else is set.
      ANTHROPIC_AUTH_TOKEN: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Without it, root may not skip permissions; containers run as root.
      IS_SANDBOX: '1',
      HTTP_PROXY: proxy.url,
      HTTPS_PROXY: proxy.url,
      NO_PROXY: '127.0.0.1,localhost',
    }),
    close: async () => {
      await Promise.all([model.close(), proxy.close()]);
      // Whoever was aborted last may write a last word, and make its folder anew.
      for (let i = 0; i < 10 && existsSync(all); i += 1) {
        rmSync(all, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
        await new Promise((resolve) => {
          setTimeout(resolve, 200);
        });
      }
    },
  };
};

const TRACER = 'strace';

// The program itself is our child, so that signals reach it and its exit code reaches us; strace is in another process group, so that they do not reach that.
const TRACING = ['-DD', '-f', '-qq', '-e', 'trace=connect', '-e', 'signal=none'];

const canTrace = (): boolean =>
  process.platform === 'linux' && spawnSync(TRACER, [...TRACING, '-o', '/dev/null', 'true'], { timeout: 10_000 }).status === 0;

const strangersIn = (trace: string): readonly string[] =>
  [...trace.matchAll(/inet_(?:addr\("|pton\(AF_INET6, ")([^"]+)"/gu)]
    .map(([, address = '']) => address)
    .filter((address) => !/^(?:127\.|::1$|::ffff:127\.)/u.test(address));
