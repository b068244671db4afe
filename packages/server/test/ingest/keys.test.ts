import { ENTRY_TYPES } from '@yarnboard/domain';
import { claudeCode, DIALECTS } from '@yarnboard/transcript';
import { cpSync, renameSync, truncateSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLines } from '../../src/ingest/lines.ts';
import { A, B, C, linesOf, openBench, prompt, reply, runs, state, type Bench } from './bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const FILE = `p/${A}.jsonl`;
const NOTHING_NEW = { added: 0, copied: 0 };
const told = async (): Promise<readonly object[]> => (await bench.entries()).map(({ text, occurrence, type }) => [text, occurrence, type]);
const line = (record: object): string => JSON.stringify(record);

describe('the same line', () => {
  test('[ING-3] twice in a file is two entries, and reading the file again adds none', async () => {
    bench.write(FILE, [state(), prompt('u1', 0), state(), prompt('u1', 0), state()]);
    expect(await bench.importAll()).toMatchObject({ added: 4, copied: 1, known: 0 });
    expect(await told()).toEqual([
      [line(state()), 1, 'transcript.line'],
      [line(prompt('u1', 0)), 1, 'transcript.line'],
      [line(state()), 2, 'transcript.line'],
      [line(prompt('u1', 0)), 2, 'transcript.copied'],
      [line(state()), 3, 'transcript.line'],
    ]);
    for (const mark of await bench.store.log.files()) await bench.store.log.forgetFile(mark.path);
    expect(await bench.importAll()).toMatchObject({ ...NOTHING_NEW, known: 5 });
  });

  test('[ING-3] appended after a restart is counted on, not taken for the one before', async () => {
    bench.write(FILE, [state(), prompt('u1', 0)]);
    await bench.importAll();
    for (const occurrence of [2, 3, 4]) {
      bench.append(FILE, [state()]);
      expect(await (await bench.ingest()).readFiles([bench.at(FILE)])).toMatchObject({ added: 1 });
      expect((await bench.entries()).at(-1)).toMatchObject({ occurrence });
    }
  });

  test('[ING-3] appended again and again to a file that is followed is counted on', async () => {
    const ingest = await bench.ingest();
    await ingest.readFiles([bench.write(FILE, [prompt('u1', 0)])]);
    for (let i = 0; i < 4; i += 1) await ingest.readFiles([bench.append(FILE, [state('a'), state('b'), state('a')])]);
    const seen = (await bench.entries()).filter(({ text }) => text === line(state('a'))).map(({ occurrence }) => occurrence);
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('[ING-3] written while the first of them waits to be committed is not lost', async () => {
    const file = {
      path: bench.write(FILE, [prompt('u1', 0), state()]),
      dialect: claudeCode.name,
      context: { sessionId: A, agentId: null },
      role: 'main',
      name: null,
      isLines: true,
    } as const;
    const source = openLines(file, null, { repeats: bench.store.log.occurrences, fallbackAt: 0, dialects: DIALECTS });
    const before = await source.read();
    // As a session that is being written does, between the moment it was read to its end and the commit.
    bench.append(FILE, [state(), prompt('late', 1), state()]);
    const lines = [...before, ...(await source.read())];
    const [last] = lines.slice(-1);
    await bench.store.log.append({ items: lines.map(({ item }) => item), files: last === undefined ? [] : [source.markAt(last)] });
    expect((await bench.entries()).map(({ occurrence }) => occurrence)).toEqual([1, 1, 2, 1, 3]);
  });
});

describe('copies of a file', () => {
  test('[ING-3] in two folders are read and add nothing twice', async () => {
    bench.write(FILE, [state(), prompt('u1', 0), reply('u2', 1), state()]);
    cpSync(bench.at('p'), bench.at('q'), { recursive: true });
    expect(await bench.importAll()).toMatchObject({ added: 4, copied: 0, known: 4, files: 2 });
    expect((await bench.store.library.session(A))?.messages).toBe(2);
  });

  test('[ING-3] of which one has grown add what is new, wherever it is', async () => {
    const first = [state(), prompt('u1', 0), state()];
    bench.write(FILE, first);
    await bench.importAll();
    bench.write(`q/${A}.jsonl`, [...first, state(), prompt('u2', 1)]);
    expect(await bench.importAll()).toMatchObject({ added: 2, known: 3 });
    bench.append(FILE, [state(), prompt('u2', 1), state()]);
    expect(await bench.importAll()).toMatchObject({ added: 1, known: 2 });
    bench.append(`q/${A}.jsonl`, [state(), state()]);
    expect(await bench.importAll()).toMatchObject({ added: 1, known: 1 });
  });

  test('[ING-3] that overlap in the middle give every record once', async () => {
    const all = Array.from({ length: 20 }, (_, i) => prompt(`u${i}`, i));
    bench.write(FILE, all.slice(0, 12));
    bench.write(`q/${A}.jsonl`, all.slice(8));
    expect(await bench.importAll()).toMatchObject({ added: 20, copied: 0, known: 4 });
  });

  test('[ING-3] however they grow, are cut back and are read, give every line as often as the one that had it most often', async () => {
    const alphabet = [prompt('u1', 0), prompt('u2', 1), state('a'), state('b'), reply('u3', 2)];
    const anyStep = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('append' as const),
          to: fc.constantFrom('p', 'q', 'r'),
          lines: fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 4 }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), to: fc.constantFrom('p', 'q', 'r'), keep: fc.nat({ max: 6 }) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('follow' as const, 'restart' as const, 'import' as const) }) },
    );
    const property = fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 25 }), async (steps) => {
      const one = await openBench();
      try {
        let ingest = await one.ingest();
        const files: Record<string, readonly object[]> = { p: [], q: [], r: [] };
        const most = new Map<string, number>();
        const read = async (how: 'follow' | 'import'): Promise<void> => {
          const paths = Object.keys(files).flatMap((name) => ((files[name]?.length ?? 0) > 0 ? [one.at(`${name}/${A}.jsonl`)] : []));
          await (how === 'import' ? ingest.importAll(paths) : ingest.readFiles(paths));
          for (const records of Object.values(files)) {
            for (const record of alphabet) {
              const text = JSON.stringify(record);
              most.set(text, Math.max(most.get(text) ?? 0, records.filter((other) => other === record).length));
            }
          }
        };
        for (const step of [...steps, { do: 'follow' as const }]) {
          if (step.do === 'append') {
            one.append(`${step.to}/${A}.jsonl`, step.lines);
            files[step.to] = [...(files[step.to] ?? []), ...step.lines];
          } else if (step.do === 'cut') {
            const kept = (files[step.to] ?? []).slice(0, step.keep);
            if (kept.length > 0) truncateSync(one.at(`${step.to}/${A}.jsonl`), linesOf(kept).length);
            if (kept.length > 0) files[step.to] = kept;
          } else if (step.do === 'restart') ingest = await one.ingest();
          else await read(step.do);
        }
        const found = new Map<string, number>();
        for (const { text } of (await one.entries()).filter(({ type }) => type !== ENTRY_TYPES.takenBack))
          found.set(text, (found.get(text) ?? 0) + 1);
        expect(found).toEqual(new Map([...most].filter(([, count]) => count > 0)));
      } finally {
        await one.close();
      }
    });
    await fc.assert(property, runs(0.4));
  });

  test('[ING-3] a project folder that is renamed is read again and adds nothing', async () => {
    bench.write(FILE, [state(), prompt('u1', 0)]);
    bench.write(`p/${A}/subagents/agent-x.jsonl`, [prompt('s1', 0), state()]);
    bench.write(`p/${A}/subagents/agent-x.meta.json`, '{}');
    await bench.importAll();
    renameSync(bench.at('p'), bench.at('q'));
    expect(await bench.importAll()).toMatchObject({ ...NOTHING_NEW, known: 5 });
  });
});

