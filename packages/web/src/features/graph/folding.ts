import { linkNodes, type Linked } from './linking.ts';
import { MAIN, NO_TICK, type SessionTree, type Sidechain, type Tick } from './session-tree.ts';

export const COUNTED = ['messages', 'turns', 'operations', 'errors', 'agents'] as const;
export type Counts = Readonly<Record<(typeof COUNTED)[number], number>>;

/** What happened between two prompts, or a compaction: connected nodes. Every node is in exactly one run. */
export type Run = {
  readonly index: number;
  readonly kind: 'turn' | 'compaction';
  readonly thread: string;
  /** Parents before children; the run begins with the first. */
  readonly members: readonly number[];
  /** The run that it continues; -1 if none. */
  readonly up: number;
  /** Whether it names a parent that is missing. */
  readonly isLost: boolean;
  /** Whether only its place in the file puts it where it is. */
  readonly isByOrder: boolean;
  /** Whether any of it is on the active path; `isSpine`: on the way to that path's end. */
  readonly isActive: boolean;
  readonly isSpine: boolean;
  readonly counts: Counts;
  /** Counts of everything from here on, in all branches. */
  readonly total: Counts;
  /** Which of several continuations it is. */
  readonly branch: { readonly at: number; readonly of: number } | null;
  readonly downs: readonly number[];
  /** The run of `downs` to read next: the one that leads to the latest message, otherwise the longest. */
  readonly next: number;
  /** The sub-agents called in it, each with the calling node. */
  readonly agents: readonly Call[];
};

export type Call = { readonly agentId: string; readonly node: number };

/** Consecutive turns without a branch between them. */
export type Stretch = { readonly runs: readonly number[] };

/** A folded session: every node is in one run, the runs of a long unbranched part form a stretch, and branches hang below the run they leave. */
export type Folded = {
  readonly linked: Linked;
  readonly runs: readonly Run[];
  readonly runOf: Int32Array;
  readonly stretches: readonly Stretch[];
  /** Index of each run's stretch; -1 if it is in none. */
  readonly stretchOf: Int32Array;
  readonly agents: ReadonlyMap<string, Sidechain>;
  /** The runs in which a sub-agent's thread begins. */
  readonly topsOf: ReadonlyMap<string, readonly number[]>;
  /** Sub-agents whose call is in no reachable thread. */
  readonly looseAgents: readonly string[];
  /** The node with the latest message; -1 if unknown. */
  readonly leaf: number;
};

export const foldTree = (tree: SessionTree, tick: Tick = NO_TICK): Folded => {
  const linked = linkNodes(tree, tick);
  const { runs, runOf } = cutRuns(tree, linked, tick);
  const agents = new Map(tree.sidechains.map((sidechain) => [sidechain.agentId, sidechain]));
  const { calls, loose } = callsOf(tree, linked, tick);
  const leaf = linked.end;
  const whole = joinRuns(runs, runOf, calls, tick);
  const topsOf = new Map<string, number[]>();
  for (const { up, thread, index } of whole) if (up < 0) addTo(topsOf, thread, index);
  return {
    linked,
    runs: whole,
    runOf,
    ...stretchesOf(whole, leaf < 0 ? -1 : (runOf[leaf] ?? -1), tick),
    agents,
    topsOf,
    looseAgents: loose,
    leaf,
  };
};

type Draft = {
  index: number;
  kind: Run['kind'];
  thread: string;
  members: number[];
  up: number;
  isLost: boolean;
  isByOrder: boolean;
  isActive: boolean;
  isSpine: boolean;
  counts: Record<(typeof COUNTED)[number], number>;
  branch: Run['branch'];
};

