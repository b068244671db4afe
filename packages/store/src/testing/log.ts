import { canonicalOf, ENTRY_TYPES, genesisOf, innerHashOf, linkOf, type ChainedEntry, type Draft } from '@yarnboard/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../hash.ts';
import type { Store } from '../port.ts';
import { verifyRange } from '../verify.ts';
import { append, withBoard, type Part } from './bench.ts';
import { companion, damaged, forgotten, line, mark, prompt, reply, said } from './records.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Every field set, none to its default. */
const FULL: Draft = {
  uuid: 'full',
  type: 'note.said',
  version: 3,
  timestamp: 1_700_000_000_123,
  processingTimeMs: 45,
  contentType: 'media_ref',
  contentLength: 67,
  tokenCount: 89,
  sender: 'AGENT-weaver',
  senderType: 'agent',
  contextId: 'loom/warp',
  parentMsgId: 'before',
  sessionId: 'loom',
  agentModelVersion: 'claude-opus-4-5',
  citationsUsed: ['MSG-1', 'CITE-2'],
  mediaAttached: ['MEDIA-3'],
  toolsInvoked: ['Read', 'Bash'],
  toolResultsSummary: '1 ok, 1 failed',
  senderConfidence: 0.1,
  flaggedUncertain: true,
  errorOccurred: true,
  errorRef: 'E-7',
  originatingClient: 'codex',
  clientVersion: '2.1.0',
  occurrence: null,
  numbers: ['MSG', 'CITE', 'SB', 'FRAG', 'EXCH', 'GOLD', 'MEDIA'],
  note: 'all said',
};

const firstEntry = async (store: Store): Promise<ChainedEntry> => {
  const [entry] = await store.log.entriesAfter(0, 1);
  return entry ?? expect.unreachable('nothing is on the log');
};

