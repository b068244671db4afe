import { beforeAll, expect, test } from 'vitest';
import { DEMO, FIXTURES, makeBoard, walk, walkMessages, type Message, type TestBoard } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

let demo: TestBoard;
let fixtures: TestBoard;
let crowded: TestBoard;
const LONG_ID = `/${'far/'.repeat(150)}away.jsonl`;

beforeAll(async () => {
  demo = await makeBoard({ roots: [DEMO] });
  fixtures = await makeBoard({ roots: [FIXTURES] });
  // One record with more operations than any page, one agent, two projects, and a session whose id is longer than a cursor used to be.
  const many = Array.from({ length: 530 }, (_, i) => use(`t${i}`, 'Read', { ['file_path']: `/f${i}` }));
  crowded = await makeBoard({
    files: {
      '-home-ada-loom/11111111-0000-4000-8000-000000000001.jsonl': [
        prompt('c1', null, 0, 'read everything'),
        reply('c2', 'c1', 1, [{ type: 'text', text: 'I will' }, ...many]),
        ...many.map((_, i) => result(`r${i}`, 'c2', 2, `t${i}`, `content ${i}`)),
        reply('c3', 'c2', 3, 'done'),
      ],
      '-home-ada-silk/11111111-0000-4000-8000-000000000002.jsonl': [prompt('d1', null, 5, 'another', { cwd: '/home/ada/silk' })],
      'loose.jsonl': [prompt('e1', null, 9, 'loose', { sessionId: LONG_ID, cwd: '/home/ada/wool' })],
    },
  });
});

const LIMITS = [1, 2, 7, 500] as const;
const uniqueIn = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

test('[API-5] following cursors through sessions gives each once, the latest first', async () => {
  for (const board of [demo, fixtures, crowded]) {
    const all = await walk(board, 'sessions', { limit: 500 });
    expect(uniqueIn(all.map(({ session_id: id }) => id))).toBe(true);
    expect(all.length).toBe((await board.get('stats')).totals.sessions);
    const times = all.map(({ ended_at: at }) => Date.parse(at ?? '1970-01-01'));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    for (const limit of LIMITS) {
      if (limit === 1 && board === fixtures) continue; // 300 pages show no more than 30 do
      expect(await walk(board, 'sessions', { limit })).toEqual(all);
    }
  }
});

test('[API-5] sessions are listed by project and by time, day and moment', async () => {
  const all = await walk(crowded, 'sessions');
  expect(all.map(({ project }) => project)).toEqual(['/home/ada/wool', '/home/ada/silk', '/home/ada/loom']);
  const ids = async (input: Record<string, string>): Promise<readonly (string | null)[]> =>
    (await walk(crowded, 'sessions', { limit: 1, ...input })).map((s) => s.project);
  expect(await ids({ project: '/home/ada/silk' })).toEqual(['/home/ada/silk']);
  expect(await ids({ project: '/home/ada' })).toEqual([]);
  expect(await ids({ since: '2025-08-06' })).toHaveLength(3);
  expect(await ids({ until: '2025-08-06' })).toHaveLength(3);
  expect(await ids({ since: '2025-08-07' })).toEqual([]);
  expect(await ids({ until: '2025-08-05' })).toEqual([]);
  expect(await ids({ since: '2025-08-06T10:00:04Z' })).toEqual(['/home/ada/wool', '/home/ada/silk']);
  expect(await ids({ until: '2025-08-06T12:00:04+02:00' })).toEqual(['/home/ada/loom']);
});

test('[API-5] sessions with lines that could not be read are listed alone when they are asked for', async () => {
  const [whole, broken, worse] = ['1', '2', '3'].map((n) => `${n.repeat(8)}-0000-4000-8000-000000000000`);
  const board = await makeBoard({
    files: {
      [`-home-ada-loom/${whole}.jsonl`]: [prompt('a', null, 0, 'whole')],
      [`-home-ada-loom/${broken}.jsonl`]: [prompt('b', null, 1, 'broken'), 'half a rec'],
      [`-home-ada-loom/${worse}.jsonl`]: [prompt('c', null, 2, 'worse'), '{"type":', 'nothing'],
    },
  });
  const listed = await walk(board, 'sessions', { limit: 1, quarantined: 'true' });
  expect(listed.map(({ session_id: id, quarantined }) => [id, quarantined])).toEqual([
    [worse, 2],
    [broken, 1],
  ]);
  expect(await walk(board, 'sessions')).toHaveLength(3);
});