const cutRuns = (tree: SessionTree, linked: Linked, tick: Tick): { readonly runs: readonly Draft[]; readonly runOf: Int32Array } => {
  const { nodes, up, how, threadOf, order, isActive, isSpine } = linked;
  const branchAt = new Map<string, NonNullable<Run['branch']>>();
  for (const { children } of tree.branches) {
    children.forEach(({ uuid }, i) => {
      tick();
      branchAt.set(uuid, { at: i + 1, of: children.length });
    });
  }
  const runs: Draft[] = [];
  const runOf = new Int32Array(nodes.length).fill(-1);
  for (const i of order) {
    tick();
    const node = nodes[i];
    if (node === undefined) continue;
    const above = up[i] ?? -1;
    const parent = above < 0 ? undefined : runs[runOf[above] ?? -1];
    const branch = branchAt.get(node.uuid) ?? null;
    const begins =
      parent === undefined ||
      how[i] === 'lost' ||
      branch !== null ||
      node.role === 'boundary' ||
      (parent.kind === 'compaction' && !BELONGS_TO_COMPACTION.has(node.role)) ||
      (ASKED.has(node.role) && !(node.role === 'bash' && nodes[above]?.role === 'bash'));
    const run: Draft = begins
      ? {
          index: runs.length,
          kind: node.role === 'boundary' ? 'compaction' : 'turn',
          thread: threadOf[i] ?? MAIN,
          members: [],
          up: parent?.index ?? -1,
          isLost: how[i] === 'lost',
          isByOrder: how[i] === 'lost' || how[i] === 'order',
          isActive: false,
          isSpine: false,
          counts: { ...NOTHING, turns: 1 },
          branch,
        }
      : parent;
    if (begins) runs.push(run);
    runOf[i] = run.index;
    run.members.push(i);
    run.isActive ||= isActive[i] === 1;
    run.isSpine ||= isSpine[i] === 1;
    if (SAID.has(node.role)) run.counts.messages += 1;
    if (node.role === 'result') run.counts.operations += 1;
    if (node.isError) run.counts.errors += 1;
  }
  return { runs, runOf };
};

/** Where each sub-agent was called. Agents may claim to have called one another: only those reachable from the main thread get a place. */
const callsOf = (
  { sidechains, calls }: SessionTree,
  { nodes, indexOf, threadOf }: Linked,
  tick: Tick,
): { readonly calls: ReadonlyMap<number, readonly string[]>; readonly loose: readonly string[] } => {
  const parentOfFirst = new Map<string, number>();
  nodes.forEach(({ parentUuid }, i) => {
    tick();
    const thread = threadOf[i] ?? MAIN;
    if (!parentOfFirst.has(thread)) parentOfFirst.set(thread, indexOf.get(parentUuid ?? '') ?? -1);
  });
  const callOf = new Map<string, number>();
  for (const { agentId, toolUseIds } of sidechains) {
    tick();
    const named = toolUseIds.map((id) => indexOf.get(calls.get(id) ?? '') ?? -1).find((node) => node >= 0) ?? parentOfFirst.get(agentId) ?? -1;
    if (named >= 0 && threadOf[named] !== agentId) callOf.set(agentId, named);
  }
  const calledFrom = new Map<string, string[]>();
  for (const [agentId, node] of callOf) addTo(calledFrom, threadOf[node] ?? MAIN, agentId);
  const reached = new Set([MAIN]);
  const loose: string[] = [];
  const reach = (from: string): void => {
    const queue = [from];
    for (let thread = queue.pop(); thread !== undefined; thread = queue.pop()) {
      tick();
      for (const agentId of calledFrom.get(thread) ?? []) {
        if (reached.has(agentId)) callOf.delete(agentId);
        else queue.push(agentId);
        reached.add(agentId);
      }
    }
  };
  reach(MAIN);
  for (const { agentId } of sidechains) {
    if (reached.has(agentId)) continue;
    loose.push(agentId);
    callOf.delete(agentId);
    reached.add(agentId);
    reach(agentId);
  }
  const byNode = new Map<number, string[]>();
  for (const [agentId, node] of callOf) addTo(byNode, node, agentId);
  return { calls: byNode, loose };
};

