import { truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { A, linesOf, openBench, prompt, type Bench } from './bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const kept = async (): Promise<readonly object[]> =>
  (await bench.entries()).flatMap(({ type, contextId, sessionId, note, text, refs }) =>
    type === 'transcript.companion' ? [{ contextId, sessionId, note, text, refs }] : [],
  );
const companion = (name: string, text: string): object => ({ contextId: `file:${name}@${A}`, sessionId: A, note: name, text, refs: [] });

const META = 'subagents/agent-x.meta.json';
const OUTPUT = 'tool-results/toolu_1.txt';
const JOURNAL = 'subagents/workflows/wf_1/journal.jsonl';

describe('what lies beside a transcript', () => {
  test('[ING-10] tool outputs and meta files are kept whole, journals line by line', async () => {
    bench.write(`p/${A}.jsonl`, [prompt('u1', 0)]);
    bench.write(`p/${A}/${OUTPUT}`, '\u0000binary\r\n\r\n');
    bench.write(`p/${A}/${META}`, '{"agentType":"x"}\n');
    bench.write(`p/${A}/${JOURNAL}`, '{"a":1}\n{"a":1}\n{"broken\n{"b":2}');
    await bench.importAll();
    const found = await kept();
    expect(found).toHaveLength(6);
    expect(found).toEqual(
      expect.arrayContaining([
        companion(OUTPUT, '\u0000binary\r\n\r\n'),
        companion(META, '{"agentType":"x"}\n'),
        companion(JOURNAL, '{"a":1}'),
        companion(JOURNAL, '{"a":1}'),
        companion(JOURNAL, '{"broken'),
        companion(JOURNAL, '{"b":2}'),
      ]),
    );
    expect(await bench.store.library.session(A)).toMatchObject({ messages: 1, companions: 6, quarantined: 0 });
    expect(await bench.importAll()).toMatchObject({ lines: 0 });
  });

  test('[ING-10] one that changes is kept again, one that does not is not read again', async () => {
    const ingest = await bench.ingest();
    const path = bench.write(`p/${A}/${META}`, '{"a":1}');
    await ingest.readFiles([path]);
    expect(ingest.findChanged()).toEqual([]);
    bench.write(`p/${A}/${META}`, '{"a":1,"b":2}');
    expect(ingest.findChanged()).toEqual([path]);
    await ingest.readFiles([path]);
    // As it was at first: that is on the log.
    bench.write(`p/${A}/${META}`, '{"a":1}');
    expect(await (await bench.ingest()).readFiles([path])).toMatchObject({ known: 1, added: 0 });
    expect(await kept()).toEqual([companion(META, '{"a":1}'), companion(META, '{"a":1,"b":2}')]);
    expect((await bench.ingest()).findChanged()).toEqual([]);
  });

  test('[ING-10] an empty one is kept when it is written, and a journal as it grows', async () => {
    const ingest = await bench.ingest();
    const [output, journal] = [bench.write(`p/${A}/${OUTPUT}`, ''), bench.write(`p/${A}/${JOURNAL}`, '{"a":1}\n{"half')];
    await ingest.readFiles([output, journal]);
    expect(await kept()).toEqual([companion(JOURNAL, '{"a":1}')]);
    bench.append(`p/${A}/${OUTPUT}`, 'output');
    bench.append(`p/${A}/${JOURNAL}`, '":1}\n');
    await ingest.readFiles([journal]);
    await ingest.readFiles([output]);
    expect((await kept()).slice(1)).toEqual([companion(JOURNAL, '{"half":1}'), companion(OUTPUT, 'output')]);
  });

  test('[ING-10] one that is too large to keep is reported, and stops nothing', async () => {
    truncateSync(bench.write(`p/${A}/${OUTPUT}`, 'x'), 513 * 1024 * 1024);
    bench.write(`p/${A}.jsonl`, [prompt('u1', 0)]);
    const ingest = await bench.ingest();
    expect(await ingest.importAll([bench.root])).toMatchObject({ added: 1 });
    expect(ingest.troubles()).toMatchObject([{ path: bench.at(`p/${A}/${OUTPUT}`), why: expect.stringContaining('too large') }]);
    truncateSync(bench.at(`p/${A}/${OUTPUT}`), 1);
    await ingest.readFiles(ingest.findChanged());
    expect(ingest.troubles()).toEqual([]);
    expect(await kept()).toEqual([companion(OUTPUT, 'x')]);
  });

  test('[ING-10] the same in two folders is kept once', async () => {
    for (const folder of ['p', 'q']) {
      bench.write(`${folder}/${A}.jsonl`, linesOf([prompt('u1', 0)]));
      bench.write(`${folder}/${A}/${OUTPUT}`, 'output');
      bench.write(`${folder}/${A}/${JOURNAL}`, '{"a":1}\n{"a":1}\n');
    }
    await bench.importAll();
    expect(await kept()).toHaveLength(3);
  });
});
