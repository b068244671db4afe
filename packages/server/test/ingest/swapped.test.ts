import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWithin, type OpenedAt } from '../../src/ingest/bounds.ts';
import { A, B, openBench, prompt, type Bench } from './bench.ts';

let bench: Bench;
let outside: string;
beforeEach(async () => {
  bench = await openBench();
  outside = mkdtempSync(join(tmpdir(), 'yarnboard-outside-'));
});
afterEach(async () => {
  await bench.close();
  rmSync(outside, { recursive: true, force: true });
});

const SECRET = 'nobody here may read this';

/** A file of elsewhere that would pass for a transcript. */
const victim = (): string => {
  const path = join(outside, `${B}.jsonl`);
  writeFileSync(path, `${JSON.stringify(prompt(SECRET, 1))}\n`);
  return path;
};

const swap = (path: string, target: string): void => {
  renameSync(path, `${path}.aside`);
  symlinkSync(target, path);
};

const textsOnLog = async (): Promise<string> => (await bench.entries()).map(({ text }) => text).join('\n');

/** Swaps at the first call only: behind the look, before the file is opened. */
const once = (work: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
};

describe('a file that a link takes the place of between being looked at and being opened', () => {
  const WHEN = {
    'before its ends are looked at': (swapNow: () => void) => ({ isExcluded: () => (swapNow(), false) }),
    'before it is read': (swapNow: () => void) => ({ onPending: swapNow }),
  };
  for (const [when, hooked] of Object.entries(WHEN)) {
    test(`[SEC-36] ${when}: nothing of elsewhere comes onto the log, and it is told`, async () => {
      const path = bench.write(`p/${A}.jsonl`, [prompt('mine', 1)]);
      const target = victim();
      const ingest = await bench.ingest(hooked(once(() => swap(path, target))));
      await ingest.importAll([bench.root]);
      expect(await textsOnLog()).not.toContain(SECRET);
      expect(ingest.troubles().map(({ path: file, why }) => [file, why])).toEqual([
        [path, expect.stringContaining('outside the folders that are read')],
      ]);
    });
  }

  test('[SEC-36] the same for one that the file system told of, and for a folder above it', async () => {
    const path = bench.write(`p/${A}.jsonl`, [prompt('mine', 1)]);
    const target = victim();
    const one = await bench.ingest({ isExcluded: excludingNothing(() => swap(path, target)) });
    await one.readFiles([path]);
    const deeper = bench.write(`q/${B}.jsonl`, [prompt('mine too', 1)]);
    const two = await bench.ingest({ isExcluded: excludingNothing(() => swap(join(bench.root, 'q'), outside)) });
    await two.readFiles([deeper]);
    expect(await textsOnLog()).not.toContain(SECRET);
    expect(one.troubles()).toHaveLength(1);
    expect(two.troubles()).toHaveLength(1);
  });

  test('[SEC-22] [SEC-36] a link that leads to a file below the same folders is read', async () => {
    const target = bench.write(`elsewhere/${A}.jsonl`, [prompt('mine', 1)]);
    mkdirSync(join(bench.root, 'p'));
    symlinkSync(target, join(bench.root, 'p', `${B}.jsonl`));
    expect((await bench.importAll()).added).toBe(1);
  });

  test('[SEC-36] where the system does not say what was opened, the file at its path must be the one that is open', async () => {
    const path = bench.write(`p/${A}.jsonl`, [prompt('mine', 1)]);
    const bounds = [realpathSync(bench.root)];
    const untold: OpenedAt = () => null;
    const handle = await openWithin(path, bounds, untold);
    await handle.close();
    const target = victim();
    // Swapped right behind the open, in front of the proof.
    const swapped: OpenedAt = () => (swap(path, target), null);
    await expect(openWithin(path, bounds, swapped)).rejects.toThrow('replaced while it was being opened');
    await expect(openWithin(path, bounds, untold)).rejects.toThrow('outside the folders');
  });
});

const excludingNothing = (work: () => void): (() => boolean) => {
  const swapNow = once(work);
  return () => (swapNow(), false);
};
