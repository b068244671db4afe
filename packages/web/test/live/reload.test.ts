import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeOf, operatorToken, startServer, type RunningServer } from '@yarnboard/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createLive, type Live } from '../../src/live/live.ts';
import { WAITING_KEY } from '../../src/live/waiting-commands.ts';

let folder: string;
let server: RunningServer;
let port: number;
let lives: Live[];
/** Of the one tab that all of this happens in. */
let tab: Map<string, string>;

const home = () => homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });

const startAt = (at: number): Promise<RunningServer> =>
  startServer({ home: home(), settings: { excludedProjects: [], roots: [] }, roots: [], port: at, version: '0', programs: null });

/** The page, loaded in that tab. */
const loadPage = (token: string = operatorToken(home()), Socket: typeof WebSocket = WebSocket): Live => {
  const live = createLive({
    url: `ws://127.0.0.1:${port}/ws`,
    WebSocket: Socket,
    token,
    storage: { getItem: (key) => tab.get(key) ?? null, setItem: (key, value) => void tab.set(key, value) },
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    later: (ms, work) => {
      const timer = setTimeout(work, Math.min(ms, 100));
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
  });
  lives.push(live);
  return live;
};

/** Connections on which nothing that is said comes through until it is opened. */
const closedRoad = (): { readonly WebSocket: typeof WebSocket; readonly open: () => void } => {
  const held: (() => void)[] = [];
  let isOpen = false;
  return {
    WebSocket: class extends WebSocket {
      override send(text: string): void {
        if (isOpen || !text.includes('"type":"chat_message"')) super.send(text);
        else held.push(() => super.send(text));
      }
    },
    open: () => {
      isOpen = true;
      for (const send of held) send();
    },
  };
};

const until = async (what: string, look: () => boolean): Promise<void> => {
  await expect.poll(look, { message: what, interval: 20 }).toBe(true);
};

const contentsIn = async (live: Live): Promise<readonly string[]> =>
  (await live.ask('sidebar_memory', { sidebarId: 'SB-1', part: 'local' })).items.map(({ content }) => content);

/** A sidebar is there, then the server goes. */
const openAndLose = async (token?: string): Promise<Live> => {
  const live = loadPage(token);
  await until('the board is there', () => live.reach.get().kind === 'loaded');
  await until('its board is known', () => live.queries.getQueryData(['status', {}]) !== undefined);
  await server.close();
  await until('the loss is noticed', () => live.connection.get().kind !== 'open');
  return live;
};

const say = (live: Live, content: string): void =>
  void live.send('chat_message', { sidebarId: 'SB-1', content }, { type: 'chat.say', sidebar: 'SB-1', content });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-reload-'));
  lives = [];
  tab = new Map();
  server = await startAt(0);
  port = Number(new URL(server.url).port);
  const first = loadPage();
  await first.send('sidebar_spawn', { parentId: null, taskDescription: 'x' });
  first.close();
});

