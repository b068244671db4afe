import { expect, test } from 'vitest';
import { append, NOON, withBoard, type Part } from './bench.ts';
import { line, prompt, reply, result, use } from './records.ts';

const HOUR = 3_600_000;

export const describeUsage: Part = (open) => {
  test('[LIB-15] spending adds up by the hour at any offset, and by session', () =>
    withBoard(open, async ({ store }) => {
      const { library } = store;
      await append(store, [
        line('weave', reply('a', { uuid: 'u1', id: 'm1', minute: 0, tokens: { output: 1 } })),
        line('weave', reply('b', { uuid: 'u2', id: 'm2', minute: 50, tokens: { output: 2 } })),
        line('spin', reply('c', { uuid: 'u3', id: 'm3', minute: 70, tokens: { output: 4, read: 100 } })),
        line('spin', reply('d', { uuid: 'u4', id: 'm4', tokens: { output: 8 }, more: { timestamp: '1969-12-31T23:30:00Z' } })),
      ]);
      const hours = async (offset: number, filter: { since?: number; until?: number } = {}) =>
        (await library.hourlySpending(offset, filter)).map(({ hour, spent }) => [hour, spent.usage.output, spent.usage.cacheRead]);
      const noon = NOON / HOUR;
      expect(await hours(0)).toEqual([
        [-1, 8, 0],
        [noon, 3, 0],
        [noon + 1, 4, 100],
      ]);
      expect(await hours(HOUR / 2, { since: NOON })).toEqual([
        [noon, 1, 0],
        [noon + 1, 6, 100],
      ]);
      expect(await hours(-2 * HOUR, { since: NOON, until: NOON + HOUR })).toEqual([[noon - 2, 3, 0]]);
      expect((await library.spending('session', { since: NOON })).map(({ key, spent }) => [key, spent.usage.output])).toEqual([
        ['spin', 4],
        ['weave', 3],
      ]);
    }));

  test('[LIB-15] uses of tools add up with how many failed; copies and answers without a use add nothing', () =>
    withBoard(open, async ({ store }) => {
      const { library } = store;
      const own = [
        prompt('go', { uuid: 'p1' }),
        reply([use('t1', 'Bash', {}), use('t2', 'Bash', {}), use('t3', 'Read', {})], { uuid: 'a1', parent: 'p1', minute: 1 }),
        result('t1', 'bad', { uuid: 'r1', parent: 'a1', minute: 2, isError: true }),
        result('t2', 'ok', { uuid: 'r2', parent: 'r1', minute: 3 }),
      ];
      await append(store, [...own.map((record) => line('weave', record)), ...own.map((record) => line('fork', record))]);
      expect(await library.toolUses({})).toEqual([
        { name: 'Bash', uses: 2, errors: 1 },
        { name: 'Read', uses: 1, errors: 0 },
      ]);
      expect(await library.toolUses({ since: NOON + 2 * 60_000 })).toEqual([]);
      expect(await library.toolUses({ until: NOON })).toEqual([]);
    }));
};
