// The session protocol: mapper, appended line to client, fan-out, coming back: [--records 10000,100000] [--line 50] [--lines 300] [--seed N] [--keep]
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPrograms } from './measure/bundle.ts';
import { buildCommand } from './measure/command.ts';
import { runBench } from './measure/run.ts';
import { MB } from './measure/table.ts';
import { measureFanOut } from './protocol/fan-out.ts';
import type { MapperResult } from './protocol/job.ts';
import { measureLatency } from './protocol/latency.ts';
import { runJob } from './protocol/partner.ts';
import { measureResume } from './protocol/resume.ts';
import {
  describeFanOut,
  describeLatency,
  describeMapper,
  describeResume,
  judgeFanOut,
  judgeLatency,
  judgeMapper,
  judgeResume,
} from './protocol/verdict.ts';
import { createTally } from './tree/planted.ts';
import { createProse } from './tree/prose.ts';
import { createRandom } from './tree/random.ts';
import { writeSession } from './tree/session.ts';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000,100000' },
    line: { type: 'string', default: '50' },
    lines: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const [small = 0, large = 0] = values.records.split(',').map(Number);
if (!(small > 0 && large >= small)) throw new Error('--records takes two counts, such as 10000,100000');
const seed = Number(values.seed);

/** One session with sub-agents that has at least so many records. */
const plantSession = (folder: string, records: number): void => {
  const project = join(folder, 'projects', '-home-dev-proj');
  mkdirSync(project, { recursive: true });
  const random = createRandom(seed);
  const order = {
    bytes: records * BYTES,
    agents: Math.ceil(records / 500),
    folder: project,
    cwd: '/home/dev/proj',
    startsAt: Date.UTC(2026, 0, 5),
    fork: null,
  };
  const [planted] = writeSession({ random, prose: createProse(random), tally: createTally() }, order);
  if ((planted?.records ?? 0) < records) throw new Error(`planted ${planted?.records} records instead of ${records}`);
};
/** Of a record, and a little more. */
const BYTES = 1600;

// No more frames than the hub keeps for whoever is not quick enough: beyond them it would be the log that is read.
const ROUNDS = [
  { clients: 1, frames: 4000 },
  { clients: 100, frames: 4000 },
  { clients: 1000, frames: 1000 },
] as const;
const HEARD = 2000;
const SINGLE = { clients: 1000, frames: 60 } as const;
const SLOW = { clients: 100, frames: 4000 } as const;

await runBench({ name: 'protocol', keep: values.keep }, async (scratch) => {
  const command = buildCommand(scratch);
  const { child } = await buildPrograms(join(scratch, 'bundle'), { child: 'bench/protocol/child.ts' });
  const drop = (folder: string): void => {
    if (!values.keep) rmSync(folder, { recursive: true });
  };
  const tree = join(scratch, 'tree');
  plantSession(tree, large);

  const mapper = JSON.parse(runJob(child, ['mapper', tree, `${small}`, `${large}`])) as MapperResult; // printed by child.ts and by nobody else
  console.log(`\n${describeMapper(mapper)}`);

  const lines = join(scratch, 'lines');
  const latency = await measureLatency({ command, child, folder: lines, largeBytes: Number(values.line) * MB, lines: Number(values.lines), seed });
  console.log(`\n${describeLatency(latency)}`);
  drop(lines);

  const fan = join(scratch, 'fan-out');
  const fanOut = await measureFanOut({ command, child, folder: fan, heard: HEARD, rounds: ROUNDS, single: SINGLE, slow: SLOW, seed });
  console.log(`\n${describeFanOut(fanOut)}`);
  drop(fan);

  const resume = await measureResume({ command, folder: join(scratch, 'resume'), tree, away: small });
  console.log(`\n${describeResume(resume)}`);
  const parseEach = mapper.large.ms.parse / mapper.large.records;
  return [...judgeMapper(mapper), ...judgeLatency(latency), ...judgeFanOut(fanOut), ...judgeResume(resume, parseEach)];
});
