import { OPERATOR } from '@yarnboard/domain';
import type { ServerFrame } from '@yarnboard/protocol';
import { StoreFault } from '@yarnboard/store';
import { describe, expect, test } from 'vitest';
import { tellSettled } from '../../src/doors/ws/outage-news.ts';
import { AGENT, dumpOf, foldOf, newMessageId, register, say, spawn } from '../engine/bench.ts';
import { AWAY, cutOff, openOutage, type OutageBench } from './outage-bench.ts';

const wordsOn = async ({ store }: OutageBench): Promise<readonly string[]> => {
  const entries = await store.log.entriesAfter(0, 10_000);
  const payloads = await store.log.payloadsOf(entries.filter(({ type }) => type === 'chat.message').map(({ position }) => position));
  return [...payloads.values()].map((bytes) => (JSON.parse(Buffer.from(bytes).toString()) as { readonly content: string }).content);
};

describe('while the log is away', () => {
  test('[REC-52] a command is decided at once, made durable in two places and answered `queued`', async () => {
    const bench = await cutOff();
    const two = await bench.ask(say('SB-1', 'two'));
    expect(two).toMatchObject({ kind: 'queued', position: 2, durableIn: ['home', 'state'] });
    for (const { kept } of bench.drawers) {
      const [document] = [...kept.values()];
      expect(document).toMatchObject({ reason: 'working_memory_down', servicesDown: ['working_memory'], resolvedAt: null, head: { position: 2 } });
      expect(document?.pendingWrites.map(({ n, command, outcome }) => [n, command, outcome.kind])).toEqual([
        [1, say('SB-1', 'one'), 'pending'],
        [2, say('SB-1', 'two'), 'pending'],
      ]);
    }
    expect(await wordsOn(bench)).toEqual([]);
  });

  test('[REC-85] the last entry that a cache knows is the last that was acknowledged, also where nobody has looked since', async () => {
    const bench = await openOutage();
    await bench.run(spawn());
    await bench.run(say('SB-1', 'zero'));
    bench.log.fault = AWAY;
    const asked = bench.ask(say('SB-1', 'one'));
    await bench.reach('emergency');
    await bench.pass(100);
    expect(await asked).toMatchObject({ kind: 'queued' });
    const [document] = [...bench.drawers[0].kept.values()];
    const last = await bench.store.log.entryAt(bench.engine.position());
    expect(document?.head).toEqual({ position: bench.engine.position(), checksum: last?.checksum });
    expect(last?.type).toBe('chat.message');
  });

  test('[REC-3] the snapshot has the last words of each sidebar, as far as the server heard them', async () => {
    const bench = await openOutage();
    await bench.run(spawn());
    await bench.run(spawn('nobody says anything here'));
    for (let n = 1; n <= 12; n += 1) await bench.run(say('SB-1', `${n} ${'and so on '.repeat(n === 12 ? 100 : 1)}`));
    bench.log.fault = AWAY;
    const asked = bench.ask(say('SB-1', 'it waits'));
    await bench.reach('emergency');
    await bench.pass(100);
    await asked;
    const [document] = [...bench.drawers[0].kept.values()];
    const { partial, messages, items = [] } = document?.sidebarSnapshots['SB-1']?.localMemory ?? {};
    expect([partial, messages, items.map(({ ref }) => ref)]).toEqual([true, 12, Array.from({ length: 10 }, (_, i) => `MSG-${i + 3}`)]);
    expect(items[0]).toEqual({ ref: 'MSG-3', sender: OPERATOR.id, text: '3 and so on ' });
    expect(items.at(-1)?.text).toHaveLength(401);
    expect(document?.sidebarSnapshots['SB-2']?.localMemory).toEqual({ partial: false, messages: 0, items: [] });
  });

  test('[REC-52] a refusal is a refusal, also because of what waits', async () => {
    const bench = await cutOff();
    expect(await bench.ask(say('SB-9', 'anybody?'))).toMatchObject({ kind: 'rejected', code: 'not-found' });
    expect(await bench.ask({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'lunch' })).toMatchObject({ kind: 'queued' });
    expect(await bench.ask({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'lunch' })).toMatchObject({ kind: 'rejected', code: 'wrong-status' });
    expect(bench.sidebar('SB-1').status).not.toBe('PAUSED');
  });

  test('[REC-54] what cannot wait is refused, with why and since when', async () => {
    const bench = await cutOff();
    expect(await bench.ask(spawn())).toMatchObject({
      kind: 'rejected',
      code: 'blocked-in-emergency',
      facts: { why: 'no space left on device', since: expect.stringContaining('2026-03-14T12:00:0') as string },
    });
    expect(await bench.ask(register('AGENT-late'))).toMatchObject({ code: 'blocked-in-emergency' });
  });

  test('[REC-57] whoever says so is refused instead of queued', async () => {
    const bench = await cutOff();
    await expect(bench.ask(say('SB-1', 'now or never'), { canQueue: false })).rejects.toThrow(StoreFault);
    expect(bench.engine.waiting()).toHaveLength(1);
  });

  test('[REC-58] the same under the same message id waits once, and something else under it is refused', async () => {
    const bench = await cutOff();
    const messageId = newMessageId();
    const first = await bench.ask(say('SB-1', 'two'), { messageId, fingerprint: 'a' });
    expect(await bench.ask(say('SB-1', 'two'), { messageId, fingerprint: 'a' })).toEqual(first);
    expect(await bench.ask(say('SB-1', 'three'), { messageId, fingerprint: 'b' })).toMatchObject({ code: 'message-id-reused' });
    expect(bench.engine.waiting()).toHaveLength(2);
  });

  test('[REC-59] what waits has no number, and is named by its uuid', async () => {
    const bench = await openOutage();
    await bench.run(register(AGENT.id));
    await bench.run(spawn('why is login slow?', { participants: [AGENT.id] }));
    bench.log.fault = AWAY;
    const asked = bench.ask({ type: 'finding.submit', sidebar: 'SB-1', content: 'the pool is exhausted', sourceRefs: [] }, { actor: AGENT });
    await bench.reach('emergency');
    const finding = await asked;
    if (finding.kind !== 'queued') throw new Error(JSON.stringify(finding));
    expect(bench.engine.waiting().flatMap(({ events }) => events.flatMap(({ refs }) => refs))).toEqual([]);
    const judged = await bench.ask({ type: 'finding.validate', sidebar: 'SB-1', finding: finding.uuid, status: 'confirmed' });
    expect(judged).toMatchObject({ kind: 'queued' });
    bench.log.fault = null;
    await bench.reach('normal');
    expect(bench.sidebar('SB-1').scratchpad.findings).toMatchObject([{ id: finding.uuid, ref: 'FRAG-1', status: 'confirmed' }]);
  });

  test('[REC-56] what cannot be looked up is believed, and proven at the replay', async () => {
    const bench = await cutOff();
    const { log } = bench.store;
    const readable = { ...log };
    const unread = (): Promise<never> => Promise.reject(new StoreFault('unreachable', 'nobody answers'));
    Object.assign(log, { entryByUuid: unread, positionsOfRefs: unread, entriesAt: unread });
    expect(await bench.ask(say('SB-1', 'as I said', { inReplyTo: 'MSG-77' }))).toMatchObject({ kind: 'queued' });
    Object.assign(log, readable);
    bench.log.fault = null;
    await bench.reach('normal');
    expect(await wordsOn(bench)).toEqual(['one']);
    expect(bench.told.settled).toMatchObject([{ outcome: 'replayed' }, { outcome: 'conflict', code: 'bad-reference' }]);
  });

  test('[REC-52] one place is enough, and it is said; with none, nothing is queued', async () => {
    const bench = await cutOff();
    const [home, state] = bench.drawers;
    home.isAway = true;
    expect(await bench.ask(say('SB-1', 'two'))).toMatchObject({ kind: 'queued', durableIn: ['state'] });
    state.isAway = true;
    await expect(bench.ask(say('SB-1', 'three'))).rejects.toThrow('could not be queued in any place');
    state.isAway = false;
    expect(await bench.ask(say('SB-1', 'four'))).toMatchObject({ kind: 'queued', position: 3 });
    // Who was refused has gone elsewhere: whoever finds this cache after a crash must not say it all the same.
    const [found] = [...state.kept.values()];
    expect(found?.pendingWrites.map(({ n, command }) => [n, 'content' in command && command['content']])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'four'],
    ]);
    bench.log.fault = null;
    await bench.reach('normal');
    expect(await wordsOn(bench)).toEqual(['one', 'two', 'four']);
  });

  test('[REC-58] what waits is answered as before, also beside something that no place takes', async () => {
    const bench = await cutOff();
    const messageId = newMessageId();
    const two = await bench.ask(say('SB-1', 'two'), { messageId, fingerprint: 'a' });
    let fail = (): void => {};
    const failed = new Promise<never>((_, reject) => {
      fail = () => reject(new Error('it is away'));
    });
    for (const drawer of bench.drawers) Object.assign(drawer, { add: () => failed, write: () => failed });
    const answerTo = (content: string): Promise<string> => bench.ask(say('SB-1', content)).then(({ kind }) => kind, String);
    const three = answerTo('three');
    await bench.pass(100);
    // While the places are at work on that, two more come, which go together.
    const again = bench.ask(say('SB-1', 'two'), { messageId, fingerprint: 'a' });
    const four = answerTo('four');
    await bench.pass(100);
    fail();
    expect(await again).toEqual(two);
    for (const answer of [three, four]) expect(await answer).toContain('could not be queued in any place');
    expect(bench.engine.waiting()).toHaveLength(2);
  });

  test('[REC-53] more than there is room for is refused', async () => {
    const bench = await openOutage({ mostWrites: 2 });
    await bench.run(spawn());
    bench.log.fault = AWAY;
    const asked = ['one', 'two', 'three'].map((content) => bench.ask(say('SB-1', content)));
    await bench.reach('emergency');
    await bench.pass(100);
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(['queued', 'queued', 'rejected']);
  });

  test('[REC-57] others hear what is queued; whoever is retired is out at once', async () => {
    const bench = await openOutage();
    await bench.run(spawn());
    await bench.run(register(AGENT.id));
    bench.log.fault = AWAY;
    const asked = bench.ask(say('SB-1', 'one'));
    await bench.reach('emergency');
    await asked;
    expect(bench.told.queued).toMatchObject([
      { sender: OPERATOR.id, contextId: bench.sidebar('SB-1').contextId, events: [{ type: 'chat.message', payload: { content: 'one' } }] },
    ]);
    await bench.ask({ type: 'agent.retire', agent: AGENT.id });
    expect(bench.told.revoked).toEqual([AGENT.id]);
    expect(bench.engine.foreseen().agents.get(AGENT.id)?.isRetired).toBe(true);
    expect(bench.engine.board().agents.get(AGENT.id)?.isRetired).toBe(false);
  });
});

