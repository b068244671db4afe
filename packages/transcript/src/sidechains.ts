import type { Node } from './graph.ts';
import { linkCalls, type LinkedBy, type Links } from './links.ts';
import type { Session, UsedTool } from './session.ts';
import { strandsOf, type Strand } from './strands.ts';

export const SIDECHAIN_STATES = ['complete', 'incomplete', 'running', 'orphaned'] as const;
export type SidechainState = (typeof SIDECHAIN_STATES)[number];

/** A sub-agent's conversation, linked to the calls that started and continued it. */
export type Sidechain = {
  readonly id: string;
  /** The name it was called by; "unknown" if nothing says. */
  readonly agent: string;
  readonly nodes: readonly Node[];
  readonly calls: readonly UsedTool[];
  /** The ids of its calls, including those whose record is missing. */
  readonly toolUseIds: readonly string[];
  readonly linkedBy: LinkedBy;
  readonly depth: number;
  readonly parentId: string | null;
  readonly state: SidechainState;
};

export type SidechainOptions = {
  /** The time by which to judge whether an open call is still running; without it, nothing runs. */
  readonly now?: number;
  /** How long after its session's newest record an open call counts as running. */
  readonly runningWithin?: number;
};

/** All sidechains of a session, in order of their first record's time. */
export const sidechainsOf = (session: Session, options: SidechainOptions = {}): readonly Sidechain[] => {
  const strands = strandsOf(session);
  const links = linkCalls(session, strands);
  const parents = new Map(strands.map((strand) => [strand.id, parentOf(session, strand, links)]));
  const depths = depthsOf(session, strands, parents);
  return strands.map((strand) => {
    const link = links.byStrand.get(strand.id);
    const calls = link?.calls ?? [];
    const meta = strand.thread.agentId === null ? undefined : session.metas.get(strand.thread.agentId);
    return {
      id: strand.id,
      agent: calls.find((call) => call.use.call?.agent != null)?.use.call?.agent ?? meta?.agentType ?? 'unknown',
      nodes: strand.nodes,
      calls,
      toolUseIds: link?.toolUseIds ?? [],
      linkedBy: link?.by ?? 'none',
      depth: depths.get(strand.id) ?? 1,
      parentId: parents.get(strand.id) ?? null,
      state: stateOf(session, strand, calls, options),
    };
  });
};

const parentOf = (session: Session, strand: Strand, links: Links): string | null => {
  const call = links.byStrand.get(strand.id)?.calls[0];
  if (call !== undefined) return links.strandOf(call.node);
  const meta = strand.thread.agentId === null ? undefined : session.metas.get(strand.thread.agentId);
  return meta?.parentAgentId ?? strand.outer;
};

const depthsOf = (session: Session, strands: readonly Strand[], parents: ReadonlyMap<string, string | null>): ReadonlyMap<string, number> => {
  const depths = new Map<string, number>();
  const byId = new Map(strands.map((strand) => [strand.id, strand]));
  for (const strand of strands) {
    const below: Strand[] = [];
    const seen = new Set<string>();
    let at: Strand | undefined = strand;
    // `seen`: agents may claim to have started one another.
    while (at !== undefined && !depths.has(at.id) && !seen.has(at.id)) {
      seen.add(at.id);
      below.push(at);
      at = byId.get(parents.get(at.id) ?? '');
    }
    for (let next = below.pop(); next !== undefined; next = below.pop()) depths.set(next.id, depthOf(session, next, parents, depths));
  }
  return depths;
};

const depthOf = (session: Session, strand: Strand, parents: ReadonlyMap<string, string | null>, depths: ReadonlyMap<string, number>): number => {
  if (isLevel(strand.nestingLevel)) return strand.nestingLevel;
  const parent = parents.get(strand.id) ?? null;
  const above = parent === null ? undefined : depths.get(parent);
  if (above !== undefined) return above + 1;
  const meta = strand.thread.agentId === null ? undefined : session.metas.get(strand.thread.agentId);
  const spawnDepth = meta?.spawnDepth ?? null;
  return isLevel(spawnDepth) ? spawnDepth : parent === null ? 1 : 2;
};

const isLevel = (level: number | null): level is number => Number.isSafeInteger(level) && (level ?? 0) > 0;

/** SIDE-8: an answer completes a call, and so does a notification of completion; a stub, a rejection or an interruption doesn't. */
const stateOf = (session: Session, strand: Strand, calls: readonly UsedTool[], options: SidechainOptions): SidechainState => {
  const call = calls.at(-1);
  if (call === undefined) return 'orphaned';
  const result = session.results.get(call.use.id)?.result;
  if (result?.answer === 'answer') return 'complete';
  let isClosed = result?.answer === 'void';
  const earlier = new Set(calls.slice(0, -1).map(({ use }) => use.id));
  for (const notice of session.evidence.get(strand.thread.agentId ?? '')?.values() ?? []) {
    // The end of an earlier call says nothing about the call that resumed the agent.
    if (notice.status === null || earlier.has(notice.toolUseId ?? '')) continue;
    if (notice.status === 'completed') return 'complete';
    isClosed = true;
  }
  const isRecent = options.now !== undefined && isRunningAt(session.lastAt, options.now, options.runningWithin);
  return isRecent && !isClosed ? 'running' : 'incomplete';
};

/** Whether an open call still counts as running, judging by its session's newest record. */
export const isRunningAt = (lastAt: number, now: number, runningWithin = TEN_MINUTES): boolean => now - lastAt < runningWithin;

const TEN_MINUTES = 600_000;
