import { formatInstant, LINK_EVIDENCE, QUARANTINE_REASONS, SIDECHAIN_STATES, type Analysis, type Report, type SessionReport, type Spending } from '@yarnboard/transcript';
import { z } from 'zod';

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
  files: z.array(z.string()),
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
    responses: count,
    input_tokens: count,
    output_tokens: count,
    cache_write_5m_tokens: count,
    cache_write_1h_tokens: count,
    cache_read_tokens: count,
    cost_usd: dollars,
    unpriced: z.array(z.string()),
    prices_date: z.string(),
  }),
  kinds: tally,
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
});
export type InspectDocument = z.infer<typeof inspectDocument>;

/** The report as users and scripts see it: snake_case, absent values null, dollars without floating-point dust. */
export const encodeInspect = (report: Report): InspectDocument => {
  const { totals } = report;
  const { responses, ...tokens } = encodeUsage(totals.spending);
  return {
    version: 1,
    totals: {
      files: totals.files,
      bytes: totals.bytes,
      lines: totals.lines,
      blank: totals.blank,
      records: totals.records,
      extra: totals.extra,
      quarantined: totals.quarantined,
      sessions: totals.sessions,
      messages: totals.messages,
      sidechains: totals.sidechains,
      tool_uses: totals.toolUses,
      tool_pairs: totals.toolPairs,
      branch_points: totals.branchPoints,
      compactions: totals.compactions,
      responses,
      ...tokens,
      cost_usd: round(totals.spending.costUsd),
      unpriced: [...totals.unpriced],
      prices_date: report.pricesDate,
    },
    kinds: Object.fromEntries(report.kinds),
    quarantine: report.quarantine.map(({ file, line, offset, reason }) => ({ file, line, offset, reason })),
    skipped: report.skipped.map(({ file, reason }) => ({ file, reason })),
    sessions: report.sessions.map(encodeSession),
    analysis: encodeAnalysis(report.analysis),
    by_day: [...report.byDay].map(([day, spending]) => ({ day, ...encodeSpending(spending) })),
    by_model: [...report.byModel].map(([model, spending]) => {
      const encoded = encodeSpending(spending);
      return { model, ...encoded, cost_usd: totals.unpriced.includes(model) ? null : encoded.cost_usd };
    }),
    by_project: [...report.byProject].map(([project, spending]) => ({ project, ...encodeSpending(spending) })),
  };
};

const encodeSession = (one: SessionReport): InspectDocument['sessions'][number] => ({
  session_id: one.id,
  files: [...one.files],
  project: one.project,
  title: one.title,
  versions: [...one.versions],
  started_at: formatInstant(one.startedAt),
  ended_at: formatInstant(one.endedAt),
  messages: one.messages,
  roots: one.roots,
  orphans: one.orphans,
  cycles: one.cycles,
  duplicates: one.duplicates,
  late_parents: one.lateParents,
  tools: {
    uses: one.tools.uses,
    results: one.tools.results,
    paired: one.tools.paired,
    uses_without_result: one.tools.uses - one.tools.paired,
    results_without_use: one.tools.results - one.tools.paired,
  },
  branches: one.branches.map(({ parentUuid, children }) => ({ parent_uuid: parentUuid, children: children.map((child) => ({ ...child })) })),
  active_path: { leaf_uuid: one.activePath.leafUuid, messages: one.activePath.messages },
  off_path: {
    conversation: one.conversation,
    replayed: one.offPath.replayed,
    other_root: one.offPath['other root'],
    dead_end: one.offPath['dead end'],
  },
  compactions: one.compactions.map(({ uuid, trigger, preTokens, line }) => ({ uuid, trigger, pre_tokens: preTokens, line })),
  sidechains: one.sidechains.map((side) => ({
    agent: side.agent,
    agent_id: side.agentId,
    tool_use_id: side.toolUseIds[0] ?? null,
    tool_use_ids: [...side.toolUseIds],
    linked_by: side.linkedBy,
    depth: side.depth,
    parent_agent_id: side.parentAgentId,
    messages: side.messages,
    tool_uses: side.toolUses,
    state: side.state,
    file: side.file,
    started_at: formatInstant(side.startedAt),
    ended_at: formatInstant(side.endedAt),
    turns: side.turns,
    usage: encodeUsage(side.spending),
    cost_usd: round(side.spending.costUsd),
  })),
  continues: one.continues === null ? null : { session_id: one.continues.sessionId, by: one.continues.by, shared: one.continues.shared },
  usage: encodeUsage(one.spending),
  cost_usd: round(one.spending.costUsd),
});

const encodeAnalysis = (analysis: Analysis): InspectDocument['analysis'] => ({
  delegations: analysis.delegations,
  agents: analysis.agents.map(({ toolUses, maxDepth, durationMs, states, tools, ...agent }) => ({
    ...agent,
    states: Object.fromEntries(states),
    tool_uses: toolUses,
    tools: Object.fromEntries(tools),
    max_depth: maxDepth,
    duration_ms: { ...durationMs },
  })),
  depths: Object.fromEntries(analysis.depths),
  turns: { total: analysis.turns.total, mean: analysis.turns.mean, max: analysis.turns.max, multi_turn: analysis.turns.multiTurn },
  patterns: {
    refinement: analysis.patterns.refinement,
    clarification: analysis.patterns.clarification,
    error_recovery: analysis.patterns.errorRecovery,
  },
  tools: Object.fromEntries(analysis.tools),
  duration_ms: { ...analysis.durationMs },
});

const encodeSpending = (spending: Spending): z.infer<typeof usage> & { cost_usd: number } => ({
  ...encodeUsage(spending),
  cost_usd: round(spending.costUsd),
});

const encodeUsage = ({ responses, usage: tokens }: Spending): z.infer<typeof usage> => ({
  responses,
  input_tokens: tokens.input,
  output_tokens: tokens.output,
  cache_write_5m_tokens: tokens.cacheWrite5m,
  cache_write_1h_tokens: tokens.cacheWrite1h,
  cache_read_tokens: tokens.cacheRead,
});

const round = (value: number): number => Math.round(value * 1e10) / 1e10;
