import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { insideAnswer, outsideInput, REGISTRY, snakeOf, toWire, type OperationName } from '@yarnboard/protocol';

describe('what a client calls answers and questions', () => {
  test('[API-21] an answer gets the names of the inside, all the way down; what the schema leaves open keeps its own', () => {
    const answer = {
      seq: 7,
      tables: { sidebars: [['some_id', { last_position: 3, nested_key: { a_b: 1 } }]] },
      next_cursor: null,
    } as const;
    expect(insideAnswer('board', answer as never)).toEqual({
      seq: 7,
      tables: { sidebars: [['some_id', { last_position: 3, nested_key: { a_b: 1 } }]] },
      nextCursor: null,
    });
    const spent = {
      input_tokens: 1,
      output_tokens: 2,
      cache_write_5m_tokens: 3,
      cache_write_1h_tokens: 4,
      cache_read_tokens: 5,
    };
    const project = {
      project: null,
      sessions: 1,
      messages: 2,
      started_at: null,
      ended_at: null,
      responses: 1,
      usage: spent,
      cost_usd: 0.5,
      unpriced: 0,
    };
    expect(insideAnswer('projects', { items: [project], next_cursor: 'c' })).toEqual({
      items: [
        {
          project: null,
          sessions: 1,
          messages: 2,
          startedAt: null,
          endedAt: null,
          responses: 1,
          usage: { inputTokens: 1, outputTokens: 2, cacheWrite5mTokens: 3, cacheWrite1hTokens: 4, cacheReadTokens: 5 },
          costUsd: 0.5,
          unpriced: 0,
        },
      ],
      nextCursor: 'c',
    });
  });

  test('[API-21] keys that are names of people or references are kept, what stands below them is renamed', () => {
    const answer = { scores: { some_agent: 1 } };
    const view = { agent_capabilities: { 'AGENT-of_one': { specialties: [], availability: 'busy', current_load: 2 } } };
    expect(insideAnswer('sidebar', view as never)).toEqual({
      agentCapabilities: { 'AGENT-of_one': { specialties: [], availability: 'busy', currentLoad: 2 } },
    });
    expect(outsideInput('relevance_score', { sidebarId: 'SB-1', scores: answer.scores })).toEqual({ sidebar_id: 'SB-1', scores: { some_agent: 1 } });
  });

  test('[API-21] what an operation is asked with is named as its schema names it; what is undefined is left out', () => {
    const names = Object.keys(REGISTRY) as OperationName[];
    fc.assert(
      fc.property(fc.constantFrom(...names), (name) => {
        const keys = Object.keys(REGISTRY[name].input.shape);
        const inside = Object.fromEntries(keys.map((key) => [key.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase()), 'x']));
        expect(Object.keys(outsideInput(name, inside as never))).toEqual(keys);
      }),
    );
    expect(outsideInput('sessions', { project: undefined, limit: 5 })).toEqual({ limit: 5 });
  });

  test('[API-21] renaming goes back: the names of the inside make the answer again', () => {
    const keys = Object.keys(REGISTRY.status.output.shape);
    const inside = insideAnswer('status', Object.fromEntries(keys.map((key) => [key, key])) as never);
    expect(Object.keys(inside).map(snakeOf)).toEqual(keys);
    expect(toWire(inside)).toEqual(Object.fromEntries(keys.map((key) => [key, key])));
  });
});
