import { ENTRY_TYPES } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { append, NOON, withBoard, type Bench, type Part } from './bench.ts';
import { line, MODEL, reply, result, said, use } from './records.ts';
import { TWILL, WEAVE } from './session.ts';

const MINUTE = 60_000;
const usage = (input: number, output: number, cacheRead: number) => ({ input, output, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead });

const both = async ({ store }: Bench): Promise<void> => {
  await append(store, WEAVE);
  await append(store, TWILL);
};

export const describeLibrary: Part = (open) => {
  test('[LIB-3] a session has its times, counts, title, project and models', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      expect(await bench.store.library.session('weave')).toEqual({
        sessionId: 'weave',
        tool: 'claude-code',
        project: '/home/ada/loom',
        title: 'Basket',
        firstAt: NOON,
        lastAt: NOON + (24 * 60 + 1) * MINUTE,
        firstPosition: 1,
        lastPosition: 14,
        entries: 14,
        bytes: WEAVE.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0),
        messages: 8,
        copied: 0,
        exchanges: 1,
        toolUses: 3,
        toolResults: 3,
        errors: 1,
        compactions: 1,
        quarantined: 1,
        companions: 1,
        takebacks: 0,
        inTool: null,
        sidechains: 1,
        versions: ['2.1.0'],
        models: [MODEL, 'claude-haiku-4-5-20251001'],
        spent: { responses: 3, usage: usage(100, 77, 1000), costNano: 1_500_000 + 250_000 + 175_000, unpriced: 0 },
        continues: null,
      });
      expect(await bench.store.library.session('unknown')).toBeNull();
    }));

  test('[BACK-3] a session keeps what has become of it in its tool, and how often something in it was taken back', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      const before = await bench.store.library.session('weave');
      const tell = (uuid: string, note: string) =>
        append(bench.store, [said(uuid, { type: ENTRY_TYPES.takenBack, sessionId: 'weave', contextId: 'weave', numbers: [], note }, null)]);
      await tell('back-1', 'rewritten');
      await tell('back-2', 'deleted');
      expect(await bench.store.library.session('weave')).toEqual({ ...before, takebacks: 1, inTool: 'deleted' });
      await bench.store.library.rebuild();
      expect(await bench.store.library.session('weave')).toEqual({ ...before, takebacks: 1, inTool: 'deleted' });
      await tell('back-3', 'there');
      expect(await bench.store.library.session('weave')).toEqual({ ...before, takebacks: 1 });
      expect((await bench.store.audit()).damages).toEqual([]);
    }));

  test('[LIB-3] a session without a title is called by a summary of it, else by its first prompt', () =>
    withBoard(open, async (bench) => {
      await append(bench.store, TWILL.slice(0, 4));
      expect((await bench.store.library.session('twill'))?.title).toBe('weave a basket');
      await append(bench.store, TWILL);
      expect((await bench.store.library.session('twill'))?.title).toBe('A carpet instead');
    }));

  test('[LIB-4] a fork counts and costs only what is its own, and names the session it continues', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      expect(await bench.store.library.session('twill')).toMatchObject({
        title: 'A carpet instead',
        messages: 2,
        copied: 2,
        exchanges: 1,
        entries: 5,
        models: ['mystery-1'],
        spent: { responses: 1, usage: usage(0, 3, 0), costNano: 0, unpriced: 1 },
        continues: { sessionId: 'weave', by: 'fork', shared: 2 },
      });
      const copies = await bench.store.library.messages({ sessionId: 'twill', thread: { kind: 'main' }, from: 0, limit: 2 });
      expect(copies.map(({ uuid, number, copyOf }) => [uuid, number, copyOf])).toEqual([
        ['u1', null, 1],
        ['u2', null, 2],
      ]);
    }));

  test('[LIB-5] sessions are listed newest first, page by page, by project, by time and by what could not be read', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      const { library } = bench.store;
      const ids = async (query: Parameters<typeof library.sessions>[0]): Promise<readonly string[]> =>
        (await library.sessions(query)).map(({ sessionId }) => sessionId);
      expect(await ids({ limit: 10 })).toEqual(['weave', 'twill']);
      const [newest] = await library.sessions({ limit: 1 });
      expect(newest?.sessionId).toBe('weave');
      expect(await ids({ limit: 10, before: { lastAt: newest?.lastAt ?? 0, sessionId: 'weave' } })).toEqual(['twill']);
      expect(await ids({ limit: 10, before: { lastAt: 0, sessionId: '' } })).toEqual([]);
      expect(await ids({ limit: 10, project: '/home/ada/loom' })).toEqual(['weave', 'twill']);
      expect(await ids({ limit: 10, project: '/elsewhere' })).toEqual([]);
      expect(await ids({ limit: 10, since: NOON + 60 * MINUTE })).toEqual(['weave']);
      expect(await ids({ limit: 10, until: NOON - 1 })).toEqual([]);
      expect(await ids({ limit: 10, since: NOON, until: NOON })).toEqual(['weave', 'twill']);
      expect(await ids({ limit: 10, isQuarantined: true })).toEqual(['weave']);
      expect(await library.sessionsLike('we', 10)).toEqual(['weave']);
      expect(await library.sessionsLike('', 1)).toEqual(['twill']);
      expect(await library.sessionsLike('x', 10)).toEqual([]);
      expect(await library.projects()).toEqual([
        {
          project: '/home/ada/loom',
          sessions: 2,
          messages: 10,
          firstAt: NOON,
          lastAt: NOON + (24 * 60 + 1) * MINUTE,
          spent: { responses: 4, usage: usage(100, 80, 1000), costNano: 1_925_000, unpriced: 1 },
        },
      ]);
    }));

  test('[LIB-6] a sub-agent has its own thread, counts and cost', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      expect(await bench.store.library.agents('weave')).toEqual([
        {
          sessionId: 'weave',
          agentId: 'a1',
          firstPosition: 6,
          firstAt: NOON + 3 * MINUTE,
          lastAt: NOON + 5 * MINUTE,
          messages: 3,
          copied: 0,
          toolUses: 1,
          spent: { responses: 1, usage: usage(0, 50, 0), costNano: 250_000, unpriced: 0 },
        },
      ]);
      expect(await bench.store.library.agents('weave', NOON + 5 * MINUTE)).toHaveLength(1);
      expect(await bench.store.library.agents('weave', NOON + 5 * MINUTE + 1)).toEqual([]);
      expect(await bench.store.library.agents('twill')).toEqual([]);
      expect(await bench.store.library.agents('unknown')).toEqual([]);
    }));

  test('[LIB-7] messages are read by thread, from a position on, page by page', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      const { library } = bench.store;
      const read = async (thread: Parameters<typeof library.messages>[0]['thread'], from: number, limit: number): Promise<readonly number[]> =>
        (await library.messages({ sessionId: 'weave', thread, from, limit })).map(({ position }) => position);
      expect(await read({ kind: 'main' }, 0, 100)).toEqual([1, 2, 3, 4, 5, 9, 10, 14]);
      expect(await read({ kind: 'main' }, 4, 2)).toEqual([4, 5]);
      expect(await read({ kind: 'agent', agentId: 'a1' }, 0, 100)).toEqual([6, 7, 8]);
      expect(await read({ kind: 'agent', agentId: 'nobody' }, 0, 100)).toEqual([]);
      expect(await read({ kind: 'all' }, 5, 3)).toEqual([5, 6, 7]);
      expect(await library.messages({ sessionId: 'unknown', thread: { kind: 'all' }, from: 0, limit: 9 })).toEqual([]);
      expect(await library.positionsOf('weave', 9, 100)).toEqual([10, 11, 12, 13, 14]);
      expect(await library.positionsOf('unknown', 0, 100)).toEqual([]);
    }));

  test('[LIB-7] the newest messages of a thread are read newest first', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      const { library } = bench.store;
      const latest = async (thread: Parameters<typeof library.latest>[0]['thread'], limit: number, sessionId = 'weave'): Promise<readonly number[]> =>
        (await library.latest({ sessionId, thread, limit })).map(({ position }) => position);
      expect(await latest({ kind: 'main' }, 3)).toEqual([14, 10, 9]);
      expect(await latest({ kind: 'main' }, 100)).toEqual([14, 10, 9, 5, 4, 3, 2, 1]);
      expect(await latest({ kind: 'agent', agentId: 'a1' }, 2)).toEqual([8, 7]);
      expect(await latest({ kind: 'agent', agentId: 'nobody' }, 2)).toEqual([]);
      expect(await latest({ kind: 'all' }, 4)).toEqual([14, 10, 9, 8]);
      expect(await latest({ kind: 'all' }, 4, 'unknown')).toEqual([]);
    }));

  test('[LIB-7] a message says where it stands and what it is', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      const { library } = bench.store;
      const expected = {
        position: 8,
        sessionId: 'weave',
        agentId: 'a1',
        uuid: 'x3',
        parentUuid: 'x2',
        type: 'user',
        role: 'result',
        at: NOON + 5 * MINUTE,
        isSidechain: true,
        isError: true,
        model: null,
        number: 8,
        exchange: null,
        copyOf: null,
      };
      expect(await library.messageAt(8)).toEqual(expected);
      expect(await library.messageByUuid('x3')).toEqual(expected);
      expect(await library.messageByUuid('x3', 'weave')).toEqual(expected);
      expect(await library.messageByUuid('x3', 'twill')).toBeNull();
      expect(await library.messageByUuid('x3', 'unknown')).toBeNull();
      expect(await library.messageAt(12)).toBeNull();
      expect(await library.messageAt(1)).toMatchObject({ number: 1, exchange: 1, model: null });
      expect(await library.messageAt(4)).toMatchObject({ number: 4, exchange: null, model: MODEL });
      expect((await library.messageByUuid('u1', 'twill'))?.position).toBe(15);
      expect((await library.childrenOf('weave', 'u3', 10)).map(({ uuid }) => uuid)).toEqual(['u4', 'u5']);
      expect((await library.childrenOf('weave', 'u3', 1)).map(({ uuid }) => uuid)).toEqual(['u4']);
      expect((await library.childrenOf('twill', 'u2', 10)).map(({ uuid }) => uuid)).toEqual(['v1']);
    }));

  test('[LIB-8] every tool use is paired with its result, wherever that stands', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      const { library } = bench.store;
      const pairs = await library.operations('weave', 0, 10);
      expect(pairs.map((pair) => [pair.use?.toolUseId, pair.use?.name, pair.use?.position, pair.result?.position, pair.result?.isError])).toEqual([
        ['t1', 'Read', 3, 5, false],
        ['t2', 'Task', 4, 9, false],
        ['t3', 'Bash', 7, 8, true],
      ]);
      expect((await library.operations('weave', 4, 1)).map((pair) => pair.use?.toolUseId)).toEqual(['t2']);
      expect(await library.operations('unknown', 0, 10)).toEqual([]);
      expect((await library.operationsAt('weave', [9])).map(({ position, kind, index }) => [position, kind, index])).toEqual([
        [9, 'result', 0],
        [4, 'use', 0],
      ]);
      expect(await library.operationsAt('weave', [3])).toEqual([
        { position: 3, index: 0, kind: 'use', sessionId: 'weave', toolUseId: 't1', name: 'Read', isError: false, answer: null, at: NOON + MINUTE },
        {
          position: 5,
          index: 0,
          kind: 'result',
          sessionId: 'weave',
          toolUseId: 't1',
          name: null,
          isError: false,
          answer: 'answer',
          at: NOON + 3 * MINUTE,
        },
      ]);
    }));

  test('[LIB-8] an answer that came later wins over the interruption before it', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [
        line('weave', reply([use('t1', 'Task', {})], { uuid: 'u1' })),
        line('weave', result('t1', '[Request interrupted by user for tool use]', { uuid: 'u2', isError: true })),
        line('weave', result('t1', 'the answer', { uuid: 'u3' })),
      ]);
      const [pair] = await store.library.operations('weave', 0, 10);
      expect(pair?.result).toMatchObject({ position: 3, answer: 'answer' });
    }));

  test('[LIB-9] a response is counted once, at its largest copy, for the session that had it first', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      const { library } = bench.store;
      const found = await library.responsesAt([1, 2, 3, 4, 7, 10, 16, 18]);
      expect(
        [...found].map(([position, { messageId, ordinal, requestId, costNano }]) => [position, messageId, ordinal, requestId, costNano]),
      ).toEqual([
        [4, 'm1', 0, 'r1', 1_500_000],
        [7, 'm2', 0, 'r2', 250_000],
        [10, 'm1', 1, 'r9', 175_000],
        [18, 'm3', 0, null, null],
      ]);
      expect(found.get(7)).toEqual({
        messageId: 'm2',
        ordinal: 0,
        requestId: 'r2',
        sessionId: 'weave',
        agentId: 'a1',
        position: 7,
        model: 'claude-haiku-4-5-20251001',
        usage: usage(0, 50, 0),
        costNano: 250_000,
        at: NOON + 4 * MINUTE,
      });
    }));

  test('[LIB-9] the larger copy may come in another session and another batch; the first session pays, and nothing else of it changes', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [line('one', reply('short', { uuid: 'u1', id: 'm1', request: 'r1', tokens: { output: 10 } }))]);
      await append(store, [line('two', reply('long', { uuid: 'u2', id: 'm1', request: 'r1', tokens: { output: 100 } }))]);
      expect(await store.library.session('one')).toMatchObject({ lastPosition: 1, spent: { responses: 1, usage: usage(0, 100, 0) } });
      expect(await store.library.session('two')).toMatchObject({ spent: { responses: 0 }, continues: { sessionId: 'one', shared: 1 } });
      expect((await store.library.responsesAt([1, 2])).get(2)).toMatchObject({ sessionId: 'one', position: 2 });
    }));

  test('[LIB-9] counts that no response can have do not stop the log', () =>
    withBoard(open, async ({ store }) => {
      const absurd = { input: Number.MAX_SAFE_INTEGER, output: Number.MAX_SAFE_INTEGER, read: Number.MAX_SAFE_INTEGER };
      const items = Array.from({ length: 1100 }, (_, at) => line('weave', reply('x', { uuid: `u${at}`, id: `m${at}`, tokens: absurd })));
      for (let at = 0; at < items.length; at += 100) await append(store, items.slice(at, at + 100));
      expect((await store.library.session('weave'))?.spent.responses).toBe(1100);
      expect((await store.log.head()).count).toBe(1100);
    }));

  test('[LIB-10] spending adds up by day, model, project, agent and tool, within a time', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      const { library } = bench.store;
      const spent = async (by: Parameters<typeof library.spending>[0], filter: { since?: number; until?: number } = {}): Promise<unknown> =>
        (await library.spending(by, filter)).map(({ key, spent: { responses, costNano, unpriced } }) => [key, responses, costNano, unpriced]);
      expect(await spent('day')).toEqual([
        ['2026-03-14', 3, 1_750_000, 1],
        ['2026-03-15', 1, 175_000, 0],
      ]);
      expect(await spent('model')).toEqual([
        ['claude-haiku-4-5-20251001', 1, 250_000, 0],
        [MODEL, 2, 1_675_000, 0],
        ['mystery-1', 1, 0, 1],
      ]);
      expect(await spent('project')).toEqual([['/home/ada/loom', 4, 1_925_000, 1]]);
      expect(await spent('agent')).toEqual([
        ['main', 3, 1_675_000, 1],
        ['sub-agent', 1, 250_000, 0],
      ]);
      expect(await spent('tool')).toEqual([['claude-code', 4, 1_925_000, 1]]);
      expect(await spent('day', { since: NOON + 60 * MINUTE })).toEqual([['2026-03-15', 1, 175_000, 0]]);
      expect(await spent('day', { until: NOON + 4 * MINUTE })).toEqual([['2026-03-14', 2, 1_750_000, 0]]);
      expect((await library.spending('day', { since: NOON + 60 * MINUTE }))[0]?.spent.usage).toEqual(usage(0, 7, 0));
      expect(await library.totals()).toEqual({
        entries: 19,
        sessions: 2,
        messages: 13,
        agents: 1,
        operations: 6,
        spent: { responses: 4, usage: usage(100, 80, 1000), costNano: 1_925_000, unpriced: 1 },
        usage: usage(100, 80, 1000),
      });
    }));

  test('[LIB-10] the spending of each day is reported by model, project, agent or tool as well', () =>
    withBoard(open, async (bench) => {
      await both(bench);
      const { library } = bench.store;
      const spent = async (by: Parameters<typeof library.dailySpending>[0], filter: { since?: number; until?: number } = {}): Promise<unknown> =>
        (await library.dailySpending(by, filter)).map(({ day, key, spent: { responses, costNano, unpriced } }) => [
          day,
          key,
          responses,
          costNano,
          unpriced,
        ]);
      expect(await spent('model')).toEqual([
        ['2026-03-14', 'claude-haiku-4-5-20251001', 1, 250_000, 0],
        ['2026-03-14', MODEL, 1, 1_500_000, 0],
        ['2026-03-14', 'mystery-1', 1, 0, 1],
        ['2026-03-15', MODEL, 1, 175_000, 0],
      ]);
      expect(await spent('project')).toEqual([
        ['2026-03-14', '/home/ada/loom', 3, 1_750_000, 1],
        ['2026-03-15', '/home/ada/loom', 1, 175_000, 0],
      ]);
      expect(await spent('agent', { until: NOON + 60 * MINUTE })).toEqual([
        ['2026-03-14', 'main', 2, 1_500_000, 1],
        ['2026-03-14', 'sub-agent', 1, 250_000, 0],
      ]);
      expect(await spent('agent', { since: NOON + 60 * MINUTE })).toEqual([['2026-03-15', 'main', 1, 175_000, 0]]);
      expect(await spent('tool', { since: NOON + 60 * MINUTE })).toEqual([['2026-03-15', 'claude-code', 1, 175_000, 0]]);
    }));

  test('[LIB-10] what was spent before 1970, as clocks that were never set say, is spent all the same', () =>
    withBoard(open, async ({ store }) => {
      const more = { timestamp: '0001-02-03T04:05:06Z' };
      await append(store, [line('weave', reply('old', { uuid: 'u1', id: 'm1', tokens: { output: 40 }, more }))]);
      expect((await store.library.spending('day', {})).map(({ key, spent }) => [key, spent.costNano])).toEqual([['0001-02-03', 1_000_000]]);
      expect((await store.library.totals()).spent.costNano).toBe(1_000_000);
    }));
};
