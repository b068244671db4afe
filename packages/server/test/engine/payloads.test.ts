import { describe, expect, test } from 'vitest';
import { heldIn } from '../../src/engine/stored-events.ts';
import { AGENT, dumpOf, foldOf, openEngine, register, say, spawn } from './bench.ts';

describe('what is kept of a decision', () => {
  test('[ENGINE-35] has the id of its entry in it, so that no two are the same bytes; what is told has not', async () => {
    const bench = await openEngine();
    await bench.run(register('scout'));
    for (const task of ['one', 'two']) await bench.run(spawn(task, { participants: ['scout'] }));
    const done = [await bench.run(say('SB-1', 'the same')), await bench.run(say('SB-2', 'the same'), { actor: AGENT })];
    const entries = (await bench.store.log.entriesAfter(0, 100)).filter(({ payloadHash }) => payloadHash !== null);
    const payloads = await bench.store.log.payloadsOf(entries.map(({ position }) => position));
    const texts = entries.map(({ position }) => Buffer.from(payloads.get(position) ?? []).toString());
    expect(texts.map((text) => text.startsWith('{"entry":'))).toEqual(entries.map(() => true));
    expect(texts.map((text) => (JSON.parse(text) as { readonly entry: string }).entry)).toEqual(entries.map(({ uuid }) => uuid));
    expect(new Set(entries.map(({ payloadHash }) => payloadHash)).size).toBe(entries.length);
    expect(done.flatMap(({ events }) => events).filter(({ payload }) => 'entry' in payload)).toEqual([]);
    expect(dumpOf(await foldOf(bench.store))).toEqual(dumpOf(bench.engine.board()));
  });

  test('[ENGINE-35] is read where it has none, as entries had it before', () => {
    expect([
      heldIn(Buffer.from('{"content":"a"}')),
      heldIn(Buffer.from('{"entry":"u","content":"a"}')),
      heldIn(Buffer.from('{"entry":"u"}')),
    ]).toEqual([{ content: 'a' }, { content: 'a' }, {}]);
  });
});
