import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addressOf, ended, expectWhole, testHome, until, type TestHome } from './home.ts';
import { randomOf } from './live-stage.ts';

// A few in `npm run test:all`, 200 in `npm run soak`.
const IS_LONG = process.env['YARNBOARD_KILLS'] !== undefined || process.env['YARNBOARD_RUNS'] !== undefined;
const ROUNDS = IS_LONG ? 200 : 5;
const SEED = Number(process.env['YARNBOARD_SEED'] ?? 1);

/** What the server is doing when it is killed. */
const PHASES = ['queueing', 'resuming', 'replaying', 'verifying', 'resolving'] as const;

type Caches = { readonly caches: readonly { readonly cache_id: string; readonly own: boolean; readonly resolved_at: string | null }[] };

test('[REC-75] SIGKILL while commands are queued, put on the log, replayed, verified or settled: every word that was acknowledged is on the log once, in order', async () => {
  const random = randomOf(SEED);
  const home = testHome();
  mkdirSync(join(home.folder, 'home'), { mode: 0o700 });
  writeFileSync(
    join(home.folder, 'home/settings.json'),
    JSON.stringify({ emergency: { check_every_seconds: 0.1, write_timeout_seconds: 60, reserve_bytes: 0 } }),
  );
  const first = await serve(home);
  expect(await first.post('/sidebars', { parent_id: null, task_description: 'talk on' })).toMatchObject({ status: 200 });
  await first.kill();
  const acknowledged: string[] = [];
  let said = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const phase = PHASES[round % PHASES.length];
    let server = await serve(home);
    await server.recover();
    takeAway(home);
    let isOver = false;
    const talking = Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        while (!isOver) {
          const word = `${client} word ${(said += 1)}`;
          const status = await server.say(word);
          if (status === 200 || status === 202) acknowledged.push(word);
          else if (status !== null) await wait(10);
        }
      }),
    );
    const before = acknowledged.length;
    const enough = before + CLIENTS * 3 + Math.floor(20 * random());
    await until(() => (acknowledged.length >= enough ? true : null));
    const some = 1 + Math.floor(12 * random());
    if (phase === 'resuming') {
      putBack(home);
      await until(() => (isResolved(home) || settledIn(home) >= some ? true : null));
    }
    await server.kill();
    isOver = true;
    await talking;
    putBack(home);
    if (phase === 'replaying' || phase === 'verifying' || phase === 'resolving') {
      server = await serve(home);
      const replaying = server.recover().catch(() => {}); // it is killed meanwhile
      const isFarEnough = (): boolean => (phase === 'resolving' ? false : settledIn(home) >= (phase === 'replaying' ? some : queuedIn(home)));
      await until(() => (isResolved(home) || isFarEnough() ? true : null));
      await server.kill();
      await replaying;
    }
  }
  const server = await serve(home);
  await server.recover();
  expect(await server.say('the last word')).toBe(200);
  expect(home.run('stop', '--now').status).toBe(0);
  await server.ended();

  const store = await home.open();
  await expectWhole(store);
  const positions = await store.log.positionsOfType('chat.message');
  const payloads = await store.log.payloadsOf(positions);
  const words = positions.map((at) => (JSON.parse(Buffer.from(payloads.get(at) ?? []).toString()) as { readonly content: string }).content);
  await store.close();
  expect(words.length).toBe(new Set(words).size);
  const heard = new Set(words);
  expect(acknowledged.filter((word) => !heard.has(word))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * CLIENTS * 3);
  for (let client = 0; client < CLIENTS; client += 1) {
    const numbers = words.filter((word) => word.startsWith(`${client} word `)).map((word) => Number(word.split(' ')[2]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
  expect(home.run('verify')).toMatchObject({ status: 0 });
});

/** What the home has of a cache that is not resolved: a line for each command, and one for what became of it. */
const linesIn = ({ folder }: TestHome): string =>
  readdirSync(join(folder, 'home/emergency'))
    .filter((name) => name.endsWith('.writes.jsonl'))
    .map((name) => readFileSync(join(folder, 'home/emergency', name), 'utf8'))
    .join('');
const isResolved = (home: TestHome): boolean => linesIn(home) === '';
const settledIn = (home: TestHome): number => linesIn(home).split('"kind":"outcome"').length - 1;
const queuedIn = (home: TestHome): number => linesIn(home).split('"kind":"write"').length - 1;

const takeAway = ({ database }: TestHome): void => renameSync(database, `${database}.gone`);
const putBack = ({ database }: TestHome): void => {
  if (existsSync(`${database}.gone`)) renameSync(`${database}.gone`, database);
};

const serve = async (home: TestHome) => {
  const child: ChildProcess = home.start('start', '--no-open', '--port', '0');
  const url = await addressOf(child);
  const token = readFileSync(join(home.folder, 'home/operator.token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' };
  const post = async (path: string, body: object): Promise<Response> =>
    fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return {
    post,
    /** Null where nobody answered any more. */
    say: (content: string): Promise<number | null> =>
      post('/sidebars/SB-1/messages', { content }).then(
        async (response) => response.text().then(() => response.status),
        () => null,
      ),
    /** The operator replays what was left. */
    recover: async (): Promise<void> => {
      const { caches } = (await (await fetch(`${url}/api/v1/recovery`, { headers })).json()) as Caches;
      for (const { cache_id: cacheId } of caches.filter(({ own, resolved_at: at }) => own && at === null)) {
        const answer = await post(`/recovery/${cacheId}/replay`, {});
        expect([200, 409]).toContain(answer.status);
        if (answer.status !== 200) continue;
        const replayed = (await answer.json()) as { readonly settled: readonly { readonly outcome: string }[] };
        expect(replayed.settled.filter(({ outcome }) => outcome === 'conflict')).toEqual([]);
        expect(replayed).toMatchObject({ is_resolved: true, writes: { pending: 0, conflict: 0 } });
      }
    },
    kill: async (): Promise<void> => {
      child.kill('SIGKILL');
      await ended(child);
    },
    ended: () => ended(child),
  };
};

const CLIENTS = 4;
