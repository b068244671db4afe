import { OPERATOR, type Recorded } from '@yarnboard/domain';
import { StoreFault } from '@yarnboard/store';
import { describe, expect, test } from 'vitest';
import { idOf, keyOf } from '../../src/engine/command-ids.ts';
import { AGENT, CURATOR, dumpOf, foldOf, NOON, openEngine, register, say, spawn, type EngineBench } from './bench.ts';
import { line } from './records.ts';

const entriesIn = async ({ store }: EngineBench) => store.log.entriesAfter(0, 10_000);
const same = async (bench: EngineBench): Promise<void> => expect(dumpOf(bench.engine.board())).toEqual(dumpOf(await foldOf(bench.store)));

describe('what waits together', () => {
  test('[ENGINE-1] is decided in order, each knowing what was decided before it, and kept in one commit', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    const [first, second, third] = await Promise.all([
      bench.ask(say('SB-1', 'one')),
      bench.ask({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'lunch' }),
      bench.ask({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'lunch' }),
    ]);
    expect([first, second, third]).toMatchObject([{ kind: 'done' }, { kind: 'done' }, { kind: 'rejected', code: 'wrong-status' }]);
    expect(bench.commits).toEqual([2, 2]);
    await same(bench);
  });

  test('[ENGINE-1] while a commit is on its way, others wait for the next', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const reached = new Promise<void>((resolve) => {
      bench.gate = async () => {
        bench.gate = null;
        resolve();
        await opened;
      };
    });
    const first = bench.ask(say('SB-1', 'one'));
    await reached;
    const others = [bench.ask(say('SB-1', 'two')), bench.ask(say('SB-1', 'three'))];
    expect(bench.sidebar('SB-1').messages).toBe(0);
    open();
    await Promise.all([first, ...others]);
    expect([bench.commits, bench.sidebar('SB-1').messages]).toEqual([[2, 1, 2], 3]);
    await same(bench);
  });

  test('[ENGINE-1] more than fit into a commit are kept in several, in order', async () => {
    const bench = await openEngine({ limits: { batch: 3, bytes: 2000 } });
    await bench.run(spawn());
    const long = 'x'.repeat(900);
    await Promise.all(['a', 'b', 'c', 'd', long, `${long}y`, `${long}z`].map((words) => bench.run(say('SB-1', words))));
    expect(bench.commits.length).toBeGreaterThan(3);
    const payloads = await bench.store.log.payloadsOf((await entriesIn(bench)).map(({ position }) => position));
    const said = [...payloads.values()].map((bytes) => (JSON.parse(Buffer.from(bytes).toString()) as { readonly content?: string }).content);
    expect(said.filter((content) => content !== undefined)).toEqual(['a', 'b', 'c', 'd', long, `${long}y`, `${long}z`]);
  });
});

