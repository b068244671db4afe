// Reading transcripts, against bare JSON.parse and ccusage: [--sizes 10,100,1000] [--runs N] [--seed N] [--keep]; of other tools: [--tool NAME|all]
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FOREIGN_TOOLS } from './tree/foreign.ts';
import { buildPrograms } from './measure/bundle.ts';
import { findCcusage } from './measure/ccusage.ts';
import type { Appends } from './measure/job.ts';
import { measureSize, runChild, type SizeResult } from './measure/size-run.ts';
import { compareTool, describeClaude, describeTool, judgeTool, measureClaude, measureTool } from './measure/tool-run.ts';
import { MB } from './measure/table.ts';
import { describeAppends, describeGrowth, describeSize, judge } from './measure/verdict.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    tool: { type: 'string' },
  },
});
const tools = FOREIGN_TOOLS.filter((name) => values.tool === 'all' || values.tool === name);
if (values.tool !== undefined && tools.length === 0) throw new Error(`--tool takes one of ${FOREIGN_TOOLS.join(', ')}, or all: ${values.tool}`);
const sizes = (values.sizes ?? (tools.length > 0 ? '60' : '10,100,1000')).split(',').map((size) => Number(size) * MB);
if (!sizes.every((size) => size > 0)) throw new Error(`--sizes takes megabytes, such as 10,100: ${values.sizes ?? ''}`);

const scratch = join(tmpdir(), `yarnboard-bench-${process.pid}`);
const cleanUp = (): void => {
  if (!values.keep) rmSync(scratch, { recursive: true, force: true });
};
// A gigabyte must not stay behind when somebody gets impatient.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    cleanUp();
    process.exit(130);
  });
}

// Threads cannot show what they are worth on cores that others use; the column "by CPU" still can.
const warnIfBusy = (cores: number): void => {
  const [load = 0] = loadavg();
  if (load > cores / 4)
    console.log(`the machine is busy (load ${load.toFixed(1)} on ${cores} cores): wall times of threads, ours and ccusage's, are too long`);
};

const measureTools = async (): Promise<void> => {
  const { child } = await buildPrograms(join(scratch, 'bundle'), { child: 'bench/measure/tool-child.ts' });
  console.log(`node ${process.version}, ${availableParallelism()} cores`);
  warnIfBusy(availableParallelism());
  const { seed, runs = '3', keep } = values;
  const verdicts = sizes.flatMap((bytes) => {
    const order = { scratch, child, bytes, seed: Number(seed), runs: Number(runs), keep };
    const claude = measureClaude(order);
    console.log(`\n${describeClaude(claude)}`);
    return tools.flatMap((tool) => {
      const result = measureTool({ ...order, tool });
      console.log(`\n${describeTool(result)}\n${compareTool(result, claude)}`);
      return judgeTool(result);
    });
  });
  console.log('');
  for (const { isMet, text } of verdicts) console.log(`${isMet ? 'PASS' : 'MISS'}  ${text}`);
};

const measureTrees = async (): Promise<void> => {
  mkdirSync(scratch, { recursive: true });
  if (values.keep) console.log(`kept: ${scratch}`);
  const { child, appends: appendsChild } = await buildPrograms(join(scratch, 'bundle'), {
    child: 'bench/measure/child.ts',
    appends: 'bench/measure/appends.ts',
    'reading-thread': 'packages/cli/src/read/reading-thread.ts',
  });
  const found = findCcusage();
  const cores = availableParallelism();
  console.log(`node ${process.version}, ${cores} cores, ${'missing' in found ? `no ccusage row: ${found.missing}` : `ccusage ${found.version}`}`);
  warnIfBusy(cores);
  const results: SizeResult[] = [];
  for (const bytes of sizes) {
    const runs = Number(values.runs ?? (bytes > 500 * MB ? 2 : 3));
    const result = measureSize({
      scratch,
      child,
      bytes,
      seed: Number(values.seed),
      runs,
      ccusage: 'missing' in found ? null : found,
      keep: values.keep,
    });
    console.log(`\n${describeSize(result)}`);
    results.push(result);
  }
  const appends = JSON.parse(runChild(appendsChild, [])) as Appends; // printed by measure/appends.ts and by nobody else
  console.log(`\n${describeGrowth(results)}\n${describeAppends(appends)}\n`);
  for (const { isMet, text } of judge(results, cores)) console.log(`${isMet ? 'PASS' : 'MISS'}  ${text}`);
  if ('missing' in found) console.log(`NOT MEASURED  all cores against ccusage: ${found.missing}`);
};

try {
  await (tools.length > 0 ? measureTools() : measureTrees());
} finally {
  cleanUp();
}
