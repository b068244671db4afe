// npm run e2e:claude [-- WORDS]: plays sessions with the real Claude Code and Agent SDK against a scripted model on this machine. Words choose scenarios by name.
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
// Not before: on a fresh clone they were just installed.
const { register } = await import('tsx/esm/api');
register();
// Whoever stops the test stops what it has started, too; that is done on exit.
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
const { runEndToEnd } = await import('../tests/e2e/run.ts');
const { passed, failed } = await runEndToEnd(process.argv.slice(2));
console.log(`${passed} passed, ${failed} failed`);
process.exit(passed > 0 && failed === 0 ? 0 : 1);
