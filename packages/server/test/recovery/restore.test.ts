import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draftOfLine, openStore, type Store } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restoreBackup } from '../../src/recovery/restore.ts';
import { homeOf, type Home } from '../../src/home/home.ts';

let folder = '';
let home: Home;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-restore-'));
  home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (path: string): Promise<Store> => openStore(`sqlite:${path}`, { prices: DEFAULT_PRICES, now: () => 1, newId: () => 'b' });

const say = async (store: Store, ...uuids: readonly string[]): Promise<void> => {
  const line = draftOfLine({ context: { sessionId: 's', agentId: null }, reading: null, fault: null, length: 1, occurrence: 1, fallbackAt: 1 });
  await store.log.append({
    items: uuids.map((uuid) => ({ draft: { ...line, uuid, occurrence: null }, payload: Buffer.from(uuid), reading: null })),
    files: [],
  });
};

const countIn = async (path: string): Promise<number> => {
  const store = await open(path);
  const { count } = await store.log.head();
  await store.close();
  return count;
};

/** The files of a board as a process that was killed leaves them: the end is in the write-ahead log only. */
const killedBoard = async (into: string, ...uuids: readonly string[]): Promise<string> => {
  mkdirSync(into, { recursive: true });
  const store = await open(join(folder, 'living', 'board.db'));
  await say(store, ...uuids);
  for (const suffix of ['', '-wal']) copyFileSync(join(folder, 'living', `board.db${suffix}`), join(into, `board.db${suffix}`));
  await store.close();
  rmSync(join(folder, 'living'), { recursive: true });
  return join(into, 'board.db');
};

/** The entry that a restore begins its epoch with (LOG-32). */
const EPOCH = 1;

const board = (): string => home.database.slice('sqlite:'.length);

test('[DATA-2] a board that was not closed is restored with its end, and is left as it was', async () => {
  const killed = await killedBoard(join(folder, 'killed'), 'one', 'two');
  expect(await restoreBackup(home, killed, () => 1)).toEqual({ entries: 2, replaced: null });
  expect(await countIn(board())).toBe(2 + EPOCH);
  expect(readdirSync(join(folder, 'killed')).sort()).toEqual(['board.db', 'board.db-wal']);
  expect(statSync(board()).mode & 0o777).toBe(0o600);
});

test('[DATA-2] what was there keeps its end too, as one file that can be restored again', async () => {
  await killedBoard(join(home.folder, 'board'), 'one', 'two', 'three');
  const other = await killedBoard(join(folder, 'killed'), 'else');
  const { replaced } = await restoreBackup(home, other, () => 1);
  expect(await countIn(board())).toBe(1 + EPOCH);
  expect(readdirSync(replaced ?? '')).toEqual(['board.db']);
  expect(await restoreBackup(home, join(replaced ?? '', 'board.db'), () => 2)).toMatchObject({ entries: 3 });
  expect(await countIn(board())).toBe(3 + EPOCH);
});

test('[DATA-2] [STORE-6] a backup of an older schema is brought up to date', async () => {
  const old = await killedBoard(join(folder, 'old'), 'one');
  const db = new Database(old);
  for (const table of [
    'sessions',
    'agents',
    'messages',
    'operations',
    'responses',
    'links',
    'summaries',
    'kinds',
    'calls',
    'touches',
    'media_uploads',
    'media_parts',
  ])
    db.exec(`DROP TABLE ${table}`);
  for (const column of ['dialect', 'seal']) db.exec(`ALTER TABLE files DROP COLUMN ${column}`);
  db.pragma('user_version = 1');
  db.close();
  expect(await restoreBackup(home, old, () => 1)).toMatchObject({ entries: 1 });
});

test('[DATA-2] what is no backup, or of a newer schema, leaves everything as it was, without rests', async () => {
  await killedBoard(join(home.folder, 'board'), 'one');
  const empty = join(folder, 'empty.db');
  writeFileSync(empty, '');
  await expect(restoreBackup(home, empty, () => 1)).rejects.toThrow(`${empty} has no entries`);
  writeFileSync(empty, 'this is no database, it only has its name');
  await expect(restoreBackup(home, empty, () => 1)).rejects.toThrow(empty);
  expect(readdirSync(join(home.folder, 'board')).sort()).toEqual(['board.db', 'board.db-wal', 'board.db.lock']);
  expect(existsSync(`${empty}-wal`)).toBe(false);
  expect(await countIn(board())).toBe(1);
});
