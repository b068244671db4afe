import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_TYPES, SESSION_ENTRY_TYPES } from '@yarnboard/domain';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import pg from 'pg';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { findPostgres } from '../../../tests/postgres.ts';
import type { Item, Store } from '../src/port.ts';
import { openDatabase, quoted, type Db } from '../src/postgres/database.ts';
import { DECIDED_BEHIND } from '../src/postgres/decided.ts';
import { behind, inFront, selectEntries } from '../src/postgres/entries.ts';
import { LINES_BEHIND } from '../src/postgres/payloads.ts';
import { migrate } from '../src/postgres/schema.ts';
import { openPostgres } from '../src/postgres/store.ts';
import { openSqlite } from '../src/sqlite/store.ts';
import { append, faultOf, indexAll, NOON, withBoard, type Bench, type OpenBoard } from '../src/testing/bench.ts';
import { describeStore } from '../src/testing/conformance.ts';
import { elsewhere } from '../src/testing/meaning-elsewhere.ts';
import { decided, line, prompt } from '../src/testing/records.ts';
import { BOTH, itemsFrom, type Seed } from '../src/testing/session.ts';

const server = await findPostgres();
afterAll(async () => {
  await server?.stop();
});

/** STORE-60: on a server of our own the whole suite runs as a role whose settings are all wrong. Nothing may rely on any of them. */
const HOSTILE = {
  standard_conforming_strings: 'off',
  backslash_quote: 'on',
  bytea_output: 'escape',
  search_path: 'nowhere, pg_catalog',
  DateStyle: 'German, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Asia/Kathmandu',
  client_encoding: 'LATIN1',
  statement_timeout: '1',
  lock_timeout: '1',
  idle_in_transaction_session_timeout: '1',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  default_transaction_deferrable: 'on',
  synchronous_commit: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  extra_float_digits: '-15',
  default_text_search_config: 'pg_catalog.german',
  jit: 'on',
  jit_above_cost: '0',
} as const;

const hostileUrl = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE ROLE hostile LOGIN; GRANT CREATE ON DATABASE postgres TO hostile');
  for (const [name, value] of Object.entries(HOSTILE))
    await client.query(`ALTER ROLE hostile SET ${name} = ${name === 'search_path' ? value : `'${value}'`}`);
  await client.end();
  return url.replace('//yarnboard@', '//hostile@');
};

const storeUrl = server === null ? '' : server.restart === null ? server.url : await hostileUrl(server.url);

const urlOf = (board: string): string => {
  const url = storeUrl;
  return `${url}${url.includes('?') ? '&' : '?'}board=${board}`;
};

const lastOf = async (store: Store): Promise<number> => (await store.log.head()).count;

const newBoard = (): string => `test_${randomUUID().replaceAll('-', '').slice(0, 12)}`;

const onServer = async (board: string, work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString: server?.url, options: `-c search_path=${board}` });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

const openBoard: OpenBoard = async (options) => {
  const board = newBoard();
  const handles: Store[] = [];
  const openOne = async (more: Partial<typeof options>): Promise<Store> => {
    const store = await openPostgres(urlOf(board), { ...options, ...more });
    handles.push(store);
    return store;
  };
  const closeAll = async (): Promise<void> => {
    for (const store of handles.splice(0)) await store.close();
  };
  const ask = (sql: string, values: unknown[] = []): Promise<void> =>
    onServer(board, async (client) => {
      await client.query(sql, values);
    });
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
      plainly: (sql) => ask(sql),
      index: (sql) => ask(sql),
      meaningMasking: (rules) => ask(`UPDATE meaning_progress SET masking = ${rules}`),
      // As a superuser does who does not want triggers to fire.
      execute: (sql) => ask(`SET session_replication_role = replica; ${sql}`),
      replacePayload: (hash, bytes) =>
        ask('UPDATE payloads SET bytes = $2, length = $3, is_deflated = 0 WHERE hash = $1', [Buffer.from(hash, 'hex'), bytes, bytes.length]),
    },
    beforeMentions: 10,
    migrate: async (version) => {
      await closeAll();
      const db = await openDatabase(urlOf(board), false);
      try {
        await migrate(db, 'board', version);
      } finally {
        await db.close();
      }
    },
    dispose: async () => {
      await closeAll();
      await ask(`DROP SCHEMA ${board} CASCADE`);
    },
  } satisfies Bench;
};

