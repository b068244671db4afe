import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  createClient,
  type BoardEvent,
  type Problem,
  type Client,
  type ClientState,
  type EntryFrame,
  type OperationName,
  type OutputOf,
  REGISTRY,
} from '@yarnboard/protocol';
import { WebSocket } from 'ws';
import { afterFile } from './afterwards.ts';
import { addressOf, ended, testHome, until, type TestHome } from './home.ts';
import { standInSdk } from './live-sdk.ts';

/** Somebody who hears everything from the beginning, and comes back by himself. */
export type Listener = {
  readonly client: Client;
  readonly frames: readonly EntryFrame[];
  readonly events: readonly BoardEvent[];
  readonly states: readonly ClientState[];
  readonly troubles: readonly object[];
  /** Waits for an entry that fits. */
  readonly hear: (what: string, fits: (frame: EntryFrame) => boolean, patience?: number) => Promise<EntryFrame>;
};

/** A home, a folder to work in, an Agent SDK that is none, and a server that can be killed and started anew. */
export type Stage = {
  readonly home: TestHome;
  readonly work: string;
  /** Where the transcripts of sessions of the folder are. */
  readonly project: string;
  readonly at: () => string;
  readonly token: () => string;
  /** The process of the server; null before the first start. */
  readonly pid: () => number | null;
  /** Starts the built command; resolves when it listens, on the same port each time. */
  readonly start: () => Promise<void>;
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<number | null>;
  /** What the server wrote to standard error, all of them together. */
  readonly err: () => string;
  readonly ask: <N extends OperationName>(name: N, given?: Given) => Promise<OutputOf<N>>;
  /** The problem that an operation is refused with. */
  readonly refusal: (name: OperationName, given?: Given) => Promise<{ readonly status: number; readonly code: string; readonly detail: string }>;
  readonly listen: (more?: { readonly token?: string; readonly sessions?: readonly string[] }) => Listener;
};

type Given = Readonly<Record<string, unknown>>;

export const makeStage = async (folder?: string): Promise<Stage> => {
  const plain = testHome(folder);
  // `start` of a home passes its environment on.
  Object.assign(plain.env, { YARNBOARD_AGENT_SDK: standInSdk(plain.folder) });
  const work = join(plain.folder, 'work');
  mkdirSync(work);
  const project = join(plain.folder, 'claude/projects', work.replaceAll(/[^0-9A-Za-z]/gu, '-'));
  mkdirSync(project, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let err = '';
  const token = (): string => readFileSync(join(plain.folder, 'home/operator.token'), 'utf8').trim();

  const request = async (name: OperationName, given: Given): Promise<Response> => {
    const { method, path } = REGISTRY[name];
    const used = new Set<string>();
    const filled = path.replaceAll(/\{(\w+)\}/gu, (_, key: string) => {
      used.add(key);
      return encodeURIComponent(String(given[key]));
    });
    const rest = Object.entries(given).filter(([key]) => !used.has(key));
    // A connection of its own for each request: one that nobody used for a while may be closed by the server just as the next request is sent.
    const headers = { authorization: `Bearer ${token()}`, 'content-type': 'application/json', connection: 'close' };
    if (method === 'GET')
      return fetch(`${url}/api/v1${filled}?${new URLSearchParams(rest.map(([key, value]) => [key, String(value)])).toString()}`, { headers });
    return fetch(`${url}/api/v1${filled}`, { method, headers, body: JSON.stringify(Object.fromEntries(rest)) });
  };

  return {
    home: plain,
    work,
    project,
    at: () => url,
    token,
    pid: () => child?.pid ?? null,
    start: async () => {
      const started = plain.start('start', '--no-open', '--port', String(port));
      started.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
      child = started;
      await addressOf(started);
    },
    end: async (signal) => {
      if (child === null) return null;
      child.kill(signal);
      return ended(child);
    },
    err: () => err,
    ask: async <N extends OperationName>(name: N, given: Given = {}) => {
      const response = await request(name, given);
      const body: unknown = await response.json();
      if (!response.ok) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
      return REGISTRY[name].output.parse(body) as OutputOf<N>; // of the schema just used
    },
    refusal: async (name, given = {}) => {
      const response = await request(name, given);
      const body = (await response.json()) as Partial<Problem>; // of a request that may have been done after all
      if (response.ok) throw new Error(`${name} was done: ${JSON.stringify(body)}`);
      return { status: response.status, code: body.code ?? '', detail: body.detail ?? '' };
    },
    listen: ({ token: given, sessions } = {}) => {
      const frames: EntryFrame[] = [];
      const events: BoardEvent[] = [];
      const states: ClientState[] = [];
      const troubles: object[] = [];
      const client = createClient({
        url: `${url.replace('http', 'ws')}/ws`,
        WebSocket,
        sinceSeq: 0,
        ...(sessions === undefined ? {} : { subscription: { sessions, hasEnvelopes: true } }),
        ...(given === undefined ? {} : { token: given }),
        onEntry: (frame) => frames.push(frame),
        onEvent: (event) => events.push(event),
        onState: (state) => states.push(state),
        onTrouble: (trouble) => troubles.push(trouble),
        newId: () => randomUUID(),
        later: (ms, run) => {
          // Whoever is refused again and again waits longer and longer; here the server is killed more often than that.
          const timer = setTimeout(run, ms < 10_000 ? Math.min(ms, 150) : ms);
          return () => clearTimeout(timer);
        },
        random: () => 0,
      });
      afterFile(client.close);
      const hear: Listener['hear'] = async (what, fits, patience) => {
        try {
          return await until(() => frames.find(fits) ?? null, patience);
        } catch (cause) {
          throw new Error(`${what} was not heard; the last of ${frames.length}: ${JSON.stringify(frames.slice(-5))}; ${err}`, { cause });
        }
      };
      return { client, frames, events, states, troubles, hear };
    },
  };
};

/** One that stays the same when the server comes back. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
      server.close(() => resolve(port));
    });
  });

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** The same numbers for the same seed, from 0 to 1. */
export const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
