import { describe, expect, test } from 'vitest';
import { createMemory, readMemory, type MemoryCursor, type Remembered } from '../../src/engine/memory.ts';
import { openEngine, say, spawn, type EngineBench } from './bench.ts';
import { prompt, reply, uuidOf } from './records.ts';

const readAll = async (
  bench: EngineBench,
  ref: string,
  part: 'inherited' | 'local',
  limit: number,
  isNewestFirst: boolean,
): Promise<readonly Remembered[]> => {
  const items: Remembered[] = [];
  for (let after: MemoryCursor | undefined; ;) {
    const page = await readMemory(bench.engine.memory, bench.engine.board(), bench.sidebar(ref), part, { after, limit, isNewestFirst });
    items.push(...page.items);
    if (page.next === null) return items;
    expect(page.items).toHaveLength(limit);
    after = page.next;
  }
};

const at = (name: string, parent: string | null) => ({ sessionId: 'knot', name, parent });

/** A session, a sidebar off it, a child of that, with talk before and after each branch. */
const nested = async (): Promise<EngineBench> => {
  const bench = await openEngine();
  await bench.store.log.append({
    items: [prompt(at('a', null), 'why?'), reply(at('b', 'a'), 'because'), prompt(at('c', 'b'), 'and then?')],
    files: [],
  });
  await bench.run({ type: 'sidebar.spawn', origin: { kind: 'session', sessionId: 'knot', leafUuid: uuidOf('knot/c'), upTo: null }, task: 'look' });
  for (const words of ['one', 'two', 'three']) await bench.run(say('SB-1', words));
  await bench.run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'closer' });
  await bench.run(say('SB-1', 'not for the child'));
  for (const words of ['four', 'five']) await bench.run(say('SB-2', words));
  return bench;
};

describe('memory from its end', () => {
  test('[ENGINE-38] is the same as from its beginning, whatever the size of the pages', async () => {
    const bench = await nested();
    for (const [ref, part] of [
      ['SB-1', 'inherited'],
      ['SB-1', 'local'],
      ['SB-2', 'inherited'],
      ['SB-2', 'local'],
    ] as const) {
      const forwards = await readAll(bench, ref, part, 100, false);
      for (const limit of [1, 2, 3, 4, 5, 100]) expect(await readAll(bench, ref, part, limit, true)).toEqual(forwards.toReversed());
    }
    const words = (await readAll(bench, 'SB-2', 'inherited', 2, true)).map(({ text }) => text);
    expect(words).toEqual(['three', 'two', 'one', 'and then?', 'because', 'why?']);
  });

  test('[ENGINE-38] costs the same however much there is before it', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    for (let n = 1; n <= 900; n += 1) await bench.run(say('SB-1', `message ${n}`));
    let read = 0;
    const { log, library } = bench.store;
    const memory = createMemory({
      library,
      log: {
        ...log,
        entriesBefore: async (...asked: Parameters<typeof log.entriesBefore>) => {
          const entries = await log.entriesBefore(...asked);
          read += entries.length;
          return entries;
        },
      },
    });
    const page = await readMemory(memory, bench.engine.board(), bench.sidebar('SB-1'), 'local', { limit: 3, isNewestFirst: true });
    expect(page.items.map(({ text }) => text)).toEqual(['message 900', 'message 899', 'message 898']);
    expect(read).toBeLessThanOrEqual(200);
  });
});
