import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowsOf } from '@yarnboard/domain';
import { homeOf, operatorToken, startServer, type RunningServer } from '@yarnboard/server';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createLive } from '../../src/live/live.ts';

const until = async (what: string, look: () => boolean): Promise<void> => {
  for (const deadline = Date.now() + 30_000; !look();) {
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
