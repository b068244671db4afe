import { MASKING_RULES } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import type { Store } from '../port.ts';
import type { SearchFilters } from '../search/port.ts';
import { append, indexAll, withBoard, type Part } from './bench.ts';
import { companion, damaged, line, prompt, reply, use } from './records.ts';

// Assembled here, so that no scanner reports this file as a leak.
const KEY = ['sk', 'ant', 'api03', 'q7wm2kx9lp4vt8rb3nc6yd1hf5jg0'].join('-');
const ODD = 'q8zr5kw2vn7tb4xc9m';

const find = async (store: Store, text: string, filters: SearchFilters = {}): Promise<readonly number[]> =>
  (await store.search.find({ text, filters, limit: 100, cursor: null })).hits.map(({ position }) => position).sort((a, b) => a - b);

const maskedIn = async (store: Store, filters: SearchFilters = {}, below = 100, limit = 100): Promise<readonly number[]> =>
  (await store.search.masked({ filters, below, limit })).map(({ position }) => position);

const filled = async (store: Store): Promise<void> => {
  await append(store, [
    /* 1 */ line('weave', prompt(`shuttle ${KEY} heddle`, { uuid: 'u1' })),
    /* 2 */ line('weave', reply([use('t1', 'Bash', { shuttle: 'x', password: ODD })], { uuid: 'u2', minute: 1 })),
    /* 3 */ line('weave', prompt('shuttle without', { uuid: 'u3', minute: 2 })),
    /* 4 */ damaged('twill', Buffer.from(`{"shuttle" ${KEY}`)),
    /* 5 */ companion('twill', 'out.txt', Buffer.from(`shuttle password = "${ODD}"`)),
  ]);
  await indexAll(store);
};

export const describeMaskedSearch: Part = (open) => {
  test('[SEC-23] [FIND-30] what is masked is in no index: it matches, excludes and corrects nothing; the mask itself is found', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      expect(await find(store, 'shuttle')).toEqual([1, 2, 3, 4, 5]);
      for (const hidden of [KEY, `"${KEY}"`, KEY.slice(13), `${KEY.slice(13, 17)}*`, ODD, `${ODD.slice(0, 4)}*`]) {
        expect({ hidden, found: await find(store, hidden) }).toEqual({ hidden, found: [] });
        expect({ hidden, found: await find(store, `shuttle -${hidden}`) }).toEqual({ hidden, found: [1, 2, 3, 4, 5] });
      }
      expect(await find(store, '"masked anthropic-key"')).toEqual([1, 4]);
      expect(await find(store, '"shuttle heddle"')).toEqual([]);
      expect(await find(store, 'shuttle heddle')).toEqual([1]);
    }));

  test('[SEC-25] the index knows which entries hide something, newest first, and filters them like others', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      expect(await maskedIn(store)).toEqual([5, 4, 2, 1]);
      expect(await maskedIn(store, {}, 5, 2)).toEqual([4, 2]);
      expect(await maskedIn(store, { sessionId: 'weave' })).toEqual([2, 1]);
      expect(await maskedIn(store, { tool: 'Bash' })).toEqual([2]);
      await store.search.drop([2]);
      expect(await maskedIn(store)).toEqual([5, 4, 1]);
      await store.search.clear();
      expect(await maskedIn(store)).toEqual([]);
    }));

  test('[SEC-24] an index that was made by older rules answers nothing, and is made again', () =>
    withBoard(open, async (bench) => {
      await filled(bench.store);
      await bench.tamper.index(`UPDATE progress SET masking = ${MASKING_RULES - 1}`);
      const store = await bench.reopen();
      const reader = await bench.peer();
      const asked = { text: 'shuttle', filters: {}, limit: 9, cursor: null };
      expect(await reader.search.find(asked)).toMatchObject({ hits: [], next: null, isComplete: false });
      expect(await reader.search.masked({ filters: {}, below: 9, limit: 9 })).toEqual([]);
      expect(await store.search.advance(3)).toBe(3);
      expect(await reader.search.find(asked)).toMatchObject({ isComplete: false });
      await indexAll(store);
      expect(await reader.search.find(asked)).toMatchObject({ isComplete: true });
      expect(await find(reader, 'shuttle')).toEqual([1, 2, 3, 4, 5]);
      expect(await maskedIn(reader)).toEqual([5, 4, 2, 1]);
    }));
};
