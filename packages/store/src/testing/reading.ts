import { expect, test } from 'vitest';
import type { Item } from '../port.ts';
import { append, withBoard, type Part } from './bench.ts';
import { decided, line, prompt, said } from './records.ts';
import { BOTH, itemsFrom, type Seed } from './session.ts';

/** From three conversations in turn: those of `knot` are at 1, 4, 7, … */
const MIXED: readonly Item[] = Array.from({ length: 30 }, (_, at) => {
  if (at % 3 === 0) return decided(`k${at + 1}`);
  return at % 3 === 1
    ? decided(`o${at + 1}`, {}, { sessionId: 'knot-2', contextId: 'sidebar:knot-2' })
    : line('weave', prompt(`${at}`, { uuid: `u${at + 1}` }));
});

const positionsIn = (entries: readonly { readonly position: number }[]): readonly number[] => entries.map(({ position }) => position);

const oneByOne = async <K, V>(keys: readonly K[], read: (key: K) => Promise<V | null>): Promise<ReadonlyMap<K, V>> => {
  const found = new Map<K, V>();
  for (const key of keys) {
    const value = await read(key);
    if (value !== null) found.set(key, value);
  }
  return found;
};

export const describeReading: Part = (open) => {
  test('[STORE-17] what is read in batches is what is read one by one', () =>
    withBoard(open, async ({ store }) => {
      const { log, library } = store;
      const seeds = Array.from({ length: 120 }, (_, at): Seed => ({
        kind: (at * 7) % 8,
        session: at % 3,
        agent: (at * 5) % 3,
        id: (at * 11) % 40,
        amount: (at * 13) % 10,
      }));
      await append(store, [...BOTH, ...itemsFrom(seeds)]);
      const { count } = await log.head();
      const positions = [...Array.from({ length: count }, (_, at) => count - at), 0, count + 1, 3, 3];
      const ids = ['twill', 'weave', 's0', 's1', 's2', 'nowhere', 'twill', ''];
      const refs = [3, 1, 2, 99, 1, count].flatMap((number) => [{ type: 'MSG', number } as const, { type: 'EXCH', number } as const]);
      expect(await library.messagesAt(positions)).toEqual(await oneByOne(positions, library.messageAt));
      expect(await library.sessionsById(ids)).toEqual(await oneByOne(ids, library.session));
      expect(await log.positionsOfRefs(refs)).toEqual(await Promise.all(refs.map(({ type, number }) => log.positionOfRef(type, number))));
      expect([(await library.messagesAt(positions)).size > 50, (await library.sessionsById(ids)).size]).toEqual([true, 5]);
      expect([await library.messagesAt([]), await library.sessionsById([]), await log.positionsOfRefs([])]).toEqual([new Map(), new Map(), []]);
    }));

  test('[STORE-17] the first message of a fork has the number of its original, and a session that only has others none', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [
        said('first'),
        ...BOTH,
        line({ sessionId: 'felt', agentId: 'a9' }, prompt('only in a sub-agent', { uuid: 'f1', more: { isSidechain: true, agentId: 'a9' } })),
      ]);
      expect(await store.library.firstNumbersOf(['twill', 'felt', 'weave', 'nowhere', 'twill'])).toEqual(
        new Map([
          ['twill', 2],
          ['weave', 2],
        ]),
      );
    }));

  test('[STORE-13] entries come in the order they are asked for, and what does not exist is left out', () =>
    withBoard(open, async ({ store }) => {
      await append(store, MIXED);
      const all = await store.log.entriesAfter(0, 100);
      expect(await store.log.entriesAt(all.map(({ position }) => position))).toEqual(all);
      expect(await store.log.entriesAt([7, 3, 29, 3])).toEqual([all[6], all[2], all[28], all[2]]);
      expect(await store.log.entriesAt([28, 29, 30, 31, 32])).toEqual(all.slice(27));
      expect(positionsIn(await store.log.entriesAt([0, 99, 5, -1]))).toEqual([5]);
      expect([await store.log.entriesAt([31]), await store.log.entriesAt([])]).toEqual([[], []]);
    }));

  test('[STORE-13] thousands of scattered positions are read alike', () =>
    withBoard(open, async ({ store }) => {
      await append(
        store,
        Array.from({ length: 5000 }, (_, at) => said(`n${at + 1}`)),
      );
      const wanted = Array.from({ length: 4500 }, (_, at) => ((at * 7) % 5000) + 1);
      expect((await store.log.entriesAt(wanted)).map(({ uuid }) => uuid)).toEqual(wanted.map((position) => `n${position}`));
    }));

  test('[STORE-13] the entries of one conversation are read on from a position, and backwards from one', () =>
    withBoard(open, async ({ store }) => {
      await append(store, MIXED);
      const all = await store.log.entriesAfter(0, 100);
      const own = all.filter(({ sessionId }) => sessionId === 'knot');
      expect(positionsIn(own)).toEqual([1, 4, 7, 10, 13, 16, 19, 22, 25, 28]);
      expect(await store.log.entriesOf('knot', 0, 100)).toEqual(own);
      expect(await store.log.entriesBefore('knot', 31, 100)).toEqual(own.toReversed());
      expect(positionsIn(await store.log.entriesOf('knot', 10, 2))).toEqual([13, 16]);
      expect(positionsIn(await store.log.entriesBefore('knot', 10, 2))).toEqual([7, 4]);
      expect(positionsIn(await store.log.entriesOf('weave', 28, 9))).toEqual([30]);
      expect(await store.log.entriesOf('knot', 28, 9)).toEqual([]);
      expect(await store.log.entriesBefore('knot', 1, 9)).toEqual([]);
      expect([await store.log.entriesOf('kno', 0, 9), await store.log.entriesBefore('unknown', 99, 9)]).toEqual([[], []]);
    }));

  test('[STORE-13] what they say is read on from a position with its bytes, without those that were forgotten', () =>
    withBoard(open, async ({ store }) => {
      await append(store, MIXED);
      const own = await store.log.entriesOf('knot', 0, 100);
      const gone = own[3]?.payloadHash ?? '';
      expect(await store.log.dropPayload(gone)).toBe(true);
      const payloads = await store.log.payloadsOf(positionsIn(own));
      const lines = own.map(({ position, uuid, type, contextId, note }) => ({
        position,
        uuid,
        type,
        contextId,
        note,
        bytes: payloads.get(position) ?? null,
      }));
      expect(lines.map(({ bytes }) => bytes !== null)).toEqual(own.map(({ payloadHash }) => payloadHash !== null && payloadHash !== gone));
      expect(await store.log.linesOf('knot', 0, 100)).toEqual(lines);
      expect(await store.log.linesOf('knot', 10, 2)).toEqual(lines.slice(4, 6));
      expect([await store.log.linesOf('knot', 28, 9), await store.log.linesOf('kno', 0, 9)]).toEqual([[], []]);
    }));

  test('[STORE-13] the positions of a type are told from the beginning, or from a position on', () =>
    withBoard(open, async ({ store }) => {
      await append(store, MIXED);
      expect(await store.log.positionsOfType('chat.message')).toHaveLength(20);
      expect(await store.log.positionsOfType('chat.message', 25)).toEqual([26, 28, 29]);
      expect(await store.log.positionsOfType('chat.message', 29)).toEqual([]);
      expect(await store.log.positionsOfType('gold.created', 0)).toEqual([]);
      expect(await store.log.types()).toContain('chat.message');
    }));
};
