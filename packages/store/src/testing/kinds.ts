import type { JsonObject } from '@yarnboard/transcript';
import { expect, test } from 'vitest';
import { sha256 } from '../hash.ts';
import type { Item, Store } from '../port.ts';
import { append, NOON, withBoard, type Part } from './bench.ts';
import { companion, forgotten, line, MODEL, prompt, reply, result, use } from './records.ts';

/** What is written about one sub-agent, each piece with its own number. */
const piecesOf = (n: number, session = `s${n}`) => {
  const [agentId, toolUseId] = [`a${n}`, `t${n}`];
  return {
    ask: (kind: string | null) =>
      line(
        session,
        reply([use(toolUseId, 'Task', { prompt: 'look', ...(kind === null ? {} : Object.fromEntries([['subagent_type', kind]])) })], {
          uuid: `c${n}`,
        }),
      ),
    answer: () => line(session, { ...result(toolUseId, 'done', { uuid: `r${n}` }), toolUseResult: { agentId } }),
    meta: (meta: JsonObject) => companion(session, `subagents/agent-${agentId}.meta.json`, Buffer.from(JSON.stringify(meta))),
    /** What it answered; it costs 25 billionths of a dollar for each token. */
    reply: (output = 40, more: JsonObject = {}) =>
      line(
        { sessionId: session, agentId },
        reply('found', { uuid: `x${n}`, id: `m${n}`, tokens: { output }, more: { isSidechain: true, agentId, ...more } }),
      ),
  };
};

const ordersOf = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length <= 1 ? [items] : items.flatMap((first, at) => ordersOf(items.filter((_, other) => other !== at)).map((rest) => [first, ...rest]));

const responsesBy = async ({ library }: Store): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries((await library.spending('agent', {})).map(({ key, spent }) => [key, spent.responses]));

const staysWhenRebuilt = async ({ library }: Store, sessions: readonly string[]): Promise<void> => {
  const before = await library.dump();
  for (const session of [undefined, ...sessions]) {
    await library.rebuild(session);
    expect(await library.dump()).toEqual(before);
  }
};

const hashOf = ({ payload }: Item): string => sha256(payload ?? Buffer.alloc(0)).toString('hex');