test('[API-5] a cursor may hold an id of any length', async () => {
  const page = await crowded.get('sessions', { limit: 1 });
  expect(page.items[0]?.session_id).toBe(LONG_ID);
  expect(page.next_cursor?.length).toBeGreaterThan(200);
  expect(await walkMessages(crowded, LONG_ID)).toHaveLength(1);
});

test('[API-5] following cursors through projects, sidechains and branches gives each once', async () => {
  for (const board of [demo, crowded]) {
    const projects = await walk(board, 'projects', { limit: 500 });
    expect(projects.reduce((sum, { sessions }) => sum + sessions, 0)).toBe((await board.get('stats')).totals.sessions);
    for (const limit of LIMITS) expect(await walk(board, 'projects', { limit })).toEqual(projects);
  }
  let sidechains = 0;
  let branches = 0;
  for (const { session_id: id } of await walk(demo, 'sessions')) {
    const all = { sidechains: await walk(demo, 'sidechains', { id, limit: 500 }), branches: await walk(demo, 'branches', { id, limit: 500 }) };
    sidechains += all.sidechains.length;
    branches += all.branches.length;
    expect(uniqueIn(all.sidechains.map(({ agent_id: agent }) => agent))).toBe(true);
    for (const limit of [1, 2]) {
      expect(await walk(demo, 'sidechains', { id, limit })).toEqual(all.sidechains);
      expect(await walk(demo, 'branches', { id, limit })).toEqual(all.branches);
    }
  }
  expect(sidechains).toBeGreaterThan(20);
  expect(branches).toBeGreaterThan(0);
});

test('[API-5] following cursors through the log gives every entry once', async () => {
  const all = await walk(crowded, 'log', { limit: 500 });
  expect(all.map(({ position }) => position)).toEqual(all.map((_, i) => i + 1));
  for (const limit of [7, 100]) expect(await walk(crowded, 'log', { limit })).toEqual(all);
});

test.each(LIMITS)(
  '[API-5] following cursors through messages gives each once, %i at a time: any thread, with operations and without',
  async (limit) => {
    for (const { session_id: id } of await walk(demo, 'sessions')) {
      for (const operations of [true, false]) {
        const threads = ['main', 'all', ...(await walk(demo, 'sidechains', { id })).map(({ agent_id: agent }) => agent)];
        for (const thread of threads) {
          const all = await walkMessages(demo, id, { thread, operations, limit: 500 });
          expect(uniqueIn(all.map(({ uuid }) => uuid))).toBe(true);
          expect(all.some(({ uuid }) => /_(?:tool|result)_\d+$/u.test(uuid)) && !operations).toBe(false);
          // Single steps through everything would only be slow.
          if (limit === 1 && all.length > 40) continue;
          expect(await walkMessages(demo, id, { thread, operations, limit })).toEqual(all);
        }
      }
    }
  },
);

test('[API-5] the threads of a session are all of it', async () => {
  for (const board of [demo, fixtures]) {
    for (const { session_id: id, sidechains } of await walk(board, 'sessions', { limit: 500 })) {
      if (board === fixtures && sidechains === 0) continue;
      const all = await walkMessages(board, id, { thread: 'all', limit: 500 });
      const own = await walkMessages(board, id, { thread: 'main', limit: 500 });
      const others: Message[] = [];
      for (const { agent_id: thread } of await walk(board, 'sidechains', { id }))
        others.push(...(await walkMessages(board, id, { thread, limit: 500 })));
      const uuids = [...own, ...others].map(({ uuid }) => uuid);
      expect(uuids.toSorted()).toEqual(all.map(({ uuid }) => uuid).toSorted());
      expect(uniqueIn(uuids)).toBe(true);
      expect((await walk(board, 'tree', { id, limit: 500 })).map(({ uuid }) => uuid)).toEqual(
        (await walkMessages(board, id, { thread: 'all', operations: false, limit: 500 })).map(({ uuid }) => uuid),
      );
    }
  }
});

