// npm start [-- ARGS]: installs and builds what is missing, then runs yarnboard with the arguments.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, must, root } from './workspace.mjs';

ensureInstalled();
ensureBuilt();
// From where the user stands, not from here: paths on the command line are theirs.
must(process.execPath, [join(root, 'packages', 'cli', 'dist', 'yarnboard.mjs'), ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
