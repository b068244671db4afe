// npm run soak [-- RUNS]: all property tests with many more runs than `npm test` gives them, and 200 rounds of SIGKILL.
import { ensureBuilt, ensureInstalled, must, tool } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
const runs = process.argv[2] ?? '5000';
must(tool('vitest'), ['run', 'packages', 'tests/fuzz', 'tests/crash'], {
  env: { ...process.env, YARNBOARD_RUNS: runs },
  shell: process.platform === 'win32',
});
