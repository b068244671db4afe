import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueryObserver } from '@tanstack/react-query';
import { rowsOf } from '@yarnboard/domain';
import { homeOf, operatorToken, startServer, type RunningServer } from '@yarnboard/server';
import { expect, test } from 'vitest';
import { PATIENCE } from '../../../../tests/patience.ts';
import { WebSocket } from 'ws';
import { createLive } from '../../src/live/live.ts';

const until = async (what: string, look: () => boolean): Promise<void> => {
  for (const deadline = Date.now() + PATIENCE; !look();) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
};

test('[PAGE-32] what is sent while the server is gone is done once when it is back, and what others did meanwhile is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-live-'));
  const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
  const startAt = (port: number): Promise<RunningServer> =>
    startServer({ home, settings: { excludedProjects: [], roots: [] }, roots: [], port, version: '0', programs: null });
  let server = await startAt(0);
  const port = Number(new URL(server.url).port);
  const liveAs = () =>
    createLive({
      url: `ws://127.0.0.1:${port}/ws`,
      WebSocket,
      token: operatorToken(home),
      now: () => Date.now(),
      newId: () => crypto.randomUUID(),
      later: (ms, work) => {
        const timer = setTimeout(work, Math.min(ms, 200));
        return () => clearTimeout(timer);
      },
      random: () => 0.5,
    });
  const [mine, other] = [liveAs(), liveAs()];
  const tasksIn = (live: typeof mine): readonly string[] => rowsOf(live.replica.board().sidebars).map(({ task }) => task);
  try {
    await until('both have the board', () => [mine, other].every((live) => live.reach.get().kind === 'loaded'));
    await mine.send('sidebar_spawn', { parentId: null, taskDescription: 'before' });
    await until('the other page hears of it', () => tasksIn(other).includes('before'));

    await server.close();
    await until('the loss is noticed', () => mine.connection.get().kind !== 'open' && other.connection.get().kind !== 'open');
    const sent = mine.send('sidebar_spawn', { parentId: null, taskDescription: 'meanwhile' });
    server = await startAt(port);
    expect((await sent).kind).toBe('done');
    await until('both know of it', () => [mine, other].every((live) => tasksIn(live).includes('meanwhile')));
    expect([tasksIn(mine), tasksIn(other)]).toEqual([
      ['before', 'meanwhile'],
      ['before', 'meanwhile'],
    ]);
  } finally {
    mine.close();
    other.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('[PAGE-191] when something is forgotten, every answer is asked for again or dropped, and whoever kept what was told hears of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-live-'));
  const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
  const server = await startServer({ home, settings: { excludedProjects: [], roots: [] }, roots: [], port: 0, version: '0', programs: null });
  const live = createLive({
    url: `${server.url.replace(/^http/u, 'ws')}/ws`,
    WebSocket,
    token: operatorToken(home),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
  });
  let heard = 0;
  const stop = live.onForgotten(() => {
    heard += 1;
  });
  try {
    await live.send('sidebar_spawn', { parentId: null, taskDescription: 'x' });
    const said = await live.send('chat_message', { sidebarId: 'SB-1', content: 'a secret' });
    const ref = said.kind === 'done' ? (said.refs.find((name) => name.startsWith('MSG-')) ?? '') : '';
    const memory = { sidebarId: 'SB-1', part: 'local' } as const;
    const shown = new QueryObserver(live.queries, { queryKey: ['sidebar_memory', memory], queryFn: () => live.ask('sidebar_memory', memory) });
    const unsubscribe = shown.subscribe(() => {});
    await until('it is shown', () => JSON.stringify(shown.getCurrentResult().data ?? '').includes('a secret'));
    await live.queries.fetchQuery({ queryKey: ['of another view'], queryFn: () => live.ask('sidebar_memory', memory) });

    await live.ask('forget', { ref });
    await until('it is gone from what is shown', () => !JSON.stringify(shown.getCurrentResult().data ?? '').includes('a secret'));
    expect({ heard, kept: live.queries.getQueryData(['of another view']) }).toEqual({ heard: 1, kept: undefined });
    unsubscribe();
  } finally {
    stop();
    live.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('[PAGE-32] whoever waits for the board of a server that refuses the connection is told why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-live-'));
  const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
  const server = await startServer({ home, settings: { excludedProjects: [], roots: [] }, roots: [], port: 0, version: '0', programs: null });
  const live = createLive({
    url: `${server.url.replace(/^http/u, 'ws')}/ws`,
    WebSocket,
    token: 'nobody has this one',
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
  });
  try {
    await until('the board is given up', () => live.reach.get().kind === 'failed');
    expect(live.connection.get().kind).toBe('refused');
  } finally {
    live.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A server of another version is one that tells what this page cannot read. */
const NEWER = [
  { name: 'an event of a name it does not know', type: 'sidebar_pin', record: { type: 'sidebar.pinned', version: 1 } },
  { name: 'an event in a version it does not know', type: 'chat_message', record: { type: 'chat.message', version: 2 } },
] as const;

test.each(NEWER)(
  '[PAGE-197] [WIRE-31] told of $name, the page stays as it was, sends nothing more and asks to be reloaded',
  async ({ type, record }) => {
    const folder = mkdtempSync(join(tmpdir(), 'yarnboard-live-'));
    const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
    const server = await startServer({ home, settings: { excludedProjects: [], roots: [] }, roots: [], port: 0, version: '0', programs: null });
    const sockets: WebSocket[] = [];
    class Watched extends WebSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
    }
    const live = createLive({
      url: `${server.url.replace(/^http/u, 'ws')}/ws`,
      WebSocket: Watched,
      token: operatorToken(home),
      now: () => Date.now(),
      newId: () => crypto.randomUUID(),
      later: (ms, work) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
      random: () => 0.5,
    });
    try {
      await until('it has the board', () => live.reach.get().kind === 'loaded');
      await live.send('sidebar_spawn', { parentId: null, taskDescription: 'before' });
      await until('it is seen', () => live.replica.board().sidebars.size() === 1);
      const seq = live.replica.position() + 1;
      const about = { uuid: crypto.randomUUID(), refs: [], context_id: 'SB-1' };
      const told = { type, seq, timestamp: new Date().toISOString(), sender_agent_id: 'AGENT-operator', ...about };
      const recorded = {
        ...record,
        ...about,
        position: seq,
        at: Date.now(),
        sender: 'AGENT-operator',
        sender_type: 'human',
        payload: { pinned: true },
      };
      sockets[0]?.emit('message', Buffer.from(JSON.stringify({ ...told, record: recorded })), false);
      expect(live.connection.get()).toMatchObject({ kind: 'refused', why: 'Yarnboard was updated. Reload this page to go on.' });
      expect((await live.send('sidebar_spawn', { parentId: null, taskDescription: 'after' })).kind).toBe('unknown');
      expect(rowsOf(live.replica.board().sidebars).map(({ task }) => task)).toEqual(['before']);
      expect(live.replica.position()).toBe(seq - 1);
    } finally {
      live.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
