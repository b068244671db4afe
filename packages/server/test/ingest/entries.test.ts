import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { A, NOON, linesOf, openBench, prompt, reply, state, timeAt, type Bench } from './bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const FILE = `p/${A}.jsonl`;
const texts = async (): Promise<readonly string[]> => (await bench.entries()).map(({ text }) => text);
const countsOf = async (): Promise<object | undefined> => (await bench.store.log.files())[0]?.counts;

describe('every line', () => {
  test('[ING-1] is an entry with its exact bytes, odd spaces and line ends included', async () => {
    const one = '{"type":"user" ,  "uuid":"u1","message":{"role":"user","content":"caf\u00e9 \u2028 \ud83e\uddf6"}}';
    bench.write(FILE, `\ufeff${one}\r\n\r\n  \n\t{"type":"user","uuid":"u2"}  \n\n{"type":"user","uuid":"u3"}`);
    await bench.importAll();
    expect(await texts()).toEqual([`${Buffer.from(one).toString('latin1')}\r`, '\t{"type":"user","uuid":"u2"}  ', '{"type":"user","uuid":"u3"}']);
    expect(await countsOf()).toEqual({ lines: 6, blank: 3, records: 3, quarantined: 0 });
  });

  test('[ING-1] with several objects is as many entries', async () => {
    bench.write(FILE, '{"type":"a"} {"type":"b"}{"type":"c"}\r\n{"type":"d"}\n');
    await bench.importAll();
    expect(await texts()).toEqual(['{"type":"a"}', '{"type":"b"}', '{"type":"c"}', '{"type":"d"}']);
  });

  test('[ING-1] that cannot be read is kept with its bytes and the reason, and counted', async () => {
    const bad = Buffer.concat([Buffer.from('{"type":"user","text":"'), Buffer.from([0xff, 0xfe, 0x00, 0x80]), Buffer.from('"}')]);
    bench.write(
      FILE,
      Buffer.concat([Buffer.from('{"type":"user","uuid":"u1"}\n{"broken\n[1,2]\n'), bad, Buffer.from('\n{"half":{"type":"user","uuid":"u2"}\n')]),
    );
    const counts = await bench.importAll();
    const entries = await bench.entries();
    expect(entries.map(({ text, note, errorOccurred }) => ({ text, note, errorOccurred }))).toEqual([
      { text: '{"type":"user","uuid":"u1"}', note: null, errorOccurred: false },
      { text: '{"broken', note: 'truncated', errorOccurred: true },
      { text: '[1,2]', note: 'not an object', errorOccurred: true },
      { text: bad.toString('latin1'), note: 'invalid UTF-8', errorOccurred: true },
      { text: '{"half":{"type":"user","uuid":"u2"}', note: 'truncated', errorOccurred: true },
    ]);
    expect(counts).toMatchObject({ lines: 5, added: 5, quarantined: 4 });
    expect(await countsOf()).toEqual({ lines: 5, blank: 0, records: 1, quarantined: 4 });
    expect((await bench.store.library.session(A))?.quarantined).toBe(4);
  });

  test('[ING-1] of 32 MB is an entry like any other, and so are its neighbours', async () => {
    const large = JSON.stringify(prompt('large', 1, { message: { role: 'user', content: 'x'.repeat(32 * 1024 * 1024) } }));
    bench.write(FILE, `${linesOf([prompt('before', 0)])}${large}\n${linesOf([prompt('after', 2)])}`);
    expect(await bench.importAll()).toMatchObject({ added: 3 });
    const found = await texts();
    expect(found.map((text) => text.length)).toEqual([
      linesOf([prompt('before', 0)]).length - 1,
      large.length,
      linesOf([prompt('after', 2)]).length - 1,
    ]);
    expect(found[1] === large).toBe(true);
  });

  test('[ING-1] a file of nothing but rubbish, an empty one and one of blank lines stop nothing', async () => {
    bench.write(`p/${A}.jsonl`, Buffer.alloc(100_000, 0xff));
    bench.write('p/empty.jsonl', '');
    bench.write('p/blank.jsonl', '\n\n\r\n');
    bench.write('p/good.jsonl', [prompt('u1', 0, { sessionId: 'S' })]);
    expect(await bench.importAll()).toMatchObject({ added: 1, quarantined: 0 });
    bench.append(`p/${A}.jsonl`, '\n');
    expect(await bench.importAll()).toMatchObject({ added: 1, quarantined: 1 });
  });
});

