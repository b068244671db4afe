import { expect, test } from 'vitest';
import { sha256 } from '../hash.ts';
import type { Store } from '../port.ts';
import { append, faultOf, withBoard, type Part } from './bench.ts';
import { said } from './records.ts';

const hashOf = (parts: readonly Uint8Array[]): string => sha256(Buffer.concat(parts)).toString('hex');
const PARTS = [Buffer.from([0, 255, 1]), Buffer.alloc(70_000, 7), Buffer.from('the end')];
const HASH = hashOf(PARTS);

const upload = async ({ media }: Store, name: string, parts: readonly Uint8Array[]): Promise<void> => {
  for (const [i, part] of parts.entries()) await media.put(name, i, part);
};

const read = async ({ media }: Store, hash: string): Promise<Buffer> => {
  const { parts = 0 } = (await media.find(hash)) ?? {};
  const all = await Promise.all(Array.from({ length: parts }, (_, i) => media.part(hash, i)));
  return Buffer.concat(all.map((part) => part ?? Buffer.from('missing')));
};

export const describeMedia: Part = (open) => {
  test('[STORE-30] a file that was uploaded in parts is there, byte for byte, for every handle and after closing', () =>
    withBoard(open, async ({ store, peer, reopen }, { now }) => {
      await upload(store, 'one', PARTS);
      expect(await store.media.find(HASH)).toBeNull();
      expect(await store.media.finish('one', HASH)).toEqual({ sha256: HASH, size: 70_010, parts: 3, at: now });
      const other = await peer();
      expect(Buffer.compare(await read(other, HASH), Buffer.concat(PARTS))).toBe(0);
      expect([await other.media.part(HASH, 3), await other.media.part('no such hash', 0)]).toEqual([null, null]);
      await append(store, [said('and the log goes on')]);
      expect(Buffer.compare(await read(await reopen(), HASH), Buffer.concat(PARTS))).toBe(0);
    }));

  test('[STORE-31] the same bytes are kept once, whoever finishes them, also at once', () =>
    withBoard(open, async ({ store, peer }) => {
      const other = await peer();
      await upload(store, 'one', PARTS);
      await upload(other, 'two', PARTS);
      await Promise.all([store.media.finish('one', HASH), other.media.finish('two', HASH)]);
      expect(await store.media.usage()).toEqual({ files: 1, bytes: 70_010, unfinished: 0 });
      expect(Buffer.compare(await read(store, HASH), Buffer.concat(PARTS))).toBe(0);
    }));

  test('[STORE-32] parts out of turn, an upload that is unknown and a board that is only read are refused', () =>
    withBoard(open, async ({ store, reader }) => {
      const { media } = store;
      await media.put('one', 0, Buffer.from('a'));
      expect(await faultOf(media.put('one', 2, Buffer.from('c')))).toMatchObject({ kind: 'failed' });
      expect(await faultOf(media.put('never begun', 1, Buffer.from('c')))).toMatchObject({ kind: 'failed' });
      expect(await faultOf(media.finish('nothing', HASH))).toMatchObject({ kind: 'failed' });
      await media.put('one', 1, Buffer.from('b'));
      await media.finish('one', hashOf([Buffer.from('ab')]));
      expect((await read(store, hashOf([Buffer.from('ab')]))).toString()).toBe('ab');
      const readOnly = await reader();
      expect(await faultOf(readOnly.media.put('two', 0, Buffer.from('a')))).toMatchObject({ kind: 'read-only' });
      expect((await read(readOnly, hashOf([Buffer.from('ab')]))).toString()).toBe('ab');
    }));

  test('[STORE-33] what nobody finished or kept is swept away when it is old, and nothing else; what is dropped is gone', () =>
    withBoard(open, async ({ store }, clock) => {
      const { media } = store;
      const hashes: string[] = [];
      for (const name of ['kept', 'forsaken', 'claimed']) {
        const parts = [Buffer.from(name)];
        hashes.push(hashOf(parts));
        await upload(store, name, parts);
        await media.finish(name, hashOf(parts));
      }
      const [kept = '', forsaken = '', claimed = ''] = hashes;
      await upload(store, 'half', [Buffer.from('half')]);
      await upload(store, 'given up', [Buffer.from('given up')]);
      await media.abandon('given up');
      expect(await media.usage()).toEqual({ files: 3, bytes: 23, unfinished: 1 });
      clock.now += 1000;
      await media.claim(claimed);
      await upload(store, 'at work', [Buffer.from('at work')]);
      expect(await media.sweep(clock.now, [kept])).toEqual({ uploads: 1, files: 1, bytes: 12 });
      expect(await Promise.all(hashes.map(async (hash) => (await media.find(hash)) !== null))).toEqual([true, false, true]);
      await media.put('at work', 1, Buffer.from('!'));
      await media.finish('at work', hashOf([Buffer.from('at work!')]));
      expect([await media.drop(kept), await media.drop(kept), await media.part(kept, 0), await media.claim(forsaken)]).toEqual([
        true,
        false,
        null,
        null,
      ]);
    }));
};