describe('what is answered', () => {
  test('[ENGINE-2] is on the log: its position, its references, what happened', async () => {
    const bench = await openEngine();
    const spawned = await bench.run(spawn());
    expect(spawned).toMatchObject({
      kind: 'done',
      seq: 2,
      refs: ['SB-1'],
      events: [
        { type: 'sidebar.spawned', position: 1 },
        { type: 'scratchpad.created', position: 2 },
      ],
    });
    const said = await bench.run(say('SB-1', 'look at the pool'));
    expect([said.seq, said.refs, bench.engine.position()]).toEqual([3, ['MSG-1', 'EXCH-1'], 3]);
    await same(bench);
  });

  test('[ENGINE-2] a command that is refused leaves nothing on the log', async () => {
    const bench = await openEngine();
    expect(await bench.ask(say('SB-7', 'anybody?'))).toEqual({
      kind: 'rejected',
      code: 'not-found',
      reason: 'unknown-sidebar',
      facts: { asked: 'SB-7' },
    });
    expect([await entriesIn(bench), bench.commits]).toEqual([[], []]);
  });

  test('[ENGINE-19] whoever cites what may still be taken back is told so', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    await bench.run({ type: 'finding.submit', sidebar: 'SB-1', content: 'the pool is too small' });
    const said = await bench.run(say('SB-1', 'see SCRATCH-1:FINDING-1'));
    expect(said.warnings).toEqual(['SCRATCH-1:FINDING-1 is provisional: it may still be rejected or revised']);
  });

  test('[ENGINE-19] so is whoever begins without saying what done looks like', async () => {
    const bench = await openEngine();
    const plain = await bench.run(spawn());
    const clear = await bench.run(spawn('the same', { successCriteria: 'under a second' }));
    expect([plain.warnings, clear.warnings]).toEqual([['without success criteria, no one will know when this is done; you can add them later'], []]);
  });

  test('[ENGINE-18] listeners are told what was decided once it is in the board; one that fails does no harm', async () => {
    const bench = await openEngine();
    const told: (readonly Recorded[])[] = [];
    bench.engine.onCommitted(() => {
      throw new Error('deaf');
    });
    const stop = bench.engine.onCommitted((events) => {
      expect(bench.engine.position()).toBe(events.at(-1)?.position);
      told.push(events);
    });
    await bench.run(spawn());
    stop();
    await bench.run(say('SB-1', 'hello'));
    expect(told.map((events) => events.map(({ type }) => type))).toEqual([['sidebar.spawned', 'scratchpad.created']]);
    expect(bench.faults).toEqual([new Error('deaf'), new Error('deaf')]);
  });
});

describe('numbers and positions that are not given yet', () => {
  test('[ENGINE-3] are told to nobody: a command that needs one waits for it', async () => {
    const bench = await openEngine();
    await bench.run(spawn('first'));
    await bench.run(register('curator'));
    const [, cited, , , forked] = await Promise.all([
      bench.run({ type: 'citation.create', sidebar: 'SB-1', source: { kind: 'external', url: 'https://example.org', title: null } }),
      bench.run({ type: 'sidebar.consolidate', sidebar: 'SB-1', summary: 'done' }),
      bench.run({ type: 'sidebar.move', sidebar: 'SB-1', to: 'ACTIVE', reason: 'not yet' }),
      bench.run({ type: 'sidebar.archive', sidebar: 'SB-1' }),
      bench.run({ type: 'sidebar.fork', sidebar: 'SB-1', reason: 'more to do' }),
    ]);
    const [consolidated] = cited.events;
    expect(consolidated).toMatchObject({ type: 'sidebar.consolidated', payload: { package: { newCitations: ['CITE-1'] } } });
    const [spawned] = forked.events;
    const { archive } = bench.sidebar('SB-1');
    expect(spawned).toMatchObject({ payload: { origin: { kind: 'fork', upTo: archive?.position } } });
    const payloads = await bench.store.log.payloadsOf((await entriesIn(bench)).map(({ position }) => position));
    expect([...payloads.values()].filter((bytes) => Buffer.from(bytes).includes('4500000000'))).toEqual([]);
    await same(bench);
  });

  test('[ENGINE-3] a text that looks like one is kept as it is', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    const [, odd] = await Promise.all([bench.run(say('SB-1', 'one')), bench.run(say('SB-1', 'SB-4500000000000001'))]);
    expect(odd.events[0]).toMatchObject({ payload: { content: 'SB-4500000000000001', citations: [] } });
  });
});

