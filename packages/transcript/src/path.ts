import { branchesOf, createShape, extendShape, inOneTree, promptKey, visitBelow, type Shape, type Spot } from './branches.ts';
import { isMessage } from './entry.ts';
import type { Node } from './graph.ts';
import type { Session } from './session.ts';
import { chooseTip, namedLeaf, tipThrough } from './tip.ts';
import { growTrace, traceTo, type Trace } from './trace.ts';

/** A path through a thread from its root to one tip, with everything that belongs to it, in file order. */
export type Path = {
  /** Its newest prompt, reply or tool result; null in a session without any. */
  readonly leaf: Node | null;
  readonly nodes: readonly Node[];
  readonly messages: number;
};

/** Why a message is on no branch. */
export const OFF_PATH_REASONS = ['replayed', 'other root', 'dead end'] as const;
export type OffPathReason = (typeof OFF_PATH_REASONS)[number];

/**
 * PATH-1: the tip is chosen first, then its ancestors, then what belongs to them: the other blocks of their API messages, the results of their tool
 * uses, and records beside the conversation that are attached to them.
 */
export const activePath = (session: Session, shape: Shape): Path => activeOf(shape, traceActive(session, shape));

/** The path through a given record of the main thread, continuing to the newest record below it. */
export const pathThrough = (session: Session, shape: Shape, node: Node): Path => {
  const spot = node.thread === session.main ? shape.spots[node.position] : undefined;
  return spot === undefined ? NOWHERE : pathOf(traceTo(session, shape, tipThrough(shape, spot)));
};

/** The path that ends at a given record, whatever comes below it. The shape is that of the record's thread. */
export const pathTo = (session: Session, shape: Shape, node: Node): Path => {
  const spot = shape.spots[node.position];
  return spot?.node === node ? pathOf(traceTo(session, shape, spot)) : NOWHERE;
};

/** The active path of a growing session, with its shape. */
export type GrowingPath = {
  readonly shape: Shape;
  trace: Trace | null;
  /** What the trace depends on beyond the spots it knows. */
  forked: number;
  named: Spot | null;
};

export const createGrowingPath = (): GrowingPath => ({ shape: createShape(), trace: null, forked: 0, named: null });

/**
 * PATH-6: updates the active path. If the conversation continued at its end, as nearly always, only new records are processed and the list of nodes
 * is the same one, extended; otherwise the path is recomputed.
 */
export const extendActivePath = (growing: GrowingPath, session: Session): Path => {
  const { shape, trace, forked, named } = growing;
  // A replaced answer may have to leave the path.
  const isRepeated = answersAgain(shape, session);
  extendShape(shape, session);
  growing.forked = shape.forked;
  growing.named = namedLeaf(session, shape);
  const isLonger =
    trace !== null && !isRepeated && forked === shape.forked && growTrace(trace, session, shape, { before: named, now: growing.named });
  if (!isLonger) growing.trace = traceActive(session, shape);
  return activeOf(shape, growing.trace);
};

const answersAgain = (shape: Shape, session: Session): boolean => {
  const { nodes } = session.main;
  for (let i = shape.spots.length; i < nodes.length; i += 1) {
    if (nodes[i]?.entry.results.some((result) => shape.answers.has(result.toolUseId)) === true) return true;
  }
  return false;
};

const traceActive = (session: Session, shape: Shape): Trace | null => {
  const tip = chooseTip(session, shape);
  return tip === null ? null : traceTo(session, shape, tip);
};

// A session without conversation still shows what it has.
const activeOf = (shape: Shape, trace: Trace | null): Path =>
  trace === null
    ? {
        leaf: null,
        nodes: shape.spots.map((spot) => spot.node),
        messages: shape.spots.filter((spot) => isMessage(spot.node.entry)).length,
      }
    : pathOf(trace);

const pathOf = ({ tip, nodes, messages }: Trace): Path => ({ leaf: tip.node, nodes, messages });

/** PATH-4: messages of the main thread that are neither on the path nor on a named branch, with the reason. */
export const offPath = (session: Session, shape: Shape, path: Path): ReadonlyMap<Node, OffPathReason> => {
  const placed = new Set<Node>(path.nodes);
  for (const node of otherBranches(shape, path)) placed.add(node);
  const tip = path.leaf === null ? undefined : shape.spots[path.leaf.position];
  const replayed = replayedKeys(session, shape);
  const left = new Map<Node, OffPathReason>();
  for (const spot of shape.spots) {
    if (placed.has(spot.node) || !isMessage(spot.node.entry)) continue;
    const isTwin = spot.isReplay || keysOf(session, spot.node).some((key) => replayed.has(key));
    left.set(spot.node, isTwin ? 'replayed' : tip !== undefined && inOneTree(tip, spot) ? 'dead end' : 'other root');
  }
  return left;
};

/** Connected messages on no branch, in file order. The path through the last one shows them. */
export type Stretch = { readonly reason: OffPathReason; readonly nodes: readonly Node[] };

/** PATH-9: everything on no branch, grouped by connection, in file order. */
export const stretchesOffPath = (shape: Shape, left: ReadonlyMap<Node, OffPathReason>): readonly Stretch[] => {
  const stretches = new Map<Spot, { readonly reason: OffPathReason; readonly nodes: Node[] }>();
  const tops = new Map<Spot, Spot>();
  for (const [node, reason] of left) {
    const below: Spot[] = [];
    let at = shape.spots[node.position] ?? null;
    // Attachments and progress between two messages belong to neither: they are skipped over.
    let top = at;
    for (; at !== null && !tops.has(at) && isLeft(left, at); at = at.up) {
      below.push(at);
      if (left.has(at.node)) top = at;
    }
    if (at !== null) top = tops.get(at) ?? top;
    if (top === null) continue;
    for (const spot of below) tops.set(spot, top);
    const known = stretches.get(top);
    if (known === undefined) stretches.set(top, { reason, nodes: [node] });
    else known.nodes.push(node);
  }
  return [...stretches.values()];
};

const isLeft = (left: ReadonlyMap<Node, OffPathReason>, { node }: Spot): boolean => left.has(node) || !isMessage(node.entry);

/** All records on named branches that the path doesn't take. */
export const otherBranches = (shape: Shape, path: Path): ReadonlySet<Node> => {
  const taken = new Set<Node>(path.nodes);
  const others = new Set<Node>();
  for (const branch of branchesOf(shape)) {
    for (const { spot, node } of branch.children) {
      if (taken.has(node) || others.has(node)) continue;
      // Parts already reached from another branch point aren't walked again.
      visitBelow(spot, (below) => !others.has(below.node) && others.add(below.node) !== null);
    }
  }
  return others;
};

const replayedKeys = (session: Session, shape: Shape): ReadonlySet<string | number> =>
  new Set(shape.spots.filter((spot) => spot.isReplay).flatMap((spot) => keysOf(session, spot.node)));

// What a record and its replay have in common.
const keysOf = (session: Session, node: Node): readonly (string | number)[] => {
  const { entry } = node;
  if (entry.role === 'prompt') return [promptKey(node)];
  if (entry.messageId !== null) return [entry.messageId];
  return entry.results.map((result) => session.uses.get(result.toolUseId)?.node.entry.messageId ?? result.toolUseId);
};

const NOWHERE: Path = { leaf: null, nodes: [], messages: 0 };
