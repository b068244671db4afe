import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WrongResult } from '../measure/run.ts';
import { atLeast, below, layOut, type Verdict } from '../measure/table.ts';
import { listen, serve, stop } from './serving.ts';
import { median, quantile, timed } from './timed.ts';

/** A server whose database is taken away and put back: how soon commands wait, what one costs then, and how fast they are on the log afterwards. */
export const benchOutage = async (folder: string): Promise<readonly Verdict[]> => {
  const server = await serve(folder);
  const states: { readonly state: string; readonly at: number }[] = [];
  const socket = await listen(server, ({ type, state }) => {
    if (type === 'emergency' && state !== undefined) states.push({ state, at: performance.now() });
  });
  const say = (n: number): Promise<number> => server.post('/sidebars/SB-1/messages', { content: `The ${n}th word is said, and more besides.` });
  await server.post('/sidebars', { parent_id: null, task_description: 'how long does it take?' });
  await timed(200, CLIENTS, say);
  const ordinary = await timed(COUNT, CLIENTS, say);

  const database = join(folder, 'home/board/board.db');
  renameSync(database, `${database}.gone`);
  const gone = performance.now();
  if ((await say(0)) !== 202) throw new WrongResult('a word was put on a log that is away');
  const first = performance.now() - gone;
  const one = await timed(200, 1, say);
  const queued = await timed(COUNT, CLIENTS, say);
  renameSync(`${database}.gone`, database);
  const at = (wanted: string): number | undefined => states.find(({ state, at: when }) => state === wanted && when > gone)?.at;
  while (at('normal') === undefined) await wait(20);
  const replay = (at('normal') ?? 0) - (at('resuming') ?? 0);
  socket.close();
  await stop(server);

  const rate = (count: number, ms: number): number => count / (ms / 1000);
  const ordinaryRate = rate(COUNT, ordinary.ms);
  const replayed = COUNT + 201;
  console.log('');
  console.log(
    layOut([
      ['commands', 'a second', 'p50 ms', 'p99 ms'],
      [`done, ${CLIENTS} clients`, ordinaryRate.toFixed(0), median(ordinary.each).toFixed(1), quantile(ordinary.each, 0.99).toFixed(1)],
      [`queued, ${CLIENTS} clients`, rate(COUNT, queued.ms).toFixed(0), median(queued.each).toFixed(1), quantile(queued.each, 0.99).toFixed(1)],
      ['queued, 1 client', rate(200, one.ms).toFixed(0), median(one.each).toFixed(1), quantile(one.each, 0.99).toFixed(1)],
      ['replayed', rate(replayed, replay).toFixed(0), '', ''],
    ]),
  );
  return [
    below(first / 1000, 1.2, 'from the fault to the first answer `queued`', 's'),
    below(quantile(one.each, 0.99), 50, 'p99 of a queued command, one client', 'ms'),
    below(quantile(queued.each, 0.99), 50, `p99 of a queued command, ${CLIENTS} clients`, 'ms'),
    atLeast(rate(replayed, replay) / ordinaryRate, 0.5, 'commands replayed and verified, as fast as ordinary ones'),
  ];
};

const CLIENTS = 16;
const COUNT = 2000;