describe('a command that is sent again', () => {
  const messageId = '0b9bd7b8-7a34-4c55-8a4b-7b1f0a7b3f7e';

  test('[ENGINE-4] is answered with what it did the first time, also after a restart, and does nothing', async () => {
    const bench = await openEngine();
    await bench.run(spawn('parent'));
    const done = await bench.run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'child' }, { messageId });
    const { count } = await bench.store.log.head();
    const again = await bench.ask({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'child' }, { messageId });
    expect(again).toEqual({ kind: 'duplicate', seq: done.seq, refs: done.refs });
    await bench.engine.close();
    const reopened = await openEngine({ store: bench.store });
    await reopened.run(say('SB-1', 'something else'));
    expect(await reopened.ask(spawn('child'), { messageId })).toEqual({ kind: 'duplicate', seq: done.seq, refs: done.refs });
    expect((await bench.store.log.head()).count).toBe(count + 1);
  });

  test('[ENGINE-4] twice in one batch, it is done once', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    const twice = await Promise.all([bench.ask(say('SB-1', 'once'), { messageId }), bench.ask(say('SB-1', 'once'), { messageId })]);
    expect(twice).toMatchObject([
      { kind: 'done', seq: 3, refs: ['MSG-1', 'EXCH-1'] },
      { kind: 'duplicate', seq: 3, refs: ['MSG-1', 'EXCH-1'] },
    ]);
    expect(bench.sidebar('SB-1').messages).toBe(1);
  });

  test('[ENGINE-4] by another sender it is another command', async () => {
    const bench = await openEngine();
    await bench.run(register('scout'));
    await bench.run(spawn('open', { participants: ['scout'] }));
    await bench.run(say('SB-1', 'mine'), { messageId });
    expect(await bench.ask(say('SB-1', 'mine'), { messageId, actor: AGENT })).toMatchObject({ kind: 'done' });
  });

  test('[ENGINE-4] that was refused the first time is decided again', async () => {
    const bench = await openEngine();
    expect(await bench.ask(say('SB-1', 'now?'), { messageId })).toMatchObject({ kind: 'rejected' });
    await bench.run(spawn());
    expect(await bench.ask(say('SB-1', 'now?'), { messageId })).toMatchObject({ kind: 'done' });
  });

  test('[ENGINE-4] a uuid that a transcript has taken is no duplicate, and is refused', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    const uuid = idOf(keyOf(OPERATOR.id, messageId), 0);
    const planted = line('planted', { type: 'user', uuid, parentUuid: null, message: { role: 'user', content: 'mine' } });
    await bench.store.log.append({ items: [planted], files: [] });
    expect(await bench.ask(say('SB-1', 'hello'), { messageId })).toMatchObject({ kind: 'rejected', code: 'already-there' });
  });
});

describe('a commit that fails', () => {
  test('[ENGINE-5] fails everybody in it, leaves the board as it was, and the next one works', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    const before = dumpOf(bench.engine.board());
    const full = new StoreFault('full', 'the disk is full');
    bench.gate = () => Promise.reject(full);
    const outcomes = await Promise.allSettled([
      bench.ask({ type: 'sidebar.archive', sidebar: 'SB-1' }),
      bench.ask(say('SB-1', 'refused only because of the other')),
      bench.ask(spawn('another')),
    ]);
    expect(outcomes).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason: full })));
    expect(dumpOf(bench.engine.board())).toEqual(before);
    bench.gate = null;
    expect(await bench.run(spawn('again'))).toMatchObject({ refs: ['SB-2'] });
    await same(bench);
  });
});

describe('what others decided meanwhile', () => {
  test('[ENGINE-6] is read, and everything that waits is decided again', async () => {
    const one = await openEngine();
    await one.run(spawn());
    const other = await openEngine({ store: one.store, clock: one.clock });
    await one.run({ type: 'sidebar.archive', sidebar: 'SB-1' });
    const outcomes = await Promise.all([other.ask(say('SB-1', 'still there?')), other.ask(spawn('new'))]);
    expect(outcomes).toMatchObject([
      { kind: 'rejected', code: 'wrong-status' },
      { kind: 'done', refs: ['SB-2'] },
    ]);
    await one.engine.follow();
    expect(dumpOf(one.engine.board())).toEqual(dumpOf(other.engine.board()));
    await same(one);
  });

  test('[ENGINE-6] when it never ends, the fault is reported', async () => {
    const bench = await openEngine({ limits: { tries: 3 } });
    let tries = 0;
    bench.gate = async () => {
      tries += 1;
      throw new StoreFault('stale', 'again');
    };
    await expect(bench.ask(spawn())).rejects.toMatchObject({ kind: 'stale' });
    expect(tries).toBe(3);
  });

  test('[ENGINE-12] is taken in when somebody says that there is something, in order and once', async () => {
    const one = await openEngine();
    const other = await openEngine({ store: one.store, clock: one.clock });
    const told: string[] = [];
    other.engine.onCommitted((events) => told.push(...events.map(({ type }) => type)));
    await one.run(spawn());
    await one.run(say('SB-1', 'hello'));
    other.engine.wake();
    other.engine.wake();
    await other.engine.follow();
    expect(told).toEqual(['sidebar.spawned', 'scratchpad.created', 'chat.message']);
    expect([other.engine.position(), dumpOf(other.engine.board())]).toEqual([3, dumpOf(one.engine.board())]);
  });
});

