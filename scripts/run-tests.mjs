// Runs tests and counts them. Which file is in which tier: tests/tiers.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countReport } from './counting.mjs';
import { makeFolder, root, tool } from './workspace.mjs';

/** Runs a tier ('quick', 'tail', or both: null), or the files that fit. What it says goes to our output; what it came to is returned. */
export const runTests = ({ tier, files = [], seed, runs = '100' }) => {
  const folder = join(root, 'node_modules', '.cache', 'yarnboard');
  makeFolder(folder);
  const report = join(folder, 'test-results.json');
  rmSync(report, { force: true });
  const projects = tier === null ? [] : [`--project=${tier}-*`];
  const { status } = spawnSync(
    tool('vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...projects, ...files],
    {
      cwd: root,
      stdio: 'inherit',
      // Built is what they need: nobody has to look again.
      env: { ...process.env, YARNBOARD_PROPERTY_SEED: seed, YARNBOARD_PROPERTY_RUNS: runs, YARNBOARD_BUILT: '1' },
      shell: process.platform === 'win32',
    },
  );
  if (!existsSync(report)) {
    console.error('The tests did not run to their end.');
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const counts = countReport(JSON.parse(readFileSync(report, 'utf8')));
  return status === 0 ? counts : { ...counts, failed: Math.max(counts.failed, 1) };
};

/** How properties are tried by `npm test`: always the same few, so that what passed passes again. */
export const SAME_FEW = { seed: '1', runs: '30' };

/** Others draw a seed, and print it. */
export const drawSeed = () => {
  const seed = process.env.YARNBOARD_PROPERTY_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
  console.log(`Properties are tried from seed ${seed}; YARNBOARD_PROPERTY_SEED=${seed} repeats it.`);
  return seed;
};
