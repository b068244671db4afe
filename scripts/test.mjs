// npm test [-- FILES]: installs and builds what is missing, runs the checks and the quick tier of the tests, and ends with "N passed, N failed".
// npm run test:all: the same with both tiers. FILES may be of either.
import { runChecks } from './checks.mjs';
import { closingLine, isGreen, summaryLine } from './counting.mjs';
import { drawSeed, runTests, SAME_SEED } from './run-tests.mjs';
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

const given = process.argv.slice(2);
const isAll = given.includes('--all');
const files = given.filter((one) => one !== '--all');

const began = Date.now();
ensureInstalled();
ensureBuilt();
const failedChecks = files.length === 0 ? await runChecks() : 0;
const counts =
  failedChecks > 0
    ? // Nobody waits minutes to be told what was known after seconds.
      { passed: 0, failed: failedChecks, skipped: 0 }
    : runTests({
        tier: isAll || files.length > 0 ? null : 'quick',
        files,
        seed: isAll ? drawSeed() : (process.env.YARNBOARD_PROPERTY_SEED ?? SAME_SEED),
      });
console.log(summaryLine(counts, Date.now() - began));
console.log(closingLine(counts));
process.exitCode = isGreen(counts) ? 0 : 1;
