import { describe, expect, test } from 'vitest';
import { addFile, append, costOf, createSession, DEFAULT_PRICES, priceOf, responseCountedAt, sidechainsOf, type JsonObject } from '../src/index.ts';
import { beginChat } from '../src/dialects/qwen/translation.ts';

const sessionOf = (lines: readonly JsonObject[]) => {
  const session = createSession('s');
  const file = addFile(session, { path: 's.jsonl', agentId: null });
  let chat = beginChat({ sessionId: 's', agentId: null });
  lines.forEach((value, i) => {
    const { record, next } = chat.take(value, { sessionId: 's', agentId: null, line: i + 1, part: 0 });
    chat = next;
    append(session, file, record, { line: i + 1, part: 0, offset: i, length: 1 });
  });
  return session;
};

const telemetry = (uuid: string, promptId: string, more: JsonObject = {}): JsonObject => ({
  uuid,
  parentUuid: null,
  type: 'system',
  subtype: 'ui_telemetry',
  timestamp: '2026-01-01T00:00:00.000Z',
  systemPayload: {
    uiEvent: {
      'event.name': 'qwen-code.api_response',
      model: 'qwen3-coder-plus',
      input_token_count: 1000,
      cached_content_token_count: 400,
      output_token_count: 30,
      prompt_id: promptId,
    },
  },
  ...more,
});

describe('sub-agents of versions that keep no file of them', () => {
  test('[QWEN-10] what their responses took is counted, once each; the session’s own is counted with its reply', () => {
    const session = sessionOf([telemetry('t0', 's########0'), telemetry('t1', 's#reviewer-x1#0'), telemetry('t2', 's#reviewer-x1#1')]);
    expect(sidechainsOf(session).map(({ id, nodes }) => [id, nodes.length])).toEqual([['reviewer-x1', 2]]);
    const usage = sidechainsOf(session).flatMap(({ nodes }) => nodes.flatMap((node) => responseCountedAt(session.responses, node)?.usage ?? []));
    expect(usage).toEqual(Array.from({ length: 2 }, () => ({ input: 600, output: 30, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 400 })));
  });

  test('[QWEN-10] a version that says where a line comes from has files of its own for them', () => {
    const session = sessionOf([telemetry('t1', 's#reviewer-x1#0', { provenance: 'system' })]);
    expect(sidechainsOf(session)).toEqual([]);
    expect(session.main.nodes).toEqual([]);
  });
});

test('[QWEN-2] [QWEN-6] what lies beside a sub-agent says its model, where its lines do not', () => {
  const line = { uuid: 'a1', parentUuid: null, type: 'assistant', message: { role: 'model', parts: [{ text: 'Done.' }] }, usageMetadata: {} };
  const modelOf = (value: JsonObject, beside: JsonObject | null) => {
    const { record } = beginChat({ sessionId: 's', agentId: 'x' }, null, beside).take(value, { sessionId: 's', agentId: 'x', line: 1, part: 0 });
    return (record['message'] as JsonObject)['model']; // as the dialect makes it
  };
  expect(modelOf(line, { model: 'qwen3-max' })).toBe('qwen3-max');
  expect(modelOf({ ...line, model: 'its own' }, { model: 'qwen3-max' })).toBe('its own');
  expect([null, {}, { model: 7 }].map((beside) => modelOf(line, beside))).toEqual([null, null, null]);
});

test('[QWEN-6] a longer prompt costs more a token, and what came from the cache a tenth; models that are not in the list are unpriced', () => {
  const price = priceOf(DEFAULT_PRICES, 'qwen3-coder-plus-20250922');
  const usage = { output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 };
  const costs = [32_000, 32_001, 128_001, 300_000].map((input) => (price === null ? null : costOf(price, { ...usage, input }) / input));
  expect(costs).toEqual([1, 1.8, 3, 6].map((rate) => expect.closeTo(rate / 1_000_000, 12)));
  expect(price === null ? null : costOf(price, { ...usage, input: 0, cacheRead: 10_000 })).toBeCloseTo(0.001, 9);
  expect(priceOf(DEFAULT_PRICES, 'qwen3.5-plus')?.output).toBe(2.4);
  for (const model of ['coder-model', 'qwen9-coder', 'qwen3-coder']) expect(priceOf(DEFAULT_PRICES, model)).toBeNull();
});

test('prompts may cost more in several steps', () => {
  const rates = (input: number, output: number) => ({ input, output, cacheWrite5m: input, cacheWrite1h: input, cacheRead: input });
  const price = { ...rates(1, 5), above: { tokens: 32_000, rates: { ...rates(2, 9), above: { tokens: 128_000, rates: rates(3, 15) } } } };
  const costs = [32_000, 32_001, 200_000].map((input) => costOf(price, { input, output: 1_000_000, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 }));
  expect(costs).toEqual([5.032, 9.064_002, 15.6].map((cost) => expect.closeTo(cost, 9)));
});

test('[QWEN-11] an answer that failed to come is reported, where the conversation waited for it', () => {
  const told = (event: JsonObject): boolean => {
    const uiEvent = { 'event.name': 'qwen-code.api_error', error_message: '429 Too many requests', error_type: 'RateLimitError', ...event };
    const line = { uuid: 'e', parentUuid: 'p', type: 'system', subtype: 'ui_telemetry', systemPayload: { uiEvent } };
    const { record } = beginChat({ sessionId: 's', agentId: null }).take(line, { sessionId: 's', agentId: null, line: 1, part: 0 });
    return record['isApiErrorMessage'] === true && JSON.stringify(record['message']).includes('API Error: 429 Too many requests');
  };
  expect(['5280e1479b53b', '7a3b########0', '7a3b########0/automatic/3'].map((id) => told({ prompt_id: id }))).toEqual([true, true, true]);
  expect(['7a3b#general-a1b2c3#0', 'forked_query', undefined].map((id) => told({ prompt_id: id ?? null }))).toEqual([false, false, false]);
  expect(told({ prompt_id: '5280e1479b53b', 'event.name': 'qwen-code.api_response' })).toBe(false);
  expect(told({ prompt_id: '5280e1479b53b', error_type: 'APIUserAbortError' })).toBe(false);
});
