import { join } from 'node:path';
import { emptyBoard } from '@yarnboard/domain';
import { digestSession, type Session } from '@yarnboard/transcript';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { discover } from '../../src/ingest/discover.ts';
import { planGroups, type Group } from '../../src/ingest/plan.ts';
import { listMessages } from '../../src/operations/messages.ts';
import { listOperations } from '../../src/operations/operations.ts';
import { fileRecords } from '../../src/sessions/file-records.ts';
import { loggedFlow } from '../../src/sessions/flow-records.ts';
import { logRecords } from '../../src/sessions/log-records.ts';
import { createSessionLoader, readPending } from '../../src/sessions/session-loader.ts';
import { readEnd } from '../../src/sessions/session-part.ts';
import type { SessionRecords } from '../../src/sessions/session-records.ts';
import { A, openBench, type Bench } from '../ingest/bench.ts';
import { FIXTURES } from '../operations/boards.ts';
import { prompt, reply, result, use } from '../operations/records.ts';

const benches: Bench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

const makeBench = async (): Promise<Bench> => {
  const bench = await openBench();
  benches.push(bench);
  return bench;
};

/** Prompts and replies in one chain, about 1 KB each. */
const chain = (from: number, count: number): readonly object[] =>
  Array.from({ length: count }, (_, i) => {
    const n = from + i;
    const [uuid, parent, text] = [`r${n}`, n === 0 ? null : `r${n - 1}`, `${n} ${'words '.repeat(150)}`];
    return n % 2 === 0 ? prompt(uuid, parent, n, text) : reply(uuid, parent, n, text);
  });

const uuids = (from: number, count: number): readonly string[] => Array.from({ length: count }, (_, i) => `r${from + i}`);

/** How often the text of each record was parsed while something was done, by its uuid. */
const parsesDuring = async (work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    await work();
    const counts = new Map<string, number>();
    for (const [text] of parse.mock.calls) {
      const uuid = /"uuid":"(r\d+)"/u.exec(text)?.[1];
      if (uuid !== undefined) counts.set(uuid, (counts.get(uuid) ?? 0) + 1);
    }
    return counts;
  } finally {
    parse.mockRestore();
  }
};

const each = (names: readonly string[], times: number): ReadonlyMap<string, number> => new Map(names.map((name) => [name, times]));

const pendingOf = (group: Group) => {
  const outline = { firstAt: Number.NaN, lastAt: Number.NaN, stateAt: Number.NaN, title: null, project: null, version: null, isCopy: false };
  return { group, outline };
};

const groupIn = (root: string): Group => {
  const [group] = planGroups(discover([root])).groups;
  if (group === undefined) throw new Error('a session was just written');
  return group;
};

describe('a record on its way in', () => {
  test('[READ-1] is parsed once; only the beginning of its file is looked at before', async () => {
    const bench = await makeBench();
    bench.write(`${A}.jsonl`, chain(0, 200));
    const first = await parsesDuring(() => bench.importAll());
    const twice = [...first].filter(([, times]) => times === 2).map(([uuid]) => uuid);
    expect(first).toEqual(new Map([...each(uuids(0, 200), 1), ...each(twice, 2)]));
    // As many as fit into 64 KB.
    expect(twice).toEqual(uuids(0, twice.length));
    expect(twice.length).toBeGreaterThan(40);
    expect(twice.length).toBeLessThan(70);
  });

  test('[READ-1] is parsed once when its file grows, and none before it again', async () => {
    const bench = await makeBench();
    bench.write(`${A}.jsonl`, chain(0, 200));
    const ingest = await bench.ingest();
    await ingest.importAll([bench.root]);
    const path = bench.append(`${A}.jsonl`, chain(200, 1));
    await ingest.readFiles([path]); // followed from now on
    bench.append(`${A}.jsonl`, chain(201, 20));
    expect(await parsesDuring(() => ingest.readFiles([path]))).toEqual(each(uuids(201, 20), 1));
  });
});

