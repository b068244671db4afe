import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { linkModules } from '../bench/measure/bundle.ts';
import { ended, expectWhole, testHome, until } from './home.ts';
import { randomOf } from './live-stage.ts';
import { root } from './source-files.ts';

// One of each in `npm run test:all`; `npm run soak -- faults` says how many.
const ROUNDS = Number(process.env['YARNBOARD_FAULTS'] ?? '8');

const FAULTS = [
  ['write', 'kill'],
  ['sync', 'kill'],
  ['write', 'torn'],
  ['write', 'eio'],
  ['sync', 'eio'],
  ['write', 'enospc'],
  ['sync', 'enospc'],
  ['write', 'short'],
] as const;

/** How far into the work of a process the fault comes. */
const LATEST = { write: 200, sync: 18 } as const;
/** What is acknowledged by then, and some more. */
const ENOUGH = 80;

test('[STORE-62] the k-th write or sync fails, falls short or is the last: nothing acknowledged is lost, nothing is there twice, no number is left out', async ({
  skip,
}) => {
  const home = testHome();
  const shim = join(home.folder, 'faulty-writes.so');
  const compiled = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, join(root, 'tests/faulty-writes.c'), '-ldl'], { encoding: 'utf8' });
  if (process.platform !== 'linux' || compiled.error !== undefined) skip('needs Linux and a C compiler (cc)');
  expect([compiled.status, compiled.stderr]).toEqual([0, '']);
  const program = join(home.folder, 'appender.mjs');
  await build({
    entryPoints: [join(root, 'tests/appender.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['yarnboard-source'],
    external: ['better-sqlite3', 'pg', '@redis/client'],
    logLevel: 'warning',
  });
  linkModules(home.folder);
  mkdirSync(join(home.folder, 'home/board'), { recursive: true });
  const random = randomOf(Number(process.env['YARNBOARD_FIRST_SEED'] ?? '11'));
  const acknowledged = new Map<string, number>();
  const met = { killed: 0, outlived: 0, unmet: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const [at, how] = FAULTS[round % FAULTS.length] ?? FAULTS[0];
    const nth = 1 + Math.floor(random() * LATEST[at]);
    const child = spawn(process.execPath, [program, `sqlite:${home.database}`, '4', 'again'], {
      env: { ...process.env, LD_PRELOAD: shim, FAULT_PATH: '/board.db', FAULT_AT: at, FAULT_HOW: how, FAULT_NTH: String(nth) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    // It is over when the process is, or when as much was acknowledged as takes more writes than that.
    await until(() => (child.exitCode !== null || child.signalCode !== null || out.split('\n').length > ENOUGH ? true : null));
    const isKilled = child.signalCode === 'SIGKILL';
    child.kill('SIGKILL');
    await ended(child);
    const lines = out.split('\n').slice(0, -1);
    const fresh = new Map<string, number>();
    met[isKilled ? 'killed' : lines.some((line) => line.startsWith('!')) || how === 'short' ? 'outlived' : 'unmet'] += 1;
    for (const line of lines.filter((one) => !one.startsWith('!'))) {
      const [position = '', uuid = ''] = line.split(' ');
      expect([uuid, acknowledged.get(uuid) ?? Number(position)]).toEqual([uuid, Number(position)]);
      acknowledged.set(uuid, Number(position));
      fresh.set(uuid, Number(position));
    }
    const store = await home.open().catch(() => null); // killed before there was a database
    if (store === null) continue;
    // All of it every now and then and at the end, what is new at once: the log grows with every round.
    const isDue = round % 10 === 7 || round === ROUNDS - 1;
    if (isDue) await expectWhole(store);
    for (const [uuid, position] of isDue ? acknowledged : fresh)
      expect([uuid, (await store.log.entryByUuid(uuid))?.position]).toEqual([uuid, position]);
    await store.close();
  }
  console.log(`faults: ${ROUNDS} rounds, ${JSON.stringify(met)}, ${acknowledged.size} acknowledged`);
  expect(new Set(acknowledged.values()).size).toBe(acknowledged.size);
  expect(acknowledged.size).toBeGreaterThan(50);
  expect(met.killed).toBeGreaterThan(0);
  expect(met.outlived).toBeGreaterThan(0);
});
