import { request } from 'node:http';
import { writeFileSync, mkdirSync, appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSE_CODES, createClient, type ClientState, type EntryFrame } from '@yarnboard/protocol';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startServer } from '../../../src/serving.ts';
import { prompt, reply } from '../../operations/records.ts';
import { afterFile } from '../../../../../tests/afterwards.ts';
import { entryTexts, lines, makeHome, nthLine, serveBoard, SESSIONS, type TestServer } from './sockets.ts';

test('[WIRE-20] a thousand clients hear the same, each once and in order, some of everything and some of one session', async () => {
  const server = await serveBoard();
  await server.append(...lines(30));
  const sockets: ReturnType<typeof server.connect>[] = [];
  // A hundred at a time: the system resets what comes while its queue of connections to accept is full.
  while (sockets.length < 1000) {
    const wave = Array.from({ length: 100 }, (_, nth) => {
      const i = sockets.length + nth;
      return server.connect(i % 4 === 3 ? { since_seq: 10, subscribe: { sessions: [SESSIONS[0]] } } : { since_seq: i % 2 === 0 ? 0 : 10 });
    });
    sockets.push(...wave);
    await Promise.all(wave.map((socket) => socket.frame('caught_up')));
  }
  for (let at = 30; at < 60; at += 3) await server.append(...lines(3, at));
  await Promise.all(sockets.map((socket, i) => socket.heard(i % 4 === 3 ? 58 : 60)));
  const [first] = sockets;
  const all = first === undefined ? [] : entryTexts(first);
  expect(all).toHaveLength(60);
  const ofOne = all.slice(10).filter((text) => text.includes(`"session_id":"${SESSIONS[0]}"`));
  sockets.forEach((socket, i) => expect(entryTexts(socket)).toEqual(i % 4 === 3 ? ofOne : all.slice(i % 2 === 0 ? 0 : 10)));
  await expect.poll(() => server.board.hub.counts()).toMatchObject({ clients: 1000, lag: 0, droppedSlow: 0 });
  expect(server.faults).toEqual([]);
  await server.close();
});

test('[WIRE-13] a server that stops says so and closes with 1001, and waits for nobody', async () => {
  const server = await serveBoard();
  await server.append(...lines(4));
  const sockets = Array.from({ length: 50 }, () => server.connect({ since_seq: 0 }));
  const silent = server.connect(null);
  const stuck = server.connect({ since_seq: 0 });
  for (const socket of sockets) await socket.heard(4);
  await stuck.heard(4);
  stuck.socket.pause();
  // Although one of them never reads again.
  await server.close();
  for (const socket of [...sockets, silent]) {
    expect(await socket.closed).toMatchObject({ code: CLOSE_CODES['going-away'].code, reason: expect.stringMatching(/stopping/u) as unknown });
  }
  expect(sockets[0]?.frames.at(-1)).toEqual({ type: 'going_away', reason: expect.stringMatching(/stopping/u) as unknown, seq: 4 });
  await expect(knock(server)).rejects.toThrow('ECONNREFUSED');
});

const knock = ({ port }: TestServer): Promise<number> =>
  new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/healthz' }, ({ statusCode }) => resolve(statusCode ?? 0))
      .on('error', reject)
      .end();
  });

type Heard = { readonly entries: EntryFrame[]; readonly states: ClientState[]; readonly close: () => void };

const listen = (port: number, sinceSeq: number): Heard => {
  const entries: EntryFrame[] = [];
  const states: ClientState[] = [];
  const client = createClient({
    url: `ws://127.0.0.1:${port}/ws`,
    WebSocket,
    sinceSeq,
    onEntry: (entry) => entries.push(entry),
    onState: (state) => states.push(state),
    newId: () => randomUUID(),
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
  });
  afterFile(() => client.close());
  return { entries, states, close: client.close };
};

test('[WIRE-13] [WIRE-15] clients go on by themselves when the server is back: nothing is missed and nothing told twice', async () => {
  const { home } = makeHome();
  let server = await serveBoard({}, home);
  const { port } = server;
  const heard = listen(port, 0);
  let written = 0;
  for (let round = 0; round < 4; round += 1) {
    await server.append(...lines(20, written));
    written += 20;
    await expect.poll(() => heard.entries.length).toBeGreaterThan(written - 20);
    // In the middle of being told, or right behind it.
    if (round < 3) {
      await server.append(...lines(20, written));
      written += 20;
      await server.close();
      server = await serveBoard({}, home, port);
    }
  }
  await expect.poll(() => heard.entries.length).toBe(written);
  expect(heard.entries.map(({ seq }) => seq)).toEqual(Array.from({ length: written }, (_, i) => i + 1));
  expect(heard.entries.every(({ messages, refused }) => messages.length > 0 && refused.length === 0)).toBe(true);
  expect(heard.states.filter(({ kind }) => kind === 'open').length).toBeGreaterThan(1);
  heard.close();
  await server.close();
});

test('[WIRE-7] a line that is written into a file is sent to whoever listens', async () => {
  const { home, folder } = makeHome();
  const root = join(folder, 'projects');
  mkdirSync(join(root, 'p'), { recursive: true });
  const path = join(root, 'p', `${SESSIONS[0]}.jsonl`);
  const text = (record: object): string => `${JSON.stringify({ ...record, sessionId: SESSIONS[0] })}\n`;
  writeFileSync(path, text(prompt('p1', null, 1, 'hello')));
  const faults: unknown[] = [];
  const server = await startServer({
    home,
    settings: { excludedProjects: [], roots: [] },
    roots: [root],
    version: '0',
    programs: null,
    port: 0,
    sweepEvery: 200,
    onFault: (cause) => faults.push(cause),
  });
  afterFile(server.close);
  await server.imported;
  const heard = listen(Number(new URL(server.url).port), 0);
  await expect.poll(() => heard.entries.length).toBe(1);
  appendFileSync(path, text(reply('r1', 'p1', 2, 'hi')));
  await expect.poll(() => heard.entries.length).toBe(2);
  expect(heard.entries[1]?.messages.map(({ ev }) => ev.t)).toEqual(['turn-start', 'text']);
  expect(faults).toEqual([]);
  heard.close();
  await server.close();
});

test('[WIRE-7] where nobody is connected nothing is read when something is committed', async () => {
  const server = await serveBoard();
  const { log } = server.board.store;
  const socket = server.connect();
  await socket.frame('connection_established');
  await server.append(nthLine(SESSIONS[0], 0));
  await socket.heard(1);
  await socket.close();
  await expect.poll(() => server.board.hub.counts().clients).toBe(0);
  await server.append(nthLine(SESSIONS[0], 1), nthLine(SESSIONS[0], 2));
  const told = server.board.hub.counts();
  expect(told).toMatchObject({ clients: 0, frames: 1, lag: 0 });
  const later = server.connect();
  expect(await later.frame('connection_established')).toMatchObject({ seq: (await log.head()).count });
  await server.append(nthLine(SESSIONS[0], 3));
  await later.heard(4);
  expect(later.entries()).toHaveLength(1);
  await server.close();
});