test.each(LIMITS)('[API-5] following cursors through operations and trees gives each once, %i at a time', async (limit) => {
  for (const { session_id: id } of await walk(demo, 'sessions')) {
    const operations = await walk(demo, 'operations', { id, limit: 500 });
    const tree = await walk(demo, 'tree', { id, limit: 500 });
    expect(uniqueIn(operations.map(({ uuid }) => uuid))).toBe(true);
    expect(uniqueIn(tree.map(({ uuid }) => uuid))).toBe(true);
    expect(await walk(demo, 'operations', { id, limit })).toEqual(operations);
    expect(await walk(demo, 'tree', { id, limit: Math.max(2, limit) })).toEqual(tree);
  }
});

test('[API-5] a record with more operations than a page is cut anywhere', async () => {
  const id = '11111111-0000-4000-8000-000000000001';
  const operations = await walk(crowded, 'operations', { id, limit: 500 });
  expect(operations.map(({ uuid }) => uuid)).toEqual(Array.from({ length: 530 }, (_, i) => `c2_tool_${i}`));
  expect(operations.map(({ result_uuid: uuid }) => uuid)).toEqual(Array.from({ length: 530 }, (_, i) => `c2_result_${i}`));
  expect(await walk(crowded, 'operations', { id, limit: 53 })).toEqual(operations);
  const messages = await walkMessages(crowded, id, { limit: 500 });
  expect(messages).toHaveLength(3 + 530 * 3);
  expect(await walkMessages(crowded, id, { limit: 101 })).toEqual(messages);
});

test('[API-5] following cursors through what is found gives each hit once', async () => {
  for (const q of ['file', 'the', '"tool results"', 'agent']) {
    const all = await walk(demo, 'search', { q, limit: 500 });
    expect(uniqueIn(all.map(({ position }) => position))).toBe(true);
    for (const limit of [1, 2, 7]) {
      if (limit === 1 && all.length > 50) continue;
      expect((await walk(demo, 'search', { q, limit })).map(({ position }) => position)).toEqual(all.map(({ position }) => position));
    }
  }
  expect((await walk(demo, 'search', { q: 'file', limit: 500 })).length).toBeGreaterThan(20);
});

test('[API-39] what is found is returned with what it is in its conversation', async () => {
  const rolesOf = async (q: string): Promise<readonly (string | null)[]> => (await crowded.get('search', { q })).items.map(({ role }) => role);
  expect([await rolesOf('everything'), await rolesOf('done'), await rolesOf('"content 17"')]).toEqual([['prompt'], ['reply'], ['result']]);
});

test('[API-5] a text that is no cursor is refused, whatever the list', async () => {
  const id = '11111111-0000-4000-8000-000000000001';
  const lists = [
    'projects',
    'sessions',
    'log',
    'search?q=x',
    ...['messages', 'tree', 'operations', 'sidechains', 'branches'].map((name) => `sessions/${id}/${name}`),
  ];
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const wrong = [
    'x',
    '',
    'null',
    '%00',
    '%F0%9F',
    encode(null),
    encode([]),
    encode(1),
    encode({}),
    encode({ position: -1, part: 0 }),
    encode({ position: 1.5, part: 0 }),
  ];
  const wrongToo = [
    encode({ position: 'a', part: 0 }),
    encode({ after: -1 }),
    encode({ from: -1 }),
    encode({ uuid: 5, part: 0 }),
    'r-1',
    'r1x',
    'n99999999999999999999',
  ];
  for (const list of lists) {
    for (const cursor of [...wrong, ...wrongToo]) {
      const problem = await crowded.problem(`/api/v1/${list}${list.includes('?') ? '&' : '?'}cursor=${cursor}`);
      expect(problem, `${list} ${cursor}`).toMatchObject({ status: 400, code: 'bad-request' });
    }
  }
});

