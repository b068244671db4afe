// One measurement in a process of its own: node child.mjs JOB FOLDER PLANTED. Prints one line of JSON.
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReader, DEFAULT_PRICES } from '@yarnboard/transcript';
import { createDecoder } from '@yarnboard/server';
import { readTree } from '../../packages/cli/src/read/tree.ts';
import type { Planted } from '../tree/planted.ts';
import { differences } from './check.ts';
import type { Job, Measurement } from './job.ts';

/** The fastest simple thing: a whole file as a string, cut at newlines. */
const parseBare = (folder: string): number => {
  let records = 0;
  for (const path of transcriptsIn(folder)) {
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line === '') continue;
      JSON.parse(line);
      records += 1;
    }
  }
  return records;
};

const parseOnly = (folder: string): number => {
  let records = 0;
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const sink = { record: () => {}, quarantine: () => {} };
  for (const path of transcriptsIn(folder)) {
    const reader = createReader({ decode: createDecoder(), sink });
    const descriptor = openSync(path, 'r');
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) reader.feed(buffer.subarray(0, read));
    closeSync(descriptor);
    reader.end();
    records += reader.counts.records;
  }
  return records;
};

const transcriptsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile() && found.name.endsWith('.jsonl'))
    .map((found) => join(found.parentPath, found.name));

const analyse = async (folder: string, planted: Planted, threads: number | null): Promise<Measurement> => {
  const report = await readTree([join(folder, 'projects')], {
    prices: DEFAULT_PRICES,
    now: planted.now,
    threadProgram: fileURLToPath(new URL('./reading-thread.mjs', import.meta.url)),
    ...(threads === null ? {} : { threads }),
  });
  return { ...stop(), wrong: differences(planted, report) };
};

const compareRecords = (planted: Planted, records: number): Measurement => ({
  ...stop(),
  wrong: records === planted.records ? [] : [`records: planted ${planted.records}, found ${records}`],
});

let startedAt = 0;
let cpuAtStart = process.cpuUsage();

// Before the comparison with what was planted: that is no part of the work.
const stop = (): Omit<Measurement, 'wrong'> => {
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = process.cpuUsage(cpuAtStart);
  return { seconds, cpuSeconds: (cpu.user + cpu.system) / 1e6, peakBytes: process.resourceUsage().maxRSS * 1024 };
};

const JOBS = {
  floor: (folder, planted) => compareRecords(planted, parseBare(join(folder, 'projects'))),
  parse: (folder, planted) => compareRecords(planted, parseOnly(join(folder, 'projects'))),
  one: (folder, planted) => analyse(folder, planted, 1),
  all: (folder, planted) => analyse(folder, planted, null),
} as const satisfies Record<Job, (folder: string, planted: Planted) => Measurement | Promise<Measurement>>;

const isJob = (name: string): name is Job => Object.hasOwn(JOBS, name);

const [name = '', folder = '', plantedPath = ''] = process.argv.slice(2);
if (!isJob(name)) throw new Error(`no such job: ${name}`);
const planted = JSON.parse(readFileSync(plantedPath, 'utf8')) as Planted; // written by size-run.ts and by nobody else
startedAt = performance.now();
cpuAtStart = process.cpuUsage();
console.log(JSON.stringify(await JOBS[name](folder, planted)));
