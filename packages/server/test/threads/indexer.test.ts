import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setImmediate as settled } from 'node:timers/promises';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createIndexer, type Indexer } from '../../src/threads/indexer.ts';
import { A, openBench, prompt, type Bench } from '../ingest/bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

/** Imports so many lines more. */
const grow = async (from: number, count: number): Promise<void> => {
  const path = bench.write(
    `p/${A}${from}.jsonl`,
    Array.from({ length: count }, (_, i) => prompt(`u${from + i}`, from + i)),
  );
  const ingest = await bench.ingest({});
  await ingest.importAll([path]);
  await ingest.close();
};

/** Lets everything that is ready happen. */
const quiet = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await settled();
};

test('[STORE-29] what comes in small commits while much comes in is taken together; a single line, and whoever waits, is not kept waiting', async () => {
  let clock = 1_000_000;
  const store = await openStore(`sqlite:${join(dirname(bench.root), 'board', 'board.db')}`, {
    prices: DEFAULT_PRICES,
    now: () => clock,
    newId: randomUUID,
    readOnly: true,
    isIndexing: true,
  });
  const { search } = store;
  const indexer: Indexer = createIndexer(store, () => clock);
  try {
    await grow(0, 150);
    await indexer.wake();
    await quiet();
    expect(await search.position()).toBe(150);
    for (const from of [150, 250]) {
      await grow(from, 100);
      await indexer.wake();
      await quiet();
      expect(await search.position()).toBe(150);
    }
    clock += 301;
    await indexer.wake();
    await quiet();
    expect(await search.position()).toBe(350);
    await grow(350, 100);
    await indexer.drain();
    expect(await search.position()).toBe(450);
    clock += 301;
    // Few at a time, as somebody types: at once, and the next one, too.
    for (const from of [450, 451]) {
      await grow(from, 1);
      await indexer.wake();
      await quiet();
      expect(await search.position()).toBe(from + 1);
    }
  } finally {
    await indexer.close();
  }
});
