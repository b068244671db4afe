// The board: durable commands against raw group commit, spawning, start-up, deciding alone: [--only commands,spawns,start,deciding] [--entries 100000,1000000] [--rounds N] [--seed N] [--keep]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cachedBoard } from './engine/boards.ts';
import { homeIn } from './engine/home.ts';
import type { BoardPlan, CommandsResult, DecidingResult, Made, SpawnResult, StartResult, StartRun } from './engine/job.ts';
import { describeCommands, describeDeciding, describeSpawns, describeStarts, judgeCommands, judgeSpawns } from './engine/verdict.ts';
import { buildPrograms } from './measure/bundle.ts';
import { runBench, WrongResult } from './measure/run.ts';
import type { Verdict } from './measure/table.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'commands,spawns,start,deciding' },
    entries: { type: 'string', default: '100000,1000000' },
    rounds: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const [small = 0, large = 0] = values.entries.split(',').map(Number);
if (!(small >= 10_000 && large >= small && small % 10_000 === 0 && large % 10_000 === 0)) {
  throw new Error('--entries takes two multiples of 10000, such as 100000,1000000');
}
const parts = new Set(values.only.split(','));
const rounds = Number(values.rounds);
const seed = Number(values.seed);

const CLIENTS = [1, 16, 128] as const;
const FOR_ONE = 1000;
const SPAWNS = 100;

/** One entry in ten is decided, the others are messages of sessions. */
const growing = (entries: number): BoardPlan => ({
  name: `start-${entries}`,
  sessions: [{ count: (entries * 0.9) / 1000, messages: 1000 }],
  talks: [],
  depth: 0,
  mixed: entries / 10,
  isIndexed: true,
  seed,
});
const NOTHING: Made = { entries: 0, decided: 0, sidebars: 0, sessionIds: [], talkRefs: [], chainRefs: [] };
const REMEMBERING: BoardPlan = {
  name: 'spawns',
  sessions: [
    { count: 1, messages: 10 },
    { count: 1, messages: 100_000 },
  ],
  talks: [10, 100_000],
  depth: 100,
  mixed: 0,
  isIndexed: true,
  seed,
};

await runBench({ name: 'engine', keep: values.keep }, async (scratch) => {
  const programs = join(scratch, 'bundle');
  const { child } = await buildPrograms(programs, {
    child: 'bench/engine/child.ts',
    writer: 'packages/server/src/threads/writer-thread.ts',
    indexer: 'packages/server/src/threads/indexer-thread.ts',
    verifier: 'packages/server/src/threads/verifier-thread.ts',
  });
  const ask = <T>(job: string, order: object): T => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [child, job, JSON.stringify(order)], { encoding: 'utf8' });
    if (status !== 0) throw new WrongResult(`the measurement "${job}" failed: ${stderr}`);
    return JSON.parse(stdout) as T; // printed by engine/child.ts and by nobody else
  };
  const ready = (plan: BoardPlan): { readonly folder: string; readonly made: Made } => {
    const { folder, made } = cachedBoard(plan);
    if (made !== null) return { folder, made };
    const startedAt = performance.now();
    const fresh = ask<Made>('make', { folder, plan });
    console.log(`made ${folder}: ${fresh.entries} entries in ${((performance.now() - startedAt) / 1000).toFixed(0)} s; it stays for the next run`);
    return { folder, made: fresh };
  };

  const commands = (): readonly Verdict[] => {
    const results = CLIENTS.map((clients) =>
      ask<CommandsResult>('commands', {
        folder: join(scratch, 'commands'),
        programs,
        clients,
        commands: Math.round(FOR_ONE * clients ** 0.5),
        rounds,
        seed,
      }),
    );
    console.log(`\n${describeCommands(results)}`);
    return results.map(judgeCommands);
  };

  const spawns = (): readonly Verdict[] => {
    const { folder: kept, made } = ready(REMEMBERING);
    const folder = join(scratch, 'spawns');
    cpSync(kept, folder, { recursive: true });
    const results = ask<readonly SpawnResult[]>('spawns', { folder, programs, made, rounds: SPAWNS });
    if (!values.keep) rmSync(folder, { recursive: true });
    console.log(`\n${describeSpawns(results)}`);
    return judgeSpawns(results);
  };

  const start = (): readonly Verdict[] => {
    const empty = join(scratch, 'empty');
    const boards = [{ folder: empty, made: NOTHING }, ...[small, large].map((entries) => ready(growing(entries)))];
    const runs = boards.map((): { readonly with: StartRun[]; readonly without: StartRun[] } => ({ with: [], without: [] }));
    const run = ({ folder, made }: (typeof boards)[number]): StartRun => ask<StartRun>('start', { folder, programs, sidebars: made.sidebars });
    mkdirSync(empty);
    for (const board of boards) run(board); // brings the files into memory, and makes what the first start makes
    // They take turns, so that a busy moment of the machine hits all of them.
    for (let round = 0; round < rounds + 1; round += 1) {
      for (const [i, board] of boards.entries()) {
        rmSync(homeIn(board.folder).snapshotFile, { force: true });
        runs[i]?.without.push(run(board));
        // Closing left a snapshot.
        runs[i]?.with.push(run(board));
      }
    }
    const results = boards.map(({ folder, made: { entries, decided, sidebars } }, i): StartResult => {
      const best = (which: 'with' | 'without'): StartRun =>
        (runs[i]?.[which] ?? []).reduce((least, one) => (one.answered < least.answered ? one : least));
      const snapshotBytes = statSync(homeIn(folder).snapshotFile, { throwIfNoEntry: false })?.size ?? 0;
      return { entries, decided, sidebars, snapshotBytes, with: best('with'), without: best('without') };
    });
    console.log(`\n${describeStarts(results)}`);
    return [];
  };

  const deciding = (): readonly Verdict[] => {
    console.log(`\n${describeDeciding(ask<DecidingResult>('deciding', { seed }))}`);
    return [];
  };

  const verdicts = Object.entries({ commands, spawns, start, deciding }).flatMap(([name, measure]) => (parts.has(name) ? measure() : []));
  // Each of these was promised.
  if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
  return verdicts;
});
