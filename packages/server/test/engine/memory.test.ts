import { join } from 'node:path';
import { sidebarOf, type Recorded, type Sidebar } from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import { activePath, createShape, extendShape, isConversation, isMessage } from '@yarnboard/transcript';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemory, exchangesInherited, inheritedAmong, readMemory, type MemoryCursor, type Remembered } from '../../src/engine/memory.ts';
import { positionOf } from '../../src/sessions/log-records.ts';
import { createSessionLoader } from '../../src/sessions/session-loader.ts';
import { FIXTURES, makeBoard } from '../operations/boards.ts';
import { NOON, openEngine, openSqliteBoard, register, say, spawn, AGENT, type EngineBench } from './bench.ts';
import { compaction, prompt, reply, toolResult, toolUse, uuidOf } from './records.ts';

const put = (bench: EngineBench, ...items: readonly Item[]) => bench.store.log.append({ items, files: [] });

const readAll = async (bench: EngineBench, sidebar: string | Sidebar, part: 'inherited' | 'local', limit = 100): Promise<readonly Remembered[]> => {
  const items: Remembered[] = [];
  const of = typeof sidebar === 'string' ? bench.sidebar(sidebar) : sidebar;
  for (let after: MemoryCursor | undefined; ;) {
    const page = await readMemory(bench.engine.memory, bench.engine.board(), of, part, { after, limit });
    items.push(...page.items);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    if (page.next === null) return items;
    expect(page.items.length).toBe(limit);
    after = page.next;
  }
};

const wordsIn = (items: readonly Remembered[]): readonly string[] => items.map(({ text }) => text);

const fromSession = (sessionId: string, leaf: string | null) =>
  ({
    type: 'sidebar.spawn',
    origin: { kind: 'session', sessionId, leafUuid: leaf === null ? null : uuidOf(`${sessionId}/${leaf}`), upTo: null },
    task: 'look into it',
  }) as const;

const at = (name: string, parent: string | null) => ({ sessionId: 'knot', name, parent });

describe('local memory', () => {
  test('[ENGINE-30] a reply has the exchange it belongs to, however many replies are in between, and the log is asked little', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    await bench.run(say('SB-1', 'root'));
    for (let n = 1; n <= 1300; n += 1) await bench.run(say('SB-1', `reply ${n}`, { inReplyTo: `MSG-${n}` }));
    let questions = 0;
    const asking =
      <A extends readonly unknown[], R>(ask: (...args: A) => R): ((...args: A) => R) =>
      (...args) => {
        questions += 1;
        return ask(...args);
      };
    const { log, library } = bench.store;
    const counted = { ...log, positionOfRef: asking(log.positionOfRef), entryAt: asking(log.entryAt), entriesBefore: asking(log.entriesBefore) };
    const memory = createMemory({ log: counted, library });
    const page = (position: number) =>
      readMemory(memory, bench.engine.board(), bench.sidebar('SB-1'), 'local', { after: { segment: 0, position }, limit: 100 });
    const last = bench.engine.position();
    const { items } = await page(last - 100);
    expect(items.map(({ exchange }) => exchange)).toEqual(Array.from({ length: 100 }, () => 'EXCH-1'));
    expect(questions).toBeLessThan(30);
    const before = questions;
    await page(last - 200);
    expect(questions).toBe(before);
  });

  test('[ENGINE-30] is what was said in a sidebar and merged into it, the oldest first, page by page', async () => {
    const bench = await openEngine();
    await bench.run(register('scout'));
    await bench.run(spawn('parent', { participants: ['scout'] }));
    await bench.run(say('SB-1', 'first', { confidence: 0.5 }), { actor: AGENT });
    await bench.run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'child' });
    await bench.run(say('SB-1', 'see MSG-1', { inReplyTo: 'MSG-1' }));
    await bench.run(say('SB-1', 'and again', { inReplyTo: 'MSG-2' }));
    await bench.run({ type: 'sidebar.consolidate', sidebar: 'SB-2', summary: 'it is the pool' });
    await bench.run({ type: 'merge.check', sidebar: 'SB-2', isFit: true });
    await bench.run({ type: 'sidebar.merge', sidebar: 'SB-2' });
    const all = await readAll(bench, 'SB-1', 'local');
    const { contextId } = bench.sidebar('SB-1');
    expect(all).toMatchObject([
      {
        kind: 'message',
        ref: 'MSG-1',
        exchange: 'EXCH-1',
        at: NOON,
        sender: AGENT.id,
        senderType: 'agent',
        contextId,
        text: 'first',
        citations: [],
      },
      { ref: 'MSG-2', exchange: 'EXCH-1', senderType: 'human', text: 'see MSG-1', citations: ['MSG-1'] },
      { ref: 'MSG-3', exchange: 'EXCH-1', text: 'and again' },
      { kind: 'merged', ref: 'MSG-4', exchange: 'EXCH-2', text: 'Sidebar SB-2 completed: it is the pool', citations: ['SB-2'] },
    ]);
    for (const limit of [1, 2, 3, 4]) expect(await readAll(bench, 'SB-1', 'local', limit)).toEqual(all);
    expect([await readAll(bench, 'SB-2', 'local'), wordsIn(await readAll(bench, 'SB-2', 'inherited'))]).toEqual([[], ['first']]);
  });

  test('[ENGINE-30] what was forgotten is still there, without its words', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    const said = await bench.run(say('SB-1', 'hunter2'));
    const entry = await bench.store.log.entryAt(said.seq);
    await bench.store.log.dropPayload(entry?.payloadHash ?? '');
    expect(await readAll(bench, 'SB-1', 'local')).toMatchObject([{ ref: 'MSG-1', text: '[forgotten]' }]);
  });
});

