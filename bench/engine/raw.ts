import { rmSync } from 'node:fs';
import { openReader } from '@yarnboard/server';
import { openDatabase } from '../../packages/store/src/sqlite/database.ts';
import { homeIn } from './home.ts';
import type { Spent } from './job.ts';

export type RawRow = readonly [number, string, Uint8Array | null, Buffer, Buffer, Buffer];

/** What the commands put on the log behind a position: the bytes, and the hashes that were computed for them. */
export const rowsOnLog = async (folder: string, after: number): Promise<readonly RawRow[]> => {
  const { log, close } = await openReader(homeIn(folder));
  const rows: RawRow[] = [];
  for (let at = after; ;) {
    const entries = await log.entriesAfter(at, STEP);
    const payloads = await log.payloadsOf(entries.map(({ position }) => position));
    for (const { position, uuid, payloadHash, innerHash, checksum } of entries)
      rows.push([position, uuid, payloads.get(position) ?? null, bytes(payloadHash ?? ''), bytes(innerHash), bytes(checksum)]);
    at = entries.at(-1)?.position ?? at;
    if (entries.length < STEP) break;
  }
  await close();
  return rows;
};

/** What the same rows cost, at hand, as many in a transaction as there are clients; the database set up as ours is. */
export const commitRaw = (path: string, rows: readonly RawRow[], clients: number): Spent => {
  const db = openDatabase(path, { migrations: [] });
  db.exec('CREATE TABLE raw (position INTEGER PRIMARY KEY, uuid TEXT, payload BLOB, payload_hash BLOB, inner_hash BLOB, checksum BLOB)');
  const insert = db.prepare('INSERT INTO raw VALUES (?, ?, ?, ?, ?, ?)');
  const commit = db.transaction((group: readonly RawRow[]) => {
    for (const row of group) insert.run(...row);
  });
  const spent = startWatch();
  for (let at = 0; at < rows.length; at += clients) commit.immediate(rows.slice(at, at + clients));
  const { seconds, cpu } = spent();
  db.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  return { seconds, cpu };
};

export const startWatch = (): (() => Spent) => {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - startedAt) / 1000, cpu: (user + system) / 1e6 };
  };
};

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

const STEP = 2000;
