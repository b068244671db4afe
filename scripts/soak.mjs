// npm run soak [-- RUNS]: all property tests with many more runs than `npm test` gives them, 20,000 simulated histories that nobody has seen yet, and
// rounds of SIGKILL.
import { ensureBuilt, ensureInstalled, must, tool } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
const runs = process.argv[2] ?? '5000';
// Other seeds each day: `npm test` plays the same ones again and again. A failure prints its own.
const firstSeed = String(Math.floor(Date.now() / 86_400_000) * 100_000);
must(tool('vitest'), ['run', 'packages', 'tests/fuzz', 'tests/crash', 'tests/simulation', 'tests/sidebars-crash'], {
  env: { YARNBOARD_HISTORIES: '20000', YARNBOARD_FIRST_SEED: firstSeed, ...process.env, YARNBOARD_RUNS: runs },
  shell: process.platform === 'win32',
});
