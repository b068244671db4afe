import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf, startServer, type RunningServer } from '@yarnboard/server';
import { parseSpoolLine, type SpoolLine } from '@yarnboard/server/spool';
import { afterTest } from '../../../tests/afterwards.ts';
import { testHome, until } from '../../../tests/home.ts';
import { builtCommand } from './terminal.ts';
import { standIn, type Play } from './stand-in.ts';

export const A = 'aaaaaaaa-0000-4000-8000-000000000001';
export const B = 'bbbbbbbb-0000-4000-8000-000000000002';
export const C = 'cccccccc-0000-4000-8000-000000000003';

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly out: string; readonly err: string };

export type Terminal = {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly out: () => string;
  readonly err: () => string;
};

/** An entry of the log, as far as the tests look. */
export type Told = { readonly type: string; readonly session: string; readonly uuid: string; readonly payload: Readonly<Record<string, unknown>> };

/** A home, a folder to work in, and a `claude` that plays what it is told. */
export const makeStage = () => {
  const home = testHome();
  const command = builtCommand();
  const claude = standIn(home.folder);
  const work = join(home.folder, 'work it');
  mkdirSync(work);
  const launches = join(home.folder, 'home', 'launches');

  const start = (play: Play, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Terminal =>
    startIn([process.execPath, command, 'claude', ...args], play, env);

  const startIn = ([program = '', ...args]: readonly string[], play: Play, env: Readonly<Record<string, string>> = {}): Terminal => {
    const child = spawn(program, args, {
      cwd: work,
      env: { ...home.env, PATH: `${claude.bin}:${process.env['PATH'] ?? ''}`, ...claude.env(play), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    afterTest(() => void child.kill('SIGKILL'));
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal, out, err })));
    return { child, ended, out: () => out, err: () => err };
  };

  /** Starts a server of this process for the home; stopped after the test, if not before. */
  const serve = async ({ excludedProjects = [], sweepEvery = 100 }: ServeOptions = {}): Promise<Served> => {
    const roots = [join(home.folder, 'claude', 'projects')];
    for (const root of roots) mkdirSync(root, { recursive: true });
    const server = await startServer({
      home: homeOf({ env: home.env, home: home.folder }),
      settings: { excludedProjects, roots: [] },
      roots,
      version: '0',
      programs: null,
      port: 0,
      sweepEvery,
      onFault: (cause) => console.error(cause),
    });
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (!isClosed) await server.close();
      isClosed = true;
    };
    afterTest(close);
    const ask = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
      (await (await fetch(`${server.url}/api/v1${path}`)).json()) as Readonly<Record<string, unknown>>; // the caller knows the route
    const log = async (): Promise<readonly Told[]> => {
      const { items } = (await ask('/log?limit=500')) as unknown as { readonly items: readonly Readonly<Record<string, string>>[] };
      return items.map((item) => ({
        type: item['type'] ?? '',
        session: item['session_id'] ?? '',
        uuid: item['uuid'] ?? '',
        payload: JSON.parse(item['raw_content'] ?? 'null') as Told['payload'],
      }));
    };
    return { server, ask, log, close, told: (type) => until(async () => (await log()).find((one) => one.type === type) ?? null) };
  };

  return {
    folder: home.folder,
    env: home.env,
    command,
    claude,
    work,
    launches,
    start,
    startIn,
    run: (play: Play, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> => {
      const terminal = start(play, args, env);
      terminal.child.stdin?.end();
      return terminal.ended;
    },
    serve,
    /** What all spools hold, launch by launch. */
    spools: (): readonly (readonly SpoolLine[])[] =>
      (existsSync(launches) ? readdirSync(launches) : [])
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) =>
          readFileSync(join(launches, name), 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => {
              const parsed = parseSpoolLine(line);
              if ('fault' in parsed) throw new Error(`${name}: ${parsed.fault}: ${line}`);
              return parsed;
            }),
        ),
    at: (name: string): string => join(home.folder, name),
  };
};

export type Stage = ReturnType<typeof makeStage>;

type ServeOptions = { readonly excludedProjects?: readonly string[]; readonly sweepEvery?: number };

export type Served = {
  readonly server: RunningServer;
  readonly ask: (path: string) => Promise<Readonly<Record<string, unknown>>>;
  readonly log: () => Promise<readonly Told[]>;
  readonly close: () => Promise<void>;
  /** Waits for an entry of a type. */
  readonly told: (type: string) => Promise<Told>;
};

/** Lines of a transcript: a prompt, and a reply with a tool call that nothing answers yet; so its turn is open. */
export const openTurn = (session: string, name: string): string =>
  [
    {
      type: 'user',
      uuid: `${session}-${name}-u`,
      parentUuid: null,
      sessionId: session,
      cwd: '/w',
      version: '2.1.50',
      timestamp: '2026-01-15T10:00:00.000Z',
      message: { role: 'user', content: `${name}?` },
    },
    {
      type: 'assistant',
      uuid: `${session}-${name}-a`,
      parentUuid: `${session}-${name}-u`,
      sessionId: session,
      timestamp: '2026-01-15T10:00:01.000Z',
      message: { role: 'assistant', id: `${session}-${name}-m`, model: 'm', content: [{ type: 'text', text: `${name}!` }] },
    },
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');

/** A file that somebody else writes: it is there before its words are. */
export const waitForFile = (path: string): Promise<string> =>
  until(() => {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return text === '' ? null : text;
  });