export const describeLog: Part = (open) => {
  test('[LOG-1] positions run from 1 without gaps, in the order of appending', () =>
    withBoard(open, async ({ store }) => {
      expect((await store.log.head()).count).toBe(0);
      const first = await append(store, [said('a'), said('b')]);
      const second = await append(store, [said('c')]);
      expect([...first, ...second].map(({ position }) => position)).toEqual([1, 2, 3]);
      expect((await store.log.entriesAfter(0, 10)).map(({ uuid, position }) => [position, uuid])).toEqual([
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ]);
      expect((await store.log.entriesAfter(1, 1)).map(({ uuid }) => uuid)).toEqual(['b']);
      expect((await store.log.head()).count).toBe(3);
    }));

  test('[LOG-2] every field of a draft comes back as it was said, and its hash is over all of them', () =>
    withBoard(open, async ({ store, reopen }) => {
      const payload = Buffer.from('what was said');
      await append(store, [{ draft: FULL, payload, reading: null }]);
      const { uuid, numbers, ...fields } = FULL;
      const entry = await (await reopen()).log.entryAt(1);
      expect(entry).toEqual({
        ...fields,
        uuid,
        refs: numbers.map((type) => `${type}-1`),
        position: 1,
        recordedAt: expect.any(Number) as number,
        payloadHash: hexOf(sha256(payload)),
        copyOf: null,
        innerHash: entry === null ? '' : hexOf(innerHashOf(entry, sha256)),
        checksum: expect.any(String) as string,
      });
    }));

  test('[LOG-2] no two fields are hashed alike: whatever is changed changes the hash', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [{ draft: { ...FULL, occurrence: 4 }, payload: Buffer.from('x'), reading: null }]);
      const entry = await firstEntry(store);
      const names = (Object.keys(entry) as (keyof ChainedEntry)[]).filter((name) => name !== 'innerHash' && name !== 'checksum');
      expect(names).toHaveLength(31);
      const texts = names.map((name) => canonicalOf({ ...entry, [name]: '\0other' }));
      expect(new Set([canonicalOf(entry), ...texts]).size).toBe(names.length + 1);
    }));

  test('[LOG-2] any draft survives the round trip, and the chain over it holds', () =>
    withBoard(open, async ({ store }) => {
      // Including halves of surrogate pairs and NUL: transcripts have both.
      const text = fc.string({ unit: 'binary', maxLength: 12 }).map((some) => some.replaceAll('a', '\ud83d').replaceAll('b', '\0'));
      const draft = fc.record({
        timestamp: fc.integer({ min: 0, max: 8.64e15 }),
        contentLength: fc.nat(),
        tokenCount: fc.option(fc.maxSafeNat()),
        processingTimeMs: fc.option(fc.nat()),
        sender: text,
        contextId: text,
        sessionId: text,
        parentMsgId: fc.option(text),
        agentModelVersion: fc.option(text),
        citationsUsed: fc.array(text, { maxLength: 3 }),
        mediaAttached: fc.array(text, { maxLength: 3 }),
        toolsInvoked: fc.option(fc.array(text, { maxLength: 3 })),
        toolResultsSummary: fc.option(text),
        senderConfidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true }).map((some) => some + 0)),
        flaggedUncertain: fc.boolean(),
        errorOccurred: fc.boolean(),
        errorRef: fc.option(text),
        originatingClient: text,
        clientVersion: fc.option(text),
        note: fc.option(text),
      });
      const drafts = fc.sample(draft, { numRuns: 300, seed: 11 });
      await append(
        store,
        drafts.map((about, at) => said(`any-${at}`, about)),
      );
      const entries = await store.log.entriesAfter(0, 300);
      for (const [at, about] of drafts.entries()) expect(entries[at]).toMatchObject(about);
      expect((await verifyRange(store.log, 1, 300, { forgotten: new Set() })).broken).toBeNull();
    }));

  test('[LOG-3] the chain begins with the board and links every entry to the one before', () =>
    withBoard(open, async ({ store, reopen }) => {
      expect(store.log.boardId).toBe('board-under-test');
      expect(hexOf((await store.log.head()).checksum)).toBe(hexOf(genesisOf('board-under-test', sha256).checksum));
      await append(store, [said('a'), said('b')]);
      await append(store, [said('c')]);
      let previous = genesisOf('board-under-test', sha256).checksum;
      for (const entry of await store.log.entriesAfter(0, 10)) {
        const inner = innerHashOf(entry, sha256);
        previous = linkOf(previous, inner, sha256);
        expect({ inner: entry.innerHash, checksum: entry.checksum }).toEqual({ inner: hexOf(inner), checksum: hexOf(previous) });
      }
      expect(hexOf((await store.log.head()).checksum)).toBe(hexOf(previous));
      const again = await reopen();
      expect(again.log.boardId).toBe('board-under-test');
      expect(hexOf((await again.log.head()).checksum)).toBe(hexOf(previous));
    }));

  test('[LOG-14] each type has its own numbers, from 1, without gaps', () =>
    withBoard(open, async ({ store, reopen }) => {
      await append(store, [said('a'), said('b', { numbers: ['SB', 'MSG'] }), said('c', { numbers: [] })]);
      const again = await reopen();
      const more = await append(again, [said('d', { numbers: ['MSG', 'SB'] }), said('e', { numbers: ['GOLD'] })]);
      expect(more.map(({ refs }) => refs)).toEqual([['MSG-3', 'SB-2'], ['GOLD-1']]);
      expect((await again.log.entriesAfter(0, 10)).map(({ refs }) => refs)).toEqual([
        ['MSG-1'],
        ['SB-1', 'MSG-2'],
        [],
        ['MSG-3', 'SB-2'],
        ['GOLD-1'],
      ]);
      expect(await again.log.positionOfRef('SB', 2)).toBe(4);
      expect(await again.log.positionOfRef('MSG', 2)).toBe(2);
      expect(await again.log.positionOfRef('MSG', 4)).toBeNull();
      expect(await again.log.positionOfRef('CITE', 1)).toBeNull();
    }));

  test('[LOG-14] a batch that is refused uses up no number', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [said('a')]);
      const bad = { ...said('c'), get payload(): never { throw new Error('cannot be read'); } }; // prettier-ignore
      await expect(append(store, [said('b'), bad])).rejects.toThrow('cannot be read');
      expect((await append(store, [said('d')]))[0]).toMatchObject({ position: 2, refs: ['MSG-2'] });
    }));

  test('[LOG-7] what is said again is answered with where it stands, and nothing is added', () =>
    withBoard(open, async ({ store }) => {
      const [first] = await append(store, [said('a', { numbers: ['MSG', 'EXCH'] })]);
      const again = await append(store, [said('a', { sender: 'somebody else' }, Buffer.from('other bytes')), said('b'), said('b')]);
      expect(again).toEqual([
        { ...first, status: 'known' },
        { status: 'new', position: 2, uuid: 'b', refs: ['MSG-2'] },
        { status: 'known', position: 2, uuid: 'b', refs: ['MSG-2'] },
      ]);
      expect((await store.log.head()).count).toBe(2);
      expect(await store.log.payloadByHash(hexOf(sha256(Buffer.from('other bytes'))))).toBeNull();
    }));

  test('[LOG-7] a record is known by context, bytes and how often they were there before', () =>
    withBoard(open, async ({ store }) => {
      const bytes = Buffer.from('{"broken');
      const hash = hexOf(sha256(bytes));
      const [one, two, same, other] = await append(store, [
        damaged('weave', bytes),
        damaged('weave', bytes, 'no JSON', 2),
        damaged('weave', bytes),
        damaged('twill', bytes),
      ]);
      expect([one?.status, two?.status, same, other?.status]).toEqual(['new', 'new', { ...one, status: 'known' }, 'new']);
      expect(await append(store, [damaged('weave', bytes, 'no JSON', 2)])).toEqual([{ ...two, status: 'known' }]);
      expect(new Set([one?.uuid, two?.uuid, other?.uuid]).size).toBe(3);
      expect(await store.log.occurrences('weave', hash)).toBe(2);
      expect(await store.log.occurrences('twill', hash)).toBe(1);
      expect(await store.log.occurrences('nowhere', hash)).toBe(0);
      expect((await store.log.head()).count).toBe(3);
    }));

  test('[LOG-7] a record that bears the uuid another will be given stops nothing, in one batch or in two', async () => {
    const plain = damaged('weave', Buffer.from('no record'));
    let given = '';
    await withBoard(open, async ({ store }) => {
      given = (await append(store, [plain]))[0]?.uuid ?? '';
    });
    const forged = line('weave', prompt('mine', { uuid: given }));
    for (const batches of [[[forged, plain]], [[forged], [plain]]]) {
      await withBoard(open, async ({ store }) => {
        for (const batch of batches) await append(store, batch);
        const entries = await store.log.entriesAfter(0, 9);
        expect(entries.map(({ uuid, type }) => [uuid === given, type])).toEqual([
          [true, ENTRY_TYPES.line],
          [false, ENTRY_TYPES.line],
        ]);
        expect((await append(store, [plain, forged])).map(({ status, position }) => [status, position])).toEqual([
          ['known', 2],
          ['known', 1],
        ]);
        expect((await verifyRange(store.log, 1, 2, { forgotten: new Set() })).broken).toBeNull();
      });
    }
  });

  test('[LOG-7] an entry without a uuid is given one by its key, the same on every board', async () => {
    const uuids: string[] = [];
    for (const others of [0, 3]) {
      await withBoard(open, async ({ store }) => {
        await append(
          store,
          Array.from({ length: others }, (_, at) => said(`other-${at}`)),
        );
        const [added] = await append(store, [companion('weave', 'out.txt', Buffer.from('output'))]);
        expect(added?.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
        expect((await store.log.entryByUuid(added?.uuid ?? ''))?.position).toBe(others + 1);
        uuids.push(added?.uuid ?? '');
      });
    }
    expect(uuids[0]).toBe(uuids[1]);
  });

  test('[LOG-8] a clock that goes backwards does not take the log with it', () =>
    withBoard(open, async ({ store, reopen }, clock) => {
      const start = clock.now;
      await append(store, [said('a')]);
      clock.now = start - 60_000;
      await append(store, [said('b')]);
      const again = await reopen();
      await append(again, [said('c')]);
      clock.now = start + 5;
      await append(again, [said('d')]);
      expect((await again.log.entriesAfter(0, 10)).map(({ recordedAt }) => recordedAt - start)).toEqual([0, 0, 0, 5]);
    }));

  test('[LOG-8] a clock that comes back from far ahead takes the time of recording with it', () =>
    withBoard(open, async ({ store, reopen }, clock) => {
      const start = clock.now;
      await append(store, [said('a')]);
      clock.now = start + 400 * 86_400_000;
      await append(store, [said('b')]);
      clock.now = start + 10;
      await append(store, [said('c')]);
      const again = await reopen();
      clock.now = start + 5;
      await append(again, [said('d')]);
      const recorded = (await again.log.entriesAfter(0, 10)).map(({ recordedAt }) => recordedAt - start);
      expect(recorded).toEqual([0, 400 * 86_400_000, 10, 10]);
      expect((await verifyRange(again.log, 1, 4, { forgotten: new Set() })).broken).toBeNull();
    }));

  test('[LOG-9] a record whose uuid is on the log is a copy: its bytes are kept, it has no number', () =>
    withBoard(open, async ({ store }) => {
      const original = line('weave', prompt('hello', { uuid: 'u1' }));
      const copy = line('twill', prompt('hello', { uuid: 'u1', more: { sessionId: 'twill' } }));
      const changed = line('weave', prompt('hello, changed', { uuid: 'u1' }));
      const results = await append(store, [original, copy, changed, copy]);
      expect(results.map(({ status, position, refs }) => [status, position, refs])).toEqual([
        ['new', 1, ['MSG-1', 'EXCH-1']],
        ['copied', 2, []],
        ['copied', 3, []],
        ['known', 2, []],
      ]);
      const [first, second, third] = await store.log.entriesAfter(0, 10);
      expect([first, second, third].map((entry) => [entry?.type, entry?.copyOf])).toEqual([
        [ENTRY_TYPES.line, null],
        [ENTRY_TYPES.copied, 1],
        [ENTRY_TYPES.copied, 1],
      ]);
      expect(new Set([first?.uuid, second?.uuid, third?.uuid]).size).toBe(3);
      expect(second?.contextId).toBe('twill');
      expect((await store.log.payloadsOf([2])).get(2)).toEqual(copy.payload);
      expect((await append(store, [line('weave', prompt('next', { uuid: 'u2' }))]))[0]?.refs).toEqual(['MSG-2', 'EXCH-2']);
    }));

  test('[LOG-12] how far a file was read is written with what was read, or not at all', () =>
    withBoard(open, async ({ store, reopen }) => {
      const bad = { ...said('b'), get payload(): never { throw new Error('cannot be read'); } }; // prettier-ignore
      await expect(append(store, [said('a'), bad], [mark('/one')])).rejects.toThrow('cannot be read');
      expect([await store.log.files(), (await store.log.head()).count, await store.log.payloadByHash(hexOf(sha256(Buffer.from('a'))))]).toEqual([
        [],
        0,
        null,
      ]);
      const agent = mark('/two', { agentId: 'a1', role: 'agent', modified: 1.5, counts: { lines: 0, blank: 0, records: 0, quarantined: 0 } });
      await append(store, [said('a')], [mark('/one'), agent]);
      await append(store, [], [mark('/one', { offset: 5000, line: 13 })]);
      expect(await (await reopen()).log.files()).toEqual([mark('/one', { offset: 5000, line: 13 }), agent]);
    }));

  test('[LOG-12] a batch that is refused leaves no row in the library either', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [line('weave', prompt('one', { uuid: 'u1' }))]);
      const before = await store.library.dump();
      const bad = { ...said('c'), get payload(): never { throw new Error('cannot be read'); } }; // prettier-ignore
      await expect(append(store, [line('weave', reply('two', { uuid: 'u2', parent: 'u1' })), bad])).rejects.toThrow('cannot be read');
      expect(await store.library.dump()).toEqual(before);
    }));

  test('[LOG-12] a file can be forgotten, and an empty batch changes nothing', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [], [mark('/one'), mark('/two')]);
      await store.log.forgetFile('/one');
      await store.log.forgetFile('/never seen');
      expect((await store.log.files()).map(({ path }) => path)).toEqual(['/two']);
      expect(await append(store, [])).toEqual([]);
      expect((await store.log.head()).count).toBe(0);
    }));

  test('[LOG-13] entries are found by position, by uuid and by reference; what is not there is not', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [said('a'), said('b')]);
      expect((await store.log.entryAt(2))?.uuid).toBe('b');
      expect((await store.log.entryByUuid('b'))?.position).toBe(2);
      expect([await store.log.entryAt(3), await store.log.entryAt(0), await store.log.entryByUuid('c')]).toEqual([null, null, null]);
      expect(await store.log.entriesAfter(2, 10)).toEqual([]);
    }));

  test('[LOG-13] entries are found by what they hold, and by their type where that is rare', () =>
    withBoard(open, async ({ store }) => {
      const bytes = Buffer.from('twice');
      await append(store, [said('a', {}, bytes), said('b'), damaged('weave', bytes), forgotten('00')]);
      expect(await store.log.positionsWith(hexOf(sha256(bytes)))).toEqual([1, 3]);
      expect(await store.log.positionsWith('00'.repeat(32))).toEqual([]);
      expect(await store.log.positionsOfType(ENTRY_TYPES.forgotten)).toEqual([4]);
      expect(await store.log.positionsOfType('unknown')).toEqual([]);
    }));
};
