import { EVENT_TYPES, ENTRY_TYPES, isDecided } from '@yarnboard/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordOf } from '../library/reading.ts';
import { StoreFault, type Appended, type Item, type Store } from '../port.ts';
import { verifyRange } from '../verify.ts';
import { append, faultOf, withBoard, type Part } from './bench.ts';
import { companion, decided, line, mark, prompt, said } from './records.ts';

/** Appends what was decided with knowledge of everything up to a position. */
const decide = (store: Store, decidedAt: number, items: readonly Item[]): Promise<readonly Appended[]> =>
  store.log.append({ items, files: [], decidedAt });

const isStale = (cause: unknown): boolean => cause instanceof StoreFault && cause.kind === 'stale';

export const describeDeciding: Part = (open) => {
  test('[STORE-11] what was decided upon without knowing what was decided since is refused, and nothing of it is written', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [line('weave', prompt('one', { uuid: 'u1' }))]);
      await decide(store, 0, [decided('a'), decided('b')]);
      const before = [await store.log.head(), await store.library.dump()];
      const batch = {
        items: [line('weave', prompt('two', { uuid: 'u2' })), decided('c', { content: 'never said' })],
        files: [mark('/one')],
        decidedAt: 2,
      };
      expect(await faultOf(store.log.append(batch))).toMatchObject({
        name: 'StoreFault',
        kind: 'stale',
        message: expect.stringMatching(/entry 3 .*entry 2.*decide again/u) as string,
      });
      expect([await store.log.head(), await store.library.dump()]).toEqual(before);
      expect([await store.log.files(), await store.log.entryByUuid('c')]).toEqual([[], null]);
      expect(await store.log.append({ ...batch, decidedAt: 3 })).toMatchObject([
        { position: 4, refs: ['MSG-4', 'EXCH-2'] },
        { position: 5, refs: ['MSG-5'] },
      ]);
    }));

  test('[STORE-11] transcripts and deeds that came since do not matter, and whoever says no position is never refused', () =>
    withBoard(open, async ({ store }) => {
      await decide(store, 0, [decided('a')]);
      await append(store, [
        line('weave', prompt('one', { uuid: 'u1' })),
        companion('weave', 'out.txt', Buffer.from('output')),
        said('turn', { type: ENTRY_TYPES.turnClosed }),
        said('stream', { type: ENTRY_TYPES.streamed }),
      ]);
      expect(await decide(store, 1, [decided('b')])).toMatchObject([{ status: 'new', position: 6 }]);
      expect(await append(store, [decided('c')])).toMatchObject([{ status: 'new', position: 7 }]);
      expect(await faultOf(decide(store, 6, [decided('d')]))).toMatchObject({ kind: 'stale' });
      expect(await decide(store, 7, [])).toEqual([]);
    }));

  test('[STORE-11] every kind of entry that is decided upon counts', () =>
    withBoard(open, async ({ store }) => {
      expect(EVENT_TYPES.length).toBeGreaterThan(40);
      for (const [at, type] of EVENT_TYPES.entries()) {
        await decide(store, at, [decided(type, {}, { type })]);
        expect(await faultOf(decide(store, at, [decided('late')]))).toMatchObject({ kind: 'stale' });
      }
      expect((await store.log.head()).count).toBe(EVENT_TYPES.length);
    }));

  test('[STORE-11] what was decided before the board was opened, or by another handle, counts; what was refused does not', () =>
    withBoard(open, async ({ store, reopen, peer }) => {
      await decide(store, 0, [decided('a')]);
      const again = await reopen();
      const other = await peer();
      expect(await faultOf(decide(again, 0, [decided('b')]))).toMatchObject({ kind: 'stale' });
      await decide(other, 1, [decided('b')]);
      expect(await faultOf(decide(again, 1, [decided('c')]))).toMatchObject({ kind: 'stale' });
      await append(other, [decided('c')]);
      await append(again, [line('weave', prompt('one', { uuid: 'u1' }))]);
      expect(await faultOf(decide(again, 2, [decided('d')]))).toMatchObject({ kind: 'stale' });
      const bad = { ...said('bad'), get payload(): never { throw new Error('cannot be read'); } }; // prettier-ignore
      await expect(decide(again, 4, [decided('d'), bad])).rejects.toThrow('cannot be read');
      expect(await decide(again, 4, [decided('e')])).toMatchObject([{ status: 'new', position: 5 }]);
    }));

  test('[STORE-11] whatever two handles append, a batch is refused exactly when something was decided behind its position', () =>
    withBoard(open, async ({ store, peer }) => {
      const handles = [store, await peer()] as const;
      const step = fc.record({
        handle: fc.constantFrom(0, 1),
        kinds: fc.array(fc.constantFrom('decided', 'line', 'deed', 'again'), { maxLength: 3 }),
        back: fc.constantFrom(null, 0, 0, 1, 2, 4),
      });
      let count = 0;
      let last = 0;
      for (const [at, { handle, kinds, back }] of fc.sample(step, { numRuns: 400, seed: 21 }).entries()) {
        const items = kinds.map((kind, nth): Item => {
          if (kind === 'line') return line('weave', prompt(`line ${at}-${nth}`, { uuid: `l${at}-${nth}` }));
          if (kind === 'deed') return said(`d${at}-${nth}`, { type: ENTRY_TYPES.turnClosed });
          return decided(kind === 'again' ? 'again' : `${at}-${nth}`);
        });
        const decidedAt = back === null ? undefined : Math.max(0, count - back);
        const appending = handles[handle].log.append({ items, files: [], ...(decidedAt === undefined ? {} : { decidedAt }) });
        const result = await appending.catch((cause: unknown) => cause);
        const isRefused = decidedAt !== undefined && last > decidedAt;
        expect([at, isStale(result)]).toEqual([at, isRefused]);
        const added = isRefused ? [] : await store.log.entriesAfter(count, 9);
        count += added.length;
        last = added.findLast(({ type }) => isDecided(type))?.position ?? last;
      }
      expect(last).toBeGreaterThan(100);
      expect((await verifyRange(store.log, 1, count, { forgotten: new Set() })).broken).toBeNull();
    }));

  test('[STORE-12] of several that decide at once through several handles one is written at a time, and nobody overlooks another', () =>
    withBoard(open, async ({ store, peer }) => {
      const handles = [store, await peer(), await peer()] as const;
      const numberIn = (bytes: Uint8Array | undefined): number => Number(recordOf({ note: null }, bytes ?? null)?.['n']);
      let refused = 0;
      // Each continues from the last number it knows: two that did so at once would both use the same number.
      const deciding = Array.from({ length: 6 }, async (_, writer) => {
        const { log } = handles[writer % 3] ?? store;
        let known = 0;
        let sum = 0;
        for (let turn = 0; turn < 8;) {
          for (const position of await log.positionsOfType('chat.message', known)) {
            sum = numberIn((await log.payloadsOf([position])).get(position));
            known = position;
          }
          try {
            await log.append({ items: [decided(`${writer}-${turn}`, { n: sum + 1 })], files: [], decidedAt: known });
            turn += 1;
          } catch (cause) {
            if (!isStale(cause)) throw cause;
            refused += 1;
          }
        }
      });
      const others = Array.from({ length: 30 }, (_, at) => append(store, [line('weave', prompt(`line ${at}`, { uuid: `l${at}` }))]));
      await Promise.all([...deciding, ...others]);
      const positions = await store.log.positionsOfType('chat.message');
      const payloads = await store.log.payloadsOf(positions);
      expect(positions.map((position) => numberIn(payloads.get(position)))).toEqual(Array.from({ length: 48 }, (_, at) => at + 1));
      expect(refused).toBeGreaterThan(0);
    }));
};
