import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@yarnboard/store';
import { expect, test } from 'vitest';
import { generateTree } from '../bench/generate.ts';
import { ended, expectWhole, testHome, until, type TestHome } from './home.ts';
import { randomOf } from './live-stage.ts';
import { root } from './source-files.ts';

// 12 in `npm run test:all`, 200 in `npm run soak`, as many as are asked for in `npm run soak -- kills`.
const ROUNDS = Number(process.env['YARNBOARD_KILLS'] ?? (process.env['YARNBOARD_RUNS'] === undefined ? '12' : '200'));

test('[SRV-4] SIGKILL at random moments of an import: the chain is whole, numbers have no gap, and the end is as if nothing had happened', async () => {
  const random = randomOf(7);
  const once = testHome();
  const tree = join(once.folder, 'tree');
  const planted = generateTree(tree, { bytes: 30_000_000, seed: 7 });
  expect(once.run('import', tree)).toMatchObject({ status: 0, err: '' });
  const fresh = await once.open();
  const whole = { count: await expectWhole(fresh), library: await fresh.library.dump() };
  const totals = await fresh.library.totals();
  await fresh.close();
  expect({ messages: totals.messages, responses: totals.spent.responses, output: totals.usage.output }).toEqual({
    messages: planted.messages,
    responses: planted.responses,
    output: planted.tokens.output,
  });
  const wanted = Math.ceil(ROUNDS * 0.6);
  // An import survives so many kills and no more: what it commits before the next one brings it to its end. Then another one is begun.
  for (let killed = 0; killed < wanted;) {
    const home = testHome();
    const kills = await killedImport(home, tree, { random, most: wanted - killed, step: planted.messages / Math.min(wanted, MOST_IN_ONE) });
    expect(kills).toBeGreaterThan(0);
    killed += kills;
    expect(home.run('import', tree)).toMatchObject({ status: 0, err: '' });
    const store = await home.open();
    expect(await expectWhole(store)).toBe(whole.count);
    expect(await store.library.dump()).toEqual(whole.library);
    await store.close();
    expect(home.run('verify')).toMatchObject({ status: 0 });
    rmSync(home.folder, { recursive: true, force: true });
    if (wanted > MOST_IN_ONE) console.log(`killed ${killed} of ${wanted} imports`);
  }
});

/** Kills an import again and again until it comes to its end, or so many times; resolves with how often. */
const killedImport = async (
  home: TestHome,
  tree: string,
  { random, most, step }: { readonly random: () => number; readonly most: number; readonly step: number },
): Promise<number> => {
  let reached = 0;
  let killed = 0;
  for (let round = 0; killed < most; round += 1) {
    const child = home.start('import', tree);
    // The first as it starts, the second as the database comes to be, the others after some more commits.
    if (round > 0) await reaches(home, round === 1 ? 0 : reached + step * random(), child);
    child.kill('SIGKILL');
    if ((await ended(child)) !== null) break;
    killed += 1;
    const store = await home.open().catch(() => null); // killed before there was a database
    if (store === null) continue;
    const count = await expectWhole(store);
    await store.close();
    expect(count).toBeGreaterThanOrEqual(reached);
    reached = count;
  }
  return killed;
};

test('[SRV-4] SIGKILL at random moments of appends: every entry that was acknowledged is there', async () => {
  const home = testHome();
  mkdirSync(join(home.folder, 'home/board'), { recursive: true });
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < Math.ceil(ROUNDS * 0.4); round += 1) {
    const child = spawn(
      process.execPath,
      ['--conditions=yarnboard-source', '--import', 'tsx', join(root, 'tests/appender.ts'), `sqlite:${home.database}`, String(1 + (round % 3) * 8)],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const acknowledging = 1 + ((round * 53) % 240);
    await until(() => (out.split('\n').length > acknowledging ? true : null));
    child.kill('SIGKILL');
    await ended(child);
    const heard = out.split('\n').slice(0, -1);
    const store = await home.open();
    await expectWhole(store);
    for (const line of heard) {
      const [position = '', uuid = ''] = line.split(' ');
      acknowledged.set(uuid, Number(position));
      expect((await store.log.entryByUuid(uuid))?.position).toBe(Number(position));
    }
    await store.close();
    if (ROUNDS > 100 && round % 40 === 39) console.log(`killed ${round + 1} appenders, ${acknowledged.size} entries acknowledged`);
  }
  const store = await home.open();
  for (const [uuid, position] of acknowledged) expect((await store.log.entryByUuid(uuid))?.position).toBe(position);
  await store.close();
  expect(acknowledged.size).toBeGreaterThan(100);
});

/** Resolves when so many entries are on the log, or the process has ended. Nothing of ours is open then: a kill meets the process alone. */
const reaches = async (home: TestHome, wanted: number, child: ChildProcess): Promise<void> => {
  const opened: { store: Store | null } = { store: null };
  try {
    await until(async () => {
      if (child.exitCode !== null) return true;
      opened.store ??= await home.open().catch(() => null); // there may be none yet
      return opened.store !== null && (await opened.store.log.head()).count >= wanted ? true : null;
    });
  } finally {
    await opened.store?.close();
  }
};

const MOST_IN_ONE = 40;
