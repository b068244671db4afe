import { setImmediate as breathe } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { DEMO, FIXTURES, makeBoard, walk, walkMessages, type Message, type TestBoard } from './boards.ts';

/** A board whose import was stopped as soon as it was known what there is to import. */
const makePending = async (roots: readonly string[]): Promise<TestBoard> => {
  const board = await makeBoard({ roots, isImported: false });
  const importing = board.board.writer.importPaths(roots);
  while ((await board.get('status')).pending_sessions === 0) await breathe();
  await board.board.writer.stopImport();
  await importing;
  return board;
};

const finish = async ({ board }: TestBoard, roots: readonly string[]): Promise<void> => {
  await board.writer.importPaths(roots);
  await board.indexer.drain();
};

/** What only a number, or the knowledge of other sessions, makes different. */
const ownOf = (message: Message, copied: ReadonlySet<string>) => {
  const own = { ...message, ref: null, exchange: null, position: null, is_copy: false, copy_of: null };
  // What a copy cost is counted at the original.
  const isCopied = copied.has(message.uuid.replace(/_(?:tool|result)_\d+$/u, ''));
  return isCopied ? { ...own, usage: null, cost_usd: null, is_cost_counted: false } : own;
};

type Told = Awaited<ReturnType<typeof tell>>;

const tell = async (board: TestBoard, id: string) => {
  const sidechains = await walk(board, 'sidechains', { id, limit: 500 });
  const threads = new Map<string, readonly Message[]>();
  for (const thread of ['main', 'all', ...sidechains.map(({ agent_id: agent }) => agent)])
    threads.set(thread, await walkMessages(board, id, { thread, limit: 500 }));
  return {
    session: await board.get('session', { id }),
    sidechains,
    branches: await walk(board, 'branches', { id, limit: 500 }),
    tree: await walk(board, 'tree', { id, limit: 500 }),
    operations: await walk(board, 'operations', { id, limit: 500 }),
    threads,
  };
};

const compare = (before: Told, after: Told): void => {
  const all = after.threads.get('all') ?? [];
  const copied = new Set(all.filter((message) => message.is_copy).map(({ uuid }) => uuid));
  expect([...before.threads.keys()].sort()).toEqual([...after.threads.keys()].sort());
  const byUuid = (a: { readonly uuid: string }, b: { readonly uuid: string }): number => (a.uuid < b.uuid ? -1 : 1);
  for (const [thread, messages] of before.threads) {
    const expected = after.threads.get(thread) ?? [];
    // Lines that several files have of the same moment are in the order of import, which other sessions decide too.
    const [told, wanted] = thread === 'all' ? [messages.toSorted(byUuid), expected.toSorted(byUuid)] : [messages, expected];
    expect(told.map((message) => ownOf(message, copied))).toEqual(wanted.map((message) => ownOf(message, copied)));
    for (const message of messages) expect([message.ref, message.exchange, message.position]).toEqual([null, null, null]);
  }
  expect(before.branches).toEqual(after.branches);
  const plain = <T extends { readonly ref: string | null; readonly uuid: string }>(items: readonly T[]) =>
    items.map((item) => ({ ...item, ref: null })).sort(byUuid);
  expect(plain(before.tree)).toEqual(plain(after.tree));
  expect(plain(before.operations)).toEqual(plain(after.operations));
  const byAgent = (a: { readonly agent_id: string }, b: { readonly agent_id: string }): number => (a.agent_id < b.agent_id ? -1 : 1);
  if (copied.size === 0) expect(before.sidechains.toSorted(byAgent)).toEqual(after.sidechains.toSorted(byAgent));
  // A title may stand in another session's file; what is on the log, and how much of it, only the log knows.
  const unlike = { state: null, ref: null, entries: 0, bytes: 0, continues: null, copied: 0 };
  const shape = (session: Told['session']) => ({ ...session, ...unlike, title: session.title !== null });
  expect(before.session).toMatchObject({ state: 'pending', ref: null });
  if (copied.size === 0) expect(shape(before.session)).toEqual(shape(after.session));
};

let demo: TestBoard;
beforeAll(async () => {
  demo = await makePending([DEMO]);
});

