import { mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { snapshotIn, tellingSnapshot } from '../../src/engine/snapshot.ts';
import { createLive } from '../../src/ingest/live.ts';
import type { FollowerState } from '../../src/followers/runner.ts';
import { failingAmong } from '../../src/operations/failing.ts';
import { createFailings } from '../../src/threads/failings.ts';
import { A, openBench, prompt, type Bench } from './bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

/** What health would be told, by name; those that work are left out. */
const makeHealth = () => {
  const states = new Map<string, FollowerState>();
  const { tell } = createFailings(
    () => 7,
    (state) => states.set(state.name, state),
  );
  return { tell, failing: () => failingAmong([...states.values()]).map(({ name, effect, why, since }) => ({ name, effect, why, since })) };
};

test('[ING-72] [SRV-35] folders that the system does not watch, and a sweep that fails, are problems until they work again', async () => {
  bench.write(`p/${A}.jsonl`, [prompt('a', 1)]);
  const { tell, failing } = makeHealth();
  const full = Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });
  let faults: { readonly watch: Error | null; readonly sweep: Error | null } = { watch: full, sweep: null };
  const ingest = await bench.ingest();
  const live = createLive({
    ingest: {
      ...ingest,
      findChanged: () => {
        if (faults.sweep !== null) throw faults.sweep;
        return ingest.findChanged();
      },
    },
    roots: () => [bench.root],
    onState: () => {},
    onFailing: tell,
    watch: ((...args: Parameters<typeof watch>) => {
      if (faults.watch !== null) throw faults.watch;
      return watch(...args);
    }) as typeof watch, // one of its forms
    sweepEvery: 3_600_000,
  });
  try {
    await live.start();
    expect(failing()).toEqual([
      { name: 'watching', effect: 'New lines of some sessions appear up to a minute late', why: `${bench.root}: ${full.message}`, since: 7 },
    ]);
    faults = { watch: null, sweep: new Error('EIO: i/o error') };
    live.poke();
    expect(failing()).toMatchObject([{ name: 'sweeping', why: 'EIO: i/o error' }]);
    faults = { watch: null, sweep: null };
    live.poke();
    expect(failing()).toEqual([]);
  } finally {
    await live.close();
  }
});

test('[SRV-35] a snapshot that cannot be saved is a problem, and no longer once it can be', () => {
  const { tell, failing } = makeHealth();
  const blocked = join(bench.root, 'blocked');
  mkdirSync(blocked);
  let file = blocked;
  const place = tellingSnapshot(
    { read: () => null, write: (text) => snapshotIn({ snapshotFile: file, stateFolder: join(file, '..', 'state') }, false).write(text) },
    (why) => tell('snapshot', why),
  );
  expect(() => place.write('a board')).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/u);
  expect(failing()).toMatchObject([{ name: 'snapshot', effect: 'The state of the board isn’t saved, so the next start takes longer' }]);
  file = join(bench.root, 'board.snapshot');
  place.write('a board');
  expect(failing()).toEqual([]);
});
