import { beforeAll, expect, test } from 'vitest';
import type { Store } from '@yarnboard/store';
import { createApp } from '../../src/doors/http/app.ts';
import { createEnvelopeSource } from '../../src/operations/envelopes.ts';
import { createMapperStates } from '../../src/sessions/envelopes/mapper-states.ts';
import { createSessionLoader } from '../../src/sessions/session-loader.ts';
import type { OperationsNeeds } from '../../src/operations/handlers.ts';
import { createMeters } from '../../src/doors/http/metrics.ts';
import { createPerform } from '../../src/operations/perform.ts';
import { ADDRESS, makeBoard, type TestBoard } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

const LONG = '11111111-0000-4000-8000-000000000001';
const TURNS = 5000;

let board: TestBoard;
beforeAll(async () => {
  // 20,000 messages: every turn is a prompt, a text, a use and its result; then one turn of 1,000 uses without a word.
  const turns = Array.from({ length: TURNS }, (_, i) => [
    prompt(`p${i}`, i === 0 ? null : `r${i - 1}`, i, `question ${i}`),
    reply(`s${i}`, `p${i}`, i, `I look at ${i}`),
    reply(`u${i}`, `s${i}`, i, [use(`t${i}`, 'Read', { ['file_path']: `/f${i}` })]),
    result(`r${i}`, `u${i}`, i, `t${i}`, `content ${i}`),
  ]).flat();
  const silent = Array.from({ length: 1000 }, (_, i) => [
    reply(`v${i}`, i === 0 ? 'z' : `w${i - 1}`, TURNS + i, [use(`q${i}`, 'Bash', { command: `step ${i}` })]),
    result(`w${i}`, `v${i}`, TURNS + i, `q${i}`, 'done'),
  ]).flat();
  board = await makeBoard({
    files: { [`-p/${LONG}.jsonl`]: [...turns, prompt('y', null, TURNS, 'go'), reply('z', 'y', TURNS, 'here I go'), ...silent] },
  });
});

type Touched = { payloads: number; calls: number };

/**
 * The same board behind a store that counts what is asked of it. It is the real one in everything else. Reading sessions whole can be left out: what is
 * read behind an answer goes on while the answer is written, and how far it gets depends on the machine.
 */
const counting = (
  of: TestBoard = board,
  now = 0,
  isWholeReadingCounted = true,
): { readonly touched: Touched; readonly get: (path: string) => Promise<unknown> } => {
  const touched: Touched = { payloads: 0, calls: 0 };
  const { store } = of.board;
  const counted = <T extends object>(port: T): T =>
    Object.fromEntries(
      Object.entries(port).map(([key, value]: [string, unknown]) => [
        key,
        typeof value === 'function'
          ? async (...args: readonly unknown[]): Promise<unknown> => {
              touched.calls += 1;
              const answer = await (value as (...all: readonly unknown[]) => unknown)(...args);
              if (key === 'payloadsOf') touched.payloads += (args[0] as readonly number[]).length;
              if (key === 'linesOf') touched.payloads += (answer as readonly unknown[]).length;
              return answer;
            }
          : value,
      ]),
    ) as T;
  const wrapped: Store = { ...store, log: counted(store.log), library: counted(store.library), search: counted(store.search) };
  const refuse = (): never => {
    throw new Error('only reads are counted');
  };
  const needs: OperationsNeeds = {
    now: () => now,
    store: wrapped,
    sessions: createSessionLoader(isWholeReadingCounted ? wrapped : store),
    head: refuse,
    envelopes: createEnvelopeSource(createMapperStates()),
    launches: { list: () => [], of: () => null },
    runtimes: {
      settings: [],
      names: () => [],
      problemOf: () => null,
      attempt: async () => [],
      live: () => null,
      count: () => 0,
      restingUntil: () => null,
      isHungry: () => false,
      programOf: () => null,
    },
    checks: { check: refuse, methods: refuse, roots: [], problems: [], areProjectsRoots: false },
    runs: {
      load: async () => {},
      list: () => [],
      find: () => null,
      latestIn: () => null,
      forksOf: () => [],
      change: refuse,
      start: refuse,
      send: refuse,
      unsend: refuse,
      interrupt: refuse,
      answer: refuse,
      abort: refuse,
      end: refuse,
      toRemote: refuse,
      toLocal: refuse,
    },
    engine: of.board.engine,
    links: { make: refuse, enter: refuse },
    openDemo: null,
    pending: () => [],
    storage: refuse,
    count: refuse,
    verify: refuse,
    importPaths: refuse,
    media: { claimMedia: refuse, dropMedia: refuse },
    forget: refuse,
    rebuild: refuse,
    repair: refuse,
    backup: refuse,
    stopping: { stop: refuse, callOff: refuse },
    state: () => ({
      live: { kind: 'watching', watched: 0 },
      progress: null,
      troubles: [],
      version: '0',
      pid: 0,
      startedAt: 0,
      home: '',
      database: '',
      roots: [],
    }),
    followers: refuse,
    recovery: of.board.recovery,
    emergency: { places: refuse, rooms: refuse, sharing: refuse },
    servers: refuse,
  };
  const app = createApp({
    needs: { ...needs, clients: refuse, sweptMedia: refuse },
    meters: createMeters(),
    perform: createPerform(needs),
    door: { token: '', port: () => 0, memberWith: () => null },
    onFault: (cause) => {
      throw cause;
    },
  });
  return {
    touched,
    get: async (path) => {
      const response = await app.request(`http://${ADDRESS}${path}`, { headers: { host: ADDRESS } });
      expect(response.status).toBe(200);
      return response.json();
    },
  };
};

