import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
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
  const home = testHome();
  const tree = join(home.folder, 'tree');
  const planted = generateTree(tree, { bytes: 30_000_000, seed: 7 });
  const rounds = Math.ceil(ROUNDS * 0.6);
  const step = Math.floor(planted.messages / rounds);
  let reached = 0;
  let killed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const child = home.start('import', tree);
    // The first as it starts, the second as the database comes to be, the others after some more commits.
    const wanted = round === 1 ? 0 : reached + step * random();
    if (round > 0) await reaches(home, wanted, child);
    child.kill('SIGKILL');
    if ((await ended(child)) === null) killed += 1;
    const store = await home.open().catch(() => null); // killed before there was a database
    if (store === null) continue;
    const count = await expectWhole(store);
    await store.close();
    expect(count).toBeGreaterThanOrEqual(reached);
    reached = count;
  }
  expect(reached).toBeGreaterThan(0);
  expect(killed).toBeGreaterThan(1);
  expect(home.run('import', tree)).toMatchObject({ status: 0, err: '' });
  const once = testHome();
  expect(once.run('import', tree)).toMatchObject({ status: 0, err: '' });
  const [store, fresh] = [await home.open(), await once.open()];
  expect(await expectWhole(store)).toBe(await expectWhole(fresh));
  expect(await store.library.dump()).toEqual(await fresh.library.dump());
  const totals = await store.library.totals();
  expect({ messages: totals.messages, responses: totals.spent.responses, output: totals.usage.output }).toEqual({
    messages: planted.messages,
    responses: planted.responses,
    output: planted.tokens.output,
  });
  expect(home.run('verify')).toMatchObject({ status: 0 });
  await store.close();
  await fresh.close();
});

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
    for (const line of out.split('\n').slice(0, -1)) {
      const [position = '', uuid = ''] = line.split(' ');
      acknowledged.set(uuid, Number(position));
    }
    const store = await home.open();
    await expectWhole(store);
    for (const [uuid, position] of acknowledged) expect((await store.log.entryByUuid(uuid))?.position).toBe(position);
    await store.close();
  }
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
