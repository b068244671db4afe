import { formatInstant, type Analysis, type Report, type SessionReport, type Spending } from '@yarnboard/transcript';
import type { InspectDocument } from './schema.ts';

type TokenCounts = InspectDocument['sessions'][number]['usage'];

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
    unknown_forms: Object.fromEntries(report.unknownForms),
    quarantine: report.quarantine.map(({ file, line, offset, reason }) => ({ file, line, offset, reason })),
    skipped: report.skipped.map(({ file, reason }) => ({ file, reason })),
    sessions: report.sessions.map(encodeSession),
    analysis: encodeAnalysis(report.analysis),
    by_day: [...report.byDay].map(([day, spending]) => ({ day, ...encodeSpending(spending) })),
    by_model: [...report.byModel].map(([model, spending]) => {
      const encoded = encodeSpending(spending);
      return { model, ...encoded, cost_usd: totals.unpriced.includes(model) && encoded.cost_usd === 0 ? null : encoded.cost_usd };
    }),
    by_project: [...report.byProject].map(([project, spending]) => ({ project, ...encodeSpending(spending) })),
    by_tool: [...report.byTool].map(([tool, spending]) => ({ tool, ...encodeSpending(spending) })),
  };
};

const encodeSession = (one: SessionReport): InspectDocument['sessions'][number] => ({
  session_id: one.id,
  tool: one.tool,
  files: [...one.files],
  companions: [...one.companions],
  other_session_ids: [...one.otherSessionIds],
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

const encodeSpending = (spending: Spending): TokenCounts & { cost_usd: number } => ({
  ...encodeUsage(spending),
  cost_usd: round(spending.costUsd),
});

const encodeUsage = ({ responses, usage: tokens }: Spending): TokenCounts => ({
  responses,
  input_tokens: tokens.input,
  output_tokens: tokens.output,
  cache_write_5m_tokens: tokens.cacheWrite5m,
  cache_write_1h_tokens: tokens.cacheWrite1h,
  cache_read_tokens: tokens.cacheRead,
});

const round = (value: number): number => Math.round(value * 1e10) / 1e10;
