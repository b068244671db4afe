import type { Db } from './database.ts';
import { createOpenPacks, packed } from './packs.ts';

/**
 * Payloads are beside the rows, by their hash, in packs: many small texts compress five times better together than alone, and twice as fast. A pack
 * is written once; only `drop` rewrites one, without the forgotten bytes, and `merge` combines many small ones.
 */
export type Payloads = {
  /**
   * Keeps the bytes, unless they exist already. They are in the database after `flush`, in the same transaction. False for forgotten bytes: they stay
   * forgotten.
   */
  readonly put: (hash: Buffer, bytes: Uint8Array) => boolean;
  readonly flush: () => void;
  readonly get: (hash: Buffer) => Buffer | null;
  /** The bytes of an entry whose place was read along with it. */
  readonly of: (row: PayloadRow) => Buffer | null;
  /** The bytes at a place that the caller has looked up; null if they have moved: ask by hash. */
  readonly at: (pack: number, start: number, length: number) => Buffer | null;
  readonly drop: (hash: Buffer) => boolean;
  /** STORE-45: merges the small packs among those with the payloads of these entries; returns how many are gone. Call it in a transaction. */
  readonly merge: (from: number, to: number) => number;
  readonly reset: () => void;
};

/** `PAYLOAD_COLUMNS` of an entry `e` joined with its payload `p`. */
export type PayloadRow = {
  readonly hash: Buffer | null;
  readonly pack: number | null;
  readonly start: number | null;
  readonly length: number | null;
};

export const PAYLOAD_COLUMNS = 'e.payload_hash AS hash, p.pack, p.start, p.length';
export const WITH_PAYLOADS = 'entries e LEFT JOIN payloads p ON p.hash = e.payload_hash';

type Placed = { readonly hash: Buffer; readonly pack: number; readonly start: number; readonly length: number };
type Place = { readonly pack: number | null; readonly start: number; readonly length: number };