const OPTIONS = { prices: DEFAULT_PRICES, now: () => NOON, newId: () => 'board-under-test' };

/** Rows that no chain holds together, for whoever asks how they are read. What is no `x` is said, and has no occurrence. */
const insertPlainly = async (db: Db, from: number, to: number, session: string, type: string): Promise<void> => {
  await db.run(
    `INSERT INTO entries (position, uuid, session, type, occurrence, version, at, recorded_at, content_type, content_length, sender, sender_type, context,
       flagged_uncertain, error_occurred, originating_client, note, payload_hash, inner_hash, checksum)
     SELECT i, 'u' || i, session, type, CASE type WHEN 'x' THEN 1 END, 1, 0, 0, 'text', 0, 'human', 'human', session, 0, 0, 'test', repeat('x', 200),
       sha256(i::text::bytea), '', '' FROM (SELECT i, ${session} AS session, ${type} AS type FROM generate_series($1::bigint, $2::bigint) i) wanted`,
    [from, to],
  );
};

type Plan = readonly [{ readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number } }];

const pagesRead = async (db: Db, sql: string, values: readonly unknown[]): Promise<number> => {
  const [told] = await db.run<Record<string, Plan>>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, values);
  const plan = Object.values(told ?? {})[0]?.[0].Plan;
  return (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN);
};

