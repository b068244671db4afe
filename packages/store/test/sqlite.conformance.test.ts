import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createDamages } from '../src/audit.ts';
import { sha256 } from '../src/hash.ts';
import type { Store } from '../src/port.ts';
import { auditWith, beginIndexes } from '../src/sqlite/audit.ts';
import { openDatabase } from '../src/sqlite/database.ts';
import { openSqlite } from '../src/sqlite/store.ts';
import { append, faultOf, indexAll, NOON, withBoard, type Bench, type OpenBoard } from '../src/testing/bench.ts';
import { describeStore } from '../src/testing/conformance.ts';
import { line, prompt, said } from '../src/testing/records.ts';
import { BOTH } from '../src/testing/session.ts';
import { verifyRange } from '../src/verify.ts';

const GUARDED = ['entries', 'names', 'refs', 'board'];

const openBoard: OpenBoard = async (options) => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-sqlite-'));
  const path = join(folder, 'board.db');
  const handles: Store[] = [];
  const openOne = async (more: Partial<typeof options>): Promise<Store> => {
    const store = await openSqlite(path, { ...options, ...more });
    handles.push(store);
    return store;
  };
  const closeAll = async (): Promise<void> => {
    for (const store of handles.splice(0)) await store.close();
  };
  const withDatabase = async (work: (db: Database.Database) => void, file = path): Promise<void> => {
    const db = new Database(file);
    try {
      work(db);
    } finally {
      db.close();
    }
  };
  const triggers = (db: Database.Database): readonly string[] =>
    db
      .prepare<[], string>(`SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN (${GUARDED.map((table) => `'${table}'`).join()})`)
      .pluck()
      .all();
  let current = await openOne({});
  return {
    get store() {
      return current;
    },
    reopen: async () => {
      await closeAll();
      current = await openOne({});
      return current;
    },
    peer: () => openOne({ isIndexing: false }),
    reader: () => openOne({ isIndexing: false, readOnly: true }),
    tamper: {
      plainly: (sql) => withDatabase((db) => db.exec(sql)),
      index: (sql) => withDatabase((db) => db.exec(sql), join(folder, 'search.db')),
      meaningMasking: (rules) => withDatabase((db) => db.exec(`UPDATE progress SET masking = ${rules}`), join(folder, 'meaning.db')),
      execute: (sql) =>
        withDatabase((db) => {
          const guards = triggers(db);
          expect(guards.length).toBe(GUARDED.length * 2);
          for (const guard of guards) db.exec(`DROP TRIGGER ${/TRIGGER (\w+)/u.exec(guard)?.[1] ?? ''}`);
          db.exec(sql);
          for (const guard of guards) db.exec(guard);
        }),
      replacePayload: (hash, bytes) =>
        withDatabase((db) => {
          const pack = db
            .prepare('INSERT INTO packs (bytes) VALUES (?)')
            .run(Buffer.concat([Buffer.from([1]), deflateRawSync(bytes)])).lastInsertRowid;
          db.prepare('UPDATE payloads SET pack = ?, start = 0, length = ? WHERE hash = ?').run(pack, bytes.length, Buffer.from(hash, 'hex'));
        }),
    },
    beforeMentions: 9,
    migrate: async (version) => {
      await closeAll();
      openDatabase(path, { version }).close();
    },
    dispose: async () => {
      await closeAll();
      rmSync(folder, { recursive: true, force: true });
    },
  } satisfies Bench;
};

describeStore('sqlite', openBoard);

const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-sqlite-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const OPTIONS = { prices: DEFAULT_PRICES, now: () => NOON, newId: () => 'board' };

test('[VERIFY-9] nothing is found on a board that is written to and indexed while it is audited: its indexes are seen first', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'board.db');
    const store = await openSqlite(path, { ...OPTIONS, isIndexing: true });
    const write = async (uuid: string): Promise<void> => {
      await append(store, [line('weave', prompt('Users cannot sign in since the release', { uuid }))]);
      await indexAll(store);
      while ((await store.search.meaning.advance(9)) > 0);
    };
    await write('u1');
    const damages = createDamages();
    const parts = {
      path,
      searchPath: join(folder, 'search.db'),
      meaningPath: join(folder, 'meaning.db'),
      boardId: store.log.boardId,
      prices: DEFAULT_PRICES,
    };
    const indexes = beginIndexes(parts, damages);
    await write('u2');
    expect([indexes.search, indexes.meaning].map((index) => index?.prepare('SELECT position FROM progress').pluck().get())).toEqual([1, 1]);
    expect(auditWith(indexes, parts, damages)).toMatchObject({ damages: [], checked: { searchTexts: 1, searchTextsOf: 1 } });
    expect(await store.audit()).toMatchObject({ damages: [], checked: { searchTexts: 2, searchTextsOf: 2 } });
    await store.close();
  }));

test('[STORE-2] commits of the log are synced', () =>
  inFolder(async (folder) => {
    const db = openDatabase(join(folder, 'board.db'));
    expect([db.pragma('synchronous', { simple: true }), db.pragma('journal_mode', { simple: true })]).toEqual([2, 'wal']);
    db.close();
  }));

test('[LOG-4] [LOG-6] a name that was changed is found in the first entry that uses it; plainly it cannot be', () =>
  withBoard(openBoard, async ({ store, tamper, reopen }) => {
    await append(store, [said('a'), said('b', { sender: 'mallory' }), said('c')]);
    await expect(tamper.plainly("UPDATE names SET text = 'alice' WHERE text = 'mallory'")).rejects.toThrow('append-only');
    await tamper.execute("UPDATE names SET text = 'alice' WHERE text = 'mallory'");
    const { log } = await reopen();
    expect((await verifyRange(log, 1, 3, { forgotten: new Set() })).broken).toMatchObject({ position: 2, kind: 'entry-changed' });
  }));

