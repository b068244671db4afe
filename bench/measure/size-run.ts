import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateTree } from '../generate.ts';
import type { Planted } from '../tree/planted.ts';
import { runCcusage, type Ccusage } from './ccusage.ts';
import { JOB_NAMES, type Job, type Measurement } from './job.ts';

/** A run of a job; `processSeconds` counts the start of the process too, as it does for a program of others. */
type Run = Measurement & { readonly processSeconds: number };

export type SizeResult = {
  readonly planted: Planted;
  readonly best: Readonly<Record<Job, Run>>;
  readonly ccusage: { readonly seconds: number; readonly outputTokens: number } | null;
};

export type SizeOrder = {
  readonly scratch: string;
  readonly child: string;
  readonly bytes: number;
  readonly seed: number;
  readonly runs: number;
  readonly ccusage: Ccusage | null;
  readonly keep: boolean;
};

/** Makes a tree, measures every job on it and throws it away. The jobs take turns, so that a busy moment of the machine hits all of them. */
export const measureSize = (order: SizeOrder): SizeResult => {
  const tree = join(order.scratch, `tree-${order.bytes}`);
  mkdirSync(tree, { recursive: true });
  const planted = generateTree(tree, { bytes: order.bytes, seed: order.seed });
  const plantedPath = join(order.scratch, `planted-${order.bytes}.json`);
  writeFileSync(plantedPath, JSON.stringify(planted));
  warmCache(tree);
  const runs = new Map<Job, Run[]>(JOB_NAMES.map((job) => [job, []]));
  const peers: { readonly seconds: number; readonly outputTokens: number }[] = [];
  for (let round = 0; round < order.runs; round += 1) {
    for (const job of JOB_NAMES) runs.get(job)?.push(runJob(order.child, job, tree, plantedPath));
    if (order.ccusage !== null) peers.push(runCcusage(order.ccusage, tree, order.scratch));
  }
  if (!order.keep) rmSync(tree, { recursive: true });
  const best = (job: Job): Run => fastest(runs.get(job) ?? [], (run) => run.seconds);
  return {
    planted,
    best: { floor: best('floor'), parse: best('parse'), one: best('one'), all: best('all') },
    ccusage: peers.length === 0 ? null : fastest(peers, (run) => run.seconds),
  };
};

/** Runs the child and returns what it printed. */
export const runChild = (child: string, args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [child, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the measurement ${args.join(' ')} failed: ${stderr}`);
  return stdout;
};

const runJob = (child: string, job: Job, tree: string, plantedPath: string): Run => {
  const startedAt = performance.now();
  const measurement = JSON.parse(runChild(child, [job, tree, plantedPath])) as Measurement; // printed by child.ts and by nobody else
  const processSeconds = (performance.now() - startedAt) / 1000;
  if (measurement.wrong.length > 0) throw new Error(`"${job}" found something else than was planted:\n${measurement.wrong.slice(0, 20).join('\n')}`);
  return { ...measurement, processSeconds };
};

const warmCache = (folder: string): void => {
  for (const found of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (found.isFile()) readFileSync(join(found.parentPath, found.name));
};

const fastest = <T>(runs: readonly T[], seconds: (run: T) => number): T => runs.reduce((best, run) => (seconds(run) < seconds(best) ? run : best));
