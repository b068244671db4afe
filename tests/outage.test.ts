import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openWay } from './black-hole.ts';
import { addressOf, ended, expectWhole, testHome, until, type TestHome } from './home.ts';
import { PATIENCE } from './patience.ts';
import { findPostgres } from './postgres.ts';

type Answer = { readonly status: number; readonly body: Record<string, unknown> };

/** A real server with a sidebar, and its operator. */
const serve = async (home: TestHome, ...more: readonly string[]) => {
  // A disk that is slow is none that is away.
  mkdirSync(join(home.folder, 'home'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home.folder, 'home/settings.json'), JSON.stringify({ emergency: { write_timeout_seconds: 60 } }));
  const child = home.start('start', '--no-open', '--port', '0', ...more);
  const url = await addressOf(child);
  const token = readFileSync(join(home.folder, 'home/operator.token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const read = async (response: Response): Promise<Answer> => ({ status: response.status, body: (await response.json()) as Answer['body'] });
  const post = async (path: string, body: object): Promise<Answer> =>
    read(await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
  const get = async (path: string): Promise<Answer> => read(await fetch(`${url}${path}`, { headers }));
  const say = (content: string, more: object = {}): Promise<Answer> => post('/sidebars/SB-1/messages', { content, ...more });
  // A connection that nobody used for a while may just be closed.
  const isWell = (): Promise<true | null> =>
    fetch(`${url}/healthz`).then(
      ({ status }) => (status === 200 ? true : null),
      () => null,
    );
  expect(await post('/sidebars', { parent_id: null, task_description: 'why is login slow?' })).toMatchObject({ status: 200 });
  expect(await say('before')).toMatchObject({ status: 200 });
  return {
    post,
    get,
    say,
    /** What the store is asked for on the way has less than a second while it is away: on a busy machine, the next time. */
    read: (path: string): Promise<Answer['body']> =>
      until(async () => {
        const { status, body } = await get(path);
        return status === 200 ? body : null;
      }),
    /** Said when the log is back. A busy machine may be taken for one that is away once more: then it waits, and is on the log all the same. */
    sayAfter: async (content: string): Promise<void> => {
      expect([200, 202]).toContain((await say(content)).status);
      await until(isWell);
    },
    isWell,
    stop: async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended(child);
    },
  };
};

const wordsOn = async (home: Pick<TestHome, 'open'>): Promise<readonly string[]> => {
  const store = await home.open();
  try {
    await expectWhole(store);
    const positions = await store.log.positionsOfType('chat.message');
    const payloads = await store.log.payloadsOf(positions);
    return positions.map((at) => (JSON.parse(Buffer.from(payloads.get(at) ?? []).toString()) as { readonly content: string }).content);
  } finally {
    await store.close();
  }
};

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
