// A server with many clients, for long: npm run soak -- clients [--clients 550] [--minutes 60] [--rate 40] [--bytes N]. Prints memory and latencies over time.
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { generateTree } from '../generate.ts';
import { buildCommand, startServer, type Server } from '../measure/command.ts';
import { layOut } from '../measure/table.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '550' },
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '40' },
    bytes: { type: 'string', default: '5000000' },
    // Another build, to hold it against: the folder with its yarnboard.mjs.
    dist: { type: 'string' },
  },
});
const [clients, minutes, rate, bytes] = [values.clients, values.minutes, values.rate, values.bytes].map(Number) as [number, number, number, number]; // one for each
if (!(clients >= 10 && minutes > 0 && rate > 0 && bytes >= 0)) throw new Error('--clients takes 10 or more, --minutes and --rate more than nothing');

type Sample = { readonly minute: number; readonly resident: number; readonly entries: number; readonly frames: number; readonly block: number };

const metric = (text: string, name: string): number => Number(new RegExp(`^yarnboard_${name} (\\S+)$`, 'mu').exec(text)?.[1]);

const sample = async ({ url }: Server, minute: number): Promise<Sample> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return {
    minute,
    resident: metric(text, 'process_resident_bytes'),
    entries: metric(text, 'log_entries'),
    frames: metric(text, 'ws_frames_total'),
    block: metric(text, 'main_thread_longest_block_seconds') * 1000,
  };
};

/** Listens to everything, as a page that is open does. */
const listen = (url: string, token: string): WebSocket => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: 1, token })));
  socket.on('message', () => {}); // read, and forgotten
  socket.on('error', () => {});
  return socket;
};

const percentile = (sorted: readonly number[], part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

const run = async (server: Server, token: string, tree: string): Promise<readonly Sample[]> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  // A server may close a kept connection in the moment in which a request is sent on it: then it is sent again, and counted. Commands have an id.
  let broken = 0;
  const ask = async (path: string, init: RequestInit = {}): Promise<{ readonly isDone: boolean; readonly text: string }> => {
    for (let left = 3; ; left -= 1) {
      try {
        const response = await fetch(`${server.url}${path}`, init);
        return { isDone: response.ok, text: await response.text() };
      } catch (cause) {
        if (left === 0) throw cause;
        broken += 1;
        await sleep(50);
      }
    }
  };
  const post = (path: string, body: object): ReturnType<typeof ask> =>
    ask(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify({ ...body, message_id: randomUUID() }) });
  for (let i = 0; i < 10; i += 1) {
    const { isDone, text } = await post('/sidebars', { parent_id: null, task_description: `soak ${i}` });
    if (!isDone) throw new Error(`no sidebar to talk in: ${text}`);
  }
  const sockets = Array.from({ length: clients }, () => listen(server.url, token));
  const file = join(tree, 'projects', '-soak', `${randomUUID()}.jsonl`);
  mkdirSync(join(file, '..'), { recursive: true });
  const ends = Date.now() + minutes * 60_000;
  let latencies: number[] = [];
  let refused = 0;
  const talk = async (): Promise<void> => {
    for (let i = 0; Date.now() < ends; i += 1) {
      const began = performance.now();
      const { isDone } = await post(`/sidebars/SB-${1 + (i % 10)}/messages`, { content: `words ${i} ${randomUUID()} and some more of them` });
      if (isDone) latencies.push(performance.now() - began);
      else refused += 1;
      await sleep(Math.max(0, 1000 / rate - (performance.now() - began)));
    }
  };
  const write = async (): Promise<void> => {
    let parent: string | null = null;
    for (; Date.now() < ends; await sleep(250)) {
      const uuid = randomUUID();
      const said = { role: 'user', content: `line ${uuid}` };
      appendFileSync(
        file,
        `${JSON.stringify({ type: 'user', uuid, parentUuid: parent, sessionId: 'soak', timestamp: new Date().toISOString(), message: said })}\n`,
      );
      parent = uuid;
    }
  };
  const read = async (): Promise<void> => {
    const paths = [
      '/api/v1/status',
      '/api/v1/sessions?limit=50',
      '/api/v1/sidebars',
      '/api/v1/search?q=words',
      '/api/v1/stats',
      '/api/v1/log?after=1&limit=200',
    ];
    for (let i = 0; Date.now() < ends; i += 1) {
      await ask(paths[i % paths.length] ?? '');
      await sleep(200);
    }
  };
  const samples: Sample[] = [];
  const rows: string[][] = [['minute', 'resident MB', 'entries', 'frames', 'commands', 'p50 ms', 'p99 ms', 'block ms', 'refused']];
  const watch = async (): Promise<void> => {
    const step = Math.min(60_000, (minutes * 60_000) / 12);
    for (let at = step; at <= minutes * 60_000; at += step) {
      await sleep(step);
      const one = await sample(server, at / 60_000);
      samples.push(one);
      const sorted = latencies.toSorted((a, b) => a - b);
      latencies = [];
      const row = [one.minute.toFixed(1), (one.resident / 1e6).toFixed(0), String(one.entries), String(one.frames), String(sorted.length)];
      rows.push([...row, percentile(sorted, 0.5).toFixed(1), percentile(sorted, 0.99).toFixed(1), one.block.toFixed(0), String(refused)]);
      console.log(
        layOut(rows)
          .split('\n')
          .slice(rows.length === 2 ? 0 : -1)
          .join('\n'),
      );
    }
  };
  await Promise.all([talk(), write(), read(), watch()]);
  const closed = sockets.filter(({ readyState }) => readyState !== WebSocket.OPEN).length;
  for (const socket of sockets) socket.terminate();
  console.log(`${clients} clients, ${closed} of them lost on the way; ${broken} requests sent again on a new connection`);
  return samples;
};

const median = (numbers: readonly number[]): number =>
  percentile(
    numbers.toSorted((a, b) => a - b),
    0.5,
  );

const scratch = mkdtempSync(join(tmpdir(), 'yarnboard-soak-'));
try {
  const [home, tree] = [join(scratch, 'home'), join(scratch, 'tree')];
  mkdirSync(home);
  if (bytes > 0) generateTree(tree, { bytes, seed: 1 });
  else mkdirSync(tree);
  const command = values.dist === undefined ? buildCommand(scratch) : { program: join(values.dist, 'yarnboard.mjs'), folder: values.dist };
  const server = await startServer(command, home, tree);
  const samples = await run(server, readFileSync(join(home, 'home', 'operator.token'), 'utf8').trim(), tree);
  await server.stop();
  // The first half fills caches; what grows after that grows for ever.
  const [third, last] = [
    samples.slice(Math.floor(samples.length / 2), Math.floor((samples.length * 3) / 4)),
    samples.slice(Math.floor((samples.length * 3) / 4)),
  ];
  const growth = median(last.map(({ resident }) => resident)) / median(third.map(({ resident }) => resident));
  console.log(`resident memory of the last quarter against the one before: ${growth.toFixed(2)} (flat is below 1.15)`);
  process.exitCode = growth < 1.15 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