test('[API-5] a page of a long session costs what the page holds, wherever it begins', async () => {
  const { touched, get } = counting();
  const first = (await get(`/api/v1/sessions/${LONG}/messages?limit=5`)) as { messages: object[]; next_cursor: string };
  expect(first.messages).toHaveLength(5);
  expect(touched.payloads).toBeLessThanOrEqual(12);
  expect(touched.calls).toBeLessThan(60);
  const middle = counting();
  const at = Buffer.from(JSON.stringify({ position: 15_000, part: 0 })).toString('base64url');
  await middle.get(`/api/v1/sessions/${LONG}/messages?limit=5&cursor=${at}`);
  expect(middle.touched.payloads).toBeLessThanOrEqual(12);
  expect(middle.touched.calls).toBeLessThan(60);
});

test('[API-5] a page of a tree reads no payload at all', async () => {
  const { touched, get } = counting();
  await get(`/api/v1/sessions/${LONG}/tree?limit=500`);
  expect(touched).toMatchObject({ payloads: 0 });
  expect(touched.calls).toBeLessThan(10);
});

test('[API-11] grouping operations looks at no record twice, however long a turn is', async () => {
  const { touched, get } = counting();
  const page = (await get(`/api/v1/sessions/${LONG}/operations?limit=500`)) as { items: { group_uuid: string | null }[] };
  expect(page.items.map(({ group_uuid: group }) => group)).toEqual(Array.from({ length: 500 }, (_, i) => `s${i}`));
  expect(touched.payloads).toBeLessThanOrEqual(500 * 3);
  const silent = counting();
  const at = Buffer.from(JSON.stringify({ uuid: 'v400', part: 0 })).toString('base64url');
  const deep = (await silent.get(`/api/v1/sessions/${LONG}/operations?limit=500&cursor=${at}`)) as { items: { group_uuid: string | null }[] };
  expect(new Set(deep.items.map(({ group_uuid: group }) => group))).toEqual(new Set(['z']));
  // 400 uses lie before the page, each looked at once.
  expect(silent.touched.payloads).toBeLessThanOrEqual(500 * 2 + 402);
});

test('[API-5] what is asked of the store for a page grows with the page, not with its square', async () => {
  const callsFor = async (path: string): Promise<number> => {
    const { touched, get } = counting();
    await get(path);
    return touched.calls;
  };
  for (const name of ['messages', 'operations', 'tree']) {
    const [few, many] = [await callsFor(`/api/v1/sessions/${LONG}/${name}?limit=50`), await callsFor(`/api/v1/sessions/${LONG}/${name}?limit=500`)];
    expect(many, `for ${name}`).toBeLessThanOrEqual(few * 11);
  }
});

