import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../src/port.ts';
import { openDatabase } from '../src/sqlite/database.ts';
import { createOpenPacks, packed } from '../src/sqlite/packs.ts';
import { openSqlite } from '../src/sqlite/store.ts';
import { append } from '../src/testing/bench.ts';
import { said } from '../src/testing/records.ts';
import { verifyRange } from '../src/verify.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-packs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (readOnly = false): Promise<Store> =>
  openSqlite(join(folder, 'board.db'), { prices: DEFAULT_PRICES, now: () => 0, newId: () => '0b0a0d00-0000-4000-8000-000000000000', readOnly });

const countPacks = (): number => {
  const db = new Database(join(folder, 'board.db'), { readonly: true });
  const count = Number(db.prepare('SELECT count(*) FROM packs').pluck().get());
  db.close();
  return count;
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** As live use writes it: each in a commit of its own. */
const say = async (store: Store, from: number, to: number): Promise<void> => {
  for (let i = from; i < to; i += 1) {
    const item = said(`words ${i} `.repeat(20));
    await append(store, [{ ...item, payload: Buffer.from(`payload ${i} `.repeat(20)) }]);
  }
};

const textsIn = async ({ log }: Store, count: number): Promise<readonly (string | null)[]> => {
  const positions = Array.from({ length: count }, (_, i) => i + 1);
  const payloads = await log.payloadsOf(positions);
  return positions.map((position) => (payloads.has(position) ? Buffer.from(payloads.get(position) ?? []).toString() : null));
};

test('[STORE-45] small packs are put together, and nothing that anybody reads changes: here, through another handle, or when some of it is forgotten', async () => {
  const store = await open();
  await say(store, 0, 700);
  const reader = await open(true);
  const before = await textsIn(reader, 700);
  expect(before).toEqual(Array.from({ length: 700 }, (_, i) => `payload ${i} `.repeat(20)));
  const head = await store.log.head();
  expect(countPacks()).toBe(700);
  expect(await store.log.tidy(0)).toEqual({ upTo: 700, isDone: true, merged: 700 });
  expect(countPacks()).toBeLessThan(5);
  expect(await textsIn(reader, 700)).toEqual(before);
  expect(await textsIn(store, 700)).toEqual(before);
  expect(await store.log.head()).toEqual(head);
  expect((await verifyRange(store.log, 1, 700, { forgotten: new Set() })).broken).toBeNull();
  const [gone] = [hashOf('payload 300 '.repeat(20))];
  expect(await store.log.dropPayload(gone)).toBe(true);
  const after = before.map((text, i) => (i === 300 ? null : text));
  expect([await textsIn(reader, 700), await textsIn(store, 700)]).toEqual([after, after]);
  // What was put together once is left alone, and what is new is waited for.
  expect(await store.log.tidy(0)).toMatchObject({ merged: 0 });
  expect(await store.log.tidy(700)).toEqual({ upTo: 700, isDone: true, merged: 0 });
  await reader.close();
  await store.close();
});

test('[STORE-45] packs that are kept open take the memory that they are counted for, however small they are', async () => {
  const db = openDatabase(join(folder, 'board.db'));
  const insert = db.prepare<[Buffer]>('INSERT INTO packs (bytes) VALUES (?)');
  db.transaction(() => {
    for (let i = 0; i < 3000; i += 1) insert.run(packed([Buffer.from(`${i} `.repeat(100))]));
  })();
  const most = 1024 * 1024;
  const packs = createOpenPacks(db, most);
  const read = new Set<ArrayBufferLike>();
  for (let id = 1; id <= 3000; id += 1) {
    const bytes = packs.unpacked(id);
    expect(bytes?.toString()).toBe(`${id - 1} `.repeat(100));
    if (bytes !== null) read.add(bytes.buffer);
    expect(packs.held()).toBeLessThanOrEqual(most);
  }
  const real = [...read].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(real).toBeLessThan(3000 * 1024);
  packs.clear();
  expect(packs.held()).toBe(0);
  db.close();
});
