import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discover } from '../../src/ingest/discover.ts';
import { essence, openBench, type Bench } from '../ingest/bench.ts';
import { openDatabase } from './homes.ts';
import { fixturesOf } from './told.ts';

const DATABASE = 'opencode/opencode.db';
const TABLES = ['project', 'session', 'message', 'part'] as const;
type Row = Record<string, string | number | null>;

/** A scenario as if it had happened a minute ago: what was left off long ago is not waited for. */
const recentSql = (scenario: string): string => {
  const sql = readFileSync(join(fixturesOf('opencode'), '1.18.33', scenario, 'opencode.sql'), 'utf8');
  const times = [...sql.matchAll(/\b1794\d{9}\b/gu)].map(([time]) => Number(time));
  const shift = Date.now() - 60_000 - times.reduce((a, b) => Math.max(a, b), 0);
  return sql.replaceAll(/\b1794\d{9}\b/gu, (time) => String(Number(time) + shift));
};

const open = (bench: Bench): Database.Database => {
  mkdirSync(bench.at('opencode'), { recursive: true });
  return openDatabase(bench.at(DATABASE));
};

const within = async <T>(work: (bench: Bench) => Promise<T>): Promise<T> => {
  const bench = await openBench();
  try {
    return await work(bench);
  } finally {
    await bench.close();
  }
};

const onLog = async (bench: Bench): Promise<readonly string[]> =>
  essence(await bench.entries())
    .map((entry) => JSON.stringify({ ...entry, refs: null, copyOf: null }))
    .sort();

const atOnce = (sql: string): Promise<readonly string[]> =>
  within(async (bench) => {
    open(bench).exec(sql).close();
    await bench.importAll();
    return onLog(bench);
  });

/** The rows as they were written one after the other, those of the last message unfinished at first. */
const historyOf = (sql: string): readonly { readonly table: string; readonly row: Row }[] => {
  const database = openDatabase(':memory:').exec(sql);
  const rowsOf = (table: string): readonly Row[] => database.prepare(`SELECT * FROM "${table}"`).all() as readonly Row[]; // rows are objects
  const begun = ['project', 'session'].flatMap((table) => rowsOf(table).map((row) => ({ table, row })));
  const told = ['message', 'part'].flatMap((table) =>
    rowsOf(table).flatMap((row) => [
      { table, at: Number(row['time_created']), row: { ...row, time_updated: Number(row['time_created']), data: unfinished(String(row['data'])) } },
      { table, at: Number(row['time_updated']), row },
    ]),
  );
  database.close();
  return [...begun, ...told.sort((a, b) => a.at - b.at)];
};

const unfinished = (text: string): string => {
  const { time = {}, tokens: _tokens, finish: _finish, error: _error, ...data } = JSON.parse(text) as Record<string, Record<string, unknown>>; // ours
  const { completed: _completed, end, ...begun } = time;
  const state = data['state'];
  if (state !== undefined)
    return JSON.stringify({
      ...data,
      state: { status: 'running', input: state['input'], time: { start: (state['time'] as { start: number }).start } },
    });
  if (end === undefined && (data['role'] as unknown) !== 'assistant') return text; // written as a whole
  return JSON.stringify({ ...data, ...(data['text'] === undefined ? {} : { text: 'Half' }), time: begun });
};

const put = (database: Database.Database, { table, row }: { readonly table: string; readonly row: Row }): void => {
  const columns = Object.keys(row);
  database
    .prepare(`INSERT OR REPLACE INTO "${table}" (${columns.map((one) => `"${one}"`).join()}) VALUES (${columns.map(() => '?').join()})`)
    .run(...Object.values(row));
};

const schemaOf = (sql: string): string => {
  const database = openDatabase(':memory:').exec(sql);
  for (const table of TABLES.toReversed()) database.exec(`DELETE FROM "${table}"`);
  const made = database.prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'").all() as readonly {
    readonly sql: string;
  }[];
  database.close();
  return made.map((one) => one.sql).join(';\n');
};

