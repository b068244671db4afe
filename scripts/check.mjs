// npm run check: the whole gate but for the tests: format, lint, types, unused code.
import { runChecks } from './checks.mjs';
import { ensureInstalled } from './workspace.mjs';

ensureInstalled();
process.exitCode = (await runChecks()) === 0 ? 0 : 1;