test('[API-5] a session that was read once is not read again', async () => {
  const { touched, get } = counting();
  await get(`/api/v1/sessions/${LONG}/sidechains`);
  const once = touched.payloads;
  await get(`/api/v1/sessions/${LONG}/branches`);
  await get(`/api/v1/sessions/${LONG}`);
  expect(touched.payloads).toBe(once);
});

test('[API-34] what is going on costs the same in a long session and in a short one', async () => {
  const agentFile = (agentId: string, last: number): readonly object[] => [
    prompt(`x-${agentId}`, null, last, `count ${agentId}`, { isSidechain: true, agentId, sessionId: LONG }),
    reply(`y-${agentId}`, `x-${agentId}`, last, [use(`z-${agentId}`, 'Grep', { pattern: 'reed' })], { isSidechain: true, agentId, sessionId: LONG }),
  ];
  const costOf = async (turns: number): Promise<Touched> => {
    const main = Array.from({ length: turns }, (_, i) => [
      prompt(`p${i}`, i === 0 ? null : `r${i - 1}`, i, `question ${i}`),
      reply(`u${i}`, `p${i}`, i, [use(`t${i}`, 'Task', { prompt: `count old${i}` })]),
      result(`r${i}`, `u${i}`, i, `t${i}`, `content ${i}`),
    ]).flat();
    const calls = ['a', 'b', 'c'].map((agentId) => use(`call-${agentId}`, 'Task', { prompt: `count ${agentId}` }));
    const old = Array.from({ length: turns / 10 }, (_, i) => [`-p/${LONG}/subagents/agent-old${i}.jsonl`, agentFile(`old${i}`, i)] as const);
    const young = ['a', 'b', 'c'].map((agentId) => [`-p/${LONG}/subagents/agent-${agentId}.jsonl`, agentFile(agentId, 9000)] as const);
    const files = {
      [`-p/${LONG}.jsonl`]: [...main, prompt('y', null, 9000, 'go'), reply('z', 'y', 9000, calls)],
      ...Object.fromEntries([...old, ...young]),
    };
    const { touched, get } = counting(await makeBoard({ files }), Date.UTC(2025, 7, 6, 10, 0, 9030));
    expect(await get('/api/v1/activity')).toMatchObject({
      sessions: [{ is_working: true, agents: [{ agent_id: 'a' }, { agent_id: 'b' }, { agent_id: 'c' }] }],
    });
    return touched;
  };
  const few = await costOf(20);
  expect(await costOf(2000)).toEqual(few);
  expect(few.calls).toBeLessThan(40);
  expect(few.payloads).toBeLessThan(40);
});

test('[API-28] a page of a conversation costs what it holds, wherever it begins, and a session that was read is not read again', async () => {
  const { touched, get } = counting();
  const path = `/api/v1/sessions/${LONG}/conversation`;
  const first = (await get(`${path}?limit=10&through=p0`)) as { total: number; items: object[] };
  expect([first.total, first.items.length]).toEqual([TURNS * 2, 10]);
  const read = { ...touched };
  for (const from of [0, 3000, 7000]) await get(`${path}?limit=10&through=p0&from=${from}`);
  // Five replies of a page have words and an operation each, five prompts words: fifteen records, and a few questions for each.
  expect(touched.payloads - read.payloads).toBeLessThanOrEqual(3 * 15);
  expect(touched.calls - read.calls).toBeLessThan(3 * 60);
});

test('[API-28] what is around a message of a long session is returned without reading all of it', async () => {
  const { touched, get } = counting(board, 0, false);
  const answer = (await get(`/api/v1/sessions/${LONG}/conversation?limit=10&quick=true&at=p100`)) as { at: number; total: null; items: object[] };
  expect([answer.at, answer.total, answer.items.length]).toEqual([0, null, 10]);
  expect(touched.payloads).toBeLessThan(1500);
});

test('[API-28] the end of a long session is returned without reading all of it, also when its last step has no end', async () => {
  const { get } = counting();
  const answer = (await get(`/api/v1/sessions/${LONG}/conversation?limit=10&quick=true`)) as { total: null; items: { operations_total: number }[] };
  expect([answer.total, answer.items.map(({ operations_total: total }) => total > 20)]).toEqual([null, [true]]);
});