describe('what only the log knows', () => {
  test('[ENGINE-7] messages, exchanges and findings that a command or its words name are looked up', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    await bench.run(say('SB-1', 'first'));
    await bench.run({ type: 'finding.submit', sidebar: 'SB-1', content: 'a leak', sourceRefs: ['MSG-1'] });
    const said = await bench.run(say('SB-1', 'see MSG-1, EXCH-1 and FRAG-1, not MSG-99', { inReplyTo: 'MSG-1' }));
    expect(said.events[0]).toMatchObject({ payload: { citations: ['MSG-1', 'EXCH-1', 'FRAG-1'], inReplyTo: 'MSG-1' } });
    expect(await bench.ask(say('SB-1', 'so?', { citations: ['MSG-99'] }))).toMatchObject({ kind: 'rejected', code: 'bad-reference' });
  });

  test('[ENGINE-7] which exchanges a sidebar inherited is looked up, too', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    await bench.run(say('SB-1', 'before'));
    await bench.run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'child' });
    await bench.run(say('SB-1', 'after'));
    expect(await bench.ask({ type: 'relevance.score', sidebar: 'SB-2', scores: { 'EXCH-1': 0.9 } })).toMatchObject({ kind: 'done' });
    expect(await bench.ask({ type: 'focus.change', sidebar: 'SB-2', add: ['EXCH-1'] })).toMatchObject({ kind: 'done' });
    expect(await bench.ask({ type: 'relevance.score', sidebar: 'SB-2', scores: { 'EXCH-2': 0.9 } })).toMatchObject({ code: 'bad-reference' });
  });
});

describe('a command that names what it knew last', () => {
  test('[ENGINE-8] is refused when the sidebar has gone on since, and is told how far', async () => {
    const bench = await openEngine();
    const { seq } = await bench.run(spawn());
    await bench.run(spawn('elsewhere'));
    const said = await bench.run(say('SB-1', 'new'), { ifSeq: seq });
    expect(await bench.ask(say('SB-1', 'old'), { ifSeq: seq })).toEqual({
      kind: 'rejected',
      code: 'changed-since',
      reason: 'changed-since',
      facts: { sidebar: 'SB-1', since: seq, last: said.seq },
    });
  });

  test('[ENGINE-8] of two at once the first is done, and the second is told where the first stands', async () => {
    const bench = await openEngine();
    const { seq } = await bench.run(spawn());
    const [first, second] = await Promise.all([bench.ask(say('SB-1', 'a'), { ifSeq: seq }), bench.ask(say('SB-1', 'b'), { ifSeq: seq })]);
    expect([first.kind, second]).toMatchObject(['done', { code: 'changed-since' }]);
    expect(second).toMatchObject({ facts: { last: seq + 1 } });
  });
});

