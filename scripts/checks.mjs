// The checks that look at the sources without running them.
import { spawn } from 'node:child_process';
import { root, tool } from './workspace.mjs';

const CHECKS = [
  {
    name: 'format',
    program: 'prettier',
    args: ['--check', '--log-level=warn', '--cache', '--cache-location=node_modules/.cache/yarnboard/prettier', '.'],
  },
  { name: 'lint', program: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', program: 'tsc', args: ['-b'] },
  { name: 'unused', program: 'knip', args: ['--no-progress'] },
];

/** Runs all of them at once; what one says is printed when it ends. Resolves to how many failed. */
export const runChecks = async () => {
  const results = await Promise.all(CHECKS.map(run));
  return results.filter((isClean) => !isClean).length;
};

const run = ({ name, program, args }) =>
  new Promise((resolve) => {
    const child = spawn(tool(program), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const end = (isClean, why) => {
      console.log(`check: ${name} ${isClean ? 'passed' : 'failed'}`);
      if (!isClean) console.log(`${said}${why}`);
      resolve(isClean);
    };
    child.once('error', (cause) => end(false, `cannot run ${program}: ${cause.message}`));
    child.once('close', (code, signal) => end(code === 0, signal === null ? '' : `ended by ${signal}`));
  });