export const createPayloads = (db: Db): Payloads => {
  const find = db.prepare<[Buffer], Place>('SELECT pack, start, length FROM payloads WHERE hash = ?');
  const open = createOpenPacks(db);
  const { unpacked } = open;
  const others = db.prepare<[number], Place & { readonly hash: Buffer }>(
    'SELECT hash, pack, start, length FROM payloads WHERE pack = ? ORDER BY start',
  );
  const within = db.prepare<[number, number], Placed>(
    `SELECT DISTINCT p.hash, p.pack, p.start, p.length FROM entries e JOIN payloads p ON p.hash = e.payload_hash
       WHERE e.position BETWEEN ? AND ? AND p.pack IS NOT NULL ORDER BY p.pack, p.start`,
  );
  const write = db.readonly ? null : writersFor(db);
  let waiting: { readonly hash: Buffer; readonly bytes: Uint8Array }[] = [];
  let waitingBytes = 0;
  const waitingHashes = new Set<string>();

  const flush = (): void => {
    if (waiting.length === 0 || write === null) return;
    const pack = Number(write.pack.run(packed(waiting.map(({ bytes }) => bytes))).lastInsertRowid);
    let start = 0;
    for (const { hash, bytes } of waiting) {
      write.payload.run(hash, pack, start, bytes.length);
      start += bytes.length;
    }
    waiting = [];
    waitingBytes = 0;
    waitingHashes.clear();
  };

  const drop = (hash: Buffer): boolean => {
    const place = find.get(hash);
    if (write === null || place === undefined || place.pack === null) return false;
    const whole = unpacked(place.pack);
    if (whole === null) return false;
    const kept = others.all(place.pack).filter((other) => !other.hash.equals(hash));
    write.forget.run(hash);
    if (kept.length > 0) {
      const pack = Number(write.pack.run(packed(kept.map(({ start, length }) => whole.subarray(start, start + length)))).lastInsertRowid);
      let start = 0;
      for (const other of kept) {
        write.move.run(pack, start, other.hash);
        start += other.length;
      }
    }
    write.remove.run(place.pack);
    open.drop(place.pack);
    return true;
  };

  const merge = (from: number, to: number): number => {
    if (write === null) return 0;
    const small = smallPacks(within.all(from, to), unpacked);
    if (small.length < WORTH_MERGING) return 0;
    let parts: (Placed & { readonly bytes: Uint8Array })[] = [];
    let bytes = 0;
    const put = (): void => {
      if (parts.length === 0) return;
      const pack = Number(write.pack.run(packed(parts.map((part) => part.bytes))).lastInsertRowid);
      let start = 0;
      for (const part of parts) {
        write.move.run(pack, start, part.hash);
        start += part.length;
      }
      parts = [];
      bytes = 0;
    };
    for (const { id, whole, places } of small) {
      if (bytes + whole.length > PACK_BYTES || parts.length + places.length > PACK_ITEMS) put();
      parts.push(...places.map((place) => ({ ...place, bytes: whole.subarray(place.start, place.start + place.length) })));
      bytes += whole.length;
      write.remove.run(id);
      open.drop(id);
    }
    put();
    return small.length;
  };

  const get = (hash: Buffer): Buffer | null => {
    // Looked up again if its pack has been rewritten since. A pack that was removed by hand stays gone.
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const place = find.get(hash);
      if (place === undefined || place.pack === null) return null;
      const whole = unpacked(place.pack);
      if (whole !== null) return whole.subarray(place.start, place.start + place.length);
    }
    return null;
  };

  return {
    put: (hash, bytes) => {
      const key = hash.toString('latin1');
      if (waitingHashes.has(key)) return true;
      const place = find.get(hash);
      // A forgotten payload has its row, without a pack.
      if (place !== undefined) return place.pack !== null;
      if (waitingBytes + bytes.length > PACK_BYTES || waiting.length >= PACK_ITEMS) flush();
      waiting.push({ hash, bytes });
      waitingHashes.add(key);
      waitingBytes += bytes.length;
      return true;
    },
    flush,
    get,
    of: ({ hash, pack, start, length }) => {
      if (hash === null) return null;
      const known = pack === null || start === null || length === null ? null : unpacked(pack)?.subarray(start, start + length);
      return known ?? get(hash);
    },
    at: (pack, start, length) => unpacked(pack)?.subarray(start, start + length) ?? null,
    drop,
    merge,
    reset: () => {
      waiting = [];
      waitingBytes = 0;
      waitingHashes.clear();
      open.clear();
    },
  };
};

const writersFor = (db: Db) => ({
  pack: db.prepare<[Buffer]>('INSERT INTO packs (bytes) VALUES (?)'),
  payload: db.prepare<[Buffer, number, number, number]>('INSERT INTO payloads (hash, pack, start, length) VALUES (?, ?, ?, ?)'),
  forget: db.prepare<[Buffer]>('UPDATE payloads SET pack = NULL, start = 0 WHERE hash = ?'),
  move: db.prepare<[number, number, Buffer]>('UPDATE payloads SET pack = ?, start = ? WHERE hash = ?'),
  remove: db.prepare<[number]>('DELETE FROM packs WHERE id = ?'),
});

type SmallPack = { readonly id: number; readonly whole: Buffer; readonly places: readonly Placed[] };

/** Packs in which only these places are in use. A pack with anything else is left as it is, since the places of the rest are unknown. */
const smallPacks = (placed: readonly Placed[], unpacked: (id: number) => Buffer | null): readonly SmallPack[] => {
  const byPack = new Map<number, Placed[]>();
  for (const place of placed) {
    const known = byPack.get(place.pack);
    if (known === undefined) byPack.set(place.pack, [place]);
    else known.push(place);
  }
  return [...byPack].flatMap(([id, places]) => {
    const bytes = places.reduce((sum, { length }) => sum + length, 0);
    if (places.length > SMALL_ITEMS || bytes > SMALL_BYTES) return [];
    const whole = unpacked(id);
    return whole?.length === bytes ? [{ id, whole, places }] : [];
  });
};

const MOST_TRIES = 8;
const PACK_BYTES = 128 * 1024;
const PACK_ITEMS = 256;
const SMALL_BYTES = PACK_BYTES / 4;
const SMALL_ITEMS = PACK_ITEMS / 4;
/** So each payload is rewritten twice at most. */
const WORTH_MERGING = 8;
