import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { A, B, bytesRead, openBelow, openBench, prompt, reply, state, type Bench } from './bench.ts';
import type { PendingSession } from '../../src/ingest/ingest.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const idOf = (i: number): string => `${String(i).padStart(8, '0')}-0000-4000-8000-000000000000`;
const KB = 1024;

/** How much was read while something was done. */
const readDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const before = bytesRead();
  await work();
  return bytesRead() - before;
};

describe('however large a file is', () => {
  const FILE = `p/${A}.jsonl`;
  const SIZE = 40 * KB * KB;
  const large = (): string =>
    bench.write(FILE, [...Array.from({ length: 40 }, (_, i) => prompt(`u${i}`, i, { text: 'x'.repeat(SIZE / 40) })), state()]);

  test('[ING-9] a line that is appended costs the same; the file is not read again, not even after a restart', async () => {
    const path = large();
    const ingest = await bench.ingest();
    await ingest.importAll([bench.root]);
    for (let i = 0; i < 4; i += 1) {
      const following = i < 2 ? ingest : await bench.ingest();
      bench.append(FILE, [reply(`new${i}`, 100 + i)]);
      expect(await readDuring(() => following.readFiles([path]))).toBeLessThan(300 * KB);
    }
    bench.append(FILE, '{"half');
    await ingest.readFiles([path]);
    expect(await readDuring(async () => ingest.readFiles(ingest.findChanged()))).toBeLessThan(20 * KB);
    expect((await bench.entries()).length).toBe(45);
  });

  test('[ING-9] a line that was there before, as some come with every prompt, has the file counted once and not each time', async () => {
    const path = large();
    const ingest = await bench.ingest();
    await ingest.importAll([bench.root]);
    const costs: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      bench.append(FILE, [state(), state(`mode ${i}`), state(`mode ${i}`)]);
      costs.push(await readDuring(() => ingest.readFiles([path])));
    }
    expect(costs.slice(1).every((cost) => cost < 300 * KB)).toBe(true);
    const occurrences = (await bench.entries()).filter(({ text }) => text === JSON.stringify(state())).map(({ occurrence }) => occurrence);
    expect(occurrences).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('[ING-9] a second start reads nothing but what is new', async () => {
    large();
    await bench.importAll();
    const again = await bench.ingest();
    expect(await readDuring(() => again.importAll([bench.root]))).toBeLessThan(20 * KB);
    expect(await readDuring(async () => again.findChanged())).toBeLessThan(20 * KB);
  });

  test('[ING-9] a line that grows bit by bit is read bit by bit', async () => {
    const path = bench.write(FILE, [prompt('u0', 0)]);
    const ingest = await bench.ingest();
    await ingest.importAll([bench.root]);
    bench.append(FILE, '{"type":"user","uuid":"long","text":"');
    const cost = await readDuring(async () => {
      for (let i = 0; i < 40; i += 1) {
        bench.append(FILE, 'x'.repeat(100 * KB));
        await ingest.readFiles([path]);
      }
    });
    expect(cost).toBeLessThan(2 * 40 * 100 * KB);
    bench.append(FILE, '"}\n');
    expect(await ingest.readFiles([path])).toMatchObject({ added: 1 });
  });
});

describe('however many files there are', () => {
  test('[ING-18] thousands are imported with few open at once, and followed without being read', async () => {
    const files = 3000;
    for (let i = 0; i < files; i += 1) {
      const name = i % 3 === 0 ? `p${i % 50}/${idOf(i)}.jsonl` : `p${i % 50}/${idOf(i - (i % 3))}/subagents/agent-${i}.jsonl`;
      bench.write(name, [state(), prompt(`u${i}`, i), reply(`r${i}`, i)]);
    }
    let most = 0;
    const ingest = await bench.ingest({ onCommit: () => (most = Math.max(most, openBelow(bench.root).length)) });
    expect(await ingest.importAll([bench.root])).toMatchObject({ files, added: 3 * files });
    expect(most).toBeLessThan(50);
    expect(await readDuring(async () => ingest.findChanged())).toBeLessThan(20 * KB);
    expect((await bench.store.library.totals()).sessions).toBe(files / 3);
    // Those that changed are read, the others not even opened.
    const changed = [3, 300, 2700].map((i) => bench.append(`p${i % 50}/${idOf(i)}.jsonl`, [reply(`new${i}`, 9000 + i)]));
    expect([...ingest.findChanged()].sort()).toEqual([...changed].sort());
    expect(await readDuring(async () => ingest.readFiles(ingest.findChanged()))).toBeLessThan(600 * KB);
    expect(openBelow(bench.root)).toEqual([]);
  });

  test('[ING-18] more files that grow than are kept at hand are all followed', async () => {
    const ingest = await bench.ingest();
    const all = Array.from({ length: 700 }, (_, i) => `p/${idOf(i)}.jsonl`);
    await ingest.readFiles(all.map((name, i) => bench.write(name, [state(), prompt(`u${i}`, i)])));
    for (let round = 0; round < 2; round += 1) {
      expect(await ingest.readFiles(all.map((name) => bench.append(name, [state()])))).toMatchObject({ added: 700, lines: 700 });
    }
    expect((await bench.store.library.session(idOf(650)))?.entries).toBe(4);
  });
});

describe('sessions that wait to be read', () => {
  test('[ING-15] are reported with what their ends say before they are in, each leaves the list when it is in, and the list empties', async () => {
    const early = Array.from({ length: 5000 }, (_, i) => prompt(`a${i}`, i / 1000));
    bench.write(`p/${A}.jsonl`, [{ type: 'custom-title', customTitle: 'the early one' }, ...early]);
    bench.write(
      `p/${B}.jsonl`,
      Array.from({ length: 5000 }, (_, i) => prompt(`b${i}`, 100 + i / 1000, { cwd: '/home/ada/other' })),
    );
    bench.write(`p/${B}/subagents/agent-x.jsonl`, [prompt('x', 101)]);
    const told: (readonly PendingSession[])[] = [];
    let onLog = -1;
    let commits = 0;
    const ingest = await bench.ingest({
      onPending: (sessions) => {
        if (told.length === 0) onLog = 0;
        told.push(sessions);
      },
      onCommit: () => {
        onLog += 1;
        commits += 1;
      },
    });
    await ingest.importAll([bench.root]);
    expect(told[0]?.map(({ group, outline }) => [group.sessionId, group.files.length, outline.title, outline.project])).toEqual([
      [A, 1, 'the early one', '/home/ada/loom'],
      [B, 2, 'prompt b0', '/home/ada/other'],
    ]);
    expect(told.map((sessions) => sessions.map(({ group }) => group.sessionId))).toEqual(expect.arrayContaining([[A, B], [B], []]));
    expect(told.at(-1)).toEqual([]);
    // The first list was told before the first commit, and there were several.
    expect([ingest.pending(), onLog, commits > 2]).toEqual([[], commits, true]);
  });

  test('[ING-15] have the times of their first and last record, and none where no record tells', async () => {
    const told: PendingSession[] = [];
    bench.write(`p/${A}.jsonl`, [state(), prompt('a1', 0), { type: 'big', text: 'x'.repeat(200_000) }, reply('a2', 60)]);
    bench.write(`p/${B}.jsonl`, [state()]);
    await bench.importAll({ onPending: (sessions) => void told.push(...sessions) });
    expect(told.slice(0, 2).map(({ outline: { firstAt, lastAt } }) => [firstAt, lastAt])).toEqual([
      [Date.UTC(2026, 0, 1, 12), Date.UTC(2026, 0, 1, 13)],
      [Number.NaN, Number.NaN],
    ]);
  });

  test('[ING-15] progress is reported in bytes of what is to be read, and ends at all of it', async () => {
    const steps: number[] = [];
    bench.write(
      `p/${A}.jsonl`,
      Array.from({ length: 9000 }, (_, i) => prompt(`a${i}`, i)),
    );
    bench.write(`p/${A}/tool-results/t.txt`, 'output');
    await bench.importAll({ onProgress: ({ doneBytes, allBytes }) => steps.push(doneBytes / allBytes) });
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(steps.at(-1)).toBe(1);
    const again: object[] = [];
    bench.append(`p/${A}.jsonl`, [reply('more', 9)]);
    await bench.importAll({ onProgress: (progress) => again.push(progress) });
    expect(again.at(-1)).toEqual({
      doneBytes: JSON.stringify(reply('more', 9)).length + 1,
      allBytes: JSON.stringify(reply('more', 9)).length + 1,
      files: 1,
      allFiles: 1,
    });
  });
});
