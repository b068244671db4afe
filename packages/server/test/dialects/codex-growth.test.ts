import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as fc from 'fast-check';
import { lineOf } from '@yarnboard/store';
import { describe, expect, test } from 'vitest';
import { unpacked } from '../../src/ingest/packed.ts';
import { essence, openBench, type Bench } from '../ingest/bench.ts';
import { fixturesOf } from './told.ts';

const CODEX_FIXTURES = fixturesOf('codex');

const filesOf = (scenario: string): readonly { readonly name: string; readonly bytes: Buffer }[] =>
  readdirSync(join(CODEX_FIXTURES, scenario), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl(?:\.zst)?$/u.test(name))
    .sort() // what a file builds on is there before it, as are names that are inherited
    .map((name) => ({ name, bytes: readFileSync(join(CODEX_FIXTURES, scenario, name)) }));

/** What is on the log, whatever order the files were read in. */
const onLog = async (bench: Bench): Promise<readonly string[]> =>
  essence(await bench.entries())
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

const atOnce = (scenario: string): Promise<readonly string[]> =>
  within(async (bench) => {
    for (const { name, bytes } of filesOf(scenario)) bench.write(name, bytes);
    await bench.importAll();
    return onLog(bench);
  });

const GROWING = ['0.166.0/cm_tools', '0.166.0/revert', '0.98.0/appfork', '0.166.0/upgrade', '0.166.0/cm_task'];