test('[STORE-6] a schema that is newer than the program is not touched', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'board.db');
    await (await openSqlite(path, OPTIONS)).close();
    const db = new Database(path);
    db.pragma('user_version = 99');
    db.close();
    expect(await faultOf(openSqlite(path, OPTIONS))).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/newer Yarnboard.*99/u) as string,
    });
  }));

test('[STORE-7] a backup is a whole board, whatever is written meanwhile', () =>
  inFolder(async (folder) => {
    const store = await openSqlite(join(folder, 'board.db'), OPTIONS);
    await append(store, BOTH);
    const copying = store.backup(join(folder, 'copy.db'));
    await append(store, [said('meanwhile')]);
    await copying;
    const copy = await openSqlite(join(folder, 'copy.db'), OPTIONS);
    const { count } = await copy.log.head();
    expect(count).toBeGreaterThanOrEqual(BOTH.length);
    expect((await verifyRange(copy.log, 1, count, { forgotten: new Set() })).broken).toBeNull();
    const dump = await copy.library.dump();
    await copy.library.rebuild();
    expect(await copy.library.dump()).toEqual(dump);
    await copy.close();
    await store.close();
  }));

test('[STORE-9] a file that is not a database, or a damaged one, is reported with its path and left as it is', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'board.db');
    writeFileSync(path, 'this is no database, but it is long enough to be read as a page of one'.repeat(200));
    const before = readFileSync(path);
    expect(await faultOf(openSqlite(path, OPTIONS))).toMatchObject({ kind: 'corrupt', message: expect.stringContaining(path) as string });
    expect(readFileSync(path).equals(before)).toBe(true);
  }));

test('[STORE-24] an index that knows more than the log, as when an older file was put back by hand, is made anew', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'board.db');
    const options = { ...OPTIONS, isIndexing: true };
    const store = await openSqlite(path, options);
    await append(store, [line('weave', prompt('alpha', { uuid: 'a' }))]);
    await store.backup(join(folder, 'copy.db'));
    await append(store, [line('weave', prompt('bravo', { uuid: 'b' })), line('weave', prompt('charlie', { uuid: 'c' }))]);
    await indexAll(store);
    await store.close();
    renameSync(join(folder, 'copy.db'), path);
    const again = await openSqlite(path, options);
    await again.search.position(); // as the server does before anything is appended
    await append(again, [line('weave', prompt('delta', { uuid: 'd' }))]);
    await indexAll(again);
    const found = async (text: string) =>
      (await again.search.find({ text, filters: {}, limit: 9, cursor: null })).hits.map(({ position }) => position);
    expect([await found('alpha'), await found('bravo'), await found('delta')]).toEqual([[1], [], [2]]);
    await again.close();
  }));

test.each([1, 99])(
  '[MEAN-15] an index of meaning of schema %i is passed over by readers, who find words, and made anew by whoever fills it',
  (version) =>
    inFolder(async (folder) => {
      const path = join(folder, 'board.db');
      const written = await openSqlite(path, { ...OPTIONS, isIndexing: true });
      await append(written, [line('weave', prompt('Users cannot sign in since the release', { uuid: 'u1' }))]);
      const found = async (store: Store, mode: 'words' | 'semantic'): Promise<readonly number[] | undefined> =>
        (await store.search.find({ text: 'sign in', filters: {}, limit: 9, cursor: null, mode }))?.hits.map(({ position }) => position);
      const fill = async (store: Store): Promise<void> => {
        await indexAll(store);
        while ((await store.search.meaning.advance(9)) > 0);
      };
      await fill(written);
      await written.close();
      const index = new Database(join(folder, 'meaning.db'));
      index.pragma(`user_version = ${version}`);
      if (version === 1)
        index.exec(
          'ALTER TABLE progress DROP COLUMN masking; DROP INDEX pieces_prompt; ALTER TABLE pieces DROP COLUMN prompt; ALTER TABLE pieces DROP COLUMN weight;',
        );
      index.close();

      const reader = await openSqlite(path, { ...OPTIONS, isIndexing: false, readOnly: true });
      expect([await found(reader, 'words'), await reader.search.meaning.nearest('sign in', {}, 9, new Map())]).toEqual([[1], null]);
      await reader.close();
      const again = await openSqlite(path, { ...OPTIONS, isIndexing: true });
      await fill(again);
      expect(await found(again, 'semantic')).toEqual([1]);
      await again.close();
    }),
);

test('[STORE-7] a board, its index and its backup are files that only their owner may read', () =>
  inFolder(async (folder) => {
    const store = await openSqlite(join(folder, 'new', 'board.db'), { ...OPTIONS, isIndexing: true });
    await append(store, [said('a')]);
    await indexAll(store);
    await store.backup(join(folder, 'copy.db'));
    const modeOf = (name: string): number => statSync(join(folder, name)).mode & 0o777;
    expect(['new', 'new/board.db', 'new/board.db-wal', 'new/search.db', 'copy.db'].map(modeOf)).toEqual([0o700, 0o600, 0o600, 0o600, 0o600]);
    await store.close();
  }));

test('[LOG-4] [LOG-11] bytes that lie nowhere are missing, not empty', () =>
  withBoard(openBoard, async ({ store, tamper }) => {
    await append(store, [said('a'), said('b')]);
    await tamper.plainly('DELETE FROM packs');
    expect([await store.log.payloadByHash(sha256('a').toString('hex')), (await store.log.payloadsOf([1, 2])).size]).toEqual([null, 0]);
    expect((await verifyRange(store.log, 1, 2, { forgotten: new Set() })).broken).toMatchObject({ position: 1, kind: 'payload-missing' });
  }));
