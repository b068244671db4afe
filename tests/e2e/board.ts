import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './checks.ts';
import { start, type Running } from './process.ts';
import type { CliVersion } from './programs.ts';
import { asRaw, type Raw } from './records.ts';
import type { Surroundings } from './surroundings.ts';

/** A Yarnboard that runs as users run it, with a home and a Claude Code folder of its own. */
export type Board = {
  readonly url: string;
  readonly token: string;
  readonly claudeFolder: string;
  readonly get: (path: string) => Promise<Answered>;
  readonly post: (path: string, body: object) => Promise<Answered>;
  /** Runs `yarnboard` with the same home. */
  readonly command: (...args: readonly string[]) => Running;
  readonly close: () => Promise<void>;
};

export type Answered = { readonly status: number; readonly body: Raw };

export const startBoard = async (surroundings: Surroundings, name: string, version: CliVersion, settings: object = {}): Promise<Board> => {
  const folder = surroundings.folder(name);
  const claudeFolder = join(folder, 'claude');
  // There from the start, as on every machine where Claude Code ran once.
  mkdirSync(join(claudeFolder, '.claude', 'projects'), { recursive: true });
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
  const env = {
    ...surroundings.env({ claudeFolder, version }),
    YARNBOARD_HOME: home,
    YARNBOARD_STATE: join(folder, 'state'),
    YARNBOARD_AGENT_SDK: surroundings.programs.sdkFolder,
    YARNBOARD_ACP_SDK: ACP_SDK,
  };
  const command = (...args: readonly string[]): Running => start(surroundings, { program: process.execPath, args: [COMMAND, ...args], env });
  const server = command('start', '--port', '0', '--no-open');
  const url = await until('yarnboard start tells its address', () => / on (http:\/\/\S+)/u.exec(server.out())?.[1] ?? null).catch(
    (cause: unknown) => {
      throw new Error(`yarnboard start: ${server.out()}${server.err()}`, { cause });
    },
  );
  const tokenFile = join(home, 'operator.token');
  await until('the operator has a token', () => (existsSync(tokenFile) ? true : null));
  const token = readFileSync(tokenFile, 'utf8').trim();
  const ask = async (path: string, init: RequestInit): Promise<Answered> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : asRaw(JSON.parse(text)) };
  };
  return {
    url,
    token,
    claudeFolder,
    get: (path) => ask(path, {}),
    post: (path, body) => ask(path, { method: 'POST', body: JSON.stringify(body) }),
    command,
    close: async () => {
      server.kill('SIGTERM');
      const { code, err } = await server.ended(20_000);
      if (code !== 0 || err !== '') throw new Error(`yarnboard start ended with ${code}: ${err}`);
    },
  };
};

const ACP_SDK = join(fileURLToPath(new URL('../../node_modules', import.meta.url)), '@agentclientprotocol', 'sdk');
const COMMAND = fileURLToPath(new URL('../../packages/cli/dist/yarnboard.mjs', import.meta.url));
