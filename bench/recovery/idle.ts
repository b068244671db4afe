import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openWay } from '../../tests/black-hole.ts';
import { findPostgres } from '../../tests/postgres.ts';
import { findRedis } from '../../tests/redis.ts';
import { WrongResult } from '../measure/run.ts';
import { below, type Verdict } from '../measure/table.ts';
import { serve, stop } from './serving.ts';

/** An idle server: only its probes, its leases and its Redis. */
export const benchIdle = async (folder: string): Promise<readonly Verdict[]> => {
  const redis = await findRedis();
  if (redis === null) throw new WrongResult('there is no Redis to measure with');
  try {
    const server = await serve(folder, { redis: redis.url });
    await server.post('/sidebars', { parent_id: null, task_description: 'nothing happens' });
    await wait(SETTLED_AFTER);
    const [before, began] = [ticksOf(server.child.pid ?? 0), performance.now()];
    await wait(MEASURED_FOR);
    const seconds = (ticksOf(server.child.pid ?? 0) - before) / TICKS_A_SECOND;
    const share = (100 * seconds) / ((performance.now() - began) / 1000);
    await stop(server);
    return [below(share, 1, `an idle server with probes and Redis, of one core, over ${MEASURED_FOR / 1000} s`, '%')];
  } finally {
    await redis.stop();
  }
};

/** From the moment at which the store stops answering until the first answer `queued`. */
export const benchHanging = async (folder: string): Promise<readonly Verdict[]> => {
  const postgres = await findPostgres({ isDurable: true });
  const port = Number(/:(\d+)\//u.exec(postgres?.url ?? '')?.[1]);
  if (postgres === null || !(port > 0)) throw new WrongResult('there is no PostgreSQL to measure with');
  const way = await openWay(port);
  try {
    const server = await serve(join(folder, 'home'), { database: `${postgres.url.replace(`:${port}/`, `:${way.port}/`)}?board=bench_hanging` });
    await server.post('/sidebars', { parent_id: null, task_description: 'nobody answers' });
    await server.post('/sidebars/SB-1/messages', { content: 'before' });
    way.hang();
    const began = performance.now();
    if ((await server.post('/sidebars/SB-1/messages', { content: 'one' })) !== 202) throw new WrongResult('a word was put on a log that hangs');
    const seconds = (performance.now() - began) / 1000;
    way.open();
    await stop(server);
    return [below(seconds, 5.5, 'from the moment the store hangs to the first answer `queued`', 's')];
  } finally {
    await way.close();
    await postgres.stop();
  }
};

/** Processor time of a process with all its threads, in ticks: user and system. */
const ticksOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /u, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
};

const TICKS_A_SECOND = 100; // of Linux
const SETTLED_AFTER = 15_000;
const MEASURED_FOR = 30_000;
