// npm run check: the whole gate but for the tests: format, lint, types, unused code.
import { ensureInstalled, must, tool } from './workspace.mjs';

ensureInstalled();
const steps = [
  { name: 'format', program: 'prettier', args: ['--check', '--log-level=warn', '.'] },
  { name: 'lint', program: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', program: 'tsc', args: ['-b'] },
  { name: 'unused', program: 'knip', args: ['--no-progress'] },
];
for (const { name, program, args } of steps) {
  console.log(`check: ${name}`);
  must(tool(program), args, { shell: process.platform === 'win32' });
}