// A machine without PostgreSQL may leave this out; the one that says whether a change is good may not.
describe.skipIf(server === null && process.env['CI'] === undefined)('PostgreSQL (skipped where there is none, but in CI)', () => {
  test('[STORE-1] there is a server to test with', () => {
    expect(server).not.toBeNull();
  });

  describeStore('postgres', openBoard);

  test.each([
    ['a word that was added', "UPDATE texts SET words = words || 'planted:9'::tsvector WHERE position = 1", 'search: texts, entry 1'],
    ['a text that was taken out', 'DELETE FROM texts WHERE position = 2', 'search: texts, entry 2'],
    ['a text of no entry', "INSERT INTO texts (position, words, length) VALUES (77, 'planted:1', 1)", 'search: texts, entry 77'],
    ['another length', 'UPDATE texts SET length = length + 1 WHERE position = 1', 'search: texts, entry 1'],
    [
      'a piece of no text',
      "INSERT INTO text_parts (position, part, words, length, start) VALUES (1, 0, 'planted:1', 1, 0)",
      'search: text_parts, entry 1',
    ],
    ['a word of no text', "INSERT INTO terms (term, documents) VALUES ('planted', 1)", 'search: terms, planted'],
    ['a word that is missing', "DELETE FROM terms WHERE term = 'loom'", 'search: terms, loom'],
    ['another count of a word', "UPDATE terms SET documents = documents + 1 WHERE term = 'loom'", 'search: terms, loom'],
    ['other parts of a word', "UPDATE terms SET trigrams = '{abc}' WHERE term = 'loom'", 'search: terms, loom'],
    ['other totals', 'UPDATE progress SET words = words + 1', 'search: progress'],
    ['an entry said to be left out', "INSERT INTO unindexed (position, why) VALUES (1, 'too long')", 'search: unindexed, entry 1'],
    ['an entry said to be masked', 'INSERT INTO masked (position) VALUES (1)', 'search: masked, entry 1'],
  ])('[VERIFY-7] %s in the search index is found and named', (_, sql, named) =>
    withBoard(openBoard, async ({ store, tamper }) => {
      await append(store, [line('weave', prompt('warp the loom', { uuid: 'u1' })), line('weave', prompt('wind the shuttle', { uuid: 'u2' }))]);
      await indexAll(store);
      expect((await store.audit()).damages).toEqual([]);
      await tamper.index(sql);
      expect((await store.audit()).damages.map(({ part, where }) => `${part}: ${where}`)).toContain(named);
    }),
  );

  const onSqlite = async (items: readonly Item[]): Promise<readonly [string, readonly string[]]> => {
    const folder = mkdtempSync(join(tmpdir(), 'yarnboard-both-'));
    const store = await openSqlite(join(folder, 'board.db'), OPTIONS);
    try {
      await append(store, items);
      return [Buffer.from((await store.log.head()).checksum).toString('hex'), await store.library.dump()];
    } finally {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test('[STORE-1] the same log gives the same chain and the same library on both databases', async () => {
    const seeds = Array.from({ length: 400 }, (_, at): Seed => ({
      kind: (at * 7) % 8,
      session: at % 3,
      agent: (at * 5) % 3,
      id: (at * 11) % 40,
      amount: (at * 13) % 10,
    }));
    for (const items of [BOTH, itemsFrom(seeds)]) {
      const expected = await onSqlite(items);
      await withBoard(openBoard, async ({ store }) => {
        await append(store, items);
        expect([Buffer.from((await store.log.head()).checksum).toString('hex'), await store.library.dump()]).toEqual(expected);
      });
    }
  });

  test('[STORE-2] every connection says itself that commits are synced', async () => {
    await onServer('public', async (client) => {
      await client.query('ALTER ROLE CURRENT_USER SET synchronous_commit = off');
    });
    const db = await openDatabase(urlOf(newBoard()), false);
    try {
      expect(await db.run('SHOW synchronous_commit')).toEqual([{ synchronousCommit: 'on' }]);
    } finally {
      await db.close();
      await onServer('public', async (client) => {
        await client.query('ALTER ROLE CURRENT_USER RESET synchronous_commit');
      });
    }
  });

  test('[STORE-60] no setting of the role changes what a statement means, and no address does; how patient it is, the address may say', async () => {
    const db = await openDatabase(`${urlOf(newBoard())}&options=${encodeURIComponent('-c lock_timeout=7s -c bytea_output=escape')}`, false);
    const shown = async (name: string): Promise<unknown> => Object.values((await db.run<Record<string, unknown>>(`SHOW ${name}`))[0] ?? {})[0];
    try {
      const wanted = { standard_conforming_strings: 'on', bytea_output: 'hex', array_nulls: 'on', statement_timeout: '0', lock_timeout: '7s' };
      for (const [name, value] of Object.entries({ ...wanted, default_transaction_isolation: 'read committed', client_encoding: 'UTF8', jit: 'off' }))
        expect([name, await shown(name)]).toEqual([name, value]);
      // A text inside a statement is the same text whichever way the server reads backslashes.
      for (const conforming of ['on', 'off']) {
        for (const text of ["it's", 'C:\\temp\\', "\\'; DROP TABLE entries; --", '\\x00', 'ünï 🧶', "'"]) {
          const [row] = await db.transaction(
            (run) => run<{ readonly said: string }>(`SELECT ${quoted(text)} AS said`),
            `SET LOCAL standard_conforming_strings = ${conforming}`,
          );
          expect(row?.said).toBe(text);
        }
      }
    } finally {
      await db.close();
    }
  });

  test('[STORE-61] whoever waits for an acknowledgement waits for four trips to the server, however much is in the batch', () =>
    withBoard(openBoard, async ({ store }) => {
      await append(store, [decided('first')]);
      const trips = vi.spyOn(pg.Client.prototype, 'query');
      for (const count of [1, 50]) {
        trips.mockClear();
        await store.log.append({
          items: Array.from({ length: count }, (_, at) => decided(`${count} ${at}`)),
          files: [],
          decidedAt: await lastOf(store),
        });
        // The pool asks on behalf of `lastOf`.
        expect([count, trips.mock.calls.length - 1]).toEqual([count, 4]);
      }
      trips.mockRestore();
    }));

  test('[LOG-6] the log cannot be truncated', () =>
    withBoard(openBoard, async ({ tamper }) => {
      for (const table of ['entries', 'refs', 'board']) await expect(tamper.plainly(`TRUNCATE ${table}`)).rejects.toThrow('append-only');
    }));

  test('[STORE-6] a schema that is newer than the program is not touched', () =>
    withBoard(openBoard, async ({ tamper, reopen }) => {
      await tamper.plainly('UPDATE schema_version SET version = 99');
      expect(await faultOf(reopen())).toMatchObject({ kind: 'failed', message: expect.stringMatching(/newer Yarnboard.*99/u) as string });
    }));

  test('[STORE-6] many that open a new board at once make it once', async () => {
    const board = newBoard();
    const stores = await Promise.all(Array.from({ length: 6 }, (_, at) => openPostgres(urlOf(board), { ...OPTIONS, newId: () => `board-${at}` })));
    expect(new Set(stores.map(({ log }) => log.boardId)).size).toBe(1);
    for (const store of stores) await store.close();
    await onServer(board, async (client) => {
      await client.query(`DROP SCHEMA ${board} CASCADE`);
    });
  });

  test('[STORE-6] the index of what was said goes back and forth by itself, and the library stays', () =>
    withBoard(openBoard, async ({ store, migrate: migrateTo, reopen }) => {
      await append(store, [...BOTH, decided('a')]);
      const before = [await store.library.dump(), await store.log.head()];
      await migrateTo(2);
      const again = await reopen();
      expect([await again.library.dump(), await again.log.head()]).toEqual(before);
      expect(await again.log.positionsOfType('chat.message')).toEqual([20]);
    }));

  test.each([
    ['by the same rules', 'goes on with it', 0],
    ['by older rules', 'fills it again', 1],
  ])('[MEAN-15] a board whose index of meaning was masked %s before it said so: a newer server %s', async (_how, _then, behind) => {
    const board = newBoard();
    const open = (): Promise<Store> => openPostgres(urlOf(board), { ...OPTIONS, isIndexing: true });
    const rowsOf = async <T extends object>(sql: string): Promise<readonly T[]> => {
      const rows: T[] = [];
      await onServer(board, async (client) => void rows.push(...(await client.query<T>(sql)).rows));
      return rows;
    };
    const vectors = (): Promise<readonly object[]> =>
      rowsOf('SELECT p.position, p.start, v.row FROM meaning_pieces p JOIN meaning_vectors v USING (id) ORDER BY 1, 2');
    const store = await open();
    await append(store, [line('weave', prompt('Users cannot sign in since the release', { uuid: 'u1' }))]);
    await indexAll(store);
    while ((await store.search.meaning.advance(100)) > 0);
    const nearest = (from: Store): Promise<unknown> => from.search.meaning.nearest('people are unable to log in', {}, 10, new Map());
    const [found, made] = [await nearest(store), await vectors()];
    expect([found, made.length]).toEqual([[expect.anything()], 1]);
    await store.close();

    const db = await openDatabase(urlOf(board), false);
    await migrate(db, 'search', 6);
    await db.close();
    expect(
      await rowsOf(
        "SELECT column_name FROM information_schema.columns WHERE table_name = 'meaning_progress' AND column_name = 'masking' AND table_schema = current_schema()",
      ),
    ).toEqual([]);
    await rowsOf(`UPDATE progress SET masking = masking - ${behind}`);

    const newer = await open();
    expect(await newer.search.meaning.coverage()).toMatchObject({ position: behind === 0 ? 1 : 0, of: 1 });
    // What was masked by older rules is not searched: it may have what must not be found.
    expect(await nearest(newer)).toEqual(behind === 0 ? found : null);
    expect(await vectors()).toEqual(made);
    let done = 0;
    for (let some = await newer.search.meaning.advance(100); some > 0; some = await newer.search.meaning.advance(100)) done += some;
    expect(done > 0).toBe(behind === 1);
    expect([await newer.search.meaning.coverage(), await nearest(newer)]).toEqual([expect.objectContaining({ position: 1, of: 1 }), found]);
    expect(await vectors()).toEqual(made);
    await newer.close();
    await onServer(board, async (client) => {
      await client.query(`DROP SCHEMA ${board} CASCADE`);
    });
  });

  test('[MEAN-23] two servers fill one index of meaning, each passage once; one that disagrees about the model gives in, and says so', async () => {
    const url = urlOf(newBoard());
    const open = (model: string): Promise<Store> =>
      openPostgres(url, { prices: DEFAULT_PRICES, now: () => NOON, newId: randomUUID, isIndexing: true, embedder: elsewhere(model, 1) });
    const [one, other, third] = [await open('far-away'), await open('far-away'), await open('further-away')];
    try {
      await append(
        one,
        Array.from({ length: 150 }, (_, at) => line('weave', prompt(`The weather over hill number ${at}`, { uuid: `u${at}`, minute: at }))),
      );
      const fill = async ({ search }: Store): Promise<void> => {
        while ((await search.meaning.advance(1000)) > 0);
      };
      await Promise.all([fill(one), fill(other)]);
      const found = async (store: Store): Promise<number> =>
        (await store.search.meaning.nearest('weather over the hills', {}, 1000, new Map()))?.length ?? -1;
      expect([await found(one), await found(other), await found(third)]).toEqual([150, 150, -1]);
      await fill(third);
      await expect(one.search.meaning.advance(1000)).rejects.toThrow('another server of this board fills the index of meaning with further-away');
      expect(await third.search.meaning.coverage()).toEqual({ model: 'further-away', position: 150, of: 150 });
      expect([await found(one), await found(third)]).toEqual([-1, 150]);
    } finally {
      for (const store of [one, other, third]) await store.close();
    }
  });

  test('[STORE-14] lines of transcripts behind a position are not read, whatever the planner believes', async () => {
    const board = newBoard();
    await (await openPostgres(urlOf(board), OPTIONS)).close();
    const db = await openDatabase(urlOf(board), false);
    try {
      // Every other entry of the beginning is said in one sidebar, and of all that comes later none.
      await insertPlainly(db, 1, 4000, `CASE i % 2 WHEN 0 THEN 'knot' ELSE 's' || i % 7 END`, `CASE i % 2 WHEN 0 THEN 'chat.message' ELSE 'x' END`);
      const statements = [
        [DECIDED_BEHIND, [SESSION_ENTRY_TYPES, 4000]],
        [selectEntries(`WHERE ${behind('session')} LIMIT $3`), ['knot', 4000, 50]],
        [selectEntries(`WHERE ${inFront('session')} LIMIT $3`), ['knot', 40_001, 50]],
        [LINES_BEHIND, ['knot', 3900, 50]],
        [`SELECT position FROM entries WHERE occurrence IS NULL AND ${behind('type')}`, ['chat.message', 4000]],
      ] as const;
      const pages = async (): Promise<readonly number[]> => {
        const read: number[] = [];
        for (const [sql, values] of statements) read.push(await pagesRead(db, sql, values));
        return read;
      };
      await db.run('ANALYZE entries');
      await insertPlainly(db, 4001, 40_000, `'s' || i % 7`, `'x'`);
      const [table] = await db.run<{ readonly pages: number }>("SELECT pg_relation_size('entries') / 8192 AS pages");
      expect(table?.pages).toBeGreaterThan(1000);
      for (const known of ['old statistics', 'new statistics']) {
        // A few for each type, and for each row that is found.
        for (const read of await pages()) expect([known, read < 4 * EVENT_TYPES.length]).toEqual([known, true]);
        await db.run('ANALYZE entries');
      }
    } finally {
      await db.run(`DROP SCHEMA ${board} CASCADE`);
      await db.close();
    }
  });

  test('[STORE-7] a backup is refused, and the tool for it is named', () =>
    withBoard(openBoard, async ({ store }) => {
      expect(await faultOf(store.backup('/anywhere'))).toMatchObject({ name: 'StoreFault', message: expect.stringContaining('pg_dump') as string });
    }));

  test('[STORE-8] a server that is not there is a fault that names the board and not the password', async () => {
    const fault = await faultOf(openPostgres('postgresql://ada:secret@127.0.0.1:1/loom?board=weave', OPTIONS));
    expect(fault).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('127.0.0.1:1/loom, board weave') as string });
    expect(String(fault)).not.toContain('secret');
  });

  test('[STORE-9] a board that cannot be a name in PostgreSQL is refused with what would be one', async () => {
    for (const board of ['Ada', 'a b', '1st', 'x; DROP TABLE y', 'pg_catalog', '']) {
      expect(await faultOf(openPostgres(urlOf(encodeURIComponent(board)), OPTIONS))).toMatchObject({
        kind: 'failed',
        message: expect.stringContaining('lower-case') as string,
      });
    }
  });
});
