import { randomUUID } from 'node:crypto';
import { OPERATOR, type Command } from '@yarnboard/domain';
import { ALL_SIDEBARS, createClient, insideAnswer, recordedIn, type Client, type OperationName } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { anyCommand, beginning, randomFrom } from '../../../domain/test/board/histories.ts';
import { afterFile } from '../../../../tests/afterwards.ts';
import { lines, serveBoard, type TestServer } from '../../../server/test/doors/ws/sockets.ts';
import { createBoardReplica, type BoardReplica } from '../../src/live/board-replica.ts';
import { expectedOf, foundIn } from './board-stage.ts';

type Page = {
  readonly client: Client;
  readonly replica: BoardReplica;
  readonly load: (sidebars?: string) => Promise<void>;
  /** How often it had to begin anew. */
  readonly reloads: () => number;
};

/** A page without its views: one connection and the replica that it feeds. */
const openPage = ({ port, token }: TestServer, who: string | null = token): Page => {
  const replica = createBoardReplica();
  let reloads = 0;
  const client = createClient({
    url: `ws://127.0.0.1:${port}/ws`,
    ...(who === null ? {} : { token: who }),
    WebSocket,
    subscription: { sessions: [], sidebars: [ALL_SIDEBARS], hasEnvelopes: false, hasRecords: true },
    onEntry: (entry) => {
      if (replica.pass(entry) === 'reload') begin();
    },
    onEvent: (event) => {
      const read = recordedIn(event);
      if (read?.ok !== true) throw new Error(`${event.type} came without its record`);
      if (replica.take(read.value) === 'reload') begin();
    },
    newId: () => randomUUID(),
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
  });
  afterFile(client.close);
  const load: Page['load'] = async (sidebars) => {
    for (;;) {
      const outcome = await client.call('board', sidebars === undefined ? {} : { sidebars });
      if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
      if (replica.load(insideAnswer('board', outcome.result)) !== 'reload') return replica.whenTaken();
    }
  };
  const begin = (): void => {
    reloads += 1;
    void load();
  };
  return { client, replica, load, reloads: () => reloads };
};

const call = async ({ client }: Page, name: OperationName, given: object): Promise<void> => {
  expect(await client.call(name, given as never)).toMatchObject({ kind: 'done' }); // checked by the server
};

/** Until it has heard of everything, and has asked for what it wants. */
const caughtUp = async (server: TestServer, page: Page): Promise<void> => {
  await expect.poll(() => page.replica.position()).toBeGreaterThanOrEqual(server.board.engine.position());
  for (let wants = page.replica.wants(); wants.length > 0; wants = page.replica.wants()) await page.load(wants.join(','));
};

const expectSame = (server: TestServer, { replica }: Page): void => {
  const expected = expectedOf(server.board.engine.board(), replica, OPERATOR.id);
  expect(foundIn(replica, expected)).toEqual(expected);
};

test('[PAGE-190] [WIRE-29] [API-30] pages that are open while others act have what the engine has', async () => {
  const server = await serveBoard({ ringFrames: 20 });
  const random = randomFrom(7);
  const { engine } = server.board;
  const run = async (command: Command, actor: Parameters<typeof engine.execute>[0]['actor']): Promise<void> => {
    await engine.execute({ command, actor, messageId: randomUUID() });
  };
  for (const { command, actor } of beginning()) await run(command, actor);
  const early = openPage(server);
  await early.load();
  const late: Page[] = [];
  for (let n = 0; n < 250; n += 1) {
    if (n % 10 === 0) await server.append(...lines(3, n));
    const { command, actor } = anyCommand({ board: engine.board(), random, messages: [], exchanges: [], sessions: ['session-1'] });
    const done = run(command, actor);
    if (n % 60 === 30) {
      const page = openPage(server);
      late.push(page);
      await page.load(n % 120 === 30 ? undefined : 'SB-1');
    }
    if (n % 7 === 0) void early.load(`SB-${1 + Math.floor(random() * engine.board().sidebars.size())}`);
    await done;
  }
  for (const page of [early, ...late]) {
    await caughtUp(server, page);
    expectSame(server, page);
    expect(page.reloads()).toBe(0);
  }
  expect([...early.replica.board().sidebars.entries()].length).toBe(engine.board().sidebars.size());
  expect(engine.board().sidebars.size()).toBeGreaterThan(10);
  await server.close();
});

test('[PAGE-192] what is sent from a page is shown at once, and once', async () => {
  const server = await serveBoard();
  const page = openPage(server);
  await page.load();
  const { replica, client } = page;
  await call(page, 'sidebar_spawn', { parent_id: null, task_description: 'why is it slow?' });
  await caughtUp(server, page);
  const seen = new Set<number>();
  replica.subscribe(() => seen.add(replica.board().sidebars.get(id)?.scratchpad.findings.length ?? 0));
  const id = replica.board().ids.get('SB-1') ?? '';
  const messageId = randomUUID();
  const command: Command = { type: 'finding.submit', sidebar: 'SB-1', content: 'The retry limit is 3.' };
  replica.propose({ id: messageId, command, actor: OPERATOR, now: 0 });
  const [made = ''] = replica.pending();
  const outcome = await client.call('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: command.content, message_id: messageId });
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  replica.settle(messageId, outcome.seq);
  await caughtUp(server, page);
  expect([...seen]).toEqual([1]);
  expect(replica.board().sidebars.get(id)?.scratchpad.findings).toMatchObject([{ id: made, ref: 'FRAG-1' }]);
  expect(replica.pending()).toEqual(new Set());
  await server.close();
});

test('[PAGE-191] [API-32] what is forgotten goes from every page that has it, and from those that were away', async () => {
  const server = await serveBoard();
  const page = openPage(server);
  await page.load();
  await call(page, 'sidebar_spawn', { parent_id: null, task_description: 'why is it slow?' });
  await call(page, 'scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: 'a word to forget' });
  await caughtUp(server, page);
  const findings = (): readonly string[] =>
    [...page.replica.board().sidebars.entries()].flatMap(([, { scratchpad }]) => scratchpad.findings.map(({ content }) => content));
  expect(findings()).toEqual(['a word to forget']);
  await call(page, 'forget', { ref: server.board.engine.board().ids.get('FRAG-1') });
  await expect.poll(findings).toEqual(['(forgotten)']);
  expect(page.reloads()).toBe(1);
  await call(page, 'chat_message', { sidebar_id: 'SB-1', content: 'it goes on' });
  await caughtUp(server, page);
  expectSame(server, page);
  await server.close();
});

test('[API-32] [SEC-13] whoever has no token has the board without anybody’s notices', async () => {
  const server = await serveBoard();
  const page = openPage(server, null);
  await page.load();
  const { engine } = server.board;
  await engine.execute({ command: { type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'one' }, actor: OPERATOR, messageId: randomUUID() });
  const escalate: Command = { type: 'mention.route', targets: ['operator'], message: 'look' };
  await engine.execute({ command: escalate, actor: OPERATOR, messageId: randomUUID() });
  await caughtUp(server, page);
  expect([...page.replica.board().sidebars.entries()].map(([, { task }]) => task)).toEqual(['one']);
  expect([...page.replica.board().notices.entries()]).toEqual([]);
  await server.close();
});