describe('a record on its way out', () => {
  test('[READ-3] is parsed once when its session is opened, and again only when it is shown', async () => {
    const bench = await makeBench();
    bench.write(`${A}.jsonl`, chain(0, 200));
    await bench.importAll();
    const loader = createSessionLoader(bench.store);
    expect(await parsesDuring(() => loader.load(A))).toEqual(each(uuids(0, 200), 1));
    expect(await parsesDuring(() => loader.load(A))).toEqual(new Map());
    bench.append(`${A}.jsonl`, chain(200, 20));
    await bench.importAll();
    expect(await parsesDuring(() => loader.load(A))).toEqual(each(uuids(200, 20), 1));
    const { session } = await loader.load(A);
    const nodes = session.main.nodes.slice(-30);
    const shown = await parsesDuring(() => loggedFlow(bench.store, A).records([...nodes, ...nodes]));
    expect(shown).toEqual(each(uuids(190, 30), 1));
  });

  test('[READ-3] is parsed once for the end of a session that was not opened yet', async () => {
    const bench = await makeBench();
    bench.write(`${A}.jsonl`, chain(0, 200));
    await bench.importAll();
    const row = await bench.store.library.session(A);
    const shown = new Map<string, unknown>();
    const parsed = await parsesDuring(async () => {
      const part = await readEnd(bench.store, { sessionId: A, agentId: null }, row?.lastPosition ?? 0, 5);
      for (const [node, record] of await part.records(part.session.main.nodes)) shown.set(node.uuid, record['uuid']);
    });
    expect(shown.size).toBeGreaterThanOrEqual(40);
    expect([...shown.keys()]).toEqual(uuids(200 - shown.size, shown.size));
    expect([...shown.values()]).toEqual([...shown.keys()]);
    expect(parsed).toEqual(each([...shown.keys()], 1));
  });

  test('[READ-3] is parsed once for a page of messages or operations, however many tools it uses', async () => {
    const bench = await makeBench();
    const uses = ['a', 'b', 'c'].map((id) => use(id, 'Bash', { command: `echo ${id}` }));
    bench.write(`${A}.jsonl`, [
      prompt('r0', null, 0, 'go'),
      reply('r1', 'r0', 1, 'I try three things'),
      reply('r2', 'r1', 2, uses),
      ...['a', 'b', 'c'].map((id, i) => result(`r${3 + i}`, `r${2 + i}`, 3 + i, id, `said ${id}`)),
    ]);
    const group = groupIn(bench.root);
    const sessions = createSessionLoader(bench.store);
    const pages = async (isPending: boolean): Promise<readonly ReadonlyMap<string, number>[]> => {
      const needs = { store: bench.store, sessions, engine: { board: emptyBoard }, pending: () => (isPending ? [pendingOf(group)] : []) };
      const input = { id: A, limit: 50, reveal: true };
      await (isPending ? sessions.loadPending(pendingOf(group)) : sessions.load(A));
      return [
        await parsesDuring(() => listOperations(needs, input)),
        await parsesDuring(() => listMessages(needs, { ...input, thread: 'all', operations: true })),
      ];
    };
    // Of the operations: the record that uses them, and the one before it that says something.
    const wanted = [each(['r1', 'r2'], 1), each(uuids(0, 6), 1)];
    expect(await pages(true)).toEqual(wanted);
    await bench.importAll();
    expect(await pages(false)).toEqual(wanted);
  });

  test('[READ-3] is parsed once when its session is opened from its files', async () => {
    const bench = await makeBench();
    bench.write(`${A}.jsonl`, chain(0, 200));
    const group = groupIn(bench.root);
    const loader = createSessionLoader(bench.store);
    expect(await parsesDuring(() => loader.loadPending(pendingOf(group)))).toEqual(each(uuids(0, 200), 1));
    expect(await parsesDuring(() => loader.loadPending(pendingOf(group)))).toEqual(new Map());
    const { session, records } = await loader.loadPending(pendingOf(group));
    expect(await parsesDuring(() => records.records(session.main.nodes.slice(-30)))).toEqual(each(uuids(170, 30), 1));
  });
});

/** The records of each thread's file, in order. */
const told = async (records: SessionRecords): Promise<ReadonlyMap<string | null, readonly string[]>> => {
  const threads = new Map<string | null, string[]>();
  for await (const inputs of records.read()) {
    for (const input of inputs) {
      if (input.kind !== 'record' || input.entry.uuid === null) continue;
      const thread = threads.get(input.agentId) ?? [];
      threads.set(input.agentId, thread);
      thread.push(input.entry.uuid);
    }
  }
  return threads;
};

/** What is said of a session by its graph, without the names of its files; sub-agents that began at one instant come in either order. */
const digested = (session: Session): object => {
  const { id, roots, cycles, tools, branches, activePath, compactions, sidechains } = digestSession(session);
  const agents = sidechains.map(({ file: _file, ...rest }) => rest).sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
  return { id, roots, cycles, tools, branches, activePath, compactions, sidechains: agents };
};

test('[READ-2] a session has the same records, in the order of its files, and the same graph, on the log and in its files', async () => {
  let looked = 0;
  for (const name of ['1.0.100', '2.0.30', '2.1.325']) {
    const { groups } = planGroups(discover([join(FIXTURES, name)]));
    const bench = await makeBench();
    await (await bench.ingest()).importAll([join(FIXTURES, name)]);
    const loader = createSessionLoader(bench.store);
    for (const group of groups) {
      const { sessionId } = group;
      const [logged, filed] = [await told(logRecords(bench.store.log, sessionId)), await told(fileRecords(group))];
      expect({ sessionId, filed }).toEqual({ sessionId, filed: logged });
      const { session } = await readPending(pendingOf(group));
      expect(digested(session)).toEqual(digested((await loader.load(sessionId)).session));
      for (const names of filed.values()) looked += names.length;
    }
    await bench.close();
    benches.splice(0);
  }
  expect(looked).toBeGreaterThan(300);
});
