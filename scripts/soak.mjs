// npm run soak [-- RUNS]: all property tests with many more runs than `npm run test:all` gives them, 20,000 simulated histories that nobody has seen yet,
// and rounds of SIGKILL.
// npm run soak -- clients [--clients 550] [--minutes 60] [--rate 40]: a server with so many clients for so long, and its memory and latencies over time.
// npm run soak -- loaded [TIMES] [LOAD]: the tail of the tests ten times (or so often), with a load of eight (or so much) beside it (GATE-5).
// npm run soak -- kills [ROUNDS]: 1,000 SIGKILLs of imports, appends and of a server with clients. npm run soak -- faults [ROUNDS]: 200 processes whose k-th
// write or fsync is the last, fails with EIO or ENOSPC, or falls short (STORE-62).
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { closingLine, isGreen, summaryLine } from './counting.mjs';
import { drawSeed, runTests } from './run-tests.mjs';
import { ensureBuilt, ensureInstalled, must, tool } from './workspace.mjs';

const soak = (runs) => {
  // Other seeds each day: the tests play the same ones again and again. A failure prints its own.
  const firstSeed = String(Math.floor(Date.now() / 86_400_000) * 100_000);
  must(
    tool('vitest'),
    ['run', 'packages', 'tests/fuzz', 'tests/crash', 'tests/simulation', 'tests/sidebars-crash', 'tests/recovery-crash', 'tests/live.test.ts'],
    {
      env: {
        YARNBOARD_HISTORIES: '20000',
        YARNBOARD_FIRST_SEED: firstSeed,
        YARNBOARD_PROPERTY_SEED: drawSeed(),
        ...process.env,
        YARNBOARD_RUNS: runs,
        YARNBOARD_BUILT: '1',
      },
      shell: process.platform === 'win32',
    },
  );
};

const soakLoaded = (times, load) => {
  const busy = Array.from({ length: load }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  process.once('exit', () => {
    for (const child of busy) child.kill('SIGKILL');
  });
  const lines = [];
  for (let run = 1; run <= times; run += 1) {
    const began = Date.now();
    const counts = runTests({ tier: 'tail', seed: drawSeed() });
    lines.push({
      isGreen: isGreen(counts),
      text: `run ${run} of ${times}, load ${load}: ${closingLine(counts)}. ${summaryLine(counts, Date.now() - began)}`,
    });
    console.log(lines.at(-1).text);
  }
  console.log(lines.map(({ text }) => text).join('\n'));
  const red = lines.filter((line) => !line.isGreen).length;
  console.log(`${times - red} runs passed, ${red} failed`);
  process.exit(red === 0 ? 0 : 1);
};

const soakClients = (options) => {
  const { status } = spawnSync(
    process.execPath,
    [
      '--conditions=yarnboard-source',
      '--import',
      import.meta.resolve('tsx'),
      fileURLToPath(new URL('../bench/soak/clients.ts', import.meta.url)),
      ...options,
    ],
    { stdio: 'inherit' },
  );
  process.exit(status ?? 1);
};

const soakOne = (files, env) => {
  const seed = String(Math.floor(Date.now() / 86_400_000));
  must(tool('vitest'), ['run', ...files, '--testTimeout=14400000', '--disable-console-intercept'], {
    env: { YARNBOARD_FIRST_SEED: seed, ...process.env, ...env, YARNBOARD_BUILT: '1' },
    shell: process.platform === 'win32',
  });
};

ensureInstalled();
ensureBuilt();
const [first = '5000', times = '10', load = '8'] = process.argv.slice(2);
if (first === 'clients') soakClients(process.argv.slice(3));
else if (first === 'loaded') soakLoaded(Number(times), Number(load));
else if (first === 'kills')
  soakOne(['tests/crash.test.ts', 'tests/sidebars-crash.test.ts', 'tests/recovery-crash.test.ts'], { YARNBOARD_KILLS: process.argv[3] ?? '1000' });
else if (first === 'faults') soakOne(['tests/write-faults.test.ts'], { YARNBOARD_FAULTS: process.argv[3] ?? '200' });
else soak(first);
