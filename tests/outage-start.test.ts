import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import Database from 'better-sqlite3';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ended, testHome, until, type TestHome } from './home.ts';
import { openServer, serve, wordsOn } from './outage-server.ts';
import { PATIENCE } from './patience.ts';
import { findPostgres } from './postgres.ts';

/** A home in which a word was said, and whose server has stopped. */
const usedHome = async (...more: readonly string[]): Promise<TestHome> => {
  const home = testHome();
  const server = await serve(home, ...more);
  await server.stop();
  return home;
};

type Server = Awaited<ReturnType<typeof openServer>>;

/** It reads, queues and says so. */
const expectAway = async (server: Server, why: RegExp): Promise<void> => {
  expect(await server.get('/healthz')).toMatchObject({ status: 503, body: { status: 'emergency', why: expect.stringMatching(why) as string } });
  expect(await server.read('/api/v1/sidebars/SB-1')).toMatchObject({ sidebar_id: 'SB-1', as_of: expect.any(String) as string });
  expect(await server.say('one')).toMatchObject({ status: 202, body: { queued: true, queue_position: 1, durable_in: ['home', 'state', 'sqlite'] } });
  expect(await server.say('two')).toMatchObject({ status: 202, body: { queue_position: 2 } });
  expect(await server.post('/sidebars', { parent_id: null, task_description: 'another' })).toMatchObject({
    status: 503,
    body: { code: 'blocked-in-emergency' },
  });
};

/** Its store is back: what is on the log once it has gone on. */
const wordsOnceBack = async (server: Server, home: Pick<TestHome, 'open'>): Promise<readonly string[]> => {
  await until(server.isWell);
  expect((await server.get('/api/v1/sidebars/SB-1')).body).not.toHaveProperty('as_of');
  await server.sayAfter('after');
  await server.stop();
  return wordsOn(home);
};

const ALL = ['before', 'one', 'two', 'after'];

