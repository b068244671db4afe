import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGENTS_SETTINGS, decodeSeatFrame, encodeSeatOrder, readAgents, readRuntimes, readTurnEnd, SEAT_LIMITS } from '../src/index.ts';

const read = (frame: object) => decodeSeatFrame(JSON.stringify(frame));

describe('the JSON lines of a seat', () => {
  test('[RT-2] every frame of a program is read, with what it may leave out', () => {
    expect(read({ type: 'ready', protocol: 1 })).toMatchObject({ value: { type: 'ready', name: null } });
    expect(read({ type: 'command', id: 'a', name: 'sidebar' })).toMatchObject({ value: { input: {} } });
    expect(read({ type: 'tool', id: 'a', name: 'Bash', input: { command: 'ls' } })).toMatchObject({ value: { type: 'tool', name: 'Bash' } });
    expect(read({ type: 'tool', id: 'a', output: 'done' })).toMatchObject({ value: { type: 'tool-result', isError: false } });
    expect(read({ type: 'usage', input_tokens: 3 })).toMatchObject({ value: { inputTokens: 3, outputTokens: 0, costUsd: null } });
    expect(read({ type: 'turn_end', turn_id: 'turn-1' })).toMatchObject({ value: { type: 'turn-end', status: 'completed', text: null } });
    expect(read({ type: 'rest', until: '2030-01-01T00:00:00Z', why: 'quota' })).toMatchObject({ value: { until: Date.UTC(2030, 0, 1) } });
    expect(read({ type: 'decline', reason: 'overloaded' })).toMatchObject({ value: { note: null } });
  });

  test('[RT-2] whatever a line holds, it is a frame or a fault with a code and a sentence', () => {
    const shaped = fc.record(
      { type: fc.constantFrom('ready', 'text', 'tool', 'usage', 'rest', 'turn_end', 'x'), text: fc.anything(), id: fc.anything() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          shaped.map((one) => JSON.stringify(one) ?? ''),
        ),
        (line) => {
          const decoded = decodeSeatFrame(line);
          if (decoded.ok) return;
          expect(['not-json', 'unknown-frame', 'bad-frame', 'wrong-version']).toContain(decoded.error.code);
          expect(decoded.error.text).not.toBe('');
        },
      ),
    );
  });

  test('[RT-2] what a program is told is one line, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = encodeSeatOrder({ type: 'turn', turnId: 'turn-1', events: [{ seq: 1, kind: 'mention', from: text, text, refs: [] }] });
        expect(line.split(/^/mu)).toEqual([line]);
        expect(JSON.parse(line)).toEqual({ type: 'turn', turn_id: 'turn-1', events: [{ seq: 1, kind: 'mention', from: text, text, refs: [] }] });
      }),
      { examples: [['one\u2028two\u2029three\r\nfour']] },
    );
  });
});

describe('runtimes in the settings', () => {
  test('[RT-7] a runtime is read with its defaults; one that is wrong is refused by its name and field', () => {
    expect(readRuntimes(undefined)).toEqual({ ok: true, value: [] });
    const read_ = readRuntimes({
      local: { kind: 'openai', url: 'http://127.0.0.1:11434/v1', model: 'qwen', key_env: 'KEY', limits: { usd: 1, turn_minutes: 2 } },
    });
    expect(read_).toMatchObject({
      value: [{ name: 'local', key: { from: 'environment', name: 'KEY' }, limits: { ...SEAT_LIMITS, usd: 1, turnTime: 120_000 } }],
    });
    const refusals = [
      [[], 'must be an object'],
      [{ 'a b': {} }, 'is not a valid name'],
      [{ a: { kind: 'magic' } }, '"runtimes.a.kind"'],
      [{ a: { kind: 'stdio' } }, 'a program is missing'],
      [{ a: { kind: 'stdio', command: 'sh -c x' } }, '"runtimes.a.command"'],
      [{ a: { kind: 'openai', model: 'm' } }, '"url" is missing'],
      [{ a: { kind: 'openai', url: 'file:///etc/passwd', model: 'm' } }, '"runtimes.a.url"'],
      [{ a: { kind: 'stdio', command: ['x'], key_env: 'A', key_file: 'b' } }, 'not both'],
      [{ a: { kind: 'stdio', command: ['x'], limits: { turns: -1 } } }, '"runtimes.a.limits.turns"'],
      [{ a: { kind: 'stdio', command: ['x'], shell: true } }, '"runtimes.a"'],
    ] as const;
    for (const [given, why] of refusals) expect(readRuntimes(given)).toMatchObject({ ok: false, error: expect.stringContaining(why) as unknown });
  });

  test('[RT-61] what holds for all agents together is read with its defaults; whatever is no amount is refused by its field', () => {
    expect(readAgents(undefined)).toEqual({ ok: true, value: AGENTS_SETTINGS });
    expect(readAgents({ usd_per_day: 5, turns_at_once: 1 })).toEqual({ ok: true, value: { ...AGENTS_SETTINGS, usdPerDay: 5, turnsAtOnce: 1 } });
    for (const [given, field] of [
      [{ usd_per_day: 0 }, '"agents.usd_per_day"'],
      [{ turns_at_once: 1.5 }, '"agents.turns_at_once"'],
      [{ turns: 1 }, '"agents"'],
      [[], '"agents"'],
    ] as const)
      expect(readAgents(given)).toMatchObject({ ok: false, error: expect.stringContaining(field) as unknown });
  });

  test('[RT-34] whatever a program ends its turn with is read or refused by its field', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const read = readTurnEnd(given);
        expect(read.ok ? typeof read.value.text : read.error.startsWith('turn_end')).toBe(read.ok ? 'string' : true);
      }),
    );
    expect(readTurnEnd({ usage: { input_tokens: -1 } })).toMatchObject({ error: expect.stringContaining('"usage.input_tokens"') as unknown });
  });
});
