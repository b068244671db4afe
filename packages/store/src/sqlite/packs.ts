import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Db } from './database.ts';

/** Recently read unpacked packs, bounded by memory. */
export type OpenPacks = {
  /** Null for a pack that is gone: another handle may have rewritten it after the lookup. */
  readonly unpacked: (id: number) => Buffer | null;
  readonly drop: (id: number) => void;
  readonly clear: () => void;
  /** Their size in bytes. */
  readonly held: () => number;
};

export const createOpenPacks = (db: Db, most = MOST_OPEN): OpenPacks => {
  const read = db.prepare<[number], { readonly bytes: Buffer }>('SELECT bytes FROM packs WHERE id = ?');
  let open = new Map<number, Buffer>();
  let held = 0;
  const clear = (): void => {
    open = new Map();
    held = 0;
  };
  return {
    unpacked: (id) => {
      const known = open.get(id);
      if (known !== undefined) return known;
      const row = read.get(id);
      if (row === undefined) return null;
      const bytes = compact(unpack(row.bytes));
      if (held + costOf(bytes) > most) clear();
      open.set(id, bytes);
      held += costOf(bytes);
      return bytes;
    },
    drop: (id) => {
      const known = open.get(id);
      if (known !== undefined && open.delete(id)) held -= costOf(known);
    },
    clear,
    held: () => held,
  };
};

/** The first byte is the encoding: 0 for plain, 1 for compressed. */
export const packed = (parts: readonly Uint8Array[]): Buffer => {
  const whole = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  if (whole.length >= WORTH_IT) {
    const small = deflateRawSync(whole, { level: 1 });
    if (small.length < whole.length * 0.9) return Buffer.concat([DEFLATED, small]);
  }
  return Buffer.concat([PLAIN, whole]);
};

const unpack = (bytes: Buffer): Buffer => (bytes[0] === 1 ? inflateRawSync(bytes.subarray(1)) : bytes.subarray(1));

/** STORE-45: zlib returns a slice of a 16 kB buffer: keeping a small pack would keep all of it. */
const compact = (bytes: Buffer): Buffer => {
  if (bytes.buffer.byteLength <= bytes.length + SLACK) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
};

const costOf = (bytes: Buffer): number => bytes.buffer.byteLength + ENTRY_COST;

const PLAIN = Buffer.from([0]);
const DEFLATED = Buffer.from([1]);
const WORTH_IT = 200;
const SLACK = 256;
/** A buffer, its place in the map, and the engine's overhead for both. */
const ENTRY_COST = 256;
const MOST_OPEN = 16 * 1024 * 1024;
