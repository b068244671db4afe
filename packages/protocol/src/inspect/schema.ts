import { LINK_EVIDENCE, QUARANTINE_REASONS, SIDECHAIN_STATES } from '@yarnboard/transcript';
import * as z from 'zod';

const count = z.int().nonnegative();
const dollars = z.number().nonnegative();
const tally = z.record(z.string(), count);
const spread = { total: z.number(), mean: z.number(), max: z.number() };

const usage = z.strictObject({
  responses: count,
  input_tokens: count,
  output_tokens: count,
  cache_write_5m_tokens: count,
  cache_write_1h_tokens: count,
  cache_read_tokens: count,
});

const sidechain = z.strictObject({
  agent: z.string(),
  agent_id: z.string(),
  tool_use_id: z.string().nullable(),
  tool_use_ids: z.array(z.string()),
  linked_by: z.enum(LINK_EVIDENCE),
  depth: z.int().positive(),
  parent_agent_id: z.string().nullable(),
  messages: count,
  tool_uses: count,
  state: z.enum(SIDECHAIN_STATES),
  file: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  turns: count,
  usage,
  cost_usd: dollars,
});

const session = z.strictObject({
  session_id: z.string(),
  tool: z.string().nullable(),
  files: z.array(z.string()),
  companions: z.array(z.string()),
  other_session_ids: z.array(z.string()),
  project: z.string().nullable(),
  title: z.string().nullable(),
  versions: z.array(z.string()),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  messages: count,
  roots: count,
  orphans: count,
  cycles: count,
  duplicates: count,
  late_parents: count,
  tools: z.strictObject({ uses: count, results: count, paired: count, uses_without_result: count, results_without_use: count }),
  branches: z.array(
    z.strictObject({ parent_uuid: z.string(), children: z.array(z.strictObject({ uuid: z.string(), active: z.boolean(), messages: count })).min(2) }),
  ),
  active_path: z.strictObject({ leaf_uuid: z.string().nullable(), messages: count }),
  off_path: z.strictObject({ conversation: count, replayed: count, other_root: count, dead_end: count }),
  compactions: z.array(z.strictObject({ uuid: z.string(), trigger: z.string().nullable(), pre_tokens: count.nullable(), line: z.int().positive() })),
  sidechains: z.array(sidechain),
  continues: z.strictObject({ session_id: z.string(), by: z.enum(['resume', 'fork']), shared: count }).nullable(),
  usage,
  cost_usd: dollars,
});

/** `yarnboard inspect --json`. Fields may be added, never changed. */
export const inspectDocument = z.strictObject({
  version: z.literal(1),
  totals: z.strictObject({
    files: count,
    bytes: count,
    lines: count,
    blank: count,
    records: count,
    extra: count,
    quarantined: count,
    sessions: count,
    messages: count,
    sidechains: count,
    tool_uses: count,
    tool_pairs: count,
    branch_points: count,
    compactions: count,
    ...usage.shape,
    cost_usd: dollars,
    unpriced: z.array(z.string()),
    prices_date: z.string(),
  }),
  kinds: tally,
  unknown_forms: tally,
  quarantine: z.array(z.strictObject({ file: z.string(), line: z.int().positive(), offset: count, reason: z.enum(QUARANTINE_REASONS) })),
  skipped: z.array(z.strictObject({ file: z.string(), reason: z.string() })),
  sessions: z.array(session),
  analysis: z.strictObject({
    delegations: count,
    agents: z.array(
      z.strictObject({
        agent: z.string(),
        purpose: z.string().nullable(),
        calls: count,
        sidechains: count,
        states: tally,
        messages: count,
        turns: count,
        tool_uses: count,
        tools: tally,
        max_depth: count,
        duration_ms: z.strictObject(spread),
      }),
    ),
    depths: tally,
    turns: z.strictObject({ ...spread, multi_turn: count }),
    patterns: z.strictObject({ refinement: count, clarification: count, error_recovery: count }),
    tools: tally,
    duration_ms: z.strictObject(spread),
  }),
  by_day: z.array(z.strictObject({ day: z.string(), ...usage.shape, cost_usd: dollars })),
  by_model: z.array(z.strictObject({ model: z.string(), ...usage.shape, cost_usd: dollars.nullable() })),
  by_project: z.array(z.strictObject({ project: z.string(), ...usage.shape, cost_usd: dollars })),
  by_tool: z.array(z.strictObject({ tool: z.string(), ...usage.shape, cost_usd: dollars })),
});
export type InspectDocument = z.infer<typeof inspectDocument>;
