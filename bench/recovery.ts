// The emergency cache against raw writes and syncs of the same bytes, outages of a real server, the snapshot of a large board, what all of it costs while
// nothing is wrong, filters of episodic memory, and several servers on one board: [--writes N] [--words N] [--only cache|outage|hanging|snapshot|normal|idle|episodes|servers]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchFilters } from './episodes/filters.ts';
import { runBench } from './measure/run.ts';
import type { Verdict } from './measure/table.ts';
import { benchCache, benchStart } from './recovery/cache.ts';
import { benchServers } from './recovery/hearing.ts';
import { benchHanging, benchIdle } from './recovery/idle.ts';
import { benchNormal } from './recovery/normal.ts';
import { benchOutage } from './recovery/outage.ts';
import { benchSnapshot } from './recovery/snapshot.ts';

const { values } = parseArgs({
  options: { writes: { type: 'string', default: '10000' }, words: { type: 'string', default: '200' }, only: { type: 'string' } },
});

const PARTS: Readonly<Record<string, (scratch: string) => Promise<readonly Verdict[]>>> = {
  cache: async (scratch) => [...(await benchCache(scratch, Number(values.writes))), ...(await benchStart(scratch))],
  outage: (scratch) => benchOutage(join(scratch, 'outage')),
  hanging: (scratch) => benchHanging(join(scratch, 'hanging')),
  snapshot: (scratch) => benchSnapshot(join(scratch, 'snapshot')),
  normal: (scratch) => benchNormal(join(scratch, 'normal')),
  idle: (scratch) => benchIdle(join(scratch, 'idle')),
  episodes: () => Promise.resolve(benchFilters([10_000, 100_000], 40, 1)),
  servers: (scratch) => benchServers(join(scratch, 'servers'), Number(values.words)),
};

await runBench({ name: 'recovery', keep: false }, async (scratch) => {
  const verdicts: Verdict[] = [];
  for (const [name, part] of Object.entries(PARTS)) if (values.only === undefined || values.only === name) verdicts.push(...(await part(scratch)));
  return verdicts;
});