const addTo = <K, V>(lists: Map<K, V[]>, key: K, value: V): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

const joinRuns = (drafts: readonly Draft[], runOf: Int32Array, calls: ReadonlyMap<number, readonly string[]>, tick: Tick): readonly Run[] => {
  const downs: number[][] = drafts.map(() => []);
  const agents: Call[][] = drafts.map(() => []);
  for (const [node, ids] of calls) for (const agentId of ids) agents[runOf[node] ?? -1]?.push({ agentId, node });
  for (const { index, up } of drafts) downs[up]?.push(index);
  for (const { index, counts } of drafts) counts.agents = agents[index]?.length ?? 0;
  const totals = drafts.map(({ counts }) => ({ ...counts }));
  // Runs are numbered parents first, so going backwards visits children before their parents.
  for (const { index, up } of drafts.toReversed()) {
    tick();
    const [mine, above] = [totals[index], totals[up]];
    if (mine !== undefined && above !== undefined) for (const name of COUNTED) above[name] += mine[name];
  }
  return drafts.map((draft): Run => {
    const mine = downs[draft.index] ?? [];
    const next = mine.reduce((best, one) => {
      tick();
      return best < 0 || isAhead(drafts, totals, one, best) ? one : best;
    }, -1);
    return { ...draft, downs: mine, next, total: totals[draft.index] ?? NOTHING, agents: agents[draft.index] ?? [] };
  });
};

const isAhead = (drafts: readonly Draft[], totals: readonly Counts[], one: number, other: number): boolean => {
  const [a, b] = [drafts[one]?.isSpine ?? false, drafts[other]?.isSpine ?? false];
  return a === b ? (totals[one]?.messages ?? 0) > (totals[other]?.messages ?? 0) : a;
};

const stretchesOf = (runs: readonly Run[], leafRun: number, tick: Tick): Pick<Folded, 'stretches' | 'stretchOf'> => {
  const stretchOf = new Int32Array(runs.length).fill(-1);
  const stretches: Stretch[] = [];
  // A thread's first turn, the current turn, and turns that mark a branch or a gap always stay visible.
  const isPlain = ({ kind, up, isLost, branch, index }: Run): boolean =>
    kind === 'turn' && up >= 0 && !isLost && branch === null && index !== leafRun && runs[up]?.downs.length === 1;
  const isTaken = new Uint8Array(runs.length);
  for (const run of runs) {
    if (isTaken[run.index] === 1 || !isPlain(run)) continue;
    const chain: number[] = [];
    for (let at: Run | undefined = run; at !== undefined && isPlain(at); at = at.downs.length === 1 ? runs[at.next] : undefined) {
      tick();
      chain.push(at.index);
      isTaken[at.index] = 1;
    }
    for (let from = 0; chain.length - from >= SHORTEST_STRETCH; from += LONGEST_STRETCH) {
      const part = chain.slice(from, from + LONGEST_STRETCH);
      for (const index of part) stretchOf[index] = stretches.length;
      stretches.push({ runs: part });
    }
  }
  return { stretches, stretchOf };
};

export const NOTHING: Counts = { messages: 0, turns: 0, operations: 0, errors: 0, agents: 0 };

const ASKED: ReadonlySet<string> = new Set(['prompt', 'command', 'bash', 'memory']);
const BELONGS_TO_COMPACTION: ReadonlySet<string> = new Set(['summary', 'meta', 'attachment', 'system', 'progress', 'output']);
/** What people would call a message; other records hang beside one. */
export const SAID: ReadonlySet<string> = new Set([
  'prompt',
  'reply',
  'result',
  'summary',
  'synthetic',
  'command',
  'bash',
  'memory',
  'notice',
  'interruption',
]);
const SHORTEST_STRETCH = 4;
// Counted from the beginning, so that existing stretches stay the same when the session grows.
const LONGEST_STRETCH = 25;
