import { combine, DEFAULT_PRICES } from '@yarnboard/transcript';
import { expect, test } from 'vitest';
import { encodeInspect, inspectDocument } from '../src/index.ts';

const NOTHING = { files: 0, counts: { bytes: 0, lines: 0, blank: 0, records: 0, extra: 0, quarantined: 0 }, quarantine: [], skipped: [] };

test('[CLI-4] a report on nothing has every field of the document', () => {
  const spread = { total: 0, mean: 0, max: 0 };
  const document = encodeInspect(combine([], NOTHING, DEFAULT_PRICES));
  expect(document).toEqual({
    version: 1,
    totals: {
      files: 0,
      bytes: 0,
      lines: 0,
      blank: 0,
      records: 0,
      extra: 0,
      quarantined: 0,
      sessions: 0,
      messages: 0,
      sidechains: 0,
      tool_uses: 0,
      tool_pairs: 0,
      branch_points: 0,
      compactions: 0,
      responses: 0,
      input_tokens: 0,
      output_tokens: 0,
      cache_write_5m_tokens: 0,
      cache_write_1h_tokens: 0,
      cache_read_tokens: 0,
      cost_usd: 0,
      unpriced: [],
      prices_date: DEFAULT_PRICES.date,
    },
    kinds: {},
    unknown_forms: {},
    quarantine: [],
    skipped: [],
    sessions: [],
    analysis: {
      delegations: 0,
      agents: [],
      depths: {},
      turns: { ...spread, multi_turn: 0 },
      patterns: { refinement: 0, clarification: 0, error_recovery: 0 },
      tools: {},
      duration_ms: spread,
    },
    by_day: [],
    by_model: [],
    by_project: [],
    by_tool: [],
  });
  expect(inspectDocument.parse(document)).toEqual(document);
});

test('[CLI-4] a field that nobody promised is noticed', () => {
  const document = { ...encodeInspect(combine([], NOTHING, DEFAULT_PRICES)), surprise: 1 };
  expect(inspectDocument.safeParse(document).success).toBe(false);
});
