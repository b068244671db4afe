// npm run bench [-- NAME [OPTIONS]]: lists the benches, or runs one. A bench is a file in bench/ whose first line says what it is.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'bench');
const benches = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));

const [name, ...args] = process.argv.slice(2);
if (name === undefined) {
  for (const bench of benches)
    console.log(
      `${bench.padEnd(12)}  ${readFileSync(join(folder, `${bench}.ts`), 'utf8')
        .split('\n', 1)[0]
        .replace(/^\/\/\s*/u, '')}`,
    );
} else if (!benches.includes(name)) {
  console.error(`no bench "${name}"; there are: ${benches.join(', ')}`);
  process.exitCode = 2;
} else if (!existsSync(join(root, 'node_modules', 'tsx'))) {
  console.error('run "npm ci" first: benches run through tsx');
  process.exitCode = 2;
} else {
  // Paths on the command line are relative to where the user stands, but tsx is found from here.
  const tsx = import.meta.resolve('tsx');
  const { status } = spawnSync(process.execPath, ['--conditions=yarnboard-source', '--import', tsx, join(folder, `${name}.ts`), ...args], {
    stdio: 'inherit',
    cwd: process.env.INIT_CWD ?? process.cwd(),
  });
  process.exitCode = status ?? 1;
}