describe('a branch of a session', () => {
  test('[ENGINE-32] is the way from its last message up, across compactions, with what sidebars brought back', async () => {
    const bench = await openEngine();
    await put(bench, prompt(at('a', null), 'why?'), reply(at('b', 'a'), 'because'), prompt(at('x', 'b'), 'left'), reply(at('y', 'x'), 'alone'));
    await put(bench, prompt(at('c', 'b'), 'and then?'), compaction(at('d', null), 'c'), reply(at('e', 'd'), 'this'));
    await bench.run(fromSession('knot', 'e'));
    await bench.run({ type: 'sidebar.consolidate', sidebar: 'SB-1', summary: 'found' });
    await bench.run({ type: 'merge.check', sidebar: 'SB-1', isFit: true });
    await bench.run({ type: 'sidebar.merge', sidebar: 'SB-1' });
    await put(bench, prompt(at('f', 'e'), 'go on'), prompt(at('g', 'y'), 'not this'));
    await bench.run(fromSession('knot', 'f'));
    expect(wordsIn(await readAll(bench, 'SB-1', 'inherited'))).toEqual(['why?', 'because', 'and then?', 'Conversation compacted', 'this']);
    const second = await readAll(bench, 'SB-2', 'inherited');
    expect(second.map(({ text, exchange, kind }) => [text, exchange, kind])).toEqual([
      ['why?', 'EXCH-1', 'message'],
      ['because', 'EXCH-1', 'message'],
      ['and then?', 'EXCH-3', 'message'],
      ['Conversation compacted', 'EXCH-3', 'message'],
      ['this', 'EXCH-3', 'message'],
      ['Sidebar SB-1 completed: found', 'EXCH-4', 'merged'],
      ['go on', 'EXCH-5', 'message'],
    ]);
    expect(second[0]).toMatchObject({ ref: 'MSG-1', sender: 'human', senderType: 'human', contextId: 'knot', citations: [] });
    for (const limit of [1, 3, 6]) expect(await readAll(bench, 'SB-2', 'inherited', limit)).toEqual(second);
  });

  test('[ENGINE-32] has the results of all tools that were used side by side', async () => {
    const bench = await openEngine();
    await put(
      bench,
      prompt(at('a', null), 'run both'),
      toolUse(at('b', 'a'), 'one', 'm'),
      toolUse(at('c', 'b'), 'two', 'm'),
      toolResult(at('r2', 'c'), 'two'),
      toolResult(at('r1', 'b'), 'one'),
      reply(at('d', 'r1'), 'done'),
    );
    await bench.run(fromSession('knot', 'd'));
    expect((await readAll(bench, 'SB-1', 'inherited')).map(({ ref }) => ref)).toEqual(['MSG-1', 'MSG-2', 'MSG-3', 'MSG-4', 'MSG-5', 'MSG-6']);
  });

  test('[ENGINE-32] without a last message it is the newest one; of a session that nobody knows there is nothing', async () => {
    const bench = await openEngine();
    await put(bench, prompt(at('a', null), 'one'), prompt(at('b', null), 'two'));
    await bench.run(fromSession('knot', null));
    await bench.run(fromSession('nowhere', null));
    await put(bench, prompt(at('c', 'a'), 'three'));
    expect(wordsIn(await readAll(bench, 'SB-1', 'inherited'))).toEqual(['two']);
    expect(await readAll(bench, 'SB-2', 'inherited')).toEqual([]);
  });

  test('[ENGINE-32] a parent that comes later, a record written twice and a ring change nothing', async () => {
    const bench = await openEngine();
    await put(bench, prompt(at('a', null), 'one'), reply(at('c', 'b'), 'three'), reply(at('p', 'q'), 'ring'), reply(at('q', 'p'), 'ring too'));
    await bench.run(fromSession('knot', 'c'));
    await bench.run(fromSession('knot', 'p'));
    const before = await Promise.all(['SB-1', 'SB-2'].map((ref) => readAll(bench, ref, 'inherited')));
    await put(bench, prompt(at('b', null), 'two'), reply(at('c', 'b'), 'three, again'));
    const later = { ...bench, engine: { ...bench.engine, memory: createMemory(bench.store) } };
    expect(await Promise.all(['SB-1', 'SB-2'].map((ref) => readAll(later, ref, 'inherited')))).toEqual(before);
    expect(before.map(wordsIn)).toEqual([
      ['one', 'three'],
      ['one', 'three', 'ring'],
    ]);
  });

  test('[ENGINE-37] is walked before a command waits for its turn: nobody waits for it, and closing does', async () => {
    const { store, clock } = await openSqliteBoard();
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let isGated = false;
    const library = {
      ...store.library,
      messages: async (query: Parameters<typeof store.library.messages>[0]) => {
        if (isGated) await gate;
        return store.library.messages(query);
      },
    };
    const bench = await openEngine({ store: { ...store, library }, clock });
    await put(bench, prompt(at('a', null), 'one'), reply(at('b', 'a'), 'two'));
    await bench.run(fromSession('knot', 'b'));
    isGated = true;
    const scored = bench.ask({ type: 'relevance.score', sidebar: 'SB-1', scores: { 'EXCH-1': 0.9 } });
    expect(await bench.run(say('SB-1', 'meanwhile'))).toMatchObject({ kind: 'done' });
    const closing = bench.engine.close();
    await expect(bench.ask({ type: 'relevance.score', sidebar: 'SB-1', scores: { 'EXCH-1': 0.1 } })).rejects.toMatchObject({ kind: 'failed' });
    open();
    await closing;
    expect(await scored).toMatchObject({ kind: 'done' });
    expect(bench.sidebar('SB-1').relevance).toEqual({ 'EXCH-1': { 'AGENT-operator': 0.9 } });
  });

  test('[ENGINE-34] is walked once, however many pages are read', async () => {
    const bench = await openEngine();
    await put(bench, ...Array.from({ length: 60 }, (_, i) => prompt(at(`${i}`, i === 0 ? null : `${i - 1}`), `message ${i}`)));
    await bench.run(fromSession('knot', '59'));
    let walks = 0;
    const library = {
      ...bench.store.library,
      messages: (query: Parameters<typeof bench.store.library.messages>[0]) => {
        walks += 1;
        return bench.store.library.messages(query);
      },
    };
    const counted = { ...bench, engine: { ...bench.engine, memory: createMemory({ log: bench.store.log, library }) } };
    expect(wordsIn(await readAll(counted, 'SB-1', 'inherited', 7))).toEqual(Array.from({ length: 60 }, (_, i) => `message ${i}`));
    expect(walks).toBe(1);
  });

  test('[ENGINE-32] of what Claude Code writes is its active path up to the last message', async () => {
    const { board } = await makeBoard({ roots: ['1.0.100', '2.0.30', '2.1.325'].map((version) => join(FIXTURES, version)) });
    const { store } = board;
    const loader = createSessionLoader(store);
    const memory = createMemory(store);
    const { count } = await store.log.head();
    let compared = 0;
    for (const { sessionId } of await store.library.sessions({ limit: 1000 })) {
      const { session } = await loader.load(sessionId);
      const shape = createShape();
      extendShape(shape, session);
      const { leaf, nodes } = activePath(session, shape);
      const last = leaf === null ? 0 : positionOf(leaf);
      // What the CLI adds behind the last message is not on the way to it.
      const wanted = nodes.filter((node) => isMessage(node.entry) && (isConversation(node.entry.role) || positionOf(node) < last)).map(positionOf);
      const { positions } = await memory.branches({ sessionId, leafUuid: leaf?.entry.uuid ?? null, upTo: count });
      expect({ sessionId, positions }).toEqual({ sessionId, positions: leaf === null ? positions : wanted.sort((a, b) => a - b) });
      compared += leaf === null ? 0 : 1;
    }
    expect(compared).toBeGreaterThan(50);
  });
});

