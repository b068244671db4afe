// npm test [-- FILES]: installs and builds what is missing, runs the checks and the quick tier of the tests, and ends with "N passed, N failed".
// npm run test:all: the same with both tiers. FILES may be of either.
import { runChecks } from './checks.mjs';
import { closingLine, isGreen, summaryLine } from './counting.mjs';
import { drawSeed, runTests, SAME_FEW } from './run-tests.mjs';
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

const given = process.argv.slice(2);
const isAll = given.includes('--all');
const files = given.filter((one) => one !== '--all');

const began = Date.now();
ensureInstalled();
ensureBuilt();
const failedChecks = files.length === 0 ? await runChecks() : 0;
// Whatever is asked for by name is tried as `npm test` would; of either tier.
const how = isAll ? () => ({ tier: null, seed: drawSeed() }) : () => ({ tier: files.length > 0 ? null : 'quick', ...SAME_FEW });
// Nobody waits minutes to be told what was known after seconds.
const counts = failedChecks > 0 ? { passed: 0, failed: failedChecks, skipped: 0 } : runTests({ files, ...how() });
console.log(summaryLine(counts, Date.now() - began));
console.log(closingLine(counts));
process.exitCode = isGreen(counts) ? 0 : 1;