describe('an entry', () => {
  test('[ING-2] says whose it is, when it was said and by whom; messages are numbered, prompts of the main thread begin an exchange', async () => {
    bench.write(FILE, [state(), prompt('u1', 0), reply('u2', 1), { type: 'attachment', uuid: 'u3', timestamp: timeAt(2) }]);
    bench.write(`p/${A}/subagents/agent-x1.jsonl`, [prompt('s1', 3), reply('s2', 4)]);
    await bench.importAll();
    const told = (await bench.entries()).map(({ contextId, sessionId, timestamp, sender, refs }) => [
      contextId,
      sessionId,
      (timestamp - NOON) / 60_000,
      sender,
      refs,
    ]);
    expect(told).toEqual([
      [A, A, 0, 'system', []],
      [A, A, 0, 'human', ['MSG-1', 'EXCH-1']],
      [A, A, 1, 'AGENT-claude', ['MSG-2']],
      [A, A, 2, 'system', []],
      [`agent:x1@${A}`, A, 3, 'AGENT-claude', ['MSG-3']],
      [`agent:x1@${A}`, A, 4, 'AGENT-x1', ['MSG-4']],
    ]);
  });

  test('[LOG-15] of a transcript has the model, tokens, tools, version, time and error that its record tells', async () => {
    const use = (id: string, name: string): object => ({ type: 'tool_use', id, name, input: {} });
    const failed = { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true, content: 'no such file' };
    bench.write(FILE, [
      reply('u1', 0, {
        message: {
          role: 'assistant',
          id: 'm1',
          model: 'claude-sonnet-4-5',
          content: [use('toolu_1', 'Read'), use('toolu_2', 'Bash'), use('toolu_3', 'Read')],
          usage: Object.fromEntries([['output_tokens', 10]]),
        },
      }),
      { ...prompt('u2', 1), message: { role: 'user', content: [failed] }, toolUseResult: { totalDurationMs: 4200 } },
      { type: 'system', subtype: 'turn_duration', uuid: 'u3', timestamp: timeAt(2), durationMs: 61_000 },
    ]);
    await bench.importAll();
    const [said, result, turn] = await bench.entries();
    expect(said).toMatchObject({
      agentModelVersion: 'claude-sonnet-4-5',
      tokenCount: 10,
      toolsInvoked: ['Read', 'Bash'],
      clientVersion: '2.1.0',
      originatingClient: 'claude-code',
      processingTimeMs: null,
      errorRef: null,
    });
    expect(result).toMatchObject({ processingTimeMs: 4200, errorOccurred: true, errorRef: 'toolu_2', toolResultsSummary: '0 ok, 1 failed' });
    expect(turn).toMatchObject({ processingTimeMs: 61_000, errorOccurred: false });
  });

  test('[ING-2] whose record tells no time has that of the record before it, whatever was said earlier', async () => {
    bench.write(FILE, [prompt('u1', 5), state('a'), prompt('u2', 2), state('b')]);
    await bench.importAll();
    bench.append(FILE, [state('c')]);
    await bench.importAll();
    bench.append(FILE, [{ type: 'big', text: 'x'.repeat(300_000) }]);
    await bench.importAll();
    bench.append(FILE, [state('d')]);
    await (await bench.ingest()).readFiles([bench.at(FILE)]);
    expect((await bench.entries()).map(({ timestamp }) => (timestamp - NOON) / 60_000)).toEqual([5, 5, 2, 2, 2, 2, 2]);
  });

  test('[ING-2] in front of which nothing tells the time has the first time of its file, or else that of the file', async () => {
    const ingest = await bench.ingest();
    const started = Date.now() - 60_000;
    await ingest.readFiles([bench.write(FILE, [state('a'), prompt('u1', 5)]), bench.write('p/untold.jsonl', [state('b')])]);
    const [first, second, timeless] = await bench.entries();
    expect([first?.timestamp, second?.timestamp]).toEqual([NOON + 5 * 60_000, NOON + 5 * 60_000]);
    expect(timeless?.timestamp).toBeGreaterThan(started);
  });
});