describe('waypoints', () => {
  const index = () => {
    const golds = new Map<string, readonly string[]>();
    return {
      add: ({ id, triggerConditions }: { readonly id: string; readonly triggerConditions: readonly string[] }) =>
        void golds.set(id, triggerConditions),
      remove: (id: string) => void golds.delete(id),
      match: (text: string) =>
        [...golds].flatMap(([gold, conditions]) =>
          conditions.filter((condition) => text.includes(condition)).map((condition) => ({ gold, score: 1, condition, words: [condition] })),
        ),
    };
  };
  const gold = {
    type: 'gold.create',
    sourceRefs: ['MSG-1'],
    keyInsight: 'raise the pool',
    reusePattern: 'pools',
    triggerConditions: ['login is slow'],
  } as const;

  test('[ENGINE-9] are shown where their symptoms are named, as long as they stand', async () => {
    const bench = await openEngine({ createIndex: index });
    await bench.run(spawn());
    await bench.run(say('SB-1', 'hello'));
    const [, atOnce] = await Promise.all([bench.run(gold), bench.run(say('SB-1', 'login is slow'))]);
    const shown = await bench.run(say('SB-1', 'login is slow again'));
    expect([atOnce, shown].map(({ events }) => events.map(({ type }) => type))).toEqual([['chat.message'], ['chat.message', 'gold.surfaced']]);
    expect(bench.engine.match('login is slow')).toMatchObject([{ condition: 'login is slow' }]);
    const [, rejected] = await Promise.all([
      bench.run({ type: 'gold.validate', gold: 'GOLD-1', status: 'rejected', notes: 'wrong' }),
      bench.run(say('SB-1', 'login is slow')),
    ]);
    expect(rejected.events.map(({ type }) => type)).toEqual(['chat.message']);
    expect(bench.engine.match('login is slow')).toEqual([]);
    const reopened = await openEngine({ store: bench.store, createIndex: index });
    expect(reopened.engine.match('login is slow')).toEqual([]);
  });
});

describe('on the log', () => {
  test('[ENGINE-10] each happening is one entry that tells who, where, what it cites and how long it is', async () => {
    const bench = await openEngine();
    await bench.run(register('scout'));
    await bench.run(spawn('open', { participants: ['scout'] }));
    await bench.run(say('SB-1', 'first'));
    bench.clock.now += 1000;
    const media = await bench.run(
      {
        type: 'media.upload',
        sidebar: 'SB-1',
        mediaType: 'image',
        filePath: 'a.png',
        content: 'aGk=',
        found: { size: 2, mime: 'image/png', sha256: 'ab' },
      },
      { actor: AGENT, client: 'mcp' },
    );
    await bench.run(say('SB-1', 'see MSG-1', { confidence: 0.5, inReplyTo: 'MSG-1', media: ['MEDIA-1'] }), { actor: AGENT, client: 'ws' });
    const entries = await entriesIn(bench);
    const last = entries.at(-1);
    const sidebar = bench.sidebar('SB-1');
    expect(last).toMatchObject({
      type: 'chat.message',
      version: 1,
      timestamp: NOON + 1000,
      sender: AGENT.id,
      senderType: 'agent',
      sessionId: sidebar.contextId,
      contextId: sidebar.contextId,
      contentType: 'text',
      contentLength: 9,
      citationsUsed: ['MSG-1'],
      mediaAttached: ['MEDIA-1'],
      senderConfidence: 0.5,
      parentMsgId: 'MSG-1',
      originatingClient: 'ws',
      occurrence: null,
      refs: ['MSG-2'],
    });
    expect(entries.find(({ position }) => position === media.events[0]?.position)).toMatchObject({
      contentType: 'media_ref',
      originatingClient: 'mcp',
      refs: ['MEDIA-1'],
    });
    expect(entries[0]).toMatchObject({
      type: 'agent.registered',
      contentType: 'system',
      contextId: 'board',
      sessionId: 'board',
      originatingClient: 'api',
    });
  });
});

describe('closing', () => {
  test('[ENGINE-17] what was asked for before is done, what comes after is refused', async () => {
    const bench = await openEngine();
    const before = bench.ask(spawn());
    const closing = bench.engine.close();
    await expect(bench.ask(spawn())).rejects.toMatchObject({ kind: 'failed' });
    await closing;
    expect(await before).toMatchObject({ kind: 'done' });
  });
});

test('[ENGINE-2] a bug in one decision is reported to whoever asked, and to nobody else', async () => {
  const bench = await openEngine();
  await bench.run(register('curator'));
  const broken = { ...spawn(), task: null } as never;
  const outcomes = await Promise.allSettled([bench.ask(broken), bench.ask(spawn('fine')), bench.ask(spawn('fine too'), { actor: CURATOR })]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  await same(bench);
});
