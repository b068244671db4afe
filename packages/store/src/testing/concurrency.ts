import { NUMBERED_TYPES, parseRef, type NumberedType } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import type { Appended, Item, Store } from '../port.ts';
import { verifyRange } from '../verify.ts';
import { append, withBoard, type Part } from './bench.ts';
import { line, prompt, reply, said } from './records.ts';

/** The batches of one of several writers: of varying size, some numbered, some records, some also sent by another writer. */
const batchesOf = (writer: number): readonly (readonly Item[])[] =>
  Array.from({ length: 12 }, (_, batch) =>
    Array.from({ length: 1 + ((writer + batch * 3) % 7) }, (_, at) => {
      const id = `${writer}-${batch}-${at}`;
      if (at === 0) return said(`shared-${batch}`, { numbers: ['SB'] });
      if (at % 3 === 0)
        return line(`s${writer % 3}`, reply(`says ${id}`, { uuid: id, id: `m${batch % 4}`, request: `r${at}`, tokens: { output: batch } }));
      return at % 2 === 0 ? line(`s${writer % 3}`, prompt(`asks ${id}`, { uuid: id })) : said(id, { numbers: numbersFor(batch) });
    }),
  );

const numbersFor = (batch: number): readonly NumberedType[] => NUMBERED_TYPES.filter((_, place) => (batch + place) % 3 === 0);

export const describeConcurrency: Part = (open) => {
  test('[LOG-14] eight writers at once leave no gap and no number twice, and the chain is whole', () =>
    withBoard(open, async ({ store, peer }) => {
      const handles: readonly Store[] = [store, await peer(), store, await peer()];
      const writing = Array.from({ length: 8 }, async (_, writer) => {
        const results: Appended[] = [];
        for (const batch of batchesOf(writer)) results.push(...(await append(handles[writer % handles.length] ?? store, batch)));
        return results;
      });
      const results = (await Promise.all(writing)).flat();
      const fresh = results.filter(({ status }) => status === 'new');
      const { count } = await store.log.head();
      expect(fresh.map(({ position }) => position).sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
      expect(results.filter(({ uuid, status }) => uuid.startsWith('shared-') && status === 'new')).toHaveLength(12);
      for (const type of NUMBERED_TYPES) {
        const numbers = fresh
          .flatMap(({ refs }) => refs.map((ref) => parseRef(ref)))
          .flatMap((ref) => (ref.ok && ref.value.kind === 'numbered' && ref.value.type === type ? [ref.value.number] : []));
        expect(numbers.length).toBeGreaterThan(10);
        expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1));
      }
      expect((await verifyRange(store.log, 1, count, { forgotten: new Set() })).broken).toBeNull();
      const dump = await store.library.dump();
      await store.library.rebuild();
      expect(await store.library.dump()).toEqual(dump);
    }));

  test('[LOG-7] the same said by eight at once is on the log once, and all are told where', () =>
    withBoard(open, async ({ store, peer }) => {
      const other = await peer();
      const results = (await Promise.all(Array.from({ length: 8 }, (_, at) => append(at % 2 === 0 ? store : other, [said('once')])))).flat();
      expect(results.filter(({ status }) => status === 'new')).toHaveLength(1);
      expect(new Set(results.map(({ position, uuid, refs }) => `${position} ${uuid} ${refs.join()}`))).toEqual(new Set(['1 once MSG-1']));
    }));

  test('[STORE-4] what one handle has appended, every other sees at once and appends behind', () =>
    withBoard(open, async ({ store, peer, reader }) => {
      const other = await peer();
      await append(store, [line('weave', prompt('one', { uuid: 'u1' }))]);
      expect((await other.log.entryAt(1))?.uuid).toBe('u1');
      expect((await append(other, [line('weave', prompt('two', { uuid: 'u2' }))]))[0]).toMatchObject({ position: 2, refs: ['MSG-2', 'EXCH-2'] });
      expect((await append(store, [line('twill', prompt('three', { uuid: 'u1' }))]))[0]).toMatchObject({ status: 'copied', position: 3 });
      expect((await append(store, [said('four')]))[0]).toMatchObject({ position: 4, refs: ['MSG-3'] });
      expect((await (await reader()).library.session('weave'))?.messages).toBe(2);
      expect((await verifyRange(store.log, 1, 4, { forgotten: new Set() })).broken).toBeNull();
    }));
};