test('[API-5] a cursor that points behind the end, or at what is gone, ends the list or is refused', async () => {
  const id = '11111111-0000-4000-8000-000000000001';
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  expect(await crowded.get('messages', { id, cursor: encode({ position: Number.MAX_SAFE_INTEGER, part: 0 }) })).toEqual({
    messages: [],
    next_cursor: null,
  });
  expect(await crowded.get('operations', { id, cursor: encode({ position: 9e15, part: 9e15 }) })).toEqual({ items: [], next_cursor: null });
  expect(await crowded.get('log', { cursor: encode({ after: 9e15 }) })).toEqual({ items: [], next_cursor: null });
  expect(await crowded.get('projects', { cursor: encode({ from: 9e15 }) })).toEqual({ items: [], next_cursor: null });
  expect(await crowded.problem(`/api/v1/sessions/${id}/messages?cursor=${encode({ uuid: 'nobody', part: 0 })}`)).toMatchObject({
    code: 'bad-request',
  });
});

test('[API-8] what is counted in messages adds up to the session, its sub-agents included', async () => {
  for (const board of [demo, fixtures]) {
    let spent = 0;
    for (const session of await walk(board, 'sessions', { limit: 500 })) {
      const messages = await walkMessages(board, session.session_id, { thread: 'all', limit: 500 });
      const counted = messages.filter((message) => message.is_cost_counted);
      const sum = counted.reduce((total, { cost_usd: cost }) => total + Math.round((cost ?? 0) * 1e9), 0);
      expect(sum).toBe(Math.round(session.cost_usd * 1e9));
      const tokens = messages.reduce((total, { usage }) => total + (usage?.output_tokens ?? 0), 0);
      expect(tokens).toBe(session.usage.output_tokens);
      spent += sum;
      for (const sidechain of await walk(board, 'sidechains', { id: session.session_id })) {
        const own = await walkMessages(board, session.session_id, { thread: sidechain.agent_id, limit: 500 });
        const cost = own.filter((message) => message.is_cost_counted).reduce((total, { cost_usd: usd }) => total + Math.round((usd ?? 0) * 1e9), 0);
        expect(Math.round(sidechain.cost_usd * 1e9), `for ${sidechain.agent_id}`).toBe(cost);
      }
    }
    expect(spent).toBeGreaterThan(0);
    expect(Math.round((await board.get('stats')).totals.cost_usd * 1e9)).toBe(spent);
  }
});

test('[API-8] an operation shows what its record cost, and never counts it', async () => {
  let shown = 0;
  for (const { session_id: id } of await walk(demo, 'sessions')) {
    const messages = await walkMessages(demo, id, { thread: 'all', limit: 500 });
    const byUuid = new Map(messages.map((message) => [message.uuid, message]));
    for (const message of messages.filter(({ type }) => type === 'tool_use')) {
      expect(message.is_cost_counted).toBe(false);
      expect(message.cost_usd).toBe(byUuid.get(message.parent_uuid ?? '')?.cost_usd);
      if (message.cost_usd !== null) shown += 1;
    }
  }
  expect(shown).toBeGreaterThan(20);
});

test('[API-10] a session is found by its id or its first characters, in any case; several that fit are named', async () => {
  const id = '11111111-0000-4000-8000-000000000001';
  for (const wanted of [id, id.toUpperCase(), id.slice(0, -1) + '1', LONG_ID, LONG_ID.slice(0, 30)]) {
    expect([id, LONG_ID]).toContain((await crowded.get('session', { id: wanted })).session_id);
  }
  expect((await demo.get('session', { id: 'AD5AB9AF' })).session_id).toBe('ad5ab9af-1246-4177-86b2-521eebb0f7c6');
  const ambiguous = await crowded.problem('/api/v1/sessions/1111');
  expect(ambiguous).toMatchObject({ status: 409, code: 'ambiguous' });
  expect(ambiguous.detail).toContain('11111111-0000-4000-8000-000000000001, 11111111-0000-4000-8000-000000000002');
  for (const wanted of ['2222', '%25', '_', '*', '%F4%8F%BF%BF', "'", '%00']) {
    expect(await crowded.problem(`/api/v1/sessions/${wanted}`), `for ${wanted}`).toMatchObject({ status: 404, code: 'not-found' });
    expect(await crowded.problem(`/api/v1/integrity?session=${wanted}`), `for ${wanted}`).toMatchObject({ status: 404, code: 'not-found' });
    expect(await crowded.problem(`/api/v1/search?q=x&session=${wanted}`), `for ${wanted}`).toMatchObject({ status: 404, code: 'not-found' });
  }
  expect((await demo.get('search', { q: 'file', session: 'AD5AB9AF' })).items.length).toBeGreaterThan(0);
});