describe('when the log is back', () => {
  test('[REC-60] what waited is put there in order, as it was said then, and the outage is on the log', async () => {
    const bench = await cutOff();
    const saidAt = bench.clock.now;
    await bench.ask(say('SB-1', 'two'));
    await bench.pass(60_000);
    await bench.ask(say('SB-1', 'three'));
    bench.log.fault = null;
    await bench.reach('normal');
    await bench.pass(100);
    expect(await wordsOn(bench)).toEqual(['one', 'two', 'three']);
    const entries = await bench.store.log.entriesAfter(2, 100);
    const two = entries.filter(({ type }) => type === 'chat.message')[1];
    expect([two?.timestamp, (two?.recordedAt ?? 0) > saidAt + 60_000]).toEqual([saidAt, true]);
    expect(two?.errorRef).toMatch(/^outage-/u);
    const last = entries.at(-1);
    expect(last).toMatchObject({ type: 'emergency.recorded', note: two?.errorRef });
    const told = JSON.parse(
      Buffer.from((await bench.store.log.payloadsOf([last?.position ?? 0])).get(last?.position ?? 0) ?? []).toString(),
    ) as object;
    expect(told).toMatchObject({ reason: 'working_memory_down', queued: 3, replayed: 3, known: 0, conflicts: 0, discarded: 0 });
    expect(bench.told.settled.map((frame) => 'outcome' in frame && frame.outcome)).toEqual(['replayed', 'replayed', 'replayed']);
    const [document] = [...bench.drawers[0].kept.values()];
    expect([document?.resolvedAt !== null, document?.pendingWrites.map(({ outcome }) => outcome.kind)]).toEqual([
      true,
      ['replayed', 'replayed', 'replayed'],
    ]);
    expect(dumpOf(bench.engine.board())).toEqual(dumpOf(await foldOf(bench.store)));
    expect(await bench.run(say('SB-1', 'four'))).toMatchObject({ kind: 'done' });
  });

  test('[REC-60] a commit that nobody heard of is known, and there once', async () => {
    const bench = await openOutage();
    await bench.run(spawn());
    bench.gate = null;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    bench.gate = () => opened; // hangs, and is written when nobody waits any longer
    bench.log.fault = AWAY;
    const asked = bench.ask(say('SB-1', 'one'));
    await bench.pass(4000);
    await bench.reach('emergency');
    await bench.pass(5000);
    expect(await asked).toMatchObject({ kind: 'queued' });
    open();
    bench.log.fault = null;
    await bench.reach('normal');
    await bench.pass(100);
    expect(await wordsOn(bench)).toEqual(['one']);
    expect(bench.told.settled).toMatchObject([{ outcome: 'known', refs: ['MSG-1', 'EXCH-1'] }]);
    expect(dumpOf(bench.engine.board())).toEqual(dumpOf(await foldOf(bench.store)));
  });

  test('[REC-60] what is refused now is a conflict for a person; everything else goes on', async () => {
    const bench = await cutOff();
    await bench.ask(say('SB-1', 'two'));
    // Somebody else ended the sidebar meanwhile: another server of the same board.
    const other = await openOutage({}, bench.store);
    await other.run({ type: 'sidebar.archive', sidebar: 'SB-1' });
    await other.watch.close();
    bench.log.fault = null;
    await bench.reach('normal');
    await bench.pass(100);
    expect(bench.told.settled).toMatchObject([
      { outcome: 'conflict', code: 'wrong-status', settledSeq: null },
      { outcome: 'conflict', code: 'wrong-status' },
    ]);
    const [document] = [...bench.drawers[0].kept.values()];
    expect([document?.resolvedAt, document?.recoveryNotes.filter((note) => note.includes('conflict')).length]).toEqual([null, 2]);
    expect(bench.watch.figures()).toMatchObject({ isActive: false, pendingWrites: 0, conflicts: 2 });
  });

  test('[REC-62] a log that is another one now is not written to', async () => {
    const bench = await cutOff();
    const other = await openOutage();
    await other.run(spawn('another board'));
    const real = bench.store.log.entryAt;
    Object.assign(bench.store.log, { entryAt: other.store.log.entryAt });
    bench.log.fault = null;
    for (let i = 0; i < 20; i += 1) await bench.pass(2000);
    expect(bench.watch.state().kind).not.toBe('normal');
    expect(bench.faults.map(String).join()).toContain('this is another log');
    Object.assign(bench.store.log, { entryAt: real });
    await bench.reach('normal');
    expect(await wordsOn(bench)).toEqual(['one']);
  });

  test('[REC-63] an entry that is not found after its replay keeps the outage open', async () => {
    const bench = await cutOff();
    const { entryByUuid } = bench.store.log;
    let isWritten = false;
    bench.gate = async () => {
      isWritten = true;
    };
    Object.assign(bench.store.log, { entryByUuid: async (uuid: string) => (isWritten ? null : entryByUuid(uuid)) });
    bench.log.fault = null;
    for (let i = 0; i < 10; i += 1) await bench.pass(2000);
    expect(bench.watch.state().kind).not.toBe('normal');
    expect(bench.faults.map(String).join()).toContain('is not on the log after its replay');
    Object.assign(bench.store.log, { entryByUuid });
    await bench.reach('normal');
    expect(await wordsOn(bench)).toEqual(['one']);
  });

  test('[REC-67] an outage whose entry cannot be written stays open, and what comes later is in a cache of its own', async () => {
    const bench = await cutOff();
    let tries = 0;
    bench.log.recordFault = async () => {
      tries += 1;
      if (tries <= 2) throw new StoreFault('full', 'no space left on device');
    };
    bench.log.fault = null;
    await bench.reach('normal');
    await bench.pass(100);
    expect(tries).toBe(3);
    expect(bench.told.emergencies.map(({ state }) => state).filter((state) => state === 'normal')).toHaveLength(1);
    const [first] = [...bench.drawers[0].kept.values()];
    expect(first?.resolvedAt).not.toBeNull();
    const ends = (await bench.store.log.entriesAfter(0, 100)).filter(({ type }) => type === 'emergency.recorded');
    expect(ends.map(({ note }) => note)).toEqual([first?.cacheId]);
    // The next outage begins a cache of its own.
    bench.log.fault = AWAY;
    const asked = bench.ask(say('SB-1', 'two'));
    await bench.reach('emergency');
    await bench.pass(100);
    expect(await asked).toMatchObject({ kind: 'queued', position: 1 });
    expect([...bench.drawers[0].kept.keys()]).toHaveLength(2);
    bench.log.fault = null;
    await bench.reach('normal');
    expect(await wordsOn(bench)).toEqual(['one', 'two']);
  });

  test('[REC-69] what became of it says whose it was and where', async () => {
    const bench = await cutOff();
    const [queued] = bench.told.queued;
    bench.log.fault = null;
    await bench.reach('normal');
    expect(bench.told.settled).toMatchObject([{ uuid: queued?.uuid, senderAgentId: OPERATOR.id, contextId: 'SB-1', outcome: 'replayed' }]);
    // REC-68: a reason may quote a secret.
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const frames: ServerFrame[] = [];
    tellSettled(
      { tellSettled: (frame) => frames.push(frame) },
      bench.engine.board,
    )({
      messageId: 'one',
      uuid: 'one',
      sender: OPERATOR.id,
      contextId: null,
      outcome: 'conflict',
      seq: null,
      refs: [],
      code: 'bad-reference',
      message: `there is no ${secret}`,
    });
    expect(frames).toMatchObject([{ type: 'settled', outcome: 'conflict', message: expect.stringContaining('there is no ') as string }]);
    expect(JSON.stringify(frames)).not.toContain(secret);
  });

  test('[REC-59] places in the queue are given once, also to what comes while those before are put on the log', async () => {
    const bench = await cutOff();
    await bench.ask(say('SB-1', 'two'));
    let hasFailed = false;
    // Everything that waited is there, and the entry that ends the outage fails: it goes on, and somebody comes.
    bench.log.recordFault = async () => {
      bench.log.recordFault = null;
      bench.log.fault = AWAY;
      hasFailed = true;
      throw new StoreFault('full', 'no space left on device');
    };
    bench.log.fault = null;
    for (let i = 0; i < 200 && !hasFailed; i += 1) await bench.pass(100);
    await bench.reach('emergency');
    const late = bench.ask(say('SB-1', 'three'));
    await bench.pass(100);
    expect(await late).toMatchObject({ kind: 'queued', position: 3 });
    bench.log.fault = null;
    await bench.reach('normal');
    const [document] = [...bench.drawers[0].kept.values()];
    expect(document?.pendingWrites.map(({ n, outcome }) => [n, outcome.kind])).toEqual([
      [1, 'replayed'],
      [2, 'replayed'],
      [3, 'replayed'],
    ]);
    expect(await wordsOn(bench)).toEqual(['one', 'two', 'three']);
  });

  test('[REC-61] commands that come while it resumes wait behind those that waited', async () => {
    const bench = await cutOff();
    bench.log.fault = null;
    const later: Promise<unknown>[] = [];
    bench.gate = async () => {
      if (later.length < 3) later.push(bench.ask(say('SB-1', `while it resumes ${later.length + 1}`)));
    };
    await bench.reach('normal');
    bench.gate = null;
    expect(await Promise.all(later)).toMatchObject([{ kind: 'queued' }, { kind: 'queued' }, { kind: 'queued' }]);
    await bench.run(say('SB-1', 'last'));
    expect(await wordsOn(bench)).toEqual(['one', 'while it resumes 1', 'while it resumes 2', 'while it resumes 3', 'last']);
  });
});
