import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreFault, type LogPort } from '@yarnboard/store';
import type { IngestOptions } from '../../src/ingest/ingest.ts';
import { createLive, type Live, type LiveState } from '../../src/ingest/live.ts';
import { A, B, C, essence, openBench, prompt, reply, state, until, type Bench } from './bench.ts';

let bench: Bench;
let live: Live | null = null;
let states: LiveState[] = [];
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  await live?.close();
  await bench.close();
});

/** Never sweeps by itself unless told to: what is seen is what was watched. */
const follow = async (options: Partial<IngestOptions> & { readonly sweepEvery?: number } = {}): Promise<Live> => {
  const roots = options.roots ?? (() => [bench.root]);
  states = [];
  live = createLive({
    ingest: await bench.ingest(options),
    roots,
    onState: (state) => states.push(state),
    sweepEvery: options.sweepEvery ?? 3_600_000,
  });
  await live.start();
  return live;
};

const uuids = async (): Promise<readonly string[]> => (await bench.entries()).map(({ uuid }) => uuid);
const seen = (...wanted: readonly string[]): Promise<void> =>
  until(`${wanted.join(', ')} are on the log`, async () => {
    const found = new Set(await uuids());
    return wanted.every((uuid) => found.has(uuid));
  });

describe('while it watches', () => {
  test('[ING-17] lines, sessions, projects, sub-agents and what they leave beside them are seen as they appear', async () => {
    bench.write(`p/${A}.jsonl`, [prompt('a1', 0)]);
    await follow();
    expect(await uuids()).toEqual(['a1']);
    bench.append(`p/${A}.jsonl`, [reply('a2', 1)]);
    await seen('a2');
    bench.write(`p/${B}.jsonl`, '');
    bench.append(`p/${B}.jsonl`, [prompt('b1', 2)]);
    await seen('b1');
    bench.write(`new/${C}.jsonl`, [prompt('c1', 3)]);
    await seen('c1');
    bench.append(`new/${C}.jsonl`, [reply('c2', 4)]);
    await seen('c2');
    bench.write(`new/${C}/subagents/agent-x.jsonl`, [prompt('x1', 5)]);
    bench.write(`new/${C}/subagents/workflows/wf_1/agent-y.jsonl`, [prompt('y1', 6)]);
    await seen('x1', 'y1');
    bench.append(`new/${C}/subagents/agent-x.jsonl`, [reply('x2', 7)]);
    bench.write(`new/${C}/tool-results/t.txt`, 'output');
    await seen('x2');
    await until('the output is kept', async () => (await bench.store.library.session(C))?.companions === 1);
    expect((await bench.store.library.agents(C)).map(({ agentId, messages }) => [agentId, messages])).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
    expect(states.every(({ kind }) => kind === 'importing' || kind === 'watching')).toBe(true);
  });

  test('[ING-17] a folder that is moved in, or deleted and made again, is watched like any other', async () => {
    bench.write(`p/${A}.jsonl`, [prompt('a1', 0)]);
    await follow();
    const outside = `${bench.root}-outside`;
    mkdirSync(outside);
    renameSync(outside, bench.at('moved'));
    bench.write(`moved/${B}.jsonl`, [prompt('b1', 1)]);
    await seen('b1');
    for (const round of [1, 2, 3]) {
      rmSync(bench.at('p'), { recursive: true });
      bench.write(`p/${A}.jsonl`, [prompt(`first${round}`, round)]);
      await seen(`first${round}`);
      bench.append(`p/${A}.jsonl`, [reply(`second${round}`, round)]);
      await seen(`second${round}`);
    }
    expect(essence(await bench.entries()).length).toBe(8);
  });

  test('[ING-17] odd things in the folders end nothing', async () => {
    mkdirSync(bench.at('p'));
    await follow();
    symlinkSync(bench.at('p/loop.jsonl'), bench.at('p/loop.jsonl'));
    symlinkSync(bench.root, bench.at('p/round'));
    mkdirSync(bench.at('p/folder.jsonl'));
    bench.write('p/notes.md', 'x');
    bench.write('p/history.jsonl', '{"display":"not ours","sessionId":"S"}\n');
    bench.write(`p/${A}.jsonl`, [prompt('a1', 0)]);
    await seen('a1');
    bench.append('p/history.jsonl', '{"display":"not ours"}\n');
    bench.append(`p/${A}.jsonl`, [reply('a2', 1)]);
    await seen('a2');
    expect(await uuids()).toEqual(['a1', 'a2']);
    expect(states.every(({ kind }) => kind === 'importing' || kind === 'watching')).toBe(true);
  });

  test('[ING-17] what nobody told of is found by looking at everything now and then, also a root that is made later', async () => {
    const later = bench.at('later');
    const running = await follow({ roots: () => [later, bench.at('never')] });
    expect(states.at(-1)).toEqual({ kind: 'watching', watched: 0 });
    bench.write(`later/p/${A}.jsonl`, [prompt('a1', 0)]);
    running.poke();
    await seen('a1');
    bench.append(`later/p/${A}.jsonl`, [reply('a2', 1)]);
    await seen('a2');
  });

  test('[ING-17] a lot at once is read in order of time, with progress, and nothing but transcripts of it', async () => {
    mkdirSync(bench.at('p'));
    const progress: number[] = [];
    const running = await follow({ onProgress: ({ doneBytes }) => progress.push(doneBytes) });
    symlinkSync(bench.at('p/gone'), bench.at(`p/${C}.jsonl`));
    bench.write('p/history.jsonl', [prompt('not ours', 0, { sessionId: C })]);
    const long = (name: string, minute: number): object => prompt(name, minute, { text: 'x'.repeat(12_000_000) });
    bench.write(`p/${B}.jsonl`, [long('b1', 1), long('b2', 3), long('b3', 5)]);
    bench.write(`p/${A}.jsonl`, [long('a1', 0), long('a2', 2), long('a3', 4)]);
    running.poke();
    await seen('a3', 'b3');
    expect(await uuids()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    expect(progress.length).toBeGreaterThan(3);
  });

  test('[ING-17] of a Claude Code home only the projects are followed', async () => {
    bench.write(`projects/p/${A}.jsonl`, [prompt('a1', 0)]);
    bench.write('settings.json', '{}');
    await follow();
    bench.write(`todos/${B}.jsonl`, [prompt('b1', 0)]);
    bench.append(`projects/p/${A}.jsonl`, [reply('a2', 1)]);
    await seen('a2');
    expect(await uuids()).toEqual(['a1', 'a2']);
  });

  test('[ING-17] lines that are written during the first import are not lost', async () => {
    const many = (from: number): readonly object[] => Array.from({ length: 3000 }, (_, i) => prompt(`u${from + i}`, i));
    bench.write(`p/${A}.jsonl`, many(0));
    bench.write(`p/${B}.jsonl`, many(3000));
    let commits = 0;
    await follow({
      onCommit: () => {
        commits += 1;
        if (commits === 1) bench.append(`p/${A}.jsonl`, [state(), reply('during', 9), state()]);
        if (commits === 1) bench.write(`p/${C}.jsonl`, [prompt('c1', 0)]);
      },
    });
    await seen('during', 'c1');
    expect((await bench.entries()).length).toBe(6004);
  });
});

describe('when the store refuses', () => {
  const refusing = (log: LogPort, fault: () => StoreFault | null): LogPort => ({
    ...log,
    append: async (batch) => {
      const found = fault();
      if (found !== null) throw found;
      return log.append(batch);
    },
  });
  const full = new StoreFault('full', 'the disk is full');

  test('[ING-11] it says so, tries again by itself, and loses and repeats nothing', async () => {
    let fault: StoreFault | null = null;
    bench.write(`p/${A}.jsonl`, [prompt('a1', 0)]);
    await follow({ log: refusing(bench.store.log, () => fault) });
    fault = full;
    bench.append(`p/${A}.jsonl`, [state(), reply('a2', 1)]);
    await until('it is stuck', () => states.at(-1)?.kind === 'stuck');
    expect(states.at(-1)).toEqual({ kind: 'stuck', why: 'the disk is full', retryIn: 500 });
    bench.append(`p/${A}.jsonl`, [state()]);
    bench.write(`p/${B}.jsonl`, [prompt('b1', 2)]);
    fault = null;
    await seen('a2', 'b1');
    await until('it watches again', () => states.at(-1)?.kind === 'watching');
    expect((await bench.entries()).map(({ occurrence }) => occurrence)).toEqual([1, 1, 1, 2, 1]);
  });

  test('[ING-11] the first import, too, is tried again, and still goes in order of time', async () => {
    let refusals = 2;
    bench.write(`a/${B}.jsonl`, [prompt('b1', 1), reply('b2', 3)]);
    bench.write(`z/${A}.jsonl`, [prompt('a1', 0), reply('a2', 2)]);
    await follow({ log: refusing(bench.store.log, () => ((refusals -= 1) >= 0 ? full : null)) });
    await seen('a1', 'a2', 'b1', 'b2');
    expect(await uuids()).toEqual(['a1', 'b1', 'a2', 'b2']);
    expect(states.filter(({ kind }) => kind === 'stuck')).toHaveLength(2);
  });

  test('[ING-11] a damaged store is not written to again', async () => {
    let appends = 0;
    const damaged = new StoreFault('corrupt', 'page 7 is damaged');
    bench.write(`p/${A}.jsonl`, [prompt('a1', 0)]);
    const running = await follow({
      log: refusing(bench.store.log, () => {
        appends += 1;
        return damaged;
      }),
    });
    expect(states.at(-1)).toEqual({ kind: 'stopped', why: 'page 7 is damaged' });
    bench.append(`p/${A}.jsonl`, [prompt('a2', 0)]);
    running.poke();
    await running.close();
    expect(appends).toBe(1);
  });

  test('[ING-11] closing it during the first import waits for what is being written', async () => {
    bench.write(
      `p/${A}.jsonl`,
      Array.from({ length: 9000 }, (_, i) => prompt(`u${i}`, i)),
    );
    const closing: Promise<void>[] = [];
    let isAfter = false;
    let late = 0;
    const ingest = await bench.ingest({
      onCommit: () => {
        if (isAfter) late += 1;
        if (closing.length === 0) closing.push(running.close().then(() => void (isAfter = true)));
      },
    });
    const running = createLive({ ingest, roots: () => [bench.root], onState: () => {} });
    const counts = await running.start();
    await Promise.all(closing);
    expect(counts?.lines).toBeLessThan(9000);
    expect((await bench.entries()).length).toBe(counts?.lines);
    expect(late).toBe(0);
  });
});