describe('a database that is written to', () => {
  test.each(['tools', 'partools'])('[OPEN-4] %s is on the log once and the same, whenever it was read and by whom', async (scenario) => {
    const sql = recentSql(scenario);
    const whole = await atOnce(sql);
    const history = historyOf(sql);
    const schema = schemaOf(sql);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: history.length }), { minLength: 1, maxLength: 5 }), fc.boolean(), async (cuts, isRestarted) => {
        await within(async (bench) => {
          const database = open(bench).exec(schema);
          const same = await bench.ingest();
          const places = [0, ...cuts.sort((a, b) => a - b), history.length];
          for (const [i, to] of places.slice(1).entries()) {
            database.transaction(() => history.slice(places[i] ?? 0, to).forEach((one) => put(database, one)))();
            await (isRestarted ? bench.importAll() : same.importAll([bench.root]));
          }
          database.close();
          expect(await onLog(bench)).toEqual(whole);
          expect((await bench.ingest()).findChanged()).toEqual([]);
        });
      }),
      { numRuns: 4 },
    );
  });

  test('[OPEN-4] a session in a database that is followed is read on when it changes', async () => {
    const sql = recentSql('tools');
    const whole = await atOnce(sql);
    await within(async (bench) => {
      const database = open(bench).exec(schemaOf(sql));
      const history = historyOf(sql);
      const half = Math.floor(history.length / 2);
      history.slice(0, half).forEach((one) => put(database, one));
      const ingest = await bench.ingest();
      await ingest.importAll([bench.root]);
      history.slice(half).forEach((one) => put(database, one));
      await ingest.readFiles(ingest.findChanged());
      database.close();
      expect(ingest.troubles()).toEqual([]);
      expect(await onLog(bench)).toEqual(whole);
    });
  });

  test('[OPEN-10] what is taken back stays on the log, as a branch that was left', async () => {
    const sql = recentSql('fork');
    await within(async (bench) => {
      const database = open(bench).exec(sql);
      await bench.importAll();
      const { id } = database.prepare("SELECT id FROM session WHERE title NOT LIKE '%fork%'").get() as { readonly id: string };
      const before = await bench.store.library.messages({ sessionId: id, thread: { kind: 'all' }, from: 0, limit: 500 });
      const [, last] = database
        .prepare('SELECT id FROM message WHERE session_id = ? AND data LIKE \'%"role":"user"%\' ORDER BY id')
        .all(id) as readonly { readonly id: string }[];
      database
        .prepare('UPDATE session SET revert = ?, time_updated = time_updated + 1 WHERE id = ?')
        .run(JSON.stringify({ messageID: last?.id }), id);
      await bench.importAll();
      database.prepare('DELETE FROM part WHERE message_id >= ? AND session_id = ?').run(last?.id, id);
      database.prepare('DELETE FROM message WHERE id >= ? AND session_id = ?').run(last?.id, id);
      database.prepare('UPDATE session SET revert = NULL, time_updated = time_updated + 1 WHERE id = ?').run(id);
      await bench.importAll();
      const after = await bench.store.library.messages({ sessionId: id, thread: { kind: 'all' }, from: 0, limit: 500 });
      expect(after.map(({ uuid }) => uuid)).toEqual(before.map(({ uuid }) => uuid));
      const texts = (await bench.entries()).filter(({ sessionId }) => sessionId === id).map(({ text }) => text);
      expect(texts.filter((text) => text.includes('"type":"last-prompt"'))).toHaveLength(1);
      database.close();
    });
  });

  test('[OPEN-12] what a database has lost its sessions or messages of is named and counted', async () => {
    await within(async (bench) => {
      const database = open(bench).exec(recentSql('tools'));
      const reasons = () => discover([bench.at('opencode')]).skipped.flatMap(({ file, reason }) => (file.endsWith('.db') ? [reason] : []));
      const countOf = (sql: string) => (database.prepare(sql).get() as { readonly many: number }).many; // a row is an object
      expect(reasons()).toEqual([]);
      const { id } = database.prepare('SELECT message_id AS id FROM part WHERE data LIKE \'%"step-finish"%\' LIMIT 1').get() as {
        readonly id: string;
      };
      database.prepare('DELETE FROM message WHERE id = ?').run(id);
      const alone = countOf(`SELECT count(*) AS many FROM part WHERE message_id = '${id}'`);
      expect(reasons()).toEqual([`not a part of any message of its session, as after a revert: ${alone} of ${id}`]);
      const { session } = database.prepare('SELECT id AS session FROM session').get() as { readonly session: string };
      database.prepare('DELETE FROM session').run();
      const [messages, parts] = ['message', 'part'].map((table) => countOf(`SELECT count(*) AS many FROM ${table}`));
      expect(reasons()).toEqual([
        `unreadable: 1 of its sessions, whose own rows are missing or damaged: ${session}; ${messages} messages and ${parts} parts are left of them`,
      ]);
      database.close();
    });
  });

  test('[OPEN-3] [DIALECT-8] another program’s database is never written to, and one of another form is named and left alone', async () => {
    await within(async (bench) => {
      const database = open(bench).exec(recentSql('plain'));
      database.pragma('wal_checkpoint(TRUNCATE)');
      const stamp = () => [statSync(bench.at(DATABASE)).mtimeMs, readFileSync(bench.at(DATABASE)).toString('base64')];
      const before = stamp();
      // Its tool is in the middle of writing.
      database.exec('BEGIN IMMEDIATE');
      const ingest = await bench.ingest();
      expect((await ingest.importAll([bench.root])).added).toBeGreaterThan(3);
      database.exec('ROLLBACK');
      expect(stamp()).toEqual(before);
      database.exec('ALTER TABLE part RENAME COLUMN data TO body');
      const later = await bench.ingest();
      expect((await later.importAll([bench.root])).added).toBe(0);
      expect(later.troubles().map(({ why }) => why)).toEqual([expect.stringContaining('its table "part" has no column "data"')]);
      database.close();
      expect(readdirSync(bench.at('opencode')).filter((name) => !/^opencode\.db(?:-wal|-shm)?$/u.test(name))).toEqual([]);
    });
  });
});
