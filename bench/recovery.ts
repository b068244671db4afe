// The emergency cache against raw writes and syncs of the same bytes, and what one server commits until a client of another hears it, with and without Redis: [--writes N] [--words N]
import { randomUUID } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { EMERGENCY_FORMAT, lineOfAddition, RECOVERY_STEPS, type EmergencyAddition, type EmergencyDocument } from '@yarnboard/domain';
import { createEmergencyCache, folderPlace, sha256, tablesPlace, type EmergencyCache } from '@yarnboard/store';
import { WebSocket } from 'ws';
import { findPostgres } from '../tests/postgres.ts';
import { findRedis } from '../tests/redis.ts';
import { runBench, WrongResult } from './measure/run.ts';
import { atLeast, below, layOut, type Verdict } from './measure/table.ts';

const { values } = parseArgs({ options: { writes: { type: 'string', default: '10000' }, words: { type: 'string', default: '200' } } });
const [writes, words] = [Number(values.writes), Number(values.words)];

const AT = '2026-03-14T12:00:00.000Z';

const documentOf = (cacheId: string): EmergencyDocument => ({
  format: EMERGENCY_FORMAT,
  cacheId,
  createdAt: AT,
  updatedAt: AT,
  reason: 'working_memory_down',
  servicesDown: ['working_memory'],
  boardId: 'board',
  serverId: 'server',
  host: 'loom',
  version: '0',
  head: { position: 1, checksum: '0'.repeat(64) },
  lastKnownGoodState: AT,
  sidebarSnapshots: {},
  scratchpadStates: {},
  pendingWrites: [],
  pendingArchives: [],
  recoveryNotes: [],
  suggestedRecoveryOrder: RECOVERY_STEPS,
  resolvedAt: null,
  resolutionNotes: null,
});

const additionOf = (n: number): EmergencyAddition => ({
  kind: 'write',
  write: {
    n,
    messageId: randomUUID(),
    uuid: randomUUID(),
    sender: { id: 'AGENT-scout', type: 'agent' },
    client: 'bench',
    clientVersion: null,
    context: 'SB-1',
    command: { type: 'chat.say', sidebar: 'SB-1', content: `The ${n}th word while the log is away. ${'More is said here. '.repeat(10)}` },
    ifSeq: null,
    fingerprint: null,
    circumstances: {},
    claims: null,
    queuedAt: AT,
    wouldDo: 'say something in SB-1',
    outcome: { kind: 'pending' },
  },
});

/** How long each of `count` pieces of work took, by so many at a time. */
const timed = async (
  count: number,
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): Promise<{ readonly each: readonly number[]; readonly ms: number }> => {
  const each: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const one = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      const began = performance.now();
      await work(n + 1);
      each[n] = performance.now() - began;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return { each, ms: performance.now() - startedAt };
};

const openCache = (folder: string): EmergencyCache =>
  createEmergencyCache({
    places: [
      folderPlace({ name: 'home', survives: 'crashes', isLocal: true, folder: join(folder, 'home'), reserve: 0 }),
      folderPlace({ name: 'state', survives: 'a mount', isLocal: true, folder: join(folder, 'state'), reserve: 0 }),
      tablesPlace(join(folder, 'cache.db')),
    ],
    patience: 60_000,
    onFault: (cause) => {
      throw cause;
    },
  });

/** The baseline: the same bytes, written and synced to three files, by as many at a time. */
const rawWrites = async (folder: string, count: number, atOnce: number): Promise<number> => {
  mkdirSync(folder, { recursive: true });
  const files = await Promise.all(['a', 'b', 'c'].map((name) => open(join(folder, name), 'a')));
  const { ms } = await timed(count, atOnce, async (n) => {
    const line = lineOfAddition(additionOf(n), sha256);
    await Promise.all(
      files.map(async (file) => {
        await file.write(line);
        await file.datasync();
      }),
    );
  });
  await Promise.all(files.map((file) => file.close()));
  return ms;
};

const quantile = (times: readonly number[], q: number): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * q)] ?? 0;
const median = (times: readonly number[]): number => quantile(times, 0.5);

