import { branchesOf, messagesBelow, type Shape, type Spot } from './branches.ts';
import {
  countNode,
  createCounted,
  outlineFrom,
  sidechainDigest,
  toolsOf,
  type Counted,
  type SessionOutline,
  type SidechainDigest,
} from './digest.ts';
import { isMessage } from './entry.ts';
import type { Node } from './graph.ts';
import { createGrowingPath, extendActivePath, offPath, stretchesOffPath, type GrowingPath, type OffPathReason, type Stretch } from './path.ts';
import type { AgentMeta, Session } from './session.ts';
import { sidechainsOf, type Sidechain } from './sidechains.ts';

/** Derived data of a growing session. It equals what a full computation would give, at the cost of what is new (PATH-12). */
export type GrowingSession = {
  readonly path: GrowingPath;
  /**
   * Their state while the session is being written: a call without an end is running. The same list as before, unless something about them is new.
   */
  readonly sidechains: () => readonly Sidechain[];
  readonly outline: () => SessionOutline;
};

export const createGrowingSession = (session: Session): GrowingSession => {
  const path = createGrowingPath();
  const sidechains = growingSidechains(session);
  const count = growingCounts(session);
  const tools = growingTools(session);
  const ways = growingWays(session, path);
  let digests: { readonly of: readonly Sidechain[]; readonly digests: readonly SidechainDigest[] } | null = null;
  return {
    path,
    sidechains,
    outline: () => {
      const of = sidechains();
      if (digests?.of !== of) digests = { of, digests: of.map((one) => sidechainDigest(session, one)) };
      return outlineFrom(session, { ...ways(), counted: count(), tools: tools(), sidechains: digests.digests });
    },
  };
};

const growingCounts = (session: Session): (() => Counted) => {
  const counted = createCounted();
  let [nodes, late] = [0, 0];
  return () => {
    for (; nodes < session.main.nodes.length; nodes += 1) {
      const node = session.main.nodes[nodes];
      if (node !== undefined) countNode(counted, node);
    }
    for (; late < session.graph.late.length; late += 1) if (session.graph.late[late]?.thread === session.main) counted.lateParents += 1;
    return counted;
  };
};

const othersIn = ({ graph, main }: Session): number => graph.nodes.size - main.nodes.length;

/** Uses and results are usually appended, but an answer replaces a stub: then, and when sub-agents use tools, everything is recounted. */
const growingTools = (session: Session): (() => SessionOutline['tools']) => {
  let known: { readonly tools: SessionOutline['tools']; readonly nodes: number; readonly results: number; readonly others: number } | null = null;
  const grown = (): SessionOutline['tools'] | null => {
    if (known === null || known.others !== othersIn(session)) return null;
    let { uses, results, paired } = known.tools;
    let brought = 0;
    for (let i = known.nodes; i < session.main.nodes.length; i += 1) {
      const node = session.main.nodes[i];
      for (const { id } of node?.entry.uses ?? []) {
        if (session.uses.get(id)?.node !== node) continue;
        uses += 1;
        if (session.results.get(id)?.node.thread === session.main) paired += 1;
      }
      for (const { toolUseId } of node?.entry.results ?? []) {
        if (toolUseId === '' || session.results.get(toolUseId)?.node !== node) continue;
        brought += 1;
        const use = session.uses.get(toolUseId)?.node;
        if (use?.thread === session.main && use.position < known.nodes) paired += 1;
      }
    }
    results += brought;
    return session.results.size === known.results + brought && hasEachOnce(session, known.nodes) ? { uses, results, paired } : null;
  };
  return () => {
    const tools = grown() ?? toolsOf(session);
    known = { tools, nodes: session.main.nodes.length, results: session.results.size, others: othersIn(session) };
    return tools;
  };
};

/** A record may name a use twice, of which the session knows the first. */
const hasEachOnce = ({ main }: Session, from: number): boolean => {
  for (let i = from; i < main.nodes.length; i += 1) {
    const uses = main.nodes[i]?.entry.uses ?? [];
    if (uses.length > 1 && new Set(uses.map(({ id }) => id)).size < uses.length) return false;
  }
  return true;
};

const growingSidechains = (session: Session): (() => readonly Sidechain[]) => {
  let made: { readonly all: readonly Sidechain[]; readonly named: ReadonlySet<string>; readonly stamp: Stamp; nodes: number } | null = null;

  /** Whether a record of the main thread says something about a sub-agent. */
  const concerns = (node: Node, named: ReadonlySet<string>): boolean => {
    if (node.entry.uses.some(({ id }) => named.has(id))) return true;
    if (node.entry.results.some(({ toolUseId }) => session.uses.get(toolUseId)?.use.call != null)) return true;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) if (child.thread !== node.thread) return true;
    return false;
  };

  const isAsBefore = (stamp: Stamp): boolean => {
    // Those in the main file depend on the surrounding records.
    if (made === null || session.inline.nodes.length > 0 || !isSameStamp(made.stamp, stamp)) return false;
    for (; made.nodes < session.main.nodes.length; made.nodes += 1) {
      const node = session.main.nodes[made.nodes];
      if (node !== undefined && concerns(node, made.named)) return false;
    }
    return true;
  };

  return () => {
    const stamp = stampOf(session);
    if (made === null || !isAsBefore(stamp)) {
      const all = sidechainsOf(session, { now: session.lastAt });
      made = { all, named: new Set(all.flatMap(({ toolUseIds }) => toolUseIds)), stamp, nodes: session.main.nodes.length };
    }
    return made.all;
  };
};

