import {
  createGrowingSession,
  extendActivePath,
  flowOf,
  isConversation,
  parentsFirst,
  pathThrough,
  waysFrom,
  type Flow,
  type FlowStep,
  type GrowingSession,
  type Node,
  type Session,
  type Sidechain,
} from '@yarnboard/transcript';
import { keepLatest } from './latest.ts';

/** A conversation as steps: a branch of the main thread, or a sub-agent's. */
export type ThreadFlow = {
  readonly flow: Flow;
  readonly sidechain: Sidechain | null;
  readonly leaf: Node | null;
  /** Whether this is the active branch. */
  readonly isActive: boolean;
};

/** A point where a conversation split, and the branch a step is on. */
export type Fork = { readonly point: Node; readonly taken: number; readonly ways: readonly Node[] };

export type Sidechains = {
  readonly byId: ReadonlyMap<string, Sidechain>;
  /** Keyed by the tool use that called the sub-agent. */
  readonly byCall: ReadonlyMap<string, Sidechain>;
};

/** The flows of one session. They are cached as long as the session, and extended if records were only added. */
export type SessionFlows = {
  readonly active: () => Promise<ThreadFlow>;
  /** The branch through a record of the main thread; the active branch if it contains the record. */
  readonly through: (node: Node) => Promise<ThreadFlow>;
  /** A sub-agent's conversation. */
  readonly sidechain: (id: string) => ThreadFlow | null;
  /** The sub-agent whose conversation contains a record; null in the main thread. */
  readonly sidechainOf: (node: Node) => Sidechain | null;
  /** Their state while the session is being written: a call without an end is running. */
  readonly sidechains: () => Sidechains;
  readonly forkOf: (flow: Flow, step: FlowStep) => Fork | null;
};

export type FlowFacts = {
  /** Whether a record was copied from the session that this one continues. Left out if we can't tell. */
  readonly isCopied?: (node: Node) => Promise<boolean>;
  readonly isGone?: (node: Node) => boolean;
};

export const createSessionFlows = (
  session: Session,
  { isCopied, isGone = () => false }: FlowFacts = {},
  grown: Pick<GrowingSession, 'path' | 'sidechains'> = createGrowingSession(session),
): SessionFlows => {
  const growing = grown.path;
  const kept = new Map<string, Flow>();
  const paths = new Map<Node, { readonly size: number; readonly leaf: Node | null; readonly nodes: readonly Node[] }>();
  let copied: { readonly size: number; readonly until: number } | null = null;
  let known: { readonly all: readonly Sidechain[]; readonly sidechains: Sidechains } | null = null;

  const keep = (name: string, nodes: readonly Node[], until: number): Flow => {
    const copiedUntil = until < 0 ? null : (nodes.findLast(({ position }) => position <= until) ?? null);
    const flow = flowOf(nodes, { copiedUntil, isGone }, kept.get(name) ?? null);
    kept.delete(name);
    kept.set(name, flow);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      if (oldest !== ACTIVE) kept.delete(oldest);
    }
    return flow;
  };

  // Copies come before everything else. Searched once, and again only if all records so far were copies: then more copies may have arrived.
  const copiedTo = async (): Promise<number> => {
    if (isCopied === undefined) return -1;
    const { nodes } = session.main;
    if (copied !== null && (copied.size === nodes.length || copied.until < copied.size - 1)) return copied.until;
    const size = nodes.length;
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >> 1;
      const node = nodes[middle];
      if (node !== undefined && (await isCopied(node))) low = middle + 1;
      else high = middle;
    }
    copied = { size, until: low - 1 };
    return copied.until;
  };

  // Very few records of the main thread come before their parent. Checking all of them each time would be most of the work.
  const inOrder = (nodes: readonly Node[]): readonly Node[] => (session.main.adopted.length === 0 ? nodes : parentsFirst(nodes));

  const active = async (): Promise<ThreadFlow> => {
    const until = await copiedTo();
    const { nodes, leaf } = extendActivePath(growing, session);
    return { flow: keep(ACTIVE, inOrder(nodes), until), sidechain: null, leaf, isActive: true };
  };

  const sidechains = (): Sidechains => {
    // Judged at the time of the newest record; the caller decides whether that was long ago.
    const all = grown.sidechains();
    if (known?.all !== all) {
      const byCall = new Map<string, Sidechain>();
      for (const one of all) for (const id of one.toolUseIds) if (!byCall.has(id)) byCall.set(id, one);
      known = { all, sidechains: { byId: new Map(all.map((one) => [one.id, one])), byCall } };
    }
    return known.sidechains;
  };

  return {
    active,
    through: async (node) => {
      const whole = await active();
      if (whole.flow.nodes.includes(node)) return whole;
      const until = await copiedTo();
      const size = session.main.nodes.length;
      const before = paths.get(node);
      const path = before?.size === size ? before : { size, ...pathThrough(session, growing.shape, node) };
      keepLatest(paths, node, path, MOST_KEPT);
      return { flow: keep(`through ${node.uuid}`, inOrder(path.nodes), until), sidechain: null, leaf: path.leaf, isActive: path.leaf === whole.leaf };
    },
    sidechain: (id) => {
      const sidechain = sidechains().byId.get(id);
      if (sidechain === undefined) return null;
      const leaf = sidechain.nodes.findLast(({ entry }) => isConversation(entry.role)) ?? null;
      return { flow: keep(`agent ${id}`, parentsFirst(sidechain.nodes), -1), sidechain, leaf, isActive: true };
    },
    sidechainOf: (node) => {
      const { kind, agentId } = node.thread;
      if (kind === 'main') return null;
      const { byId } = sidechains();
      return (agentId === null ? undefined : byId.get(agentId)) ?? [...byId.values()].find(({ nodes }) => nodes.includes(node)) ?? null;
    },
    sidechains,
    forkOf: (flow, step) => {
      const { spots, points } = growing.shape;
      if (points.size === 0) return null;
      for (const node of step.nodes) {
        let child = node.thread === session.main ? spots[node.position] : undefined;
        // Records between two steps belong to the second one.
        while (child?.up != null && child.up.forks < 2 && !flow.stepOf.has(child.up.node)) child = child.up;
        if (child?.up == null || child.up.forks < 2) continue;
        const ways = waysFrom(child.up).map((way) => way.node);
        const taken = ways.indexOf(child.node);
        if (taken !== -1) return { point: child.up.node, taken, ways };
      }
      return null;
    },
  };
};

const ACTIVE = 'active';
const MOST_KEPT = 8;
