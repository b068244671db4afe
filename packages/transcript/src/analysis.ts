import type { SessionDigest, SidechainDigest } from './digest.ts';
import { mergeTallies, tallyOf, type Tally } from './tally.ts';

/** Statistics of the delegations to one kind of agent, over everything read. */
export type AgentAnalysis = {
  readonly agent: string;
  readonly purpose: string | null;
  readonly calls: number;
  readonly sidechains: number;
  readonly states: Tally;
  readonly messages: number;
  readonly turns: number;
  readonly toolUses: number;
  readonly tools: Tally;
  readonly maxDepth: number;
  readonly durationMs: Spread;
};

export type Spread = { readonly total: number; readonly mean: number; readonly max: number };

export type Analysis = {
  readonly delegations: number;
  readonly agents: readonly AgentAnalysis[];
  readonly depths: Tally;
  readonly turns: Spread & { readonly multiTurn: number };
  readonly patterns: { readonly refinement: number; readonly clarification: number; readonly errorRecovery: number };
  readonly tools: Tally;
  readonly durationMs: Spread;
};

/** Well-known specialised agents, and what they are for. */
export const KNOWN_AGENTS: ReadonlyMap<string, string> = new Map([
  ['zen-architect', 'System architecture design'],
  ['bug-hunter', 'Bug detection and analysis'],
  ['modular-builder', 'Modular code construction'],
  ['test-coverage', 'Test case generation'],
  ['refactor-architect', 'Code refactoring strategies'],
  ['integration-specialist', 'System integration design'],
  ['synthesis-master', 'Knowledge synthesis'],
  ['subagent-architect', 'Agent creation'],
]);

/** ANALYSIS-1: which agents were called how often, how deep, for how long, with which tools, and how the conversations went. */
export const analyse = (digests: readonly SessionDigest[]): Analysis => {
  const sidechains = [...new Map(digests.flatMap((digest) => digest.sidechains).map((sidechain) => [sidechain.agentId, sidechain])).values()];
  const called = sidechains.filter((sidechain) => sidechain.toolUseIds.length > 0);
  // A call that doesn't name its agent gets the name that its sidechain has from elsewhere.
  const nameOf = new Map(called.flatMap((sidechain) => sidechain.toolUseIds.map((id) => [id, sidechain.agent] as const)));
  const calls = new Map(
    digests
      .flatMap((digest) => digest.across.calls)
      .map(({ toolUseId, agent }) => [toolUseId, agent === 'unknown' ? (nameOf.get(toolUseId) ?? agent) : agent]),
  );
  const callCounts = tallyOf([...calls.values()]);
  const byAgent = new Map<string, SidechainDigest[]>([...callCounts.keys()].map((agent) => [agent, []]));
  for (const sidechain of called) {
    const known = byAgent.get(sidechain.agent);
    if (known === undefined) byAgent.set(sidechain.agent, [sidechain]);
    else known.push(sidechain);
  }
  const agents = [...byAgent].map(([agent, own]) => analyseAgent(agent, callCounts.get(agent) ?? 0, own));
  return {
    delegations: calls.size,
    agents: agents.sort((a, b) => b.calls - a.calls || (a.agent < b.agent ? -1 : 1)),
    depths: tallyOf(called.map((sidechain) => String(sidechain.depth))),
    turns: { ...spread(called.map((sidechain) => sidechain.turns)), multiTurn: called.filter((sidechain) => sidechain.turns > 1).length },
    patterns: {
      refinement: sum(called.map((sidechain) => sidechain.patterns.refinement)),
      clarification: sum(called.map((sidechain) => sidechain.patterns.clarification)),
      errorRecovery: sum(called.map((sidechain) => sidechain.patterns.errorRecovery)),
    },
    tools: mergeTallies(called.map((sidechain) => sidechain.tools)),
    durationMs: spread(called.map(durationOf)),
  };
};

const analyseAgent = (agent: string, calls: number, sidechains: readonly SidechainDigest[]): AgentAnalysis => ({
  agent,
  purpose: KNOWN_AGENTS.get(agent) ?? null,
  calls,
  sidechains: sidechains.length,
  states: tallyOf(sidechains.map((sidechain) => sidechain.state)),
  messages: sum(sidechains.map((sidechain) => sidechain.messages)),
  turns: sum(sidechains.map((sidechain) => sidechain.turns)),
  toolUses: sum(sidechains.map((sidechain) => sidechain.toolUses)),
  tools: mergeTallies(sidechains.map((sidechain) => sidechain.tools)),
  maxDepth: sidechains.reduce((deepest, sidechain) => Math.max(deepest, sidechain.depth), 0),
  durationMs: spread(sidechains.map(durationOf)),
});

const durationOf = (sidechain: SidechainDigest): number => {
  const duration = sidechain.endedAt - sidechain.startedAt;
  return Number.isFinite(duration) ? duration : 0;
};

const spread = (values: readonly number[]): Spread => {
  const total = sum(values);
  return { total, mean: values.length === 0 ? 0 : total / values.length, max: values.reduce((most, value) => Math.max(most, value), 0) };
};

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
