import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { EVENT_NAMES } from '@yarnboard/protocol';
import { draftOfLine, NOWHERE, type Appended, type Item } from '@yarnboard/store';
import { readEntry, type JsonObject } from '@yarnboard/transcript';
import { expect } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { afterFile } from '../../../../../tests/afterwards.ts';
import { PATIENCE } from '../../../../../tests/patience.ts';
import { homeOf, type Home } from '../../../src/home/home.ts';
import type { HubLimits } from '../../../src/doors/ws/hub.ts';
import { openBoard, type OpenBoard } from '../../../src/main.ts';
import { prompt, reply, result, use, type Fields } from '../../operations/records.ts';

export const makeHome = (): { readonly home: Home; readonly folder: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-hub-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, home: homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder }) };
};

export type TestServer = {
  readonly board: OpenBoard;
  readonly home: Home;
  readonly port: number;
  readonly token: string;
  readonly append: (...items: readonly Item[]) => Promise<readonly Appended[]>;
  readonly connect: (hello?: Frame | null, options?: ClientOptions) => TestSocket;
  readonly faults: readonly unknown[];
  readonly close: () => Promise<void>;
};

/** A board with its HTTP server and its hub, and a writer that a test says itself what to write. */
export const serveBoard = async (hubLimits: Partial<HubLimits> = {}, home: Home = makeHome().home, port = 0): Promise<TestServer> => {
  const faults: unknown[] = [];
  const board = await openBoard({
    home,
    settings: { excludedProjects: [], roots: [] },
    roots: [],
    version: '0',
    programs: null,
    hubLimits,
    onFault: (cause) => faults.push(cause),
  });
  const server = createAdaptorServer({ fetch: board.app.fetch }) as Server; // no TLS is asked for
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const chosen = (server.address() as AddressInfo).port;
  board.setPort(chosen);
  board.hub.attach(server);
  const timer = setInterval(board.hub.tick, 20);
  board.closeAlso(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  board.closeAlso(async () => {
    clearInterval(timer);
    await board.hub.close();
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) {
      isClosed = true;
      await board.close();
    }
  };
  afterFile(close);
  return {
    board,
    home,
    port: chosen,
    token: board.token,
    append: (...items) => board.writer.append(items),
    connect: (hello = {}, options = {}) => connect(chosen, hello, options),
    faults,
    close,
  };
};

export type Frame = Readonly<Record<string, unknown>>;

export type TestSocket = {
  readonly socket: WebSocket;
  /** Everything that came, as it came. */
  readonly texts: readonly string[];
  readonly frames: readonly Frame[];
  readonly entries: () => readonly Frame[];
  /** Entries and events, in the order they came. */
  readonly told: () => readonly Frame[];
  readonly send: (frame: Frame | string) => void;
  /** The first frame that fits, from those that came to those to come. */
  readonly frame: (fits: string | ((frame: Frame) => boolean)) => Promise<Frame>;
  /** Until it was told of this position, or one behind it. */
  readonly heard: (seq: number) => Promise<void>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly close: () => Promise<void>;
};

/** A bare client. Without a hello (null) it says nothing. */
export const connect = (port: number, hello: Frame | null, options: ClientOptions = {}, path = '/ws'): TestSocket => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
  const texts: string[] = [];
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  let lastSeq = -1;
  const changed = (): void => {
    for (const look of waiting) look();
  };
  socket.on('open', () => {
    if (hello !== null) socket.send(JSON.stringify({ type: 'hello', protocol: 1, ...hello }));
  });
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8');
    texts.push(text);
    const frame = JSON.parse(text) as Frame; // the server's own
    frames.push(frame);
    if (typeof frame['seq'] === 'number' && isTold(frame)) lastSeq = frame['seq'];
    changed();
  });
  let end: { readonly code: number; readonly reason: string } | null = null;
  const closed = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      end = { code, reason: reason.toString('utf8') };
      resolve(end);
      changed();
    });
  });
  socket.on('error', () => {}); // a close follows
  const wait = <T>(look: () => T | undefined, what: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(tryIt);
        reject(new Error(`${what} did not come; last were ${texts.slice(-3).join('\n').slice(0, 1000)} ${JSON.stringify(end)}`));
      }, PATIENCE);
      const tryIt = (): void => {
        const found = look();
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(tryIt);
        resolve(found);
      };
      waiting.add(tryIt);
      tryIt();
    });
  const test: TestSocket = {
    socket,
    texts,
    frames,
    entries: () => frames.filter(({ type }) => type === 'entry'),
    told: () => frames.filter(isTold),
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    frame: (fits) => wait(() => frames.find((frame) => (typeof fits === 'string' ? frame['type'] === fits : fits(frame))), String(fits)),
    heard: async (seq) => {
      if (seq > 0) await wait(() => (lastSeq >= seq ? true : undefined), `entry ${seq}`);
    },
    closed,
    close: async () => {
      socket.close();
      await closed;
    },
  };
  afterFile(() => socket.terminate());
  return test;
};

const isTold = ({ type }: Frame): boolean => type === 'entry' || EVENT_NAMES.some((name) => name === type);

/** The frames of entries, as they came. */
export const entryTexts = ({ texts }: TestSocket): readonly string[] => texts.filter((text) => text.startsWith('{"type":"entry"'));

export const seqsOf = (socket: TestSocket): readonly number[] => socket.entries().map(({ seq }) => Number(seq));

export const expectRefused = async (socket: TestSocket, code: number, why: RegExp): Promise<void> => {
  const closed = await socket.closed;
  expect(closed.code).toBe(code);
  expect(closed.reason).toMatch(why);
};

// ---- what is written

export const SESSIONS = [
  '11111111-0000-4000-8000-000000000001',
  '22222222-0000-4000-8000-000000000002',
  '33333333-0000-4000-8000-000000000003',
] as const;

/** A record as a line of a session's file. */
export const line = (sessionId: string, record: Fields, agentId: string | null = null): Item => {
  const text = JSON.stringify({ ...record, sessionId });
  const reading = readEntry(JSON.parse(text) as JsonObject, NOWHERE, agentId !== null);
  const context = { sessionId, agentId };
  return {
    draft: draftOfLine({ context, reading, fault: null, length: text.length, occurrence: 1, fallbackAt: 0 }),
    payload: Buffer.from(text),
    reading,
  };
};

/** The n-th line of a session: prompts, replies with tools, results, in turns. */
export const nthLine = (sessionId: string, n: number): Item => {
  const name = (i: number): string => `${sessionId.slice(0, 8)}-${i}`;
  const before = n === 0 ? null : name(n - 1);
  switch (n % 4) {
    case 0:
      return line(sessionId, prompt(name(n), before, n, `please do ${n}`));
    case 1:
      return line(
        sessionId,
        reply(name(n), before, n, [{ type: 'text', text: `doing ${n}` }, use(`toolu_${name(n)}`, 'Bash', { command: `echo ${n}` })]),
      );
    case 2:
      return line(sessionId, result(name(n), before, n, `toolu_${name(n - 1)}`, `done ${n}`));
    default:
      return line(sessionId, reply(name(n), before, n, `this was ${n}`));
  }
};

/** Lines of several sessions, as many as asked for, each session in its own order. */
export const lines = (count: number, from = 0): readonly Item[] =>
  Array.from({ length: count }, (_, i) => {
    const at = from + i;
    return nthLine(SESSIONS[at % SESSIONS.length] ?? SESSIONS[0], Math.floor(at / SESSIONS.length));
  });
