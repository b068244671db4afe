import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { A, B, C, NOON, openBench, prompt, reply, runs, state, type Bench } from './bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const minutes = async (): Promise<readonly number[]> => (await bench.entries()).map(({ timestamp }) => (timestamp - NOON) / 60_000);
const sorted = (numbers: readonly number[]): readonly number[] => [...numbers].sort((a, b) => a - b);

describe('a first import', () => {
  test('[ING-4] goes in order of time over all sessions and their sub-agents, whatever their names', async () => {
    bench.write(`z/${A}.jsonl`, [state(), prompt('a1', 0), reply('a2', 40), reply('a3', 90)]);
    bench.write(`m/${B}.jsonl`, [prompt('b1', 10), reply('b2', 50)]);
    bench.write(`z/${A}/subagents/agent-x.jsonl`, [prompt('x1', 41), reply('x2', 60)]);
    bench.write(`z/${A}/subagents/workflows/wf_1/agent-y.jsonl`, [prompt('y1', 5), reply('y2', 95)]);
    bench.write(`a/${C}.jsonl`, [prompt('c1', 70)]);
    bench.write('a/agent-old.jsonl', [prompt('o1', 71, { sessionId: C, isSidechain: true })]);
    await bench.importAll();
    expect(await minutes()).toEqual([0, 0, 5, 10, 40, 41, 50, 60, 70, 71, 90, 95]);
  });

  test('[ING-4] keeps the lines of a file in the order of the file, also where its times go back', async () => {
    bench.write(`p/${A}.jsonl`, [prompt('a1', 10), prompt('a2', 5), prompt('a3', 20)]);
    bench.write(`p/${B}.jsonl`, [prompt('b1', 7), prompt('b2', 12)]);
    await bench.importAll();
    expect(await minutes()).toEqual([7, 10, 5, 12, 20]);
  });

  test('[ING-4] of any files with times that only grow is in order of time', async () => {
    const anyTree = fc.array(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(anyTree, async (tree) => {
        const one = await openBench();
        try {
          tree.forEach((times, i) =>
            one.write(
              `p${i % 3}/file-${(i * 7) % 12}.jsonl`,
              sorted(times).map((time, j) => prompt(`${i}-${j}`, time, { sessionId: `S${i}` })),
            ),
          );
          await one.importAll();
          const found = (await one.entries()).map(({ timestamp }) => (timestamp - NOON) / 60_000);
          expect(found).toEqual(sorted(tree.flat()));
        } finally {
          await one.close();
        }
      }),
      runs(0.15),
    );
  });

  test('[ING-4] what is kept beside a transcript comes when it was written, not before everything else', async () => {
    bench.write(`p/${A}.jsonl`, [prompt('a1', 0), reply('a2', 1)]);
    for (let i = 0; i < 20; i += 1) bench.write(`p/${A}/tool-results/${i}.txt`, 'output');
    await bench.importAll();
    expect((await bench.entries()).slice(0, 2).map(({ uuid }) => uuid)).toEqual(['a1', 'a2']);
  });

  test('[ING-4] files that appear together are read in order of time too', async () => {
    const paths = [bench.write(`a/${B}.jsonl`, [prompt('b1', 10), reply('b2', 30)]), bench.write(`z/${A}.jsonl`, [prompt('a1', 0), reply('a2', 20)])];
    await (await bench.ingest()).readFiles(paths);
    expect(await minutes()).toEqual([0, 10, 20, 30]);
  });
});
