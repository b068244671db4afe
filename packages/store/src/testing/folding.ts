import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../hash.ts';
import type { Item, Store } from '../port.ts';
import { verifyRange } from '../verify.ts';
import { append, withBoard, type OpenBoard, type Part } from './bench.ts';
import { line, prompt, reply, said } from './records.ts';
import { BOTH, itemsFrom, TWILL, WEAVE, type Seed } from './session.ts';

const seeds: fc.Arbitrary<readonly Seed[]> = fc.array(
  fc.record({
    kind: fc.integer({ min: 0, max: 7 }),
    session: fc.integer({ min: 0, max: 2 }),
    agent: fc.integer({ min: 0, max: 2 }),
    id: fc.integer({ min: 0, max: 9 }),
    amount: fc.integer({ min: 0, max: 9 }),
  }),
  { minLength: 1, maxLength: 40 },
);

/** The library, the chain and whether both match a new fold of the log. */
const outcomeOf = async (
  open: OpenBoard,
  batches: readonly (readonly Item[])[],
): Promise<{ dump: readonly string[]; head: string; rebuilt: readonly string[] }> => {
  const outcome = { dump: [] as readonly string[], head: '', rebuilt: [] as readonly string[] };
  await withBoard(open, async ({ store }) => {
    for (const batch of batches) await append(store, batch);
    outcome.dump = await store.library.dump();
    outcome.head = Buffer.from((await store.log.head()).checksum).toString('hex');
    await store.library.rebuild();
    outcome.rebuilt = await store.library.dump();
    for (const session of ['s0', 's1', 's2']) {
      await store.library.rebuild(session);
      expect(await store.library.dump()).toEqual(outcome.dump);
    }
  });
  return outcome;
};

const DERIVED = ['sessions', 'agents', 'messages', 'operations', 'responses', 'links', 'summaries', 'kinds', 'calls'];

const both = async (store: Store): Promise<void> => {
  await append(store, WEAVE);
  await append(store, TWILL);
};

export const describeFolding: Part = (open) => {
  test('[LIB-1] however the log came in, in one batch or in many, the library and the chain are the same', async () => {
    const split = fc.tuple(seeds, fc.array(fc.nat(40), { maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(split, async ([drawn, cuts]) => {
        const items = itemsFrom(drawn);
        const edges = [...new Set([0, ...cuts.filter((cut) => cut < items.length), items.length])].sort((a, b) => a - b);
        const batches = edges.slice(1).map((edge, at) => items.slice(edges[at], edge));
        const one = await outcomeOf(open, [items]);
        expect(await outcomeOf(open, batches)).toEqual(one);
        expect(one.rebuilt).toEqual(one.dump);
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4) },
    );
  });

  test('[LIB-1] line by line the hand-written sessions give what they give at once', async () => {
    const one = await outcomeOf(open, [BOTH]);
    expect(
      await outcomeOf(
        open,
        BOTH.map((item) => [item]),
      ),
    ).toEqual(one);
    expect(one.rebuilt).toEqual(one.dump);
  });

  test('[LIB-2] rebuilt from the log, all of it or one session, the library is the same', () =>
    withBoard(open, async (bench) => {
      await both(bench.store);
      const before = await bench.store.library.dump();
      const progress: (readonly [number, number])[] = [];
      expect(await bench.store.library.rebuild(undefined, (done, all) => progress.push([done, all]))).toEqual({ entries: 19 });
      expect(progress.at(-1)).toEqual([19, 19]);
      expect(await bench.store.library.dump()).toEqual(before);
      for (const session of ['weave', 'twill']) {
        expect((await bench.store.library.rebuild(session)).entries).toBeGreaterThan(0);
        expect(await bench.store.library.dump()).toEqual(before);
      }
      expect(await bench.store.library.rebuild('unknown')).toEqual({ entries: 0 });
      expect(await bench.store.library.dump()).toEqual(before);
    }));

  test('[LIB-2] what was spoiled by hand is as it was after rebuilding, all of it or the session it was in', () =>
    withBoard(open, async (bench) => {
      await both(bench.store);
      const before = await bench.store.library.dump();
      const spoil = async (): Promise<void> => {
        await bench.tamper.execute('UPDATE messages SET number = 99, parent_uuid = NULL WHERE position = 4');
        await bench.tamper.execute('UPDATE sessions SET messages = 99, project = NULL');
        await bench.tamper.execute('DELETE FROM operations WHERE position = 5');
        await bench.tamper.execute('DELETE FROM agents');
        expect(await bench.store.library.dump()).not.toEqual(before);
      };
      await spoil();
      await bench.store.library.rebuild();
      expect(await bench.store.library.dump()).toEqual(before);
      await spoil();
      await bench.store.library.rebuild('weave');
      await bench.store.library.rebuild('twill');
      expect(await bench.store.library.dump()).toEqual(before);
    }));

  test('[LIB-2] a library that was lost is folded again when the board is opened', () =>
    withBoard(open, async (bench) => {
      await both(bench.store);
      const before = await bench.store.library.dump();
      for (const table of DERIVED) await bench.tamper.execute(`DELETE FROM ${table}`);
      expect(await (await bench.reopen()).library.dump()).toEqual(before);
    }));

  test('[LIB-2] a rebuild that fails half-way changes nothing, and what is said afterwards verifies', () =>
    withBoard(open, async ({ store, reopen }) => {
      const item = line('weave', prompt('one', { uuid: 'u1' }));
      await append(store, [item]);
      const before = await store.library.dump();
      const hash = sha256(item.payload ?? Buffer.alloc(0)).toString('hex');
      await store.log.dropPayload(hash); // so that rebuilding finds it in a role that nothing had before
      const failing = store.library.rebuild(undefined, () => {
        throw new Error('the disk is full');
      });
      await expect(failing).rejects.toThrow('the disk is full');
      expect(await store.library.dump()).toEqual(before);
      await append(store, [said('a', { sender: 'a new one' }), said('b', { sender: 'meta' })]);
      const { log } = await reopen();
      expect((await log.entriesAfter(1, 2)).map(({ sender }) => sender)).toEqual(['a new one', 'meta']);
      expect((await verifyRange(log, 1, 3, { forgotten: new Set([hash]) })).broken).toBeNull();
    }));

  test('[LIB-9] costs that no response can have are cut off and stop nothing', () =>
    withBoard(open, async ({ store }) => {
      const costly = (at: number) =>
        line('weave', reply('x', { uuid: `u${at}`, id: `m${at}`, tokens: { output: 1 }, more: Object.fromEntries([['costUSD', 999_999]]) }));
      for (let batch = 0; batch < 5; batch += 1) {
        await append(
          store,
          Array.from({ length: 2000 }, (_, at) => costly(batch * 2000 + at)),
        );
      }
      expect((await store.library.session('weave'))?.spent).toMatchObject({ responses: 10_000, costNano: 1e16 });
    }));

  test('[LIB-2] rebuilt sessions that share responses are rebuilt together', () =>
    withBoard(open, async ({ store }) => {
      const place = { id: 'm1', request: 'r1' };
      await append(store, [line('one', reply('short', { uuid: 'u1', ...place, tokens: { output: 5 } }))]);
      await append(store, [line('two', reply('long', { uuid: 'u2', ...place, tokens: { output: 50 } }))]);
      const before = await store.library.dump();
      for (const session of ['one', 'two']) {
        await store.library.rebuild(session);
        expect(await store.library.dump()).toEqual(before);
      }
    }));
};
