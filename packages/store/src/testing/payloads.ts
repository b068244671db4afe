import { expect, test } from 'vitest';
import { sha256 } from '../hash.ts';
import { verifyRange } from '../verify.ts';
import { append, withBoard, type Part } from './bench.ts';
import { companion, customTitle, forgotten, line, prompt, reply, said, summary } from './records.ts';

const hashOf = (bytes: Uint8Array): string => sha256(bytes).toString('hex');

// Compresses well, badly and not at all; the same in every run.
const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let i = 0, state = 1; i < length; i += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[i] = state >> 16;
  }
  return bytes;
};

const BYTES: Readonly<Record<string, Uint8Array>> = {
  nothing: Buffer.alloc(0),
  'one byte': Buffer.from([0]),
  'every byte': Buffer.from(Array.from({ length: 256 }, (_, code) => code)),
  'invalid UTF-8': Buffer.from([0xff, 0xfe, 0x7b, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
  'five megabytes of noise': noise(5 * 1024 * 1024),
  'five megabytes of text': Buffer.from('{"type":"user"}\n'.repeat(350_000)),
  'a view into a larger buffer': Buffer.from('before the bytes behind').subarray(7, 16),
};

export const describePayloads: Part = (open) => {
  test('[STORE-16] the hash that comes with a payload is not computed again', () =>
    withBoard(open, async ({ store }) => {
      const hash = sha256('somebody else hashed this');
      await append(store, [
        { ...said('a'), hash },
        { ...line('weave', prompt('b', { uuid: 'b' })), hash: sha256('and this') },
      ]);
      expect((await store.log.entriesAfter(0, 9)).map(({ payloadHash }) => payloadHash)).toEqual([
        hash.toString('hex'),
        sha256('and this').toString('hex'),
      ]);
    }));

  test('[LOG-10] payloads come back byte for byte, alone and together', () =>
    withBoard(open, async ({ store, reopen }) => {
      const all = Object.entries(BYTES);
      await append(
        store,
        all.map(([name, bytes]) => said(name, {}, bytes)),
      );
      const { log } = await reopen();
      const found = await log.payloadsOf(all.map((_, at) => at + 1));
      for (const [at, [name, bytes]] of all.entries()) {
        expect({ name, isSame: Buffer.compare(found.get(at + 1) ?? Buffer.from('missing'), bytes) === 0 }).toEqual({ name, isSame: true });
        expect(Buffer.compare((await log.payloadByHash(hashOf(bytes))) ?? Buffer.from('missing'), bytes)).toBe(0);
      }
      expect((await verifyRange(log, 1, all.length, { forgotten: new Set() })).broken).toBeNull();
    }));

  test('[LOG-10] an entry without a payload has none, which is not the same as an empty one', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [said('a', {}, null), said('b', {}, Buffer.alloc(0))]);
      const [none, empty] = await store.log.entriesAfter(0, 2);
      expect([none?.payloadHash, empty?.payloadHash]).toEqual([null, hashOf(Buffer.alloc(0))]);
      expect([...(await store.log.payloadsOf([1, 2, 3])).keys()]).toEqual([2]);
      expect(await store.log.payloadByHash('00'.repeat(32))).toBeNull();
    }));

  test('[LOG-10] the same bytes are kept once, however often they are said', () =>
    withBoard(open, async ({ store }) => {
      const bytes = noise(100_000);
      await append(store, [said('a', {}, bytes), said('b', {}, bytes)]);
      await append(store, [said('c', {}, bytes), companion('weave', 'out.txt', bytes)]);
      expect((await store.log.size()).payloadBytes).toBe(bytes.length);
      expect((await store.log.payloadsOf([1, 2, 3, 4])).size).toBe(4);
    }));

  test('[LOG-10] many payloads in one batch come back, each its own', () =>
    withBoard(open, async ({ store }) => {
      const items = Array.from({ length: 700 }, (_, at) => said(`n${at}`, {}, Buffer.from(`number ${at} `.repeat((at * 7) % 90))));
      await append(store, items);
      const found = await store.log.payloadsOf(items.map((_, at) => at + 1));
      expect(items.map((item, at) => Buffer.compare(found.get(at + 1) ?? Buffer.from('missing'), item.payload ?? Buffer.alloc(0)))).toEqual(
        items.map(() => 0),
      );
    }));

  test('[LOG-11] a payload that is dropped is gone for good; its entry and its hash stay', () =>
    withBoard(open, async ({ store, reopen }) => {
      const secret = Buffer.from('the secret');
      const items = [said('a', {}, Buffer.from('before')), said('b', {}, secret), said('c', {}, Buffer.from('behind'))];
      await append(store, items);
      const entry = await store.log.entryAt(2);
      await append(store, [forgotten(hashOf(secret))]);
      expect(await store.log.dropPayload(hashOf(secret))).toBe(true);
      expect(await store.log.dropPayload(hashOf(secret))).toBe(false);
      expect(await store.log.dropPayload('00'.repeat(32))).toBe(false);
      const { log } = await reopen();
      expect(await log.entryAt(2)).toEqual(entry);
      expect(await log.payloadByHash(hashOf(secret))).toBeNull();
      expect([...(await log.payloadsOf([1, 2, 3]))].map(([at, bytes]) => [at, Buffer.from(bytes).toString()])).toEqual([
        [1, 'before'],
        [3, 'behind'],
      ]);
      expect((await log.size()).payloadBytes).toBe('before'.length + 'behind'.length);
    }));

  test('[LOG-11] the log with a dropped payload is whole where the log says so, and broken where it does not', () =>
    withBoard(open, async ({ store }) => {
      const hash = hashOf(Buffer.from('b'));
      await append(store, [said('a'), said('b'), said('c')]);
      await store.log.dropPayload(hash);
      const allowed = await verifyRange(store.log, 1, 3, { forgotten: new Set([hash]) });
      expect(allowed).toMatchObject({ entries: 3, payloads: 2, forgotten: [hash], broken: null });
      const refused = await verifyRange(store.log, 1, 3, { forgotten: new Set() });
      expect(refused.broken).toMatchObject({ position: 2, kind: 'payload-missing' });
    }));

  test('[LOG-11] bytes that were dropped stay dropped when they are said again', () =>
    withBoard(open, async ({ store }) => {
      const item = line('weave', prompt('hunter2', { uuid: 'u1' }));
      const hash = hashOf(item.payload ?? Buffer.alloc(0));
      await append(store, [item]);
      await store.log.dropPayload(hash);
      expect((await append(store, [item]))[0]?.status).toBe('known');
      await append(store, [said('again', {}, item.payload)]);
      expect(await store.log.payloadByHash(hash)).toBeNull();
      expect((await store.log.payloadsOf([1, 2])).size).toBe(0);
    }));

  test('[LOG-11] [LIB-12] what was forgotten does not come back into the library when it is said again, in another session', () =>
    withBoard(open, async ({ store }) => {
      const items = [prompt('hunter2', { uuid: 'u1' }), customTitle('about hunter2'), summary('of hunter2', 'u1')].map((record) =>
        line('weave', record),
      );
      await append(store, items);
      for (const [at, { payload }] of items.entries()) {
        await append(store, [forgotten(hashOf(payload ?? Buffer.alloc(0)))]);
        await store.library.scrub(at + 1, 'weave', ['hunter2', 'about hunter2']);
        await store.log.dropPayload(hashOf(payload ?? Buffer.alloc(0)));
      }
      await append(
        store,
        items.map((item) => ({ ...item, draft: { ...item.draft, sessionId: 'twill', contextId: 'twill' } })),
      );
      expect((await store.library.messages({ sessionId: 'twill', thread: { kind: 'main' }, from: 0, limit: 9 })).length).toBe(1);
      expect((await store.library.dump()).filter((row) => row.includes('hunter2'))).toEqual([]);
    }));

  test('[TRACE-10] what was forgotten mentions nothing when it is imported again', () =>
    withBoard(open, async ({ store }) => {
      // Without an id it isn't a copy of anything.
      const item = line('weave', { ...prompt('as MSG-7 says', { uuid: 'u1' }), uuid: null });
      const hash = hashOf(item.payload ?? Buffer.alloc(0));
      await append(store, [item]);
      const mentioning = async () => (await store.library.touchesOf(['MSG-7'], { limit: 9 })).map(({ position }) => position);
      expect(await mentioning()).toEqual([1]);
      await append(store, [forgotten(hash)]);
      await store.library.scrub(1, 'weave', []);
      await store.log.dropPayload(hash);
      const [again] = await append(store, [{ ...item, draft: { ...item.draft, sessionId: 'twill', contextId: 'twill' } }]);
      expect([again?.status, await mentioning()]).toEqual(['new', []]);
    }));

  test('[LIB-2] a message that was forgotten keeps its place when the library is folded again', () =>
    withBoard(open, async ({ store }) => {
      const item = line('weave', prompt('hunter2', { uuid: 'u1' }));
      await append(store, [item, line('weave', reply('what?', { uuid: 'u2', parent: 'u1' }))]);
      await store.log.dropPayload(hashOf(item.payload ?? Buffer.alloc(0)));
      await store.library.rebuild();
      const messages = await store.library.messages({ sessionId: 'weave', thread: { kind: 'main' }, from: 0, limit: 9 });
      expect(messages.map(({ uuid, number, exchange }) => [uuid, number, exchange])).toEqual([
        ['u1', 1, 1],
        ['u2', 2, null],
      ]);
    }));

  test('[LOG-11] another handle never mistakes new bytes for dropped ones', () =>
    withBoard(open, async ({ store, peer }) => {
      await append(store, [said('a')]);
      const other = await peer();
      expect((await other.log.payloadsOf([1])).size).toBe(1);
      await store.log.dropPayload(hashOf(Buffer.from('a')));
      await append(store, [said('b')]);
      expect([...(await other.log.payloadsOf([1, 2]))].map(([at, bytes]) => [at, Buffer.from(bytes).toString()])).toEqual([[2, 'b']]);
    }));
};
