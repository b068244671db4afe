import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Db } from './database.ts';

/**
 * Payloads lie beside the rows, by their hash, packed: many small texts compress five times better together than alone, and twice as fast. A pack
 * is written once; only `drop` writes one again, without the bytes that are to be forgotten.
 */
export type Payloads = {
  /**
   * Keeps the bytes, unless they are there already. They are in the database when `flush` has run, in the same transaction. False for bytes that
   * were forgotten: they stay forgotten.
   */
  readonly put: (hash: Buffer, bytes: Uint8Array) => boolean;
  readonly flush: () => void;
  readonly get: (hash: Buffer) => Buffer | null;
  /** The bytes at a place that the caller has looked up himself; null when they are elsewhere by now: ask by hash. */
  readonly at: (pack: number, start: number, length: number) => Buffer | null;
  readonly drop: (hash: Buffer) => boolean;
  readonly reset: () => void;
};

type Place = { readonly pack: number | null; readonly start: number; readonly length: number };

export const createPayloads = (db: Db): Payloads => {
  const find = db.prepare<[Buffer], Place>('SELECT pack, start, length FROM payloads WHERE hash = ?');
  const read = db.prepare<[number], { readonly bytes: Buffer }>('SELECT bytes FROM packs WHERE id = ?');
  const others = db.prepare<[number], Place & { readonly hash: Buffer }>(
    'SELECT hash, pack, start, length FROM payloads WHERE pack = ? ORDER BY start',
  );
  const write = db.readonly ? null : writersFor(db);
  let waiting: { readonly hash: Buffer; readonly bytes: Uint8Array }[] = [];
  let waitingBytes = 0;
  const waitingHashes = new Set<string>();
  let open = new Map<number, Buffer>();
  let openBytes = 0;

  /** Null for a pack that is gone: between looking a place up and reading it, another handle may have dropped something of it. */
  const unpacked = (id: number): Buffer | null => {
    const known = open.get(id);
    if (known !== undefined) return known;
    const row = read.get(id);
    if (row === undefined) return null;
    const bytes = unpack(row.bytes);
    if (openBytes + bytes.length > MOST_OPEN) {
      open = new Map();
      openBytes = 0;
    }
    open.set(id, bytes);
    openBytes += bytes.length;
    return bytes;
  };

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
    open.delete(place.pack);
    return true;
  };

  return {
    put: (hash, bytes) => {
      const key = hash.toString('latin1');
      if (waitingHashes.has(key)) return true;
      const place = find.get(hash);
      // One that was forgotten has its row, without a pack.
      if (place !== undefined) return place.pack !== null;
      if (waitingBytes + bytes.length > PACK_BYTES || waiting.length >= PACK_ITEMS) flush();
      waiting.push({ hash, bytes });
      waitingHashes.add(key);
      waitingBytes += bytes.length;
      return true;
    },
    flush,
    get: (hash) => {
      // Looked up again where its pack was written anew meanwhile. A pack that was taken away by hand stays away.
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const place = find.get(hash);
        if (place === undefined || place.pack === null) return null;
        const whole = unpacked(place.pack);
        if (whole !== null) return whole.subarray(place.start, place.start + place.length);
      }
      return null;
    },
    at: (pack, start, length) => unpacked(pack)?.subarray(start, start + length) ?? null,
    drop,
    reset: () => {
      waiting = [];
      waitingBytes = 0;
      waitingHashes.clear();
      open = new Map();
      openBytes = 0;
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

// The first byte says how: 0 as it is, 1 compressed.
const packed = (parts: readonly Uint8Array[]): Buffer => {
  const whole = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  if (whole.length >= WORTH_IT) {
    const small = deflateRawSync(whole, { level: 1 });
    if (small.length < whole.length * 0.9) return Buffer.concat([DEFLATED, small]);
  }
  return Buffer.concat([PLAIN, whole]);
};

const unpack = (bytes: Buffer): Buffer => (bytes[0] === 1 ? inflateRawSync(bytes.subarray(1)) : bytes.subarray(1));

const PLAIN = Buffer.from([0]);
const DEFLATED = Buffer.from([1]);
const MOST_TRIES = 8;
const PACK_BYTES = 128 * 1024;
const PACK_ITEMS = 256;
const WORTH_IT = 200;
const MOST_OPEN = 16 * 1024 * 1024;
