// npm start [-- ARGS]: installs and builds what is missing, then runs yarnboard with the arguments.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
// From where the user stands, not from here: paths on the command line are theirs.
const child = spawn(process.execPath, [join(root, 'packages', 'cli', 'dist', 'yarnboard.mjs'), ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: 'inherit',
});
// A terminal sends Ctrl-C to both; whoever ends only this process means the other one.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 3)));