describe('a session that was copied', () => {
  const original = [
    prompt('u1', 0, { sessionId: A }),
    reply('u2', 1, { sessionId: A }),
    prompt('u3', 2, { sessionId: A }),
    reply('u4', 3, { sessionId: A }),
  ];

  const expectCopy = async (copyId: string, shared: number): Promise<void> => {
    const entries = await bench.entries();
    const copies = entries.filter(({ sessionId, type }) => sessionId === copyId && type === 'transcript.copied');
    expect(copies.map(({ refs, copyOf }) => ({ refs, of: entries[(copyOf ?? 0) - 1]?.sessionId }))).toEqual(
      Array.from({ length: shared }, () => ({ refs: [], of: A })),
    );
    const [source, copy] = [await bench.store.library.session(A), await bench.store.library.session(copyId)];
    expect(source).toMatchObject({ messages: 4, copied: 0, spent: { responses: 2 } });
    expect(copy).toMatchObject({ copied: shared, continues: { sessionId: A, shared } });
    expect((await bench.store.library.totals()).spent.responses).toBe(3);
  };

  test.each([
    { what: 'which says so', more: { forkedFrom: { sessionId: A, messageUuid: 'u4' }, sessionId: B } },
    { what: 'whose records still name the other', more: { sessionId: A } },
  ])(
    '[ING-5] by a fork, $what, has copies without number and cost; the original has the numbers, though its path sorts later and it went on',
    async ({ more }) => {
      // The fork's own records come before the original's last ones, and its folder before the original's.
      bench.write(`a/${B}.jsonl`, [...original.slice(0, 2).map((record) => ({ ...record, ...more })), reply('own', 1.5, { sessionId: B })]);
      bench.write(`z/${A}.jsonl`, [...original]);
      expect(await bench.importAll()).toMatchObject({ added: 5, copied: 2 });
      await expectCopy(B, 2);
    },
  );

  test('[ING-5] by a fork that says nothing is known by the time of its first state', async () => {
    const stamped = (minute: number): object => ({
      type: 'queue-operation',
      operation: 'enqueue',
      timestamp: new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString(),
    });
    const of = (sessionId: string): readonly object[] => original.slice(0, 2).map((record) => ({ ...record, sessionId }));
    bench.write(`a/${B}.jsonl`, [...of(B), stamped(2), reply('own', 2.5, { sessionId: B })]);
    bench.write(`z/${A}.jsonl`, [stamped(0), ...original]);
    expect(await bench.importAll()).toMatchObject({ added: 7, copied: 2 });
    await expectCopy(B, 2);
  });

  test('[ING-5] by a resume of old, with the same uuids at later times, is a copy too', async () => {
    bench.write(`a/${B}.jsonl`, [
      ...original.map((record, i) => ({ ...record, sessionId: B, ...(prompt('', 10 + i) as { timestamp: string }), uuid: `u${i + 1}` })),
      reply('own', 20),
    ]);
    bench.write(`z/${A}.jsonl`, original);
    await bench.importAll();
    const entries = await bench.entries();
    expect(entries.filter(({ type }) => type === 'transcript.copied').map(({ sessionId, refs }) => [sessionId, refs])).toEqual(
      Array.from({ length: 4 }, () => [B, []]),
    );
    expect(await bench.store.library.session(A)).toMatchObject({ messages: 4, copied: 0 });
  });

  test('[ING-5] is a copy also when it appears later, and when it is itself copied', async () => {
    bench.write(`p/${A}.jsonl`, original);
    const ingest = await bench.ingest();
    await ingest.importAll([bench.root]);
    const forked = original.map((record) => ({ ...record, sessionId: B }));
    await ingest.readFiles([bench.write(`p/${B}.jsonl`, [...forked, reply('own', 9)])]);
    await ingest.readFiles([bench.write(`p/${C}.jsonl`, [...forked, reply('own', 9, { sessionId: C })])]);
    await expectCopy(B, 4);
    expect(await bench.store.library.session(C)).toMatchObject({ messages: 0, copied: 5, spent: { responses: 0 } });
  });

  test('[ING-5] a tree with forks that is read in any order of files has the same messages and costs', async () => {
    bench.write(`a/${B}.jsonl`, [...original.slice(0, 3), reply('own', 9)]);
    bench.write(`z/${A}.jsonl`, original);
    await (await bench.ingest()).readFiles([bench.at(`a/${B}.jsonl`), bench.at(`z/${A}.jsonl`)]);
    expect(await bench.store.library.totals()).toMatchObject({ messages: 5, spent: { responses: 3 } });
    expect(await bench.store.library.session(A)).toMatchObject({ messages: 4, copied: 0 });
  });
});
