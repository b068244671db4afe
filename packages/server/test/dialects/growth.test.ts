import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { essence, openBench, type Bench } from '../ingest/bench.ts';
import { fixturesOf } from './told.ts';

type Written = { readonly name: string; readonly bytes: Buffer };

const filesOf = (tool: string, scenario: string): readonly Written[] =>
  readdirSync(join(fixturesOf(tool), scenario), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl$|\.meta\.json$|chats.*\.json$|\.project_root$/u.test(name))
    .sort((a, b) => Number(a.endsWith('.jsonl')) - Number(b.endsWith('.jsonl')) || (a < b ? -1 : 1)) // what is written once is there first
    .map((name) => ({ name, bytes: readFileSync(join(fixturesOf(tool), scenario, name)) }));

const onLog = async (bench: Bench): Promise<readonly string[]> =>
  essence((await bench.entries()).filter(({ type }) => type !== 'transcript.companion')) // those have the time of their file
    .map((entry) => JSON.stringify({ ...entry, refs: null, copyOf: null }))
    .sort();

const within = async <T>(work: (bench: Bench) => Promise<T>): Promise<T> => {
  const bench = await openBench();
  try {
    return await work(bench);
  } finally {
    await bench.close();
  }
};

const atOnce = (files: readonly Written[]): Promise<readonly string[]> =>
  within(async (bench) => {
    for (const { name, bytes } of files) bench.write(name, bytes);
    await bench.importAll();
    return onLog(bench);
  });

/** Cuts the files of a scenario anywhere; reads them with one process, or with another each time. Returns how many lines there were. */
const cutAnywhere = async (tool: string, scenario: string): Promise<number> => {
  const files = filesOf(tool, scenario);
  const whole = await atOnce(files);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 999 }), { minLength: 1, maxLength: 3 }), fc.boolean(), async (cuts, isRestarted) => {
      await within(async (bench) => {
        const same = await bench.ingest();
        for (const { name, bytes } of files) {
          const isGrowing = name.endsWith('.jsonl');
          const at = isGrowing ? cuts.map((cut) => Math.floor((cut / 1000) * bytes.length)).sort((a, b) => a - b) : [];
          const places = [0, ...at, bytes.length];
          for (const [i, to] of places.slice(1).entries()) {
            bench.append(name, bytes.subarray(places[i] ?? 0, to));
            if (isGrowing) await (isRestarted ? bench.importAll() : same.importAll([bench.root]));
          }
        }
        expect(await onLog(bench)).toEqual(whole);
        expect((await bench.ingest()).findChanged()).toEqual([]);
      });
    }),
    { numRuns: 3 },
  );
  return whole.length;
};

/** Cuts the files of a scenario back, and removes them. */
const cutBack = async (tool: string, scenario: string): Promise<number> => {
  const files = filesOf(tool, scenario);
  return within(async (bench) => {
    for (const { name, bytes } of files) bench.write(name, bytes);
    await bench.importAll();
    const before = await onLog(bench);
    for (const { name, bytes } of files.filter((file) => file.name.endsWith('.jsonl'))) {
      const lines = bytes.toString('utf8').split('\n');
      bench.write(name, `${lines.slice(0, Math.ceil(lines.length / 2)).join('\n')}\n`);
    }
    await bench.importAll();
    expect(await onLog(bench)).toEqual(before);
    for (const { name } of files) rmSync(bench.at(name));
    await bench.importAll();
    expect(await onLog(bench)).toEqual(before);
    return before.length;
  });
};

describe('files that grow are on the log once and the same, and what was read stays', () => {
  test.each(['0.61.0/resume', '0.61.0/compact'])('[GEM-3] a chat of Gemini that is cut anywhere: %s', async (scenario) => {
    expect(await cutAnywhere('gemini', scenario)).toBeGreaterThan(5);
  });
  test('[GEM-3] a chat of Gemini that is cut back', async () => {
    expect(await cutBack('gemini', '0.61.0/resume')).toBeGreaterThan(5);
  });
  test('[QWEN-7] a chat of Qwen Code that is cut anywhere', async () => {
    expect(await cutAnywhere('qwen', '0.24.4/task')).toBeGreaterThan(5);
  });
  test('[QWEN-7] a chat of Qwen Code that is cut back', async () => {
    expect(await cutBack('qwen', '0.24.4/task')).toBeGreaterThan(5);
  });
  test('[PI-7] a session of pi that is cut anywhere', async () => {
    expect(await cutAnywhere('pi', '0.73.1/fork')).toBeGreaterThan(5);
  });
  test('[PI-7] a session of pi that is cut back', async () => {
    expect(await cutBack('pi', '0.73.1/fork')).toBeGreaterThan(5);
  });
  test('[COPI-7] a session of Copilot that is cut anywhere', async () => {
    expect(await cutAnywhere('copilot', '1.0.102/task')).toBeGreaterThan(5);
  });
  test('[COPI-7] a session of Copilot that is cut back', async () => {
    expect(await cutBack('copilot', '1.0.102/task')).toBeGreaterThan(5);
  });

  test('[GEM-3] a document that is written anew with more has its messages on the log once', async () => {
    const [file] = filesOf('gemini', '0.20.2/tools');
    if (file === undefined) throw new Error('no chat');
    const whole = await atOnce([file]);
    const { messages, ...header } = JSON.parse(file.bytes.toString('utf8')) as {
      readonly messages: readonly (Record<string, unknown> & { readonly toolCalls?: readonly unknown[] })[];
    }; // as the CLI wrote it
    await within(async (bench) => {
      const ingest = await bench.ingest();
      for (const [i, message] of messages.entries()) {
        // A reply is written before its calls are.
        const { toolCalls: _calls, ...said } = message;
        for (const last of [said, message]) {
          bench.write(file.name, JSON.stringify({ ...header, messages: [...messages.slice(0, i), last] }, null, 2));
          await ingest.importAll([bench.root]);
        }
      }
      const uuids = (entries: readonly string[]) => entries.map((entry) => (JSON.parse(entry) as { readonly uuid: string }).uuid).sort();
      expect(uuids(await onLog(bench))).toEqual(uuids(whole));
    });
  });
});
