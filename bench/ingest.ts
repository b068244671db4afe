// Reading trees onto the log: import, first list, appended lines, idle: [--sizes 30,300] [--line 50] [--files 3000] [--idle 30] [--seed N] [--large] [--keep]
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureIdle } from './ingest/idle.ts';
import { measureImport } from './ingest/import.ts';
import type { ImportResult } from './ingest/job.ts';
import { measureLine } from './ingest/line.ts';
import { measureStart } from './ingest/start.ts';
import {
  ABOUT_RAW,
  describeIdle,
  describeImport,
  describeLine,
  describeStart,
  judgeIdle,
  judgeImports,
  judgeLine,
  judgeStart,
} from './ingest/verdict.ts';
import { buildPrograms } from './measure/bundle.ts';
import { findCcusage } from './measure/ccusage.ts';
import { buildCommand } from './measure/command.ts';
import { runBench } from './measure/run.ts';
import { MB } from './measure/table.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string' },
    line: { type: 'string' },
    files: { type: 'string', default: '3000' },
    idle: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    large: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const sizes = (values.sizes ?? (values.large ? '30,300,1000' : '30,300')).split(',').map((size) => Number(size) * MB);
if (!sizes.every((size) => size > 0)) throw new Error('--sizes takes megabytes, such as 30,300');
const largeFile = Number(values.line ?? (values.large ? 500 : 50)) * MB;

await runBench({ name: 'ingest', keep: values.keep }, async (scratch) => {
  const command = buildCommand(scratch);
  const { raw } = await buildPrograms(join(scratch, 'bundle'), { raw: 'bench/ingest/child.ts' });
  const found = findCcusage();
  if ('missing' in found) console.log(`no ccusage row: ${found.missing}`);
  const seed = Number(values.seed);
  const drop = (folder: string): void => {
    if (!values.keep) rmSync(folder, { recursive: true });
  };

  const imports: ImportResult[] = [];
  let last = '';
  for (const bytes of sizes) {
    if (last !== '') drop(last);
    last = join(scratch, `import-${bytes}`);
    const result = await measureImport({ command, raw, folder: last, bytes, seed, ccusage: 'missing' in found ? null : found });
    console.log(`\n${describeImport(result)}`);
    imports.push(result);
  }
  console.log(ABOUT_RAW);

  const planted = imports.at(-1)?.planted;
  if (planted === undefined) throw new Error('nothing was imported');
  const start = await measureStart({ command, folder: last, tree: join(last, 'tree'), imported: join(last, 'board'), planted });
  console.log(`\n${describeStart(start)}`);
  drop(last);

  const lines = join(scratch, 'line');
  const line = await measureLine({ command, folder: lines, largeBytes: largeFile, seed });
  console.log(`\n${describeLine(line)}`);
  drop(lines);

  const idle = await measureIdle({ command, folder: join(scratch, 'idle'), files: Number(values.files), seconds: Number(values.idle), seed });
  console.log(`\n${describeIdle(idle)}`);
  return [...judgeImports(imports), ...judgeStart(start), ...judgeLine(line), ...judgeIdle(idle)];
});
