import { renameSync } from 'node:fs';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openWay } from './black-hole.ts';
import { testHome, until, type TestHome } from './home.ts';
import { serve, wordsOn, type Answer } from './outage-server.ts';
import { PATIENCE } from './patience.ts';
import { findPostgres } from './postgres.ts';

describe('a server whose log is away', () => {
  test('[REC-52] goes on while another process holds the database: words are queued, and on the log once when it lets go', async () => {
    const home = testHome();
    const server = await serve(home);
    const other = new Database(home.database, { timeout: PATIENCE });
    other.exec('BEGIN EXCLUSIVE');
    expect(await server.say('one')).toMatchObject({
      status: 202,
      body: { queued: true, queue_position: 1, durable_in: ['home', 'state', 'sqlite'], message: 'queued as number 1, not on the log yet' },
    });
    expect(await server.say('two')).toMatchObject({ status: 202, body: { queue_position: 2 } });
    // REC-57, REC-54
    expect(await server.say('not like this', { queue: false })).toMatchObject({ status: 503, body: { code: 'store-unavailable' } });
    expect(await server.post('/sidebars', { parent_id: null, task_description: 'another' })).toMatchObject({
      status: 503,
      body: { code: 'blocked-in-emergency' },
    });
    expect(await server.post('/runs', { cwd: home.folder, prompt: 'begin something' })).toMatchObject({
      status: 503,
      body: { code: 'blocked-in-emergency' },
    });
    // REC-66: what is known is told, with how old it is.
    expect(await server.read('/api/v1/sidebars')).toMatchObject({ as_of: expect.any(String) as string });
    expect(await server.get('/api/v1/status')).toMatchObject({ body: { emergency: { state: 'emergency', pending_writes: 2 } } });
    expect(await server.get('/healthz')).toMatchObject({ status: 503, body: { status: 'emergency' } });
    const metrics = home.run('status');
    expect(metrics.out).toContain('emergency: Working memory service down, operating in cached mode');
    expect(home.run('sidebar', 'say', 'SB-1', 'three')).toMatchObject({ status: 0, out: 'queued as number 3, not on the log yet\n' });
    expect(JSON.parse(home.run('sidebar', 'say', 'SB-1', 'four', '--json').out)).toMatchObject({ queued: true, queue_position: 4 });
    other.exec('ROLLBACK');
    other.close();
    await until(server.isWell);
    await server.sayAfter('after');
    await server.stop();
    expect(await wordsOn(home)).toEqual(['before', 'one', 'two', 'three', 'four', 'after']);
  });

  test('[REC-66] answers from memory while the log is away, with how old that is, and lets clients in', async () => {
    const home = testHome();
    const server = await serve(home);
    renameSync(home.database, `${home.database}.gone`);
    expect(await server.say('one')).toMatchObject({ status: 202 });
    expect(await server.read('/api/v1/sidebars/SB-1')).toMatchObject({ sidebar_id: 'SB-1', as_of: expect.any(String) as string });
    // What counts the board opens it anew, and cannot.
    expect(home.run('status')).toMatchObject({ status: 0, out: expect.stringContaining('was deleted') as string });
    // REC-77
    const doctor = home.run('doctor');
    expect(doctor).toMatchObject({ status: 1, out: expect.stringContaining('emergency: Working memory service down') as string });
    expect(doctor.out).toContain('emergency place home: survives crashes');
    expect(doctor.out).not.toContain('makes one');
    renameSync(`${home.database}.gone`, home.database);
    await until(server.isWell);
    expect((await server.get('/api/v1/sidebars/SB-1')).body).not.toHaveProperty('as_of');
    await server.stop();
  });

  test('[REC-51] notices that its database was taken away, and goes on when it is put back', async () => {
    const home = testHome();
    const server = await serve(home);
    renameSync(home.database, `${home.database}.gone`);
    expect(await server.say('one')).toMatchObject({ status: 202, body: { queued: true } });
    expect(await server.get('/healthz')).toMatchObject({ status: 503, body: { why: expect.stringContaining('was deleted') as string } });
    renameSync(`${home.database}.gone`, home.database);
    await until(server.isWell);
    await server.sayAfter('after');
    await server.stop();
    expect(await wordsOn(home)).toEqual(['before', 'one', 'after']);
  });

  test('[REC-60] PostgreSQL is killed and comes back while people talk: every word is on the log once', async ({ skip }) => {
    const postgres = await findPostgres({ isDurable: true });
    if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
    if (postgres?.restart == null) {
      skip('needs a PostgreSQL that can be restarted');
      return;
    }
    const url = `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=outage`;
    const home = testHome();
    try {
      const server = await serve(home, '--db', url);
      const back = postgres.restart();
      const answers: Answer[] = [];
      for (let i = 0; i < 30; i += 1) answers.push(await server.say(`word ${i}`));
      await back;
      await until(server.isWell);
      expect(answers.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
      await server.stop();
      const open = (): ReturnType<TestHome['open']> => openStore(url, { prices: DEFAULT_PRICES, now: () => 0, newId: () => 'x', readOnly: true });
      expect(await wordsOn({ open })).toEqual(['before', ...answers.map((_, i) => `word ${i}`)]);
    } finally {
      await postgres.stop();
    }
  });

  test('[MANY-19] PostgreSQL is cut off without a word and comes back: people talk on, and every word is on the log once', async ({ skip }) => {
    const postgres = await findPostgres({ isDurable: true });
    if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
    const port = Number(/:(\d+)\//u.exec(postgres?.url ?? '')?.[1]);
    if (postgres?.restart == null) {
      skip('needs a PostgreSQL on this machine');
      return;
    }
    const way = await openWay(port);
    const home = testHome();
    try {
      const server = await serve(home, '--db', `${postgres.url.replace(`:${port}/`, `:${way.port}/`)}?board=cut`);
      way.hang();
      const answers = [await server.say('word 0'), await server.say('word 1'), await server.say('word 2')];
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
      way.open();
      await until(server.isWell);
      await server.sayAfter('after');
      await server.stop();
      const open = (): ReturnType<TestHome['open']> =>
        openStore(`${postgres.url}?board=cut`, { prices: DEFAULT_PRICES, now: () => 0, newId: () => 'x', readOnly: true });
      expect(await wordsOn({ open })).toEqual(['before', 'word 0', 'word 1', 'word 2', 'after']);
    } finally {
      await way.close();
      await postgres.stop();
    }
  });
});