describe('rollouts that grow', () => {
  test.each(GROWING)('[CODEX-7] %s is on the log once and the same, however it was cut and whoever reads on', async (scenario) => {
    const whole = await atOnce(scenario);
    const files = filesOf(scenario);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 999 }), { minLength: 1, maxLength: 3 }), fc.boolean(), async (cuts, isRestarted) => {
        await within(async (bench) => {
          const same = await bench.ingest();
          for (const { name, bytes } of files) {
            const places = [0, ...cuts.map((cut) => Math.floor((cut / 1000) * bytes.length)).sort((a, b) => a - b), bytes.length];
            for (const [i, to] of places.slice(1).entries()) {
              bench.append(name, bytes.subarray(places[i] ?? 0, to));
              await (isRestarted ? bench.importAll() : same.importAll([bench.root]));
            }
          }
          expect(await onLog(bench)).toEqual(whole);
        });
      }),
      { numRuns: 4 },
    );
  });

  test('[CODEX-7] every line is on the log byte for byte', async () => {
    await within(async (bench) => {
      const files = filesOf('0.166.0/cm_nested');
      for (const { name, bytes } of files) bench.write(name, bytes);
      await bench.importAll();
      const entries = await bench.entries();
      const lines = entries.map((entry) => Buffer.from(lineOf(entry, Buffer.from(entry.text, 'latin1'))).toString('utf8'));
      const written = files.flatMap(({ bytes }) => bytes.toString('utf8').trimEnd().split('\n'));
      expect(lines.sort()).toEqual([...written].sort());
    });
  });

  test('[CODEX-7] a rollout that is cut back or replaced is read anew, and what was read stays', async () => {
    await within(async (bench) => {
      const [file] = filesOf('0.166.0/tools');
      if (file === undefined) throw new Error('no rollout');
      const lines = file.bytes.toString('utf8').trimEnd().split('\n');
      bench.write(file.name, `${lines.slice(0, 20).join('\n')}\n`);
      await bench.importAll();
      const before = await onLog(bench);
      bench.write(file.name, `${lines.slice(0, 9).join('\n')}\n`);
      await bench.importAll();
      expect(await onLog(bench)).toEqual(before);
      bench.write(file.name, file.bytes);
      await bench.importAll();
      expect(await onLog(bench)).toEqual(await atOnce('0.166.0/tools'));
    });
  });

  test('[CODEX-7] a rollout that was written anew in the newer form has the same messages, each once', async () => {
    const [file] = filesOf('0.166.0/migrate');
    if (file === undefined) throw new Error('no rollout');
    const older = file.bytes.toString('utf8').trimEnd().split('\n').slice(0, 34).map(asLegacy);
    const uuidsIn = (bench: Bench) => bench.store.library.messages({ sessionId: THREAD, thread: { kind: 'all' }, from: 0, limit: 500 });
    await within(async (bench) => {
      bench.write(file.name, older);
      await bench.importAll();
      const before = await uuidsIn(bench);
      rmSync(bench.at(file.name));
      bench.write(file.name, file.bytes);
      await bench.importAll();
      const after = await uuidsIn(bench);
      const own = new Set(after.map(({ uuid }) => uuid));
      const alone = await within(async (fresh) => {
        fresh.write(file.name, file.bytes);
        await fresh.importAll();
        return uuidsIn(fresh);
      });
      expect(before.length).toBeGreaterThan(15);
      expect([...own].sort()).toEqual(alone.map(({ uuid }) => uuid).sort());
      const session = await bench.store.library.session(THREAD);
      expect(session?.spent).toMatchObject({ responses: 6, usage: { cacheRead: 3021, output: 261 } });
    });
  });

  test('[CODEX-11] archiving and packing a rollout adds nothing', async () => {
    const [packed] = filesOf('0.166.0/compress');
    if (packed === undefined) throw new Error('no packed rollout');
    await within(async (bench) => {
      const path = bench.write(packed.name, packed.bytes);
      const plain = packed.name.replace(/\.zst$/u, '');
      const text = unpacked(path);
      rmSync(path);
      bench.write(plain, text);
      await bench.importAll();
      const before = await onLog(bench);
      expect(before).toHaveLength(text.toString('utf8').trimEnd().split('\n').length);
      mkdirSync(bench.at('archived_sessions'), { recursive: true });
      renameSync(bench.at(plain), bench.at(join('archived_sessions', basename(plain))));
      await bench.importAll();
      expect(await onLog(bench)).toEqual(before);
      rmSync(bench.at(join('archived_sessions', basename(plain))));
      bench.write(packed.name, packed.bytes);
      await bench.importAll();
      expect(await onLog(bench)).toEqual(before);
      expect(await atOnce('0.166.0/compress')).toEqual(before);
      // Looked at again, nothing has changed.
      expect((await bench.ingest()).findChanged()).toEqual([]);
    });
  });

  test('[CODEX-11] a packed rollout that is damaged is reported, and keeps nobody from the others', async () => {
    await within(async (bench) => {
      cpSync(join(CODEX_FIXTURES, '0.166.0/plain'), bench.root, { recursive: true });
      const [packed] = filesOf('0.166.0/compress');
      const path = bench.write(packed?.name ?? '', packed?.bytes.subarray(0, 400) ?? '');
      bench.write(packed?.name.replace('rollout-', 'rollout-2026-01-01T00-00-00-x').replace(/x.*-0/u, '0') ?? '', 'not packed at all');
      const ingest = await bench.ingest();
      await ingest.importAll([bench.root]);
      expect(ingest.troubles().map((trouble) => trouble.path)).toContain(path);
      expect((await bench.store.library.sessions({ limit: 10 })).map(({ messages }) => messages > 0)).toEqual([true]);
    });
  });

  test('[CODEX-12] names given by hand come from the list of names, for sessions that are read and no others', async () => {
    await within(async (bench) => {
      for (const { name, bytes } of filesOf('0.166.0/appfork')) bench.write(name, bytes);
      bench.append('session_index.jsonl', [{ id: 'nobody', thread_name: 'A thread that is gone', updated_at: '2026-11-16T01:00:00Z' }, { odd: 1 }]);
      bench.append('session_index.jsonl', '{"half');
      await bench.importAll();
      const titles = async () => (await bench.store.library.sessions({ limit: 10 })).map(({ title, tool }) => [title, tool]);
      expect(await titles()).toEqual([
        ['Named by hand', 'codex'],
        ['Named by hand', 'codex'],
      ]);
      const [session] = await bench.store.library.sessions({ limit: 1 });
      bench.append(
        'session_index.jsonl',
        `\n${JSON.stringify({ id: session?.sessionId, thread_name: 'Renamed', updated_at: '2026-11-16T02:00:00Z' })}\n`,
      );
      await bench.importAll();
      expect((await titles())[0]).toEqual(['Renamed', 'codex']);
    });
  });
});

const THREAD = '01a1e1bc-0304-77f2-bb6e-26b700aae5bb';

/** The same line as the older version wrote it. */
const asLegacy = (line: string): object => {
  const { ordinal: _ordinal, ...value } = JSON.parse(line) as { readonly ordinal: number; readonly payload: Record<string, unknown> };
  const { payload } = value;
  const item = payload['item'] as { readonly type: string; readonly content?: readonly { readonly text: string }[] } | undefined;
  const text = item?.content?.[0]?.text;
  if (item?.type === 'UserMessage') return { ...value, payload: { type: 'user_message', message: text, images: [] } };
  if (item?.type === 'AgentMessage') return { ...value, payload: { type: 'agent_message', message: text } };
  if (item?.type === 'FileChange') return { ...value, payload: { type: 'patch_apply_end', success: true } };
  const { history_mode: _mode, ...rest } = payload;
  return { ...value, payload: rest };
};
