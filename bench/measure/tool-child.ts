// One measurement of another tool's sessions in a process of its own: node tool-child.mjs JOB FOLDER. Prints one line of JSON.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { readTree } from '../../packages/cli/src/read/tree.ts';
import { createIngest } from '../../packages/server/src/ingest/ingest.ts';
import { openDatabase } from '../../packages/server/test/dialects/homes.ts';
import type { ToolJob, ToolMeasurement } from './tool-run.ts';

/** The fastest simple thing: every line, or every row's JSON, parsed and forgotten. */
const parseBare = (folder: string): Counts => {
  let lines = 0;
  for (const found of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(found.parentPath, found.name);
    if (found.name.endsWith('.db')) lines += parseRows(path);
    if (!found.name.endsWith('.jsonl')) continue;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line === '') continue;
      JSON.parse(line);
      lines += 1;
    }
  }
  return { lines };
};

const parseRows = (path: string): number => {
  const database = openDatabase(path);
  let rows = 0;
  for (const table of ['message', 'part']) {
    for (const { data } of database.prepare<[], { readonly data: string }>(`SELECT data FROM ${table}`).iterate()) {
      JSON.parse(data);
      rows += 1;
    }
  }
  database.close();
  return rows;
};

const inspect = async (folder: string): Promise<Counts> => {
  const { totals } = await readTree([folder], { prices: DEFAULT_PRICES, now: Date.now(), threads: 1 });
  return {
    sessions: totals.sessions,
    responses: totals.spending.responses,
    uses: totals.toolUses,
    pairs: totals.toolPairs,
    quarantined: totals.quarantined,
  };
};

/** Onto the log and into the library, without the index of words, which every tool's texts are alike for. */
const importAll = async (folder: string): Promise<Counts> => {
  const board = mkdtempSync(join(folder, '..', 'board-'));
  const store = await openStore(`sqlite:${join(board, 'board.db')}`, { prices: DEFAULT_PRICES, now: () => Date.now(), newId: randomUUID });
  const ingest = await createIngest({ log: store.log, now: () => Date.now(), roots: () => [folder], isExcluded: () => false });
  await ingest.importAll([folder]);
  const { sessions, spent } = await store.library.totals();
  await ingest.close();
  await store.close();
  rmSync(board, { recursive: true });
  return { sessions, responses: spent.responses };
};

type Counts = ToolMeasurement['counts'];

const JOBS = { floor: parseBare, inspect, import: importAll } as const satisfies Record<ToolJob, (folder: string) => Counts | Promise<Counts>>;

const isJob = (name: string): name is ToolJob => Object.hasOwn(JOBS, name);

const [name = '', folder = ''] = process.argv.slice(2);
if (!isJob(name)) throw new Error(`no such job: ${name}`);
const startedAt = performance.now();
const before = process.cpuUsage();
const counts = await JOBS[name](folder);
const { user, system } = process.cpuUsage(before);
const seconds = (performance.now() - startedAt) / 1000;
const measured: ToolMeasurement = { seconds, cpuSeconds: (user + system) / 1e6, peakBytes: process.resourceUsage().maxRSS * 1024, counts };
console.log(JSON.stringify(measured));