const benchCache = async (scratch: string): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  const rows: string[][] = [];
  for (const atOnce of [1, 16]) {
    const some = Math.min(writes, 2000);
    const raw = await rawWrites(join(scratch, `raw-${atOnce}`), some, atOnce);
    const cache = openCache(join(scratch, `cache-${atOnce}`));
    await cache.prepare();
    await cache.write(documentOf('EC-1'));
    const count = atOnce === 1 ? writes : some;
    const { each, ms } = await timed(count, atOnce, (n) => cache.add('EC-1', [additionOf(n)]));
    const found = (await cache.find()).documents[0]?.pendingWrites.length ?? 0;
    if (found !== count) throw new WrongResult(`${count} writes were added, ${found} are there`);
    await cache.close();
    rows.push([`${atOnce} at a time`, (count / (ms / 1000)).toFixed(0), (some / (raw / 1000)).toFixed(0), quantile(each, 0.99).toFixed(1)]);
    verdicts.push(atLeast(count / ms / (some / raw), 0.5, `queued by ${atOnce}, durable in two files and SQLite, as fast as raw writes and syncs`));
    if (atOnce !== 1) continue;
    const [first, last] = [median(each.slice(0, 500)), median(each.slice(-500))];
    verdicts.push(below(last / first, 1.5, `the last 500 of ${count} against the first 500`, 'times'));
  }
  console.log('');
  console.log(layOut([['queued commands a second', 'ours', 'raw', 'p99 ms'], ...rows]));
  return verdicts;
};

type Running = { readonly child: ChildProcess; readonly url: string; readonly token: string };

const command = fileURLToPath(new URL('../packages/cli/dist/yarnboard.mjs', import.meta.url));

const serve = async (folder: string, database: string, redis: string | null): Promise<Running> => {
  mkdirSync(join(folder, 'home'), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'home/settings.json'), JSON.stringify(redis === null ? {} : { redis }));
  const env = {
    ...process.env,
    YARNBOARD_HOME: join(folder, 'home'),
    YARNBOARD_STATE: join(folder, 'state'),
    CLAUDE_CONFIG_DIR: join(folder, 'none'),
  };
  const child = spawn(process.execPath, [command, 'start', '--no-open', '--port', '0', '--db', database], {
    env,
    stdio: ['ignore', 'pipe', openSync(join(folder, 'errors'), 'a')],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, found] = / on (http:\/\/\S+)/u.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the server ended: ${said}${readFileSync(join(folder, 'errors'), 'utf8')}`)));
  });
  return { child, url, token: readFileSync(join(folder, 'home/operator.token'), 'utf8').trim() };
};

const stop = ({ child }: Running): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

/** From when A acknowledges a word until the client of B hears it; 0 for one that B's client heard before. */
const hearing = async (scratch: string, database: string, redis: string | null): Promise<readonly number[]> => {
  const name = redis === null ? 'polling' : 'redis';
  const [one, other] = [await serve(join(scratch, `${name}-a`), database, redis), await serve(join(scratch, `${name}-b`), database, redis)];
  const heard = new Map<string, number>();
  let onHeard = (): void => {};
  const socket = new WebSocket(`${other.url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${other.token}` } });
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: 1 })));
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { readonly type: string; readonly content?: string }; // the server's own
      if (frame.type === 'caught_up') resolve();
      if (frame.content !== undefined) heard.set(frame.content, performance.now());
      onHeard();
    });
  });
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' };
    const response = await fetch(`${one.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 200) throw new WrongResult(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  await post('/sidebars', { parent_id: null, task_description: 'how soon is it heard?' });
  const times: number[] = [];
  for (let n = 0; n < words + WARM_UP; n += 1) {
    const content = `word ${n} by ${name}`;
    await post('/sidebars/SB-1/messages', { content });
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

const WARM_UP = 10;

const benchHearing = async (scratch: string): Promise<readonly Verdict[]> => {
  const [postgres, redis] = [await findPostgres({ isDurable: true }), await findRedis()];
  try {
    if (postgres === null || redis === null) throw new WrongResult('there is no PostgreSQL, or no Redis, to measure with');
    const board = (name: string): string => `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=${name}`;
    const polled = await hearing(scratch, board('bench_polling'), null);
    const woken = await hearing(scratch, board('bench_redis'), redis.url);
    const row = (name: string, times: readonly number[]): readonly string[] => [name, ...[0.5, 0.95, 0.99].map((q) => quantile(times, q).toFixed(1))];
    console.log('');
    console.log(layOut([['commit on A to a client of B, ms', 'p50', 'p95', 'p99'], row('with Redis', woken), row('without', polled)]));
    return [
      below(quantile(woken, 0.99), 50, 'p99 from a commit on A to a client of B, with Redis', 'ms'),
      below(quantile(polled, 0.99), 1000, 'p99 from a commit on A to a client of B, without Redis', 'ms'),
    ];
  } finally {
    await postgres?.stop();
    await redis?.stop();
  }
};

await runBench({ name: 'recovery', keep: false }, async (scratch) => [...(await benchCache(scratch)), ...(await benchHearing(scratch))]);
