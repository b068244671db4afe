import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReplyReader, retryTime } from '../../src/runtimes/openai/stream.ts';
import { findingsIn } from '../../src/runtimes/openai/tools.ts';
import type { Runtime } from '../../src/runtimes/port.ts';
import { startChatStub } from './chat-stub.ts';
import { describeRuntime, eventOf, startHeard } from './contract.ts';
import { ownPrograms } from './own-programs.ts';

const stub = await startChatStub();
const own = await ownPrograms();

const make = (more: object = {}): Runtime =>
  own.make({ kind: 'openai', url: stub.url, model: 'stub-1', key_env: 'MODEL_KEY', ...more }, { MODEL_KEY: 'key-of-the-model' });

describeRuntime('openai', { make: () => make(), toolText: 'Look, please [[finding]]', toolName: 'scratchpad_entry_submitted' });

describe('a model behind a URL', () => {
  test('[RT-24] whatever the endpoint answers, the turn ends with a code and a sentence, and the next one works', async () => {
    const { seat, facts, until } = startHeard(make());
    await until('ready');
    const expected: readonly (readonly [string, string])[] = [
      ['e401', 'unauthorized: The endpoint refuses the key: bad key'],
      ['e404', 'not-found: The endpoint knows no such model or path: no such model'],
      ['e500', 'server-error: The endpoint failed with 500: oops'],
      ['html', 'not-an-api: The endpoint answered with a web page. Check the url.'],
      ['cut', 'cut-off: The endpoint sent a chunk that is not valid JSON.'],
      ['garbled', 'cut-off: The endpoint sent a chunk that is not valid JSON.'],
      ['long', 'context-length: The conversation is too long for the model: maximum context length is 10 tokens'],
    ];
    for (const [script, why] of expected) {
      seat.turn(script, [eventOf(1, `Go [[${script}]]`)]);
      expect(await until('turn-ended', ({ turnId }) => turnId === script)).toMatchObject({ status: 'failed', why });
    }
    const before = Date.now();
    seat.turn('e429', [eventOf(1, 'Go [[e429]]')]);
    expect((await until('turn-ended', ({ turnId }) => turnId === 'e429')).status).toBe('failed');
    const { until: rested } = await until('rest', ({ why }) => why.includes('to wait'));
    expect(rested - before).toBeGreaterThanOrEqual(29_000);
    for (const script of ['broken', 'unknown', 'nousage', 'plain']) {
      seat.turn(script, [eventOf(1, `Go [[${script}]]`)]);
      expect((await until('turn-ended', ({ turnId }) => turnId === script)).status).toBe('completed');
    }
    expect(facts.filter(({ kind }) => kind === 'command' || kind === 'fault')).toEqual([]);
    expect(facts.filter((fact) => fact.kind === 'usage' && fact.usage.inputTokens === 0)).toEqual([]);
    expect(new Set(stub.keys)).toEqual(new Set(['Bearer key-of-the-model']));
    await seat.stop('done');
  });

  test('[RT-25] a word in the middle of a turn is in the next request, and a turn can be cancelled while the model thinks', async () => {
    const { seat, until } = startHeard(make());
    await until('ready');
    seat.turn('turn-1', [eventOf(1, 'Look [[finding]]')]);
    const { id } = await until('command');
    seat.tell('turn-1', eventOf(2, 'and mind the MEERKAT'));
    seat.answer(id, true, { ref: 'x' });
    await until('turn-ended');
    const last = stub.requests.at(-1);
    expect(last?.messages.filter(({ content }) => content.includes('MEERKAT'))).toHaveLength(1);
    expect(last?.messages[0]?.content).toContain('Find out why the build is slow.');
    expect(last?.tools?.length).toBeGreaterThan(3);
    seat.turn('turn-2', [eventOf(3, 'Think [[slow]]')]);
    await until('text', ({ text }) => text === 'Thinking');
    seat.cancel('turn-2');
    expect((await until('turn-ended', ({ turnId }) => turnId === 'turn-2')).status).toBe('cancelled');
    await seat.stop('done');
  });

  test('[RT-26] a model without tools hands in findings in plain text', async () => {
    const { seat, until } = startHeard(make({ tools: false }));
    await until('ready');
    seat.turn('turn-1', [eventOf(1, 'Go [[text]]')]);
    const { id, input } = await until('command');
    expect(input).toEqual({ sidebar_id: 'SB-1', content: 'The cache is cold, see MSG-1.', source_refs: ['MSG-1'] });
    seat.answer(id, true, {});
    expect((await until('turn-ended')).status).toBe('completed');
    expect(stub.requests.at(-1)?.tools).toBeUndefined();
    expect(findingsIn('FINDING:\n\nFINDING: a\n\nno FINDING: b')).toEqual([{ content: 'a', refs: [] }]);
    await seat.stop('done');
  });
});

test('[RT-24] an answer reads the same wherever it is cut', () => {
  const whole = [
    { choices: [{ delta: { content: 'a – 🧶' } }] },
    { choices: [{ delta: { tool_calls: [{ index: 0, id: 'x', function: { name: 'n', arguments: '{}' } }] }, finish_reason: 'stop' }] },
  ]
    .map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`)
    .join('');
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 8 }), (cuts) => {
      const reader = createReplyReader();
      let from = 0;
      for (const to of [...cuts, whole.length].toSorted((a, b) => a - b)) {
        expect(reader.take(whole.slice(from, to)).ok).toBe(true);
        from = to;
      }
      expect(reader.end()).toMatchObject({ ok: true, value: { text: 'a – 🧶', calls: [{ id: 'x', name: 'n', input: '{}' }] } });
    }),
  );
  expect(retryTime('2', 1000)).toBe(3000);
  expect(retryTime(null, 1000)).toBe(61_000);
});
