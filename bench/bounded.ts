// What anybody may ask of a large board: how long it takes, and for how long the main thread answers nobody: [--bytes 20000000,100000000] [--askers 20] [--seed N] [--dist FOLDER] [--keep]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateTree } from './generate.ts';
import { buildCommand, runCommand, startServer, type Command, type Server } from './measure/command.ts';
import { runBench, WrongResult } from './measure/run.ts';
import { layOut, type Verdict } from './measure/table.ts';

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '20000000,100000000' },
    askers: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    // Another build, to hold it against: the folder with its yarnboard.mjs.
    dist: { type: 'string' },
  },
});
const [small = 0, large = 0] = values.bytes.split(',').map(Number);
if (!(small >= 1_000_000 && large > small)) throw new Error('--bytes takes two sizes of trees, such as 20000000,100000000');
const askers = Number(values.askers);
/** In milliseconds: nobody notices that. */
const MOST_BLOCKED = 50;
/** A shorter one is a turn of the event loop with whatever else there was. */
const LEAST_BLOCK = 15;
const MOST_CROWDED = 3;

/** What goes through a whole board; the others go through one session, or a page. */
const WHOLE = ['stats', 'stats?split=model', 'integrity', 'log/verify', 'metrics', 'status'] as const;
const PARTS = ['projects', 'sessions?limit=500', 'log?limit=500', 'activity', 'board', 'search?q=the'] as const;
const OF_SESSION = ['messages?limit=500', 'tree?limit=500', 'branches', 'sidechains', 'envelopes', 'conversation'] as const;

/** `alone` is the block when one asks. */
type Asked = { readonly route: string; readonly ms: number; readonly block: number; readonly alone: number };
type Board = { readonly entries: number; readonly asked: readonly Asked[]; readonly bytes: number };

const addressOf = (route: string): string => (route === 'metrics' ? '/metrics' : `/api/v1/${route}`);

const memoryOf = (text: string): number => Number(/^yarnboard_process_resident_bytes (\S+)$/mu.exec(text)?.[1]);
const blockOf = (text: string): number => Number(/^yarnboard_main_thread_longest_block_seconds (\S+)$/mu.exec(text)?.[1]) * 1000;

const textAt = async (server: Server, path: string): Promise<string> => {
  const response = await fetch(`${server.url}${path}`);
  const text = await response.text();
  if (!response.ok) throw new WrongResult(`${path}: ${response.status} ${text.slice(0, 200)}`);
  return text;
};

/** All at once, as a browser with many tabs or a script without manners does. */
const ask = async (server: Server, route: string): Promise<Asked> => {
  const blockWith = async (count: number): Promise<number> => {
    await textAt(server, '/metrics'); // begins to measure anew
    await Promise.all(Array.from({ length: count }, () => textAt(server, addressOf(route))));
    return blockOf(await textAt(server, '/metrics'));
  };
  await blockWith(1); // work that is done once does not depend on how many ask
  const alone = await blockWith(1);
  const startedAt = performance.now();
  const block = await blockWith(askers);
  return { route: route.replace(/sessions\/[^/]+/u, 'sessions/{longest}'), ms: performance.now() - startedAt, block, alone };
};

const measure = async (command: Command, folder: string, bytes: number): Promise<Board> => {
  const [home, tree] = [join(folder, 'home'), join(folder, 'tree')];
  for (const path of [home, tree]) mkdirSync(path, { recursive: true });
  generateTree(tree, { bytes, seed: Number(values.seed) });
  await runCommand(command, home, ['import', tree]);
  const server = await startServer(command, home, tree);
  try {
    for (;;) {
      const status = await server.get<{ readonly state: string; readonly entries: number; readonly indexed: number }>('/api/v1/status');
      if (status !== null && status.state === 'watching' && status.indexed >= status.entries && status.entries > 0) break;
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
    }
    type Sessions = { readonly items: readonly { readonly session_id: string; readonly messages: number }[] };
    const { items } = JSON.parse(await textAt(server, '/api/v1/sessions?limit=500')) as Sessions; // our own answer
    const [longest] = items.toSorted((a, b) => b.messages - a.messages);
    const asked: Asked[] = [];
    for (const route of [...WHOLE, ...PARTS, ...OF_SESSION.map((part) => `sessions/${longest?.session_id ?? ''}/${part}`)])
      asked.push(await ask(server, route));
    const { entries } = JSON.parse(await textAt(server, '/api/v1/status')) as { readonly entries: number }; // likewise
    return { entries, asked, bytes: memoryOf(await textAt(server, '/metrics')) };
  } finally {
    await server.stop();
  }
};

const judge = (boards: readonly [Board, Board]): readonly Verdict[] => {
  const [less, more] = boards;
  const worst = (board: Board, routes: readonly string[]): Asked | undefined =>
    board.asked.filter(({ route }) => routes.includes(route)).toSorted((a, b) => b.block - a.block)[0];
  const verdicts = boards.map(({ entries, asked }) => {
    const dearest = worst({ entries, asked, bytes: 0 }, WHOLE);
    return {
      isMet: (dearest?.block ?? 0) <= MOST_BLOCKED,
      text: `at ${entries} entries ${askers} at once block the main thread for ${dearest?.block.toFixed(0) ?? '?'} ms at most (${dearest?.route ?? ''}); ${MOST_BLOCKED} ms are allowed`,
    };
  });
  // API-54: before there were turns this was about as many as asked.
  const crowded = more.asked
    .filter(({ route }) => !WHOLE.some((whole) => whole === route))
    .map(({ route, block, alone }) => ({ route, ratio: block / Math.max(alone, LEAST_BLOCK) }));
  const [worstPage] = crowded.toSorted((a, b) => b.ratio - a.ratio);
  const [blockLess, blockMore] = [worst(less, WHOLE)?.block ?? 1, worst(more, WHOLE)?.block ?? 1];
  const growth = more.entries / less.entries;
  return [
    ...verdicts,
    {
      isMet: (worstPage?.ratio ?? 0) <= MOST_CROWDED,
      text: `pages: ${askers} at once block for ${worstPage?.ratio.toFixed(1) ?? '?'} times as long as one alone (${worstPage?.route ?? ''}); ${MOST_CROWDED} times are allowed`,
    },
    {
      isMet: blockMore / Math.max(blockLess, MOST_BLOCKED / 5) < growth / 2 || blockMore <= MOST_BLOCKED,
      text: `with ${growth.toFixed(1)} times the entries the longest block is ${(blockMore / Math.max(blockLess, 1)).toFixed(1)} times as long`,
    },
  ];
};

await runBench({ name: 'bounded', keep: values.keep }, async (scratch) => {
  const command = values.dist === undefined ? buildCommand(scratch) : { program: join(values.dist, 'yarnboard.mjs'), folder: values.dist };
  const boards = [await measure(command, join(scratch, 'small'), small), await measure(command, join(scratch, 'large'), large)] as const;
  const [less, more] = boards;
  const rows = less.asked.map(({ route, ms, block, alone }, i) => [
    route,
    ...[alone, ms, block, more.asked[i]?.alone ?? 0, more.asked[i]?.ms ?? 0, more.asked[i]?.block ?? 0].map((value) => value.toFixed(0)),
  ]);
  console.log(
    `\n${layOut([['question', `${less.entries} entries, one blocks`, `${askers} take ms`, 'block', `${more.entries} entries, one blocks`, `${askers} take ms`, 'block'], ...rows])}`,
  );
  console.log(`memory afterwards: ${(less.bytes / 1e6).toFixed(0)} MB and ${(more.bytes / 1e6).toFixed(0)} MB`);
  return judge(boards);
});
