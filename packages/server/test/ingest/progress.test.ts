import * as fc from 'fast-check';
import type { LogPort } from '@yarnboard/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAppendQueue } from '../../src/threads/queue.ts';
import { FIRST_LIMIT, nextLimit, WANTED_ALONE, type Limit } from '../../src/ingest/batch.ts';
import { turnClosedItem } from '../../src/launches/run-entries.ts';
import { A, B, C, openBench, prompt, state, type Bench } from './bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const LINES = 700;
const put = (): readonly string[] =>
  [A, B, C].map((id) =>
    bench.write(
      `p/${id}.jsonl`,
      Array.from({ length: LINES }, (_, i) => (i % 3 === 0 ? state(id) : prompt(`${id}${i}`, i))),
    ),
  );

class Killed extends Error {}

/** As if the process were killed behind so many commits: what was committed is there, and nothing that follows happens. */
const killedAfter = (log: LogPort, commits: number): LogPort => {
  let left = commits;
  return {
    ...log,
    append: async (batch) => {
      if (left === 0) throw new Killed('killed');
      left -= 1;
      return log.append(batch);
    },
  };
};

describe('an import in batches', () => {
  test('[ING-70] takes as much at once as is written in a moment, whatever a line and a commit cost', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 3, noNaN: true }), fc.integer({ min: 0, max: 400 }), (perLine, perCommit) => {
        let limit: Limit = FIRST_LIMIT;
        const times: number[] = [];
        for (let n = 0; n < 40; n += 1) {
          const took = perCommit + limit.items * perLine;
          times.push(took);
          limit = nextLimit(limit, { items: limit.items, bytes: 0 }, took);
        }
        const fastest = Math.min(...times);
        // The first may be too large; from then on it is as wanted, or as small as it gets.
        const most = Math.max(25 * 1.5, fastest * 2 * 1.5, perCommit + 200 * perLine);
        expect(Math.max(...times.slice(10))).toBeLessThanOrEqual(most + 1);
        // And where a commit costs much, it does not crawl.
        expect(times.at(-1)).toBeGreaterThanOrEqual(Math.min(25 / 1.6, perCommit + 4000 * perLine) - 1);
      }),
    );
  });

  test('[ING-70] where nobody waits, batches are ten times as large', () => {
    const settledAt = (wanted?: number): number => {
      let limit: Limit = FIRST_LIMIT;
      for (let n = 0; n < 40; n += 1) limit = nextLimit(limit, { items: limit.items, bytes: 0 }, limit.items / 16, wanted);
      return limit.items;
    };
    expect(settledAt()).toBe(400);
    expect(settledAt(WANTED_ALONE)).toBe(4000);
  });

  test('[ING-70] whoever appends something meanwhile waits for one batch at most', async () => {
    const paths = put();
    const { log } = bench.store;
    let batches = 0;
    let waited: number | null = null;
    const queue = createAppendQueue(log);
    const item = turnClosedItem({ sessionId: A, at: 1 }, { status: null, isEnd: true, turn: '', by: 'quiet' }, 'a-command');
    const ingest = await bench.ingest({
      ticks: () => 0,
      log: {
        ...log,
        append: async (batch) => {
          batches += 1;
          const before = batches;
          if (batches === 2) void queue.append([item]).then(() => (waited = batches - before));
          return log.append(batch);
        },
      },
    });
    await ingest.importAll(paths);
    expect(batches).toBeGreaterThan(4);
    expect(waited).not.toBeNull();
    expect(waited).toBeLessThanOrEqual(1);
  });

  test('[ING-71] a server that is killed behind every commit gets on with every start, and to the end, without reading a line twice', async () => {
    const paths = put();
    const counts: number[] = [];
    for (let start = 1; start < 200; start += 1) {
      const ingest = await bench.ingest({ log: killedAfter(bench.store.log, 1), ticks: () => 0 });
      const ended = await ingest.importAll(paths).catch((cause: unknown) => cause);
      counts.push((await bench.store.log.head()).count);
      if (!(ended instanceof Killed)) break;
    }
    const all = paths.length * LINES;
    expect(counts.at(-1)).toBe(all);
    // Every start but the last, which finds nothing left, has added something.
    expect(counts.slice(1, -1).filter((count, at) => count <= (counts[at] ?? 0))).toEqual([]);
    expect(counts.length).toBeLessThanOrEqual(all / FIRST_LIMIT.items + 1);
    const entries = await bench.entries();
    expect(new Set(entries.map(({ contextId, payloadHash, occurrence }) => `${contextId} ${payloadHash} ${occurrence}`)).size).toBe(all);
  });
});
