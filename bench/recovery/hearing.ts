import { join } from 'node:path';
import { findPostgres } from '../../tests/postgres.ts';
import { findRedis } from '../../tests/redis.ts';
import { WrongResult } from '../measure/run.ts';
import { atLeast, below, layOut, type Verdict } from '../measure/table.ts';
import { listen, serve, stop, type Running } from './serving.ts';
import { quantile, timed } from './timed.ts';

/** What one server commits until a client of another hears it, with and without Redis; and what several servers do together. */
export const benchServers = async (scratch: string, words: number): Promise<readonly Verdict[]> => {
  const [postgres, redis] = [await findPostgres({ isDurable: true }), await findRedis()];
  try {
    if (postgres === null || redis === null) throw new WrongResult('there is no PostgreSQL, or no Redis, to measure with');
    const board = (name: string): string => `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=${name}`;
    const polled = await hearing(join(scratch, 'polling'), board('bench_polling'), words);
    const woken = await hearing(join(scratch, 'redis'), board('bench_redis'), words, redis.url);
    const row = (name: string, times: readonly number[]): readonly string[] => [name, ...[0.5, 0.95, 0.99].map((q) => quantile(times, q).toFixed(1))];
    console.log('');
    console.log(layOut([['commit on A to a client of B, ms', 'p50', 'p95', 'p99'], row('with Redis', woken), row('without', polled)]));
    const verdicts = [
      below(quantile(woken, 0.99), 50, 'p99 from a commit on A to a client of B, with Redis', 'ms'),
      below(quantile(polled, 0.99), 1000, 'p99 from a commit on A to a client of B, without Redis', 'ms'),
    ];
    const shares: { readonly count: number; readonly rate: number; readonly least: number }[] = [];
    for (const count of [1, 2, 4]) shares.push(await together(join(scratch, `together-${count}`), board(`bench_${count}`), count, redis.url));
    console.log('');
    console.log(
      layOut([
        ['128 clients of', 'commands a second', 'least share of a server'],
        ...shares.map(({ count, rate, least }) => [`${count} servers`, rate.toFixed(0), least.toFixed(2)]),
      ]),
    );
    const [one] = shares;
    for (const { count, rate, least } of shares.slice(1)) {
      verdicts.push(atLeast(rate / (one?.rate ?? 1), 0.6, `${count} servers together as fast as one on the same database`));
      verdicts.push(atLeast(least, 0.3, `the slowest of ${count} servers, of what would be its share`));
    }
    return verdicts;
  } finally {
    await postgres?.stop();
    await redis?.stop();
  }
};

const spawned = async (server: Running): Promise<void> =>
  void (await server.post('/sidebars', { parent_id: null, task_description: 'how soon is it heard?' }));

/** From when A acknowledges a word until the client of B hears it; 0 for one that B's client heard before. */
const hearing = async (folder: string, database: string, words: number, redis?: string): Promise<readonly number[]> => {
  const given = redis === undefined ? { database } : { database, redis };
  const [one, other] = [await serve(join(folder, 'a'), given), await serve(join(folder, 'b'), given)];
  const heard = new Map<string, number>();
  let onHeard = (): void => {};
  const socket = await listen(other, ({ content }) => {
    if (content !== undefined) heard.set(content, performance.now());
    onHeard();
  });
  await spawned(one);
  const times: number[] = [];
  for (let n = 0; n < words + WARM_UP; n += 1) {
    const content = `word ${n}`;
    await one.post('/sidebars/SB-1/messages', { content });
    const said = performance.now();
    while (!heard.has(content))
      await new Promise<void>((resolve) => {
        onHeard = resolve;
      });
    if (n >= WARM_UP) times.push(Math.max(0, (heard.get(content) ?? 0) - said));
    // Polls must not be caught always at the same moment.
    await new Promise((resolve) => {
      setTimeout(resolve, (n * 37) % 100);
    });
  }
  socket.close();
  await Promise.all([stop(one), stop(other)]);
  return times;
};

/** 128 clients, each on one of so many servers, for some seconds. */
const together = async (
  folder: string,
  database: string,
  count: number,
  redis: string,
): Promise<{ readonly count: number; readonly rate: number; readonly least: number }> => {
  const servers: Running[] = [];
  for (let n = 0; n < count; n += 1) servers.push(await serve(join(folder, String(n)), { database, redis }));
  const [first] = servers;
  if (first === undefined) throw new WrongResult('no server');
  await spawned(first);
  const done = new Map<number, number>();
  const until = performance.now() + SECONDS * 1000;
  const { ms } = await timed(CLIENTS, CLIENTS, async (client) => {
    const at = client % count;
    while (performance.now() < until) {
      await servers[at]?.post('/sidebars/SB-1/messages', { content: `client ${client} says something` });
      done.set(at, (done.get(at) ?? 0) + 1);
    }
  });
  await Promise.all(servers.map(stop));
  const all = [...done.values()].reduce((sum, one) => sum + one, 0);
  return { count, rate: all / (ms / 1000), least: Math.min(...servers.map((_, n) => done.get(n) ?? 0)) / (all / count) };
};

const WARM_UP = 10;
const CLIENTS = 128;
const SECONDS = 8;