/** Changes when something about sub-agents is new outside the main thread. */
type Stamp = { readonly counts: readonly number[]; readonly metas: readonly AgentMeta[] };

const stampOf = (session: Session): Stamp => {
  let notices = 0;
  for (const some of session.evidence.values()) notices += some.size;
  // Without any time, it can't be judged whether a call is still open.
  const isTimed = Number.isFinite(session.lastAt) ? 1 : 0;
  return { counts: [othersIn(session), session.toldUuids.size, session.calls.length, notices, isTimed], metas: [...session.metas.values()] };
};

const isSameStamp = (a: Stamp, b: Stamp): boolean =>
  a.counts.every((count, i) => count === b.counts[i]) && a.metas.length === b.metas.length && a.metas.every((meta, i) => meta === b.metas[i]);

type Ways = Pick<Parameters<typeof outlineFrom>[1], 'path' | 'branches' | 'left' | 'stretches'>;

type Known = {
  readonly nodes: readonly Node[];
  size: number;
  readonly left: ReadonlyMap<Node, OffPathReason>;
  readonly stretches: readonly Stretch[];
  readonly branches: readonly { readonly parentUuid: string; readonly children: readonly { readonly spot: Spot; readonly active: boolean }[] }[];
  /** How many messages are at and below each child of a branch. */
  readonly below: Map<Spot, number>;
  /** The children that lead to the tip, from the top; null if the path doesn't follow the file order. */
  readonly lanes: readonly Spot[] | null;
};

const growingWays = (session: Session, growing: GrowingPath): (() => Ways) => {
  let known: Known | null = null;
  return () => {
    const path = extendActivePath(growing, session);
    if (known === null || known.nodes !== path.nodes || !takeIn(known, growing)) {
      const left = offPath(session, growing.shape, path);
      known = {
        nodes: path.nodes,
        size: growing.shape.spots.length,
        left,
        stretches: stretchesOffPath(growing.shape, left),
        ...branchesIn(growing.shape, new Set(path.nodes)),
        lanes: lanesOf(growing),
      };
    }
    const { left, stretches, branches, below } = known;
    return {
      path,
      left,
      stretches,
      branches: branches.map(({ parentUuid, children }) => ({
        parentUuid,
        children: children.map(({ spot, active }) => ({ uuid: spot.node.uuid, active, messages: below.get(spot) ?? 0 })),
      })),
    };
  };
};

const branchesIn = (shape: Shape, active: ReadonlySet<Node>): Pick<Known, 'branches' | 'below'> => {
  const counts = shape.points.size === 0 ? null : messagesBelow(shape);
  const below = new Map<Spot, number>();
  const branches = branchesOf(shape).map(({ parent, children }) => ({
    parentUuid: parent.uuid,
    children: children.map(({ spot, node }) => {
      below.set(spot, counts?.[node.position] ?? 0);
      return { spot, active: active.has(node) };
    }),
  }));
  return { branches, below };
};

const lanesOf = ({ trace, shape }: GrowingPath): readonly Spot[] | null => {
  const lanes: Spot[] = [];
  for (let at = trace?.tip ?? null; at !== null; at = at.up) {
    if (at.up === null) break;
    if (at.up.node.position >= at.node.position) return null;
    if (shape.points.has(at.up) && at.carries) lanes.unshift(at);
  }
  return lanes;
};

/** Adds new records if the path merely grew. False if something is beside it, which may be on no branch. */
const takeIn = (known: Known, { trace, shape }: GrowingPath): boolean => {
  if (trace === null) return false;
  const { lanes, below } = known;
  for (; known.size < shape.spots.length; known.size += 1) {
    const spot = shape.spots[known.size];
    if (spot === undefined || !isMessage(spot.node.entry)) continue;
    if (lanes === null || trace.on[spot.node.position] !== 1) return false;
    for (let at: Spot | null = spot; at !== null; at = at.up) {
      const { position } = at.node;
      if (trace.chain[position] === 1) {
        for (const lane of lanes) if (lane.node.position <= position) below.set(lane, (below.get(lane) ?? 0) + 1);
        break;
      }
      const count = below.get(at);
      if (count !== undefined) below.set(at, count + 1);
    }
  }
  return true;
};