test('[SRV-1] sessions that are not on the log yet are listed, each once, with those that are', async () => {
  const { pending_sessions: waiting, state } = await demo.get('status');
  expect(waiting).toBeGreaterThan(20);
  expect(state).toBe('watching');
  const all = await walk(demo, 'sessions', { limit: 500 });
  const pending = all.filter((session) => session.state === 'pending');
  expect(pending.length).toBe(waiting);
  for (const session of pending) expect(session).toMatchObject({ ref: null, project: '/home/dev/proj' });
  expect(pending.filter(({ title }) => title !== null).length).toBeGreaterThan(20);
  expect(new Set(all.map(({ session_id: id }) => id)).size).toBe(all.length);
  for (const limit of [1, 2, 7]) expect(await walk(demo, 'sessions', { limit })).toEqual(all);
  expect(await walk(demo, 'sessions', { project: '/nowhere' })).toEqual([]);
  expect(await walk(demo, 'sessions', { until: '1999-12-31' })).toEqual([]);
  expect(await walk(demo, 'sessions', { since: '2000-01-01', limit: 500 })).toEqual(all);
});

test('[SRV-1] a session is opened from its file before the import, and is the same after it but for its references', async () => {
  const sessions = await walk(demo, 'sessions', { limit: 500 });
  const pending = sessions.filter(({ state }) => state === 'pending').map(({ session_id: id }) => id);
  const before = new Map<string, Told>();
  for (const id of pending) before.set(id, await tell(demo, id));
  for (const id of pending) expect(await walkMessages(demo, id, { limit: 7 })).toEqual(before.get(id)?.threads.get('main'));
  await finish(demo, [DEMO]);
  expect((await demo.get('status')).pending_sessions).toBe(0);
  for (const [id, told] of before) compare(told, await tell(demo, id));
  expect(demo.faults).toEqual([]);
});

test('[SRV-1] the same holds for every version of Claude Code', async () => {
  const roots = ['1.0.100', '2.0.30', '2.1.50', 'sdk-0.2.50'].map((version) => `${FIXTURES}/${version}`);
  const board = await makePending(roots);
  const before = new Map<string, Told>();
  for (const { session_id: id, state } of await walk(board, 'sessions', { limit: 500 }))
    if (state === 'pending') before.set(id, await tell(board, id));
  expect(before.size).toBeGreaterThan(50);
  await finish(board, roots);
  for (const [id, told] of before) compare(told, await tell(board, id));
});

test('[API-5] a cursor that was given while a session was pending goes on when it is on the log', async () => {
  const board = await makePending([DEMO]);
  const id = 'b3e545ea-bd53-4e6b-b174-a8f3649aa0d7';
  const whole = (await walkMessages(board, id, { limit: 500 })).map(({ uuid }) => uuid);
  const first = await board.get('messages', { id, limit: 30 });
  const firstNodes = await board.get('tree', { id, limit: 30 });
  const firstUses = await board.get('operations', { id, limit: 3 });
  expect(first.messages[0]?.ref).toBeNull();
  await finish(board, [DEMO]);
  const rest = await board.get('messages', { id, limit: 500, cursor: first.next_cursor ?? '' });
  expect(rest.messages[0]?.ref).not.toBeNull();
  expect([...first.messages, ...rest.messages].map(({ uuid }) => uuid)).toEqual(whole);
  const nodes = [...firstNodes.items, ...(await board.get('tree', { id, limit: 500, cursor: firstNodes.next_cursor ?? '' })).items];
  expect(nodes.map(({ uuid }) => uuid)).toEqual((await walk(board, 'tree', { id })).map(({ uuid }) => uuid));
  const uses = [...firstUses.items, ...(await board.get('operations', { id, limit: 500, cursor: firstUses.next_cursor ?? '' })).items];
  expect(uses.map(({ uuid }) => uuid)).toEqual((await walk(board, 'operations', { id })).map(({ uuid }) => uuid));
});

test('[API-10] a pending session is found by its first characters, and what needs the log says so', async () => {
  const board = await makePending([DEMO]);
  expect((await board.get('session', { id: 'B3E545EA' })).state).toBe('pending');
  expect(await board.problem('/api/v1/sessions/b3e545ea/messages?thread=nobody')).toMatchObject({ code: 'not-found' });
  expect(await board.get('integrity', { session: 'b3e545ea' })).toMatchObject({ is_sound: true });
  const init = { method: 'POST', body: JSON.stringify({ session: 'b3e545ea' }), headers: { authorization: `Bearer ${board.token}` } };
  expect(await board.problem('/api/v1/rebuild', init)).toMatchObject({ status: 404, code: 'not-found' });
  expect(await board.problem('/api/v1/repair', init)).toMatchObject({ status: 404, code: 'not-found' });
});