/** Something said, as a naive copy keeps it. */
type Copied = { readonly position: number; readonly text: string };

/** A board that copies everything when a sidebar is spawned: what nobody would do, and what reading must be equal to. */
const createCopier = () => {
  const records: { readonly name: string; readonly parent: string | null; readonly copied: Copied }[] = [];
  const said = new Map<string, Copied[]>();
  const inherited = new Map<string, readonly Copied[]>();
  const sessionTo = (leaf: string): readonly Copied[] => {
    const at = records.find((one) => one.name === leaf)?.copied.position ?? 0;
    const isTip = records.every(({ copied }) => copied.position <= at);
    const path: Copied[] = (said.get('knot') ?? []).filter(({ position }) => isTip || position <= at);
    for (let name: string | null = leaf; name !== null;) {
      const record = records.find((one) => one.name === name);
      if (record !== undefined) path.push(record.copied);
      name = record?.parent ?? null;
    }
    return path.sort((a, b) => a.position - b.position);
  };
  return {
    records,
    inherited,
    take: (events: readonly Recorded[]): void => {
      for (const { type, contextId, position, payload } of events) {
        const text = type === 'chat.message' ? payload.content : type === 'memory.merged' ? payload.text : null;
        if (text !== null) said.set(contextId, [...(said.get(contextId) ?? []), { position, text }]);
      }
    },
    ofSession: sessionTo,
    ofSidebar: (sidebar: Sidebar): readonly Copied[] => [...(inherited.get(sidebar.id) ?? []), ...(said.get(sidebar.contextId) ?? [])],
  };
};