afterEach(async () => {
  for (const live of lives) live.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('[PAGE-140] what is said while the server is away is shown and done once after a reload', async () => {
  const before = await openAndLose();
  say(before, 'one');
  say(before, 'two');
  expect(before.wouldLose()).toBe(false);
  before.close();

  server = await startAt(port);
  const road = closedRoad();
  const after = loadPage(operatorToken(home()), road.WebSocket);
  await until('both are shown', () => after.replica.proposed().length === 2);
  expect(after.replica.proposed().map(({ payload }) => payload)).toMatchObject([{ content: 'one' }, { content: 'two' }]);
  expect(await contentsIn(after)).toEqual([]);
  road.open();
  await until('both are done', () => tab.get(WAITING_KEY) === '[]');
  expect(await contentsIn(after)).toEqual(['one', 'two']);
  await until('nothing is on its way any more', () => after.replica.proposed().length === 0);
  expect(after.refused.get()).toEqual([]);

  const third = loadPage();
  await until('the board is there again', () => third.reach.get().kind === 'loaded');
  expect(await contentsIn(third)).toEqual(['one', 'two']);
});

test('[PAGE-140] what was done before the reload, and not answered, is not done again', async () => {
  const before = loadPage();
  await until('its board is known', () => before.queries.getQueryData(['status', {}]) !== undefined);
  say(before, 'once');
  const kept = tab.get(WAITING_KEY) ?? '';
  await until('it is done', () => tab.get(WAITING_KEY) === '[]');
  before.close();
  tab.set(WAITING_KEY, kept);

  const after = loadPage();
  await until('it is answered', () => tab.get(WAITING_KEY) === '[]');
  expect({ said: await contentsIn(after), refused: after.refused.get() }).toEqual({ said: ['once'], refused: [] });
});

test('[PAGE-142] what is refused after a reload is shown with what was to be done, what was written and why', async () => {
  const before = await openAndLose();
  say(before, 'too late');
  before.close();

  server = await startAt(port);
  // Meanwhile somebody else has ended it.
  const [kept, none] = [tab, new Map<string, string>()];
  tab = none;
  const other = loadPage();
  await other.send('sidebar_archive', { sidebarId: 'SB-1' });
  tab = kept;
  const after = loadPage();
  await until('it is told', () => after.refused.get().length > 0);
  expect(after.refused.get()).toEqual([
    {
      messageId: expect.any(String) as unknown,
      name: 'chat_message',
      input: { ['sidebar_id']: 'SB-1', content: 'too late' },
      at: expect.any(Number) as unknown,
      why: expect.stringContaining('SB-1') as unknown,
    },
  ]);
  expect(tab.get(WAITING_KEY)).toBe('[]');
});

test('[PAGE-142] a command that the page of today does not know is shown as well', async () => {
  const before = await openAndLose();
  say(before, 'x');
  before.close();
  tab.set(WAITING_KEY, (tab.get(WAITING_KEY) ?? '').replace('"chat_message"', '"chat_whisper"'));
  server = await startAt(port);
  const after = loadPage();
  await until('it is told', () => after.refused.get().length > 0);
  expect(after.refused.get()).toMatchObject([{ name: 'chat_whisper', why: 'this version of the page doesn’t support it' }]);
  expect(tab.get(WAITING_KEY)).toBe('[]');
});

test('[PAGE-140] a proposal that the domain cannot read shows nothing and breaks nothing', async () => {
  const before = await openAndLose();
  say(before, 'said all the same');
  before.close();
  tab.set(WAITING_KEY, (tab.get(WAITING_KEY) ?? '').replace('"type":"chat.say"', '"type":"chat.whisper"'));
  server = await startAt(port);
  const after = loadPage();
  await until('it is done', () => tab.get(WAITING_KEY) === '[]');
  await until('the board is there', () => after.reach.get().kind === 'loaded');
  expect(await contentsIn(after)).toEqual(['said all the same']);
});

test('[PAGE-143] what the operator gave is not sent by whoever comes with another token, and is when the operator is back', async () => {
  const first = loadPage();
  const registered = await first.send('agent_register', { agentId: 'mia', kind: 'human' });
  first.close();
  const mia = registered.kind === 'done' ? registered.result.token : '';
  const before = await openAndLose();
  say(before, 'by the operator');
  before.close();

  server = await startAt(port);
  const other = loadPage(mia);
  await until('its board is known', () => other.queries.getQueryData(['status', {}]) !== undefined);
  await other.send('sidebar_spawn', { parentId: null, taskDescription: 'of mia' });
  expect(await contentsIn(other)).toEqual([]);
  other.close();

  const back = loadPage();
  await until('it is done', () => tab.get(WAITING_KEY) === '[]');
  const { items } = await back.ask('sidebar_memory', { sidebarId: 'SB-1', part: 'local' });
  expect(items).toMatchObject([{ content: 'by the operator', sender: 'AGENT-operator' }]);
});

test('[PAGE-144] whoever leaves is asked about what is in this page only: what has no room, and what is not kept', async () => {
  const before = await openAndLose();
  say(before, 'short');
  expect(before.wouldLose()).toBe(false);
  say(before, 'x'.repeat(1_000_001));
  expect(before.wouldLose()).toBe(true);
  before.close();

  const other = loadPage();
  void other.send('agent_retire', { agentId: 'mia' });
  expect(other.wouldLose()).toBe(true);
});
