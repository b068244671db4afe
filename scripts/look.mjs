// node scripts/look.mjs [VIEW…] [--widths 360,1280] [--schemes light,dark] [--out FOLDER] [--full] [--axe] [--story] [--page FOLDER] [--renew FOLDER]:
// pictures of every view of the page, on the demo set, the fixtures and a story (or only the story); with --renew, exactly the ones that lie in a folder.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, root } from './workspace.mjs';

ensureInstalled();
const look = join(root, 'tests', 'web', 'look.ts');
const { status } = spawnSync(
  process.execPath,
  ['--conditions=yarnboard-source', '--import', import.meta.resolve('tsx'), look, ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
