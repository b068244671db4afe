import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { openStore, type Item } from '@yarnboard/store';
import { createAppendQueue } from '../../packages/server/src/threads/queue.ts';
import { openDatabase } from '../../packages/store/src/sqlite/database.ts';
import { openRows, openRowWriter } from '../measure/rows.ts';
import { WrongResult } from '../measure/run.ts';
import { lineItems, saidItems, takeItems } from './items.ts';
import type { AppendsOrder, AppendsResult } from './job.ts';

/** Durable appends of many writers, each of which waits for its own before it says the next. */
export const measureAppends = async ({ folder, kind, writers, rounds, seed }: AppendsOrder): Promise<readonly AppendsResult[]> => {
  const results: AppendsResult[] = [];
  for (const count of writers) {
    const total = Math.round(TOTAL_FOR_ONE * count ** 0.6);
    const items = kind === 'said' ? saidItems(total, seed) : takeItems(lineItems(total, seed), total);
    const best = { ours: Infinity, raw: Infinity, rows: Infinity };
    let commits = 0;
    // They take turns, so that a busy moment of the machine hits all of them.
    for (let round = 0; round < rounds; round += 1) {
      const path = join(folder, `${kind}-${count}-${round}`, 'board.db');
      const ours = await appendOurs(path, items, count);
      commits = ours.commits;
      best.ours = Math.min(best.ours, ours.seconds);
      best.raw = Math.min(best.raw, appendRaw(join(folder, 'raw.db'), path, items, count));
      best.rows = Math.min(best.rows, appendRows(join(folder, 'rows.db'), path, count));
      rmSync(join(path, '..'), { recursive: true });
    }
    const bytes = items.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
    const perSecond = (seconds: number): number => total / seconds;
    results.push({
      kind,
      writers: count,
      appends: total,
      bytesEach: bytes / total,
      shared: total / commits,
      ours: perSecond(best.ours),
      raw: perSecond(best.raw),
      rows: perSecond(best.rows),
    });
  }
  return results;
};

const appendOurs = async (path: string, items: readonly Item[], writers: number): Promise<{ readonly seconds: number; readonly commits: number }> => {
  const store = await openStore(`sqlite:${path}`, { prices: DEFAULT_PRICES, now: () => Date.now(), newId: () => 'bench' });
  let commits = 0;
  const queue = createAppendQueue(store.log, () => {
    commits += 1;
  });
  const positions = new Set<number>();
  let next = 0;
  const write = async (): Promise<void> => {
    for (let item = items[next]; item !== undefined; item = items[next]) {
      next += 1;
      const [added] = await queue.append([item]);
      if (added?.status === 'new') positions.add(added.position);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: writers }, write));
  const seconds = (performance.now() - startedAt) / 1000;
  const { count } = await store.log.head();
  await store.close();
  if (count !== items.length || positions.size !== items.length) {
    throw new WrongResult(`${items.length} appends by ${writers} writers: ${count} on the log, ${positions.size} acknowledged as new`);
  }
  return { seconds, commits };
};

// A row for each append, as many in a transaction as there are writers; what it needs is at hand.
const appendRaw = (path: string, board: string, items: readonly Item[], writers: number): number => {
  const source = openDatabase(board, { readOnly: true });
  const rows = source
    .prepare<[], readonly [number, string, Buffer, Buffer, Buffer]>(
      'SELECT position, uuid, payload_hash, inner_hash, checksum FROM entries ORDER BY position',
    )
    .raw()
    .all()
    .map(([position, uuid, hash, inner, checksum], i) => [position, uuid, items[i]?.payload ?? null, hash, inner, checksum] as const);
  source.close();
  const db = openDatabase(path, { migrations: [] });
  db.exec('CREATE TABLE raw (position INTEGER PRIMARY KEY, uuid TEXT, payload BLOB, payload_hash BLOB, inner_hash BLOB, checksum BLOB)');
  const insert = db.prepare('INSERT INTO raw VALUES (?, ?, ?, ?, ?, ?)');
  const commit = db.transaction((group: typeof rows) => {
    for (const row of group) insert.run(...row);
  });
  const startedAt = performance.now();
  for (let at = 0; at < rows.length; at += writers) commit.immediate(rows.slice(at, at + writers));
  const seconds = (performance.now() - startedAt) / 1000;
  db.close();
  remove(path);
  return seconds;
};

const appendRows = (path: string, board: string, writers: number): number => {
  const rows = openRows(board);
  const target = openRowWriter(path);
  let seconds = 0;
  for (let at = 0; at < rows.entries; at += writers) {
    const chunk = rows.take(at, Math.min(rows.entries, at + writers));
    const startedAt = performance.now();
    target.write(chunk);
    seconds += (performance.now() - startedAt) / 1000;
  }
  const [wanted, found] = [JSON.stringify(rows.counts), JSON.stringify(target.counts())];
  if (wanted !== found) throw new WrongResult(`the baseline has other rows: ${wanted}, ${found}`);
  rows.close();
  target.close();
  remove(path);
  return seconds;
};

const remove = (path: string): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
};

const TOTAL_FOR_ONE = 2500;
