import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { A, essence, linesOf, openBench, prompt, reply, runs, state, type Bench, type Told } from './bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const FILE = `p/${A}.jsonl`;
const texts = (entries: readonly Told[]): readonly string[] => entries.map(({ text }) => text);
const uuids = async (): Promise<readonly string[]> =>
  (await bench.entries()).flatMap(({ text, type }) => (type === 'transcript.line' ? [/"uuid":"([^"]+)"/u.exec(text)?.[1] ?? text] : []));

/** What one import of this file gives. */
const importedAtOnce = async (name: string, content: Uint8Array): Promise<{ readonly essence: readonly object[]; readonly counts: unknown }> => {
  const other = await openBench();
  try {
    other.write(name, content);
    await other.importAll();
    return { essence: inTree(await other.entries(), other.root), counts: (await other.store.log.files())[0]?.counts };
  } finally {
    await other.close();
  }
};

/** A session without a name is called after its file. */
const inTree = (entries: readonly Told[], root: string): readonly object[] =>
  JSON.parse(JSON.stringify(essence(entries)).replaceAll(root, '')) as readonly object[];

describe('a file that grows', () => {
  test('[ING-6] half a line is held back until it is whole; a whole object needs no newline', async () => {
    const ingest = await bench.ingest();
    const step = async (more: string): Promise<number> => {
      bench.append(FILE, more);
      return (await ingest.readFiles([bench.at(FILE)])).added;
    };
    expect(await step('{"type":"user","uuid":"u1"')).toBe(0);
    expect(await step(',"a":{}')).toBe(0);
    expect(await step('}')).toBe(1);
    expect(await step('\n')).toBe(0);
    expect(await step('{"broken":}')).toBe(0);
    expect(await step('\n[1]')).toBe(1);
    expect(await step('\n{"type":"user","uuid":"u2"}')).toBe(2);
    expect(await step('\r')).toBe(0);
    expect(await step('\n')).toBe(0);
    expect(await step('{"type":"user","uuid":"u3"}{"type":"us')).toBe(0);
    expect(await step('er","uuid":"u4"}\n')).toBe(2);
    expect(texts(await bench.entries())).toEqual([
      '{"type":"user","uuid":"u1","a":{}}',
      '{"broken":}',
      '[1]',
      '{"type":"user","uuid":"u2"}',
      '{"type":"user","uuid":"u3"}',
      '{"type":"user","uuid":"u4"}',
    ]);
    expect((await bench.store.log.files())[0]?.counts).toEqual({ lines: 5, blank: 0, records: 4, quarantined: 2 });
  });

  test.each([FILE, 'p/notes.jsonl', 'p/agent-old.jsonl'])('[ING-7] %s, byte by byte, gives what one import gives', async (name) => {
    const content = Buffer.from(
      `\ufeff${linesOf([prompt('u1', 0, { sessionId: 'S' }), state(), state()])}\n {"broken\r\n{"type":"a"} {"type":"b"}\n${JSON.stringify(reply('\u00fc2', 1, { sessionId: 'S' }))}\n`,
    );
    let ingest = await bench.ingest();
    mkdirSync(bench.at('p'));
    for (const [i, byte] of content.entries()) {
      appendFileSync(bench.at(name), Uint8Array.of(byte));
      if (i % 100 === 99) ingest = await bench.ingest();
      await ingest.readFiles([bench.at(name)]);
    }
    const wanted = await importedAtOnce(name, content);
    expect(inTree(await bench.entries(), bench.root)).toEqual(wanted.essence);
    expect((await bench.store.log.files())[0]?.counts).toEqual(wanted.counts);
  });

  // White space behind an object that was taken without its newline is not part of it, as it would be on a line that was read at once: lines
  // end in `\r\n` only where no cut falls between.
  const anyText = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('caf\u00e9 \u6f22\u5b57 \ud83e\uddf6', '}{', '"}\\n', 'x'.repeat(5000)));
  const anyRecord = fc.oneof(
    fc.record({
      type: fc.constant('user'),
      uuid: fc.constantFrom('u1', 'u2', 'u3', 'u4', 'u5'),
      sessionId: fc.constant('S'),
      text: anyText,
      timestamp: fc.constantFrom('2026-01-01T12:00:00Z', '2026-01-01T11:00:00Z', '2026-01-01T13:00:00Z'),
    }),
    fc.constantFrom(state(), state('plan'), { type: 'last-prompt', text: 'go' }),
    fc.record({ type: fc.constant('note'), text: anyText }),
  );
  const anyLine = fc.oneof(
    { weight: 6, arbitrary: anyRecord.map((record) => `${JSON.stringify(record)}\n`) },
    { weight: 1, arbitrary: anyRecord.map((record) => `${JSON.stringify(record)}\r\n`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(anyRecord, fc.constantFrom('', ' ', 'rubbish', '{"half":'), anyRecord)
        .map(([a, between, b]) => `${JSON.stringify(a)}${between}${JSON.stringify(b)}\n`),
    },
    { weight: 1, arbitrary: fc.constantFrom('\n', ' \t\n', '\r\n', '{"cut":"of\n', '[]\n', '"text"\n', '}\n', '\ufffd\n') },
  );
  const anyFile = fc.tuple(fc.array(anyLine, { maxLength: 25 }), fc.boolean()).map(([lines, isEnded]) => {
    const content = Buffer.from(
      `${JSON.stringify(prompt('first', 0, { sessionId: 'S' }))}\n${lines.join('')}${JSON.stringify(reply('last', 1, { sessionId: 'S' }))}${isEnded ? '\n' : ''}`,
    );
    return content;
  });
  const anyStep = fc.record({
    cut: fc.nat({ max: 10_000 }),
    how: fc.constantFrom('follow', 'restart and follow', 'restart and import', 'not at all'),
  });

  test('[ING-7] cut anywhere into pieces, with restarts between them, gives exactly what one import gives', async () => {
    const property = fc.asyncProperty(
      anyFile,
      fc.array(anyStep, { maxLength: 12 }),
      fc.constantFrom(FILE, 'p/notes.jsonl', `p/${A}/subagents/agent-x.jsonl`, 'p/agent-old.jsonl'),
      async (content, steps, name) => {
        const one = await openBench();
        try {
          let ingest = await one.ingest();
          let from = 0;
          const inOrder = steps
            .map(({ cut, how }) => ({ to: behindObject(content, Math.round((cut / 10_000) * content.length)), how }))
            .sort((a, b) => a.to - b.to);
          for (const { to, how } of [...inOrder, { to: content.length, how: 'follow' }]) {
            one.append(name, content.subarray(from, to));
            from = Math.max(from, to);
            if (how === 'not at all') continue;
            if (how !== 'follow') ingest = await one.ingest();
            await (how === 'restart and import' ? ingest.importAll([one.root]) : ingest.readFiles([one.at(name)]));
          }
          const wanted = await importedAtOnce(name, content);
          expect(inTree(await one.entries(), one.root)).toEqual(wanted.essence);
          expect((await one.store.log.files())[0]?.counts).toEqual(wanted.counts);
          expect(await one.importAll()).toMatchObject({ added: 0, copied: 0 });
        } finally {
          await one.close();
        }
      },
    );
    await fc.assert(property, runs(0.4));
  });

  const behindObject = (content: Buffer, cut: number): number => (content[cut - 1] === 0x7d && content[cut] === 0x0d ? cut + 1 : cut);
});

describe('a file that is not what it was', () => {
  const before = [prompt('u1', 0), state(), reply('u2', 1), state()];
  /** Every change is noticed by a process that has followed the file, and by one that finds it at its start. */
  const both = describe.each([{ isRestarted: false }, { isRestarted: true }]);

  both('restarted: $isRestarted', ({ isRestarted }) => {
    const change = async (work: () => void, content = linesOf(before)): Promise<readonly string[]> => {
      let ingest = await bench.ingest();
      await ingest.readFiles([bench.write(FILE, content)]);
      work();
      if (isRestarted) ingest = await bench.ingest();
      const changed = ingest.findChanged();
      await ingest.readFiles(changed);
      const found = await uuids();
      // Whatever it was, it is looked at no longer, and reading goes on afterwards.
      expect(ingest.findChanged()).toEqual([]);
      bench.append(FILE, [reply('after', 9)]);
      await ingest.readFiles([bench.at(FILE)]);
      expect(await uuids()).toEqual([...found, 'after']);
      return found;
    };

    test('[ING-8] cut back to the start of a line and written on', async () => {
      const found = await change(() => {
        truncateSync(bench.at(FILE), linesOf(before.slice(0, 2)).length);
        bench.append(FILE, [reply('u3', 2)]);
      });
      expect(found).toEqual(['u1', JSON.stringify(state()), 'u2', JSON.stringify(state()), 'u3']);
    });

    test('[ING-8] cut back within a line and written on at once, beyond its old end', async () => {
      await change(() => {
        truncateSync(bench.at(FILE), linesOf(before).length - 5);
        bench.append(FILE, [reply('u3', 2, { text: 'x'.repeat(5000) })]);
      });
      // The half line and the whole one behind it are on one line now.
      const entries = await bench.entries();
      expect(entries.map(({ note }) => note)).toEqual([null, null, null, null, 'truncated', null, null]);
      expect((await uuids()).slice(-2)).toEqual(['u3', 'after']);
    });

    test('[ING-8] emptied and written anew', async () => {
      const found = await change(() => writeFileSync(bench.at(FILE), linesOf([prompt('n1', 5), ...before.slice(1), reply('n2', 6)])));
      expect(found).toEqual(['u1', JSON.stringify(state()), 'u2', JSON.stringify(state()), 'n1', 'n2']);
    });

    test('[ING-8] replaced by another under the same name', async () => {
      const found = await change(() => {
        bench.write('p/new.tmp', [prompt('n1', 5), ...before, state()]);
        renameSync(bench.at('p/new.tmp'), bench.at(FILE));
      });
      expect(found).toEqual(['u1', JSON.stringify(state()), 'u2', JSON.stringify(state()), 'n1', JSON.stringify(state())]);
    });

    test('[ING-8] replaced by the same, or touched: nothing is added', async () => {
      await change(() => {
        bench.write('p/new.tmp', before);
        renameSync(bench.at('p/new.tmp'), bench.at(FILE));
        utimesSync(bench.at(FILE), 1_900_000_000, 1_900_000_000);
      });
      expect((await bench.entries()).length).toBe(5);
    });

    test.each(['first', 'last'])('[ING-8] written over in place at its %s line, at the same size', async (where) => {
      const { ino, mtimeMs } = statSync(bench.write(FILE, before));
      const found = await change(
        () => {
          const [old, other] = where === 'first' ? ['"u1"', '"n1"'] : ['"u2"', '"n2"'];
          writeFileSync(bench.at(FILE), readFileSync(bench.at(FILE), 'utf8').replace(old, other), { flag: 'r+' });
          // Two writes within one tick of the file system's clock look like one.
          utimesSync(bench.at(FILE), mtimeMs / 1000 + 5, mtimeMs / 1000 + 5);
          expect(statSync(bench.at(FILE)).ino).toBe(ino);
        },
        linesOf(before.slice(0, 3)),
      );
      expect(found.at(-1)).toBe(where === 'first' ? 'n1' : 'n2');
    });

    test('[ING-8] deleted, and made again', async () => {
      const found = await change(() => {
        rmSync(bench.at(FILE));
        bench.write(FILE, [prompt('n1', 5)]);
      });
      expect(found.at(-1)).toBe('n1');
    });

    test('[ING-8] replaced while half a line was held back', async () => {
      const found = await change(
        () => {
          bench.write('p/new.tmp', `${linesOf(before)}{"type":"user","uuid":"other"}\n`);
          renameSync(bench.at('p/new.tmp'), bench.at(FILE));
        },
        `${linesOf(before)}{"type":"user","uuid":"ha`,
      );
      expect(found.at(-1)).toBe('other');
    });

    test('[ING-8] whose half line was rewritten in place', async () => {
      const found = await change(
        () => writeFileSync(bench.at(FILE), `${linesOf(before)}{"type":"user","uuid":"other","text":"long"}\n`),
        `${linesOf(before)}{"type":"user","uuid":"half","te`,
      );
      expect(found.at(-1)).toBe('other');
    });
  });

  test('[ING-8] replaced while it is being read in stretches is read from its start', async () => {
    const long = (name: string): readonly object[] => Array.from({ length: 30 }, (_, i) => prompt(`${name}${i}`, i, { text: 'x'.repeat(100_000) }));
    bench.write(FILE, long('old'));
    bench.write('p/new.tmp', long('new'));
    let isReplaced = false;
    const ingest = await bench.ingest({
      onCommit: () => {
        if (!isReplaced) renameSync(bench.at('p/new.tmp'), bench.at(FILE));
        isReplaced = true;
      },
      log: { ...bench.store.log, append: (batch) => bench.store.log.append(batch) },
    });
    for (let i = 0; i < 3; i += 1)
      bench.write(
        `q/${A.replace('a', String(i))}.jsonl`,
        Array.from({ length: 45 }, (_, j) => prompt(`${i}-${j}`, j, { text: 'y'.repeat(100_000) })),
      );
    await ingest.importAll([bench.root]);
    await ingest.readFiles([bench.at(FILE)]);
    const found = await uuids();
    expect(found).toEqual(expect.arrayContaining(Array.from({ length: 30 }, (_, i) => `new${i}`)));
    expect(new Set(found).size).toBe(found.length);
  });

  test('[ING-8] that is gone keeps what is on the log, and is no trouble', async () => {
    const ingest = await bench.ingest();
    await ingest.readFiles([bench.write(FILE, before)]);
    rmSync(dirname(bench.at(FILE)), { recursive: true });
    expect(await ingest.readFiles([bench.at(FILE)])).toMatchObject({ lines: 0 });
    expect([ingest.findChanged(), ingest.troubles()]).toEqual([[], []]);
    expect(essence(await bench.entries()).length).toBe(4);
  });
});
