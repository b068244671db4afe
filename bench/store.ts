// The log: durable appends against raw group commit, verify against bare SHA-256, growth: [--entries 20000,200000] [--rounds N] [--seed N] [--large] [--keep]
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPrograms } from './measure/bundle.ts';
import { buildCommand } from './measure/command.ts';
import { runBench, WrongResult } from './measure/run.ts';
import { KINDS, type AppendsOrder, type AppendsResult, type VerifyOrder, type VerifyResult } from './store/job.ts';
import { describeAppends, describeVerify, judgeAppends, judgeVerify } from './store/verdict.ts';

const { values } = parseArgs({
  options: {
    entries: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    large: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const [small = 0, large = 0] = (values.entries ?? (values.large ? '20000,1000000' : '20000,200000')).split(',').map(Number);
if (!(small >= 4000 && small % 4000 === 0 && large >= small && large % 4000 === 0)) {
  throw new Error('--entries takes two multiples of 4000, such as 20000,200000');
}

const WRITERS = [1, 16, 128] as const;

await runBench({ name: 'store', keep: values.keep }, async (scratch) => {
  const { store } = await buildPrograms(join(scratch, 'bundle'), { store: 'bench/store/child.ts' });
  const { folder: programs } = buildCommand(scratch);
  const ask = (job: string, order: AppendsOrder | VerifyOrder): string => {
    mkdirSync(order.folder, { recursive: true });
    const { status, stdout, stderr } = spawnSync(process.execPath, [store, job, JSON.stringify(order)], { encoding: 'utf8' });
    if (status !== 0) throw new WrongResult(`the measurement "${job}" failed: ${stderr}`);
    return stdout;
  };
  const seed = Number(values.seed);
  const appends = KINDS.flatMap((kind) => {
    const order = { folder: join(scratch, 'appends'), kind, writers: WRITERS, rounds: Number(values.rounds), seed };
    return JSON.parse(ask('appends', order)) as readonly AppendsResult[]; // printed by store/child.ts and by nobody else
  });
  console.log(`\n${describeAppends(appends)}`);
  const verify = JSON.parse(ask('verify', { folder: join(scratch, 'verify'), small, large, seed, programs })) as VerifyResult; // likewise
  console.log(`\n${describeVerify(verify)}`);
  return [...appends.flatMap(judgeAppends), ...judgeVerify(verify)];
});
