// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { draftOfDeed, ENTRY_TYPES, rowsOf } from '@yarnboard/domain';
import { uuidFor, type Item } from '@yarnboard/store';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { afterTest } from '../../../../tests/afterwards.ts';
import { PATIENCE } from '../../../../tests/patience.ts';
import { lines, serveBoard, SESSIONS, type TestServer } from '../../../server/test/doors/ws/sockets.ts';
import { LiveProvider } from '../../src/live/hooks.tsx';
import { createLive, type Live } from '../../src/live/live.ts';
import { Banners } from '../../src/shell/banners.tsx';

const until = async <T,>(look: () => T | null): Promise<T> => {
  for (const deadline = Date.now() + PATIENCE; ;) {
    const found = look();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
};

type Opened = { readonly server: TestServer; readonly live: Live; readonly tell: (frame: object) => void; readonly heard: readonly string[] };

/** A page on a board with one sidebar, and what it hears. */
const openPage = async (): Promise<Opened> => {
  const server = await serveBoard();
  const heard: string[] = [];
  let socket: WebSocket | null = null;
  class Watched extends WebSocket {
    constructor(url: string) {
      super(url);
      // The last one: a page that has lost its connection opens another.
      socket = this.on('message', (data: Buffer) => heard.push(data.toString()));
    }
  }
  const live = createLive({
    url: `ws://127.0.0.1:${server.port}/ws`,
    WebSocket: Watched,
    token: server.token,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
  });
  afterTest(async () => {
    cleanup();
    live.close();
    await server.close();
  });
  await until(() => (live.reach.get().kind === 'loaded' ? true : null));
  await live.send('sidebar_spawn', { parentId: null, taskDescription: 'before' });
  await until(() => (live.replica.board().sidebars.size() === 1 ? true : null));
  return { server, live, heard, tell: (frame) => void socket?.emit('message', Buffer.from(JSON.stringify(frame)), false) };
};

/** An entry of the board as another server would write it. */
const entryOf = (contextId: string, type: string, payload: Uint8Array): Item => {
  const about = { uuid: uuidFor(type), timestamp: Date.UTC(2026, 0, 1), sender: 'AGENT-operator', senderType: 'human' } as const;
  const draft = draftOfDeed({ ...about, type: ENTRY_TYPES.turnClosed, sessionId: contextId, contextId, contentLength: payload.length, note: null });
  return { draft: { ...draft, type, version: 1 }, payload: Buffer.from(payload), reading: null };
};

/** A newer server has written something new, and then something that this one would understand. */
const writeAsNewer = async ({ server, live }: Opened): Promise<void> => {
  const context = rowsOf(live.replica.board().sidebars)[0]?.contextId ?? '';
  const { log } = server.board.store;
  const known = (await log.entriesAfter(0, 100)).findLast(({ type }) => type === 'scratchpad.created');
  const payload = (await log.payloadsOf([known?.position ?? 0])).get(known?.position ?? 0) ?? new Uint8Array();
  await server.append(entryOf(context, 'sidebar.pinned', Buffer.from('{"pinned":true}')), entryOf(context, 'scratchpad.created', payload));
};

const READ_ONLY =
  /^This board is read-only here: entry \d+ \(sidebar\.pinned, version 1\) was written by a newer Yarnboard\..* Upgrade this server/su;

test('[PAGE-198] on a board that a newer version has written to, the page says what to upgrade and shows what it had', async () => {
  const opened = await openPage();
  render(
    <LiveProvider live={opened.live}>
      <Banners entranceTrouble={null} onLeave={() => {}} />
    </LiveProvider>,
  );
  await until(() => (opened.live.queries.getQueryData(['status', {}]) === undefined ? null : true));
  expect(screen.queryByText(READ_ONLY)).toBeNull();
  await writeAsNewer(opened);
  expect(await screen.findByText(READ_ONLY, {}, { timeout: PATIENCE })).toBeTruthy();
  expect(opened.live.reach.get().kind).toBe('loaded');
  expect(rowsOf(opened.live.replica.board().sidebars).map(({ task }) => task)).toEqual(['before']);
});

test.each([
  { name: 'one that a newer version has written to says so', isNewer: true, why: READ_ONLY },
  { name: 'any other is changing too fast', isNewer: false, why: /^the board is changing too fast to load/u },
])('[PAGE-198] a board that cannot be loaded: $name', async ({ isNewer, why }) => {
  const opened = await openPage();
  const { server, live, heard, tell } = opened;
  for (const session of SESSIONS) live.watchSession(session, () => {});
  await live.ask('status', {}); // it has heard by now what is watched
  await server.append(...lines(1));
  const entry = await until(() => heard.find((text) => text.startsWith('{"type":"entry"')) ?? null);
  if (isNewer) await writeAsNewer(opened);
  // Something was forgotten that the server does not know of yet: no rows that it has are clean of it.
  tell({ ...(JSON.parse(entry) as object), seq: 10_000, entry_type: ENTRY_TYPES.forgotten });
  const failed = await until(() => {
    const at = live.reach.get();
    return at.kind === 'failed' ? at.error : null;
  });
  expect((failed as Error).message).toMatch(why);
});
