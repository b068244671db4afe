import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeOf, startServer } from '@yarnboard/server';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createLive, type Live } from '../../src/live/live.ts';

const SESSION = '3a7c4000-0000-4000-8000-000000000001';

test('[PAGE-126] who begins to watch a session between the hello and its answer is told of what is added', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-live-'));
  const project = join(folder, 'projects', '-home-dev-loom');
  mkdirSync(project, { recursive: true });
  const add = (text: string): void =>
    appendFileSync(
      join(project, `${SESSION}.jsonl`),
      `${JSON.stringify({ type: 'user', message: { role: 'user', content: text }, uuid: crypto.randomUUID(), parentUuid: null, timestamp: '2026-01-01T10:00:00Z', sessionId: SESSION })}\n`,
    );
  add('before');
  const server = await startServer({
    home: homeOf({ env: {}, home: folder }),
    settings: { excludedProjects: [], roots: [] },
    roots: [folder],
    port: 0,
    version: '0',
    programs: null,
    sweepEvery: 200,
  });
  await server.imported;
  const heard: string[] = [];
  let live: Live | null = null;
  class Watching extends WebSocket {
    override send(data: string): void {
      super.send(data);
      if (data.includes('"hello"')) live?.watchSession(SESSION, ({ sessionId }) => heard.push(sessionId));
    }
  }
  live = createLive({
    url: `${server.url.replace(/^http/u, 'ws')}/ws`,
    WebSocket: Watching,
    token: null,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
  });
  try {
    await expect.poll(() => live?.reach.get().kind).toBe('loaded');
    add('after');
    await expect.poll(() => heard).toEqual([SESSION]);
  } finally {
    live.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
