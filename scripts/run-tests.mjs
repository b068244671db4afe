// Runs tests and counts them. Which file is in which tier: tests/tiers.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countReport, settle, worthAnotherRun } from './counting.mjs';
import { makeFolder, root, tool } from './workspace.mjs';

/** Runs vitest to its end. What it says goes to our output; what is returned is its report, or null when it left none. */
const runVitest = (name, { projects, files, seed, runs }) => {
  const folder = join(root, 'node_modules', '.cache', 'yarnboard');
  makeFolder(folder);
  const path = join(folder, `${name}.json`);
  const errorsPath = join(folder, `${name}.errors`);
  for (const one of [path, errorsPath]) rmSync(one, { force: true });
  const { status } = spawnSync(
    tool('vitest'),
    [
      'run',
      '--reporter=default',
      '--reporter=json',
      '--reporter=./scripts/errors-reporter.mjs',
      `--outputFile.json=${path}`,
      ...projects.map((one) => `--project=${one}`),
      ...files,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      // Built is what they need: nobody has to look again.
      env: { ...process.env, YARNBOARD_PROPERTY_SEED: seed, YARNBOARD_PROPERTY_RUNS: runs, YARNBOARD_BUILT: '1', YARNBOARD_ERRORS_FILE: errorsPath },
      shell: process.platform === 'win32',
    },
  );
  if (!existsSync(path) || !existsSync(errorsPath)) return null;
  return { status, report: JSON.parse(readFileSync(path, 'utf8')), hasErrors: readFileSync(errorsPath, 'utf8') !== '0' };
};

/** Runs the files once more that deserve it, with the machine to themselves (GATE-9). */
const runAgain = (report, how) => {
  const files = worthAnotherRun(report);
  if (files.length === 0) return report;
  console.log(`Run once more, alone: ${files.join(', ')}`);
  // What is pure comes to the same each time.
  const second = runVitest('test-results-again', { ...how, projects: ['!quick-pure'], files });
  if (second === null || second.hasErrors) return report;
  const { report: settled, unsteady } = settle(report, second.report);
  // All passed, and yet it failed: what comes after the tests did.
  if (settled.success && second.status !== 0) return report;
  for (const line of unsteady) console.log(line);
  return settled;
};

/** Runs a tier ('quick', 'tail', or both: null), or the files that fit. */
export const runTests = ({ tier, files = [], seed, runs = '100' }) => {
  const how = { projects: tier === null ? [] : [`${tier}-*`], files, seed, runs };
  const first = runVitest('test-results', how);
  if (first === null) {
    console.error('The tests did not run to their end.');
    return { passed: 0, failed: 1, skipped: 0 };
  }
  // An error that no file is to blame for is none that a second run could settle.
  const mayRunAgain = tier === null && files.length === 0 && !first.hasErrors;
  const report = mayRunAgain ? runAgain(first.report, how) : first.report;
  const counts = countReport(report);
  return first.status !== 0 && report === first.report ? { ...counts, failed: Math.max(counts.failed, 1) } : counts;
};

/** How properties are tried by `npm test`: always the same few, so that what passed passes again. */
export const SAME_FEW = { seed: '1', runs: '30' };

/** Others draw a seed, and print it. */
export const drawSeed = () => {
  const seed = process.env.YARNBOARD_PROPERTY_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
  console.log(`Properties are tried from seed ${seed}; YARNBOARD_PROPERTY_SEED=${seed} repeats it.`);
  return seed;
};
