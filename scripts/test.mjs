// npm test [-- FILES]: installs and builds what is missing, runs the gate and all tests, and ends with "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, makeFolder, must, root, tool } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
const filters = process.argv.slice(2);
if (filters.length === 0) must(process.execPath, [join(root, 'scripts', 'check.mjs')]);

const folder = join(root, 'node_modules', '.cache', 'yarnboard');
makeFolder(folder);
const results = join(folder, 'test-results.json');
rmSync(results, { force: true });
const { status } = spawnSync(tool('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...filters], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (!existsSync(results)) {
  console.error('The tests did not run to their end.');
  process.exit(3);
}
const { numPassedTests: passed, numFailedTests, numPendingTests: skipped, numFailedTestSuites, success } = JSON.parse(readFileSync(results, 'utf8'));
// A suite that fails to load has no failed test of its own.
const failed = success ? numFailedTests : Math.max(numFailedTests, numFailedTestSuites, 1);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(status === 0 && passed > 0 && failed === 0 ? 0 : 1);