describe('a server that starts while its store is away', () => {
  test('[REC-78] a database that is missing: it reads from the snapshot, queues, and goes on when the database is put back', async () => {
    const home = await usedHome();
    renameSync(home.database, `${home.database}.gone`);
    const server = await openServer(home);
    await expectAway(server, /the database is missing/u);
    renameSync(`${home.database}.gone`, home.database);
    expect(await wordsOnceBack(server, home)).toEqual(ALL);
  });

  test('[REC-79] the folder of a disk that is not connected stays as it is: nothing is made there', async () => {
    const home = testHome();
    const folder = join(home.folder, 'disk');
    mkdirSync(folder);
    const file = join(folder, 'board.db');
    await (await serve(home, '--db', `sqlite:${file}`)).stop();
    renameSync(folder, `${folder}.away`);
    const server = await openServer(home, '--db', `sqlite:${file}`);
    await expectAway(server, /the database is missing/u);
    renameSync(`${folder}.away`, folder);
    const open = (): ReturnType<TestHome['open']> =>
      openStore(`sqlite:${file}`, { prices: DEFAULT_PRICES, now: () => 0, newId: () => 'x', readOnly: true });
    expect(await wordsOnceBack(server, { open })).toEqual(ALL);
  });

  test('[REC-78] a database that another process has locked: it goes on when that lets go', async () => {
    const home = await usedHome();
    const other = new Database(home.database, { timeout: PATIENCE });
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    const server = await openServer(home);
    await expectAway(server, /another process holds the database/u);
    other.exec('ROLLBACK');
    other.close();
    expect(await wordsOnceBack(server, home)).toEqual(ALL);
  });

  test('[REC-78] a database that is damaged: nothing is written to it, and it goes on when a whole copy is in its place', async () => {
    const home = await usedHome();
    const copy = join(home.folder, 'copy.db');
    copyFileSync(home.database, copy);
    const damaged = readFileSync(home.database).fill(7, 0, 8192);
    writeFileSync(home.database, damaged);
    const server = await openServer(home);
    await expectAway(server, /not a database|damaged/u);
    expect(readFileSync(home.database).equals(damaged)).toBe(true);
    for (const end of ['-wal', '-shm']) rmSync(`${home.database}${end}`, { force: true });
    renameSync(copy, home.database);
    expect(await wordsOnceBack(server, home)).toEqual(ALL);
  });

  test('[REC-79] another board in its place is not written to', async () => {
    const [home, other] = [await usedHome(), await usedHome()];
    renameSync(home.database, `${home.database}.gone`);
    const server = await openServer(home);
    await expectAway(server, /the database is missing/u);
    copyFileSync(other.database, home.database);
    await until(async () => (JSON.stringify((await server.get('/healthz')).body).includes('and had') ? true : null));
    await server.stop();
    expect(await wordsOn(home)).toEqual(['before']);
    rmSync(dirname(home.database), { recursive: true, force: true });
  });

  test('[REC-78] killed while it waits for its store, it says so at the next start, and nothing is lost', async () => {
    const home = await usedHome();
    renameSync(home.database, `${home.database}.gone`);
    const killed = await openServer(home);
    await expectAway(killed, /the database is missing/u);
    await killed.kill();
    const next = await openServer(home);
    expect(await next.say('three')).toMatchObject({ status: 503, body: { code: 'recovery-needed' } });
    expect(await next.read('/api/v1/sidebars/SB-1')).toMatchObject({ as_of: expect.any(String) as string });
    renameSync(`${home.database}.gone`, home.database);
    await until(async () => {
      const { body } = await next.get('/api/v1/status');
      return body['emergency'] === undefined ? true : null;
    });
    const { caches } = (await next.read('/api/v1/recovery')) as { readonly caches: readonly { readonly cache_id: string }[] };
    expect(caches).toHaveLength(1);
    expect(await next.post(`/recovery/${caches[0]?.cache_id ?? ''}/replay`, {})).toMatchObject({ status: 200 });
    expect(await wordsOnceBack(next, home)).toEqual(ALL);
  });

  test('[REC-90] without a server and without its board, `recover` lists the caches that lie in the home', async () => {
    const home = await usedHome();
    renameSync(home.database, `${home.database}.gone`);
    const killed = await openServer(home);
    await expectAway(killed, /the database is missing/u);
    await killed.kill();
    const told = home.run('recover');
    expect(told).toMatchObject({ status: 1, err: expect.stringContaining('the database is missing') as string });
    expect(told.out).toContain('state: RECOVERY_NEEDED');
    expect(told.out).toContain('1 unresolved emergency cache(s) found');
    expect(told.out).toMatch(/^outage-\S+: working_memory_down since/mu);
    expect(told.out).toContain('2 pending');
    const { caches } = JSON.parse(home.run('recover', '--json').out) as { readonly caches: readonly object[] };
    expect(caches).toMatchObject([{ own: true, writes: { pending: 2 }, found_in: [{ place: 'home' }, { place: 'state' }, { place: 'sqlite' }] }]);
    expect(existsSync(home.database)).toBe(false);
  });

  test('[REC-79] an address that this home never saw is no board of it: the server does not start', async () => {
    const home = await usedHome();
    const wrong = home.start('start', '--no-open', '--port', '0', '--db', 'postgresql://yarnboard@127.0.0.1:1/postgres');
    let said = '';
    wrong.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    expect(await ended(wrong)).not.toBe(0);
    // What it said may come after its end.
    await expect.poll(() => said).toContain('the server does not answer');
  });

  test('[REC-84] a command without a server makes no new board where the database is missing, and says so', async () => {
    const home = await usedHome();
    const moved = (from: string, to: string): void => {
      for (const end of ['', '-wal', '-shm']) if (existsSync(`${from}${end}`)) renameSync(`${from}${end}`, `${to}${end}`);
    };
    const session = join(home.folder, 'session.jsonl');
    writeFileSync(session, '');
    moved(home.database, `${home.database}.gone`);
    for (const args of [
      ['sidebar', 'say', 'SB-1', 'lost?'],
      ['sidebar', 'list'],
      ['recover'],
      ['import', session],
      ['show', 'MSG-1'],
      ['export', '--output', join(home.folder, 'out')],
    ])
      expect([args[0], home.run(...args)]).toMatchObject([args[0], { status: 3, err: expect.stringContaining('the database is missing') as string }]);
    expect(home.run('doctor')).toMatchObject({ status: 1, out: expect.stringContaining('the database is missing') as string });
    expect(existsSync(home.database)).toBe(false);
    // Without what a start needs to know of the board, a server does not begin another one either.
    const snapshot = join(home.folder, 'home/sidebars.snapshot');
    renameSync(snapshot, `${snapshot}.gone`);
    const refused = home.start('start', '--no-open', '--port', '0');
    expect(await ended(refused)).not.toBe(0);
    expect(existsSync(home.database)).toBe(false);
    moved(`${home.database}.gone`, home.database);
    expect(await wordsOn(home)).toEqual(['before']);
    expect(home.run('sidebar', 'say', 'SB-1', 'after')).toMatchObject({ status: 0 });
  });

  test('[REC-81] what was decided shortly before a server was killed is in the snapshot that the next one starts with', async () => {
    const home = testHome();
    const first = await serve(home);
    const snapshot = join(home.folder, 'home/sidebars.snapshot');
    await until(() => {
      try {
        return readFileSync(snapshot, 'utf8').includes('why is login slow?') ? true : null;
      } catch {
        return null;
      }
    });
    await first.kill();
    renameSync(home.database, `${home.database}.gone`);
    const server = await openServer(home);
    await expectAway(server, /the database is missing/u);
    renameSync(`${home.database}.gone`, home.database);
    expect(await wordsOnceBack(server, home)).toEqual(ALL);
  });

  test('[REC-78] PostgreSQL is down when the server starts: every word is on the log once when it is up', async ({ skip }) => {
    const postgres = await findPostgres({ isDurable: true });
    if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
    if (postgres?.kill == null || postgres.revive === null) {
      skip('needs a PostgreSQL that can be killed');
      return;
    }
    try {
      const url = `${postgres.url}?board=late`;
      const home = await usedHome('--db', url);
      await postgres.kill();
      const server = await openServer(home, '--db', url);
      await expectAway(server, /the server does not answer/u);
      await postgres.revive();
      const open = (): ReturnType<TestHome['open']> => openStore(url, { prices: DEFAULT_PRICES, now: () => 0, newId: () => 'x', readOnly: true });
      expect(await wordsOnceBack(server, { open })).toEqual(ALL);
    } finally {
      await postgres.stop();
    }
  });

  test('[REC-78] what another server decided meanwhile comes first, and a command that no longer fits is a conflict', async ({ skip }) => {
    const postgres = await findPostgres({ isDurable: true });
    if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
    if (postgres?.kill == null || postgres.revive === null) {
      skip('needs a PostgreSQL that can be killed');
      return;
    }
    try {
      const url = `${postgres.url}?board=meanwhile`;
      const home = await usedHome('--db', url);
      const other = await openServer(testHome(), '--db', url);
      expect(await other.say('from another server')).toMatchObject({ status: 200 });
      expect(await other.post('/sidebars/SB-1/pause', { reason: 'lunch' })).toMatchObject({ status: 200 });
      await other.stop();
      await postgres.kill();
      const server = await openServer(home, '--db', url);
      // As far as this server knows, it is at work.
      expect(await server.post('/sidebars/SB-1/pause', { reason: 'tea' })).toMatchObject({ status: 202 });
      expect(await server.say('one')).toMatchObject({ status: 202 });
      await postgres.revive();
      await until(server.isWell);
      expect(await server.read('/api/v1/recovery')).toMatchObject({ caches: [{ writes: { conflict: 1, replayed: 1 } }] });
      await server.stop();
      const open = (): ReturnType<TestHome['open']> => openStore(url, { prices: DEFAULT_PRICES, now: () => 0, newId: () => 'x', readOnly: true });
      expect(await wordsOn({ open })).toEqual(['before', 'from another server', 'one']);
    } finally {
      await postgres.stop();
    }
  });
});