const step = fc.record({ what: fc.integer({ min: 0, max: 11 }), a: fc.nat(1000), b: fc.nat(1000) });

describe('inherited memory', () => {
  test('[ENGINE-31] is what a copy made at the spawn would be, whatever is said, branched, merged and forked later', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), fc.integer({ min: 1, max: 7 }), async (steps, limit) => {
        const bench = await openEngine();
        const copier = createCopier();
        const sidebars: string[] = [];
        const append = async (n: number, parent: string | null): Promise<void> => {
          const name = `${copier.records.length}`;
          const text = `record ${name}`;
          const [placed] = await put(bench, n % 2 === 0 ? prompt(at(name, parent), text) : reply(at(name, parent), text));
          copier.records.push({ name, parent, copied: { position: placed?.position ?? 0, text } });
        };
        const pick = (n: number): string => sidebars[n % Math.max(1, sidebars.length)] ?? 'SB-0';
        const make = async (command: Parameters<typeof bench.ask>[0], copy: readonly Copied[]): Promise<void> => {
          const outcome = await bench.ask(command);
          if (outcome.kind !== 'done') return;
          const ref = outcome.refs.find((one) => one.startsWith('SB-')) ?? '';
          copier.inherited.set(bench.sidebar(ref).id, copy);
          sidebars.push(ref);
          copier.take(outcome.events);
        };
        const ask = async (command: Parameters<typeof bench.ask>[0]): Promise<void> => {
          const outcome = await bench.ask(command);
          if (outcome.kind === 'done') copier.take(outcome.events);
        };
        const play = async ({ what, a, b }: { readonly what: number; readonly a: number; readonly b: number }): Promise<void> => {
          const sidebar = pick(a);
          const known = sidebarOf(bench.engine.board(), sidebar);
          const leaf = `${b % copier.records.length}`;
          if (what <= 2) await append(a, what === 0 ? leaf : `${copier.records.length - 1}`);
          else if (what <= 5) await ask(say(sidebar, `said ${a}/${b} in ${sidebar}`));
          else if (what === 6) await make(fromSession('knot', leaf), copier.ofSession(leaf));
          else if (what <= 8 && known !== null)
            await make({ type: 'sidebar.spawn-child', sidebar, upTo: null, task: 'child' }, copier.ofSidebar(known));
          else if (what === 9 && known !== null) {
            await ask({ type: 'sidebar.archive', sidebar });
            await make({ type: 'sidebar.fork', sidebar, reason: 'more' }, copier.ofSidebar(known));
          } else if (what >= 10) {
            await ask({ type: 'sidebar.consolidate', sidebar, summary: `found ${a}` });
            await ask({ type: 'merge.check', sidebar, isFit: true });
            await ask({ type: 'sidebar.merge', sidebar });
          }
        };
        await append(0, null);
        for (const one of steps) await play(one);
        for (const [ref, sidebar] of sidebars.map((one) => [one, bench.sidebar(one)] as const)) {
          const items = await readAll(bench, sidebar, 'inherited', limit);
          expect({ ref, items: items.map(({ position, text }) => ({ position, text })) }).toEqual({ ref, items: copier.inherited.get(sidebar.id) });
          const { memory } = bench.engine;
          const exchanges = [...new Set(items.flatMap(({ exchange }) => exchange ?? []))].sort();
          expect([...(await exchangesInherited(memory, bench.engine.board(), sidebar))].sort()).toEqual(exchanges);
          const all = Array.from({ length: 80 }, (_, n) => `EXCH-${n + 1}`);
          expect([...(await inheritedAmong(memory, bench.engine.board(), sidebar, all))].sort()).toEqual(exchanges);
        }
        await bench.store.close();
      }),
      { numRuns: 40 },
    );
  });

  test('[ENGINE-33] an exchange is known by its printed name only', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    await bench.run(say('SB-1', 'one'));
    await bench.run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'child' });
    const names = ['EXCH-1', 'exch-1', 'EXCH-01', 'EXCH-2', 'MSG-1', 'EXCH-', ''];
    expect([...(await inheritedAmong(bench.engine.memory, bench.engine.board(), bench.sidebar('SB-2'), names))]).toEqual(['EXCH-1']);
    expect([...(await exchangesInherited(bench.engine.memory, bench.engine.board(), bench.sidebar('SB-2')))]).toEqual(['EXCH-1']);
  });
});
