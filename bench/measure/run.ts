import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Verdict } from './table.ts';

/** What was found is not what was planted: no number is worth printing then. */
export class WrongResult extends Error {}

export type Bench = {
  readonly name: string;
  /** Leaves what was made where it is. */
  readonly keep: boolean;
};

/**
 * Runs a bench in a folder that is gone afterwards and prints its verdicts. The exit code is 1 when something was measured that is not right, or could
 * not be measured; a target that is missed is a result.
 */
export const runBench = async ({ name, keep }: Bench, work: (scratch: string) => Promise<readonly Verdict[]>): Promise<void> => {
  const scratch = join(tmpdir(), `yarnboard-bench-${name}-${process.pid}`);
  const cleanUp = (): void => {
    if (!keep) rmSync(scratch, { recursive: true, force: true });
  };
  // Gigabytes must not stay behind when somebody gets impatient.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      cleanUp();
      process.exit(130);
    });
  }
  const startedAt = performance.now();
  try {
    mkdirSync(scratch, { recursive: true });
    if (keep) console.log(`kept: ${scratch}`);
    console.log(`${name}: node ${process.version}, ${availableParallelism()} cores, in ${scratch}`);
    warnIfBusy();
    const verdicts = await work(scratch);
    console.log('');
    for (const { isMet, text } of verdicts) console.log(`${isMet ? 'PASS' : 'MISS'}  ${text}`);
    console.log(`${name}: ${verdicts.filter(({ isMet }) => isMet).length} of ${verdicts.length} targets met, ${seconds(startedAt)} s`);
  } catch (cause) {
    console.error(cause instanceof WrongResult ? `WRONG  ${cause.message}` : cause);
    process.exitCode = 1;
  } finally {
    cleanUp();
  }
};

/** Every difference between what was planted and what was found; there must be none. */
export const mustBeEqual = (where: string, planted: Readonly<Record<string, number>>, found: Readonly<Record<string, number>>): void => {
  const wrong = Object.keys(planted).filter((key) => planted[key] !== found[key]);
  if (wrong.length > 0) throw new WrongResult(`${where}: ${wrong.map((key) => `${key}: planted ${planted[key]}, found ${found[key]}`).join('; ')}`);
};

// Ratios within one run still hold on a busy machine; times do not.
const warnIfBusy = (): void => {
  const [load = 0] = loadavg();
  if (load > availableParallelism() / 4) console.log(`the machine is busy (load ${load.toFixed(1)}): times are too long, ratios hold`);
};

const seconds = (startedAt: number): string => ((performance.now() - startedAt) / 1000).toFixed(0);
