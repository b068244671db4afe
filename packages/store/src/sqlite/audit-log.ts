import { inflateRawSync } from 'node:zlib';
import type { Damages } from '../audit.ts';
import { storedOf, textFrom } from '../stored-text.ts';
import type { Db } from './database.ts';
import { entryFrom, numberedIn, oddColumns, rowFrom, selectEntries, type RawEntry } from './entries.ts';
import type { Names } from './names.ts';

/** VERIFY-3: what is kept beside the chain, or is spelled differently but means the same to it: names, numbers, packs. */
export const auditLog = (db: Db, names: Names, damages: Damages): void => {
  const boards = db.prepare<[], number>('SELECT count(*) FROM board').pluck().get() ?? 0;
  if (boards !== 1) damages.add('log', 'board', 'board', `has ${boards} rows and not one`);
  auditEntries(db, names, damages);
  auditNames(db, damages);
  auditPacks(db, damages);
};

const auditEntries = (db: Db, names: Names, damages: Damages): void => {
  const refAt = db.prepare<[string, number], number>('SELECT position FROM refs WHERE type = ? AND number = ?').pluck();
  let refs = 0;
  for (const raw of db.prepare<[], RawEntry>(selectEntries('ORDER BY position')).raw().iterate()) {
    const odd = oddColumns(raw, names);
    const where = `entries, ${raw[0]}`;
    if (odd.length > 0) damages.add('log', 'entries', where, `${odd.join(', ')} is not stored the way it is written`);
    for (const ref of entryFrom(rowFrom(raw), names).refs) {
      const { type, number } = numberedIn(ref);
      refs += 1;
      if (refAt.get(type, number) !== raw[0]) damages.add('log', 'refs', `refs, ${ref}`, `does not lead to entry ${raw[0]}, which has it`);
    }
  }
  const listed = db.prepare<[], number>('SELECT count(*) FROM refs').pluck().get() ?? 0;
  if (listed > refs) damages.add('log', 'refs', 'refs', `has ${listed - refs} numbers that no entry has`);
};

const auditNames = (db: Db, damages: Damages): void => {
  let next = 1;
  for (const [id, text] of db.prepare<[], readonly [number, string]>('SELECT id, text FROM names ORDER BY id').raw().iterate()) {
    if (storedOf(textFrom(text)) !== text) damages.add('log', 'names', `names, ${id}`, 'is not stored the way it is written');
    if (id !== next) damages.add('log', 'names', `names, ${next}`, 'is missing');
    next = id + 1;
  }
};

type Piece = { readonly hash: Buffer; readonly pack: number | null; readonly start: number; readonly length: number };

/** A pack consists of its pieces one after the other, and nothing else. */
const auditPacks = (db: Db, damages: Damages): void => {
  const pieces = db.prepare<[number], Piece>('SELECT hash, pack, start, length FROM payloads WHERE pack = ? ORDER BY start, length');
  for (const [id, bytes] of db.prepare<[], readonly [number, Buffer]>('SELECT id, bytes FROM packs').raw().iterate()) {
    const where = `packs, ${id}`;
    const size = sizeOf(bytes);
    if (size === null) damages.add('log', 'packs', where, 'cannot be unpacked as it was packed');
    let end = 0;
    for (const { hash, start, length } of pieces.iterate(id)) {
      if (start !== end) damages.add('log', 'payloads', `payloads, ${hash.toString('hex').slice(0, 12)}…`, `does not lie where pack ${id} has it`);
      end = start + length;
    }
    if (size !== null && end !== size) damages.add('log', 'packs', where, `has ${size} bytes, of which ${end} belong to payloads`);
  }
  // The hashes of entries as one list: no index finds an entry by its payload alone.
  db.exec('CREATE TEMP TABLE IF NOT EXISTS held (hash BLOB PRIMARY KEY) WITHOUT ROWID; DELETE FROM held;');
  db.exec('INSERT OR IGNORE INTO held SELECT payload_hash FROM main.entries WHERE payload_hash IS NOT NULL');
  const unheld = db.prepare<[], Piece>(
    `SELECT hash, pack, start, length FROM payloads WHERE hash NOT IN (SELECT hash FROM held)
       OR (pack IS NULL AND start <> 0) OR (pack IS NOT NULL AND pack NOT IN (SELECT id FROM packs))`,
  );
  for (const { hash } of unheld.iterate())
    damages.add('log', 'payloads', `payloads, ${hash.toString('hex').slice(0, 12)}…`, 'belongs to no entry, or to no pack');
  const last = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM packs').pluck().get() ?? 0;
  const given = db.prepare<[], readonly [string, number]>('SELECT name, seq FROM sqlite_sequence').raw().all();
  const [[name, seq] = ['packs', 0]] = given; // there is no row before the first pack
  if (name !== 'packs' || seq < last || given.length > 1)
    damages.add('log', 'sqlite_sequence', 'sqlite_sequence, packs', 'would give the id of a pack again');
};

/** The size of a pack's contents; null if it is malformed, or has trailing bytes. */
const sizeOf = (bytes: Buffer): number | null => {
  if (bytes[0] === 0) return bytes.length - 1;
  if (bytes[0] !== 1) return null;
  try {
    const { buffer, engine } = inflateRawSync(bytes.subarray(1), { info: true }) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    return engine.bytesWritten === bytes.length - 1 ? buffer.length : null;
  } catch {
    return null;
  }
};
