// npm run bench [-- NAME... [OPTIONS]]: lists the benches, or runs some, each with these options. A bench is a file in bench/ whose first line says what it is.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'bench');
const benches = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));

const args = process.argv.slice(2);
const firstOther = args.findIndex((arg) => !benches.includes(arg));
const names = firstOther === -1 ? args : args.slice(0, firstOther);
const options = args.slice(names.length);

if (args.length === 0) {
  for (const bench of benches)
    console.log(
      `${bench.padEnd(12)}  ${readFileSync(join(folder, `${bench}.ts`), 'utf8')
        .split('\n', 1)[0]
        .replace(/^\/\/\s*/u, '')}`,
    );
} else if (names.length === 0) {
  console.error(`no bench "${args[0]}"; there are: ${benches.join(', ')}`);
  process.exitCode = 2;
} else if (!existsSync(join(root, 'node_modules', 'tsx'))) {
  console.error('run "npm ci" first: benches run through tsx');
  process.exitCode = 2;
} else {
  const tsx = import.meta.resolve('tsx');
  names.forEach((name, i) => {
    if (i > 0) console.log('');
    // Paths on the command line are relative to where the user stands, but tsx is found from here.
    const { status } = spawnSync(process.execPath, ['--conditions=yarnboard-source', '--import', tsx, join(folder, `${name}.ts`), ...options], {
      stdio: 'inherit',
      cwd: process.env.INIT_CWD ?? process.cwd(),
    });
    if (status !== 0) process.exitCode = status ?? 1;
  });
}