export const describeKinds: Part = (open) => {
  test('[LIB-13] in whatever order the call, its result, the meta file and the sub-agent come, the kind is the same', () =>
    withBoard(open, async ({ store }) => {
      const orders = ordersOf([0, 1, 2, 3]);
      for (const [n, order] of orders.entries()) {
        const { ask, answer, meta, reply: own } = piecesOf(n);
        const pieces = [ask('Explore'), answer(), meta({ agentType: 'Plan', toolUseId: `t${n}` }), own()];
        for (const at of order) await append(store, pieces.slice(at, at + 1));
      }
      expect(await responsesBy(store)).toEqual({ Explore: orders.length });
      await staysWhenRebuilt(store, ['s0', 's23']);
    }));

  test('[LIB-13] a sub-agent belongs to the call that its result, its meta file, its records, a notice or its progress name', () =>
    withBoard(open, async ({ store }) => {
      const of = (n: number) => piecesOf(n, 'weave');
      const notice = '<task-notification><task-id>a4</task-id><tool-use-id>t4</tool-use-id><status>completed</status></task-notification>';
      const progress = { type: 'progress', uuid: 'p5', parentToolUseID: 't5', data: { type: 'agent_progress', agentId: 'a5' } };
      await append(store, [
        ...[1, 2, 3, 4, 5, 6].map((n) => of(n).ask(`kind ${n}`)),
        of(1).answer(),
        of(2).meta({ toolUseId: 't2' }),
        of(3).reply(40, Object.fromEntries([['parent_tool_use_id', 't3']])),
        line('weave', prompt(notice, { uuid: 'n4' })),
        line('weave', progress),
        line('weave', { ...progress, uuid: 'p6' }),
        ...[1, 2, 4, 5, 6].map((n) => of(n).reply()),
      ]);
      expect(await responsesBy(store)).toEqual({ 'kind 1': 1, 'kind 2': 1, 'kind 3': 1, 'kind 4': 1, 'kind 5': 1, 'sub-agent': 1 });
      await staysWhenRebuilt(store, ['weave']);
    }));

  test('[LIB-13] where the call asks for no kind the newest meta file tells it, and what is no name of a kind tells nothing', () =>
    withBoard(open, async ({ store }) => {
      const untyped = piecesOf(1);
      await append(store, [untyped.ask(null), untyped.answer(), untyped.reply(), untyped.meta({ agentType: 'old' })]);
      await append(store, [untyped.meta({ agentType: 'general-purpose' })]);
      const resumed = piecesOf(2);
      const again = line('s2', reply([use('t2b', 'Agent', Object.fromEntries([['subagent_type', 'Plan']]))], { uuid: 'c2b' }));
      const answered = line('s2', { ...result('t2b', 'done', { uuid: 'r2b' }), toolUseResult: { agentId: 'a2' } });
      await append(store, [resumed.ask('Explore'), resumed.answer(), resumed.reply(), again, answered]);
      for (const [n, kind] of ['main', ' ', 7, null].entries()) {
        const odd = piecesOf(n + 3);
        await append(store, [odd.ask(null), odd.answer(), odd.reply(), odd.meta({ agentType: kind })]);
      }
      const other = piecesOf(7);
      await append(store, [
        other.ask('a\0b \ud83d'),
        other.answer(),
        other.reply(),
        companion('s7', 'agent-a7.meta.json', Buffer.from('{"agentType')),
      ]);
      // The same name in another session is a different sub-agent.
      await append(store, [companion('elsewhere', 'subagents/agent-a3.meta.json', Buffer.from('{"agentType":"Plan"}'))]);
      expect(await responsesBy(store)).toEqual({ 'general-purpose': 1, Explore: 1, 'sub-agent': 4, 'a\0b \ud83d': 1 });
      await staysWhenRebuilt(store, ['s1', 's2', 's7']);
    }));

  test('[LIB-13] a fork that repeats a call changes nothing of what its sub-agent cost, and calls others itself', () =>
    withBoard(open, async ({ store }) => {
      const [first, own] = [piecesOf(1, 'weave'), piecesOf(2, 'twill')];
      await append(store, [first.ask('Explore'), first.answer(), first.reply()]);
      const before = await store.library.spending('agent', {});
      const copied = piecesOf(1, 'twill');
      expect((await append(store, [copied.ask('Explore'), copied.answer()])).map(({ status }) => status)).toEqual(['copied', 'copied']);
      expect(await store.library.spending('agent', {})).toEqual(before);
      await append(store, [own.ask('Plan'), own.answer(), own.reply()]);
      // The sub-agent continues below the fork: its call is known there, too.
      await append(store, [line({ sessionId: 'twill', agentId: 'a1' }, reply('more', { uuid: 'x3', id: 'm3', tokens: { output: 1 } }))]);
      expect(await responsesBy(store)).toEqual({ Explore: 2, Plan: 1 });
      await staysWhenRebuilt(store, ['weave', 'twill']);
    }));

  test('[LIB-12] [LIB-13] a kind that only a forgotten record told is told no more, and does not come back', () =>
    withBoard(open, async ({ store }) => {
      const { ask, answer, meta, reply: own } = piecesOf(1, 'weave');
      const [asked, described] = [ask('hunter2'), meta({ agentType: 'hunter3' })];
      await append(store, [asked, described, answer(), own()]);
      const forget = async (item: Item, position: number): Promise<void> => {
        await append(store, [forgotten(hashOf(item))]);
        await store.library.scrub(position, 'weave', []);
        await store.log.dropPayload(hashOf(item));
      };
      expect(await responsesBy(store)).toEqual({ hunter2: 1 });
      await forget(asked, 1);
      expect(await responsesBy(store)).toEqual({ hunter3: 1 });
      await forget(described, 2);
      expect(await responsesBy(store)).toEqual({ 'sub-agent': 1 });
      await append(
        store,
        [asked, described].map((item) => ({ ...item, draft: { ...item.draft, sessionId: 'twill', contextId: `${item.draft.contextId}, again` } })),
      );
      expect((await store.library.dump()).filter((row) => row.includes('hunter'))).toEqual([]);
      await store.library.rebuild();
      expect([await responsesBy(store), (await store.library.dump()).filter((row) => row.includes('hunter'))]).toEqual([{ 'sub-agent': 1 }, []]);
    }));

  test('[LIB-10] the main thread comes first, then the kinds of sub-agents by name, of each day as well', () =>
    withBoard(open, async ({ store }) => {
      for (const [n, kind] of ['Explore', 'zebra', 'Explore'].entries()) {
        const { ask, answer, reply: own } = piecesOf(n, 'weave');
        await append(store, [ask(kind), answer(), own(40 + n)]);
      }
      const later = { uuid: 'y1', minute: 24 * 60, id: 'my', tokens: { output: 1 } };
      await append(store, [line('weave', reply('well', later)), piecesOf(9, 'weave').reply()]);
      const spent = (rows: readonly { readonly day?: string; readonly key: string; readonly spent: { readonly costNano: number } }[]): unknown =>
        rows.map(({ day, key, spent: { costNano } }) => [...(day === undefined ? [] : [day]), key, costNano]);
      const { library } = store;
      expect(spent(await library.spending('agent', {}))).toEqual([
        ['main', 25_000],
        ['Explore', 2_050_000],
        ['sub-agent', 1_000_000],
        ['zebra', 1_025_000],
      ]);
      expect(spent(await library.dailySpending('agent', { since: NOON }))).toEqual([
        ['2026-03-14', 'Explore', 2_050_000],
        ['2026-03-14', 'sub-agent', 1_000_000],
        ['2026-03-14', 'zebra', 1_025_000],
        ['2026-03-15', 'main', 25_000],
      ]);
      expect((await library.spending('model', {})).map(({ key }) => key)).toEqual([MODEL]);
    }));

  test('[LIB-14] what progress tells of a sub-agent is counted once, whether its own records come before it, after it or never', () =>
    withBoard(open, async ({ store }) => {
      const told = (n: number): Item => {
        const said = reply('found', { uuid: `x${n}`, id: `m${n}`, tokens: { output: 40 } });
        const data = { type: 'agent_progress', agentId: `a${n}`, message: said };
        return line(`s${n}`, { type: 'progress', uuid: `g${n}`, parentUuid: null, sessionId: `s${n}`, parentToolUseID: `t${n}`, data });
      };
      const orders = [[told(0)], [told(1), piecesOf(1).reply()], [piecesOf(2).reply(), told(2)]];
      for (const order of orders) for (const item of order) await append(store, [item]);
      for (const n of orders.keys()) {
        const session = await store.library.session(`s${n}`);
        expect([session?.sidechains, session?.spent.responses, session?.spent.costNano]).toEqual([1, 1, 1_000_000]);
      }
      // The agent's own record has the response, if there is one.
      expect([...(await store.library.responsesAt([-1, 3, 4])).keys()]).toEqual([-1, 3, 4]);
      await staysWhenRebuilt(store, ['s1']);
    }));

  test('[STORE-6] [LIB-13] a library from before kinds were kept is folded anew, and has them', () =>
    withBoard(open, async ({ store, migrate, reopen }) => {
      const { ask, answer, reply: own } = piecesOf(1, 'weave');
      await append(store, [ask('Explore'), answer(), own()]);
      const before = await store.library.dump();
      await migrate(2);
      const again = await reopen();
      expect([await again.library.dump(), await responsesBy(again)]).toEqual([before, { Explore: 1 }]);
    }));
};
