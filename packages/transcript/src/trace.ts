import { createShape, extendShape, type Shape, type Spot } from './branches.ts';
import { isConversation, isMessage } from './entry.ts';
import { namedLeaf, newestLeaf, pathOf, sidePath, traceActive, type Path, type Trace } from './path.ts';
import type { Session } from './session.ts';

/** The active path of a session that grows, with the shape it is found by. */
export type GrowingPath = {
  readonly shape: Shape;
  trace: Trace | null;
  /** What the trace depends on beyond the spots it knows. */
  forked: number;
  named: Spot | null;
  hasReplays: boolean;
};

export const createGrowingPath = (): GrowingPath => ({ shape: createShape(), trace: null, forked: 0, named: null, hasReplays: false });

/**
 * PATH-6: brings the active path up to date. Where the conversation went on from its end, which is nearly always, only what is new is looked at and
 * the list of nodes is the same as before, longer; else the path is found anew.
 */
export const extendActivePath = (growing: GrowingPath, session: Session): Path => {
  const { shape } = growing;
  // An answer in place of an earlier one may take that one off the path.
  const isRepeated = answersAgain(shape, session);
  extendShape(shape, session);
  const { trace } = growing;
  if (trace === null || isRepeated || !growTrace(growing, trace, session)) {
    growing.trace = traceActive(session, shape);
    growing.hasReplays = shape.spots.some((spot) => spot.isReplay);
  }
  growing.forked = shape.forked;
  growing.named = namedLeaf(session, shape);
  return growing.trace === null ? sidePath(shape) : pathOf(growing.trace);
};

const answersAgain = (shape: Shape, session: Session): boolean => {
  const { nodes } = session.main;
  for (let i = shape.spots.length; i < nodes.length; i += 1) {
    if (nodes[i]?.entry.results.some((result) => shape.answered.has(result.toolUseId)) === true) return true;
  }
  return false;
};

// False as soon as anything but "it got longer" may be true; the trace is of no use then.
const growTrace = (growing: GrowingPath, trace: Trace, session: Session): boolean => {
  const { shape, hasReplays, forked } = growing;
  const { spots } = shape;
  const from = trace.size;
  // A shape that started again has other spots.
  if (hasReplays || forked !== shape.forked || spots.length < from || spots[trace.tip.node.position] !== trace.tip) return false;
  const newest = takeIn(trace, spots);
  if (newest === 'odd') return false;
  if (newest !== null && !takeFurther(trace, session, newest)) return false;
  const named = namedLeaf(session, shape);
  if (newest === null ? named !== growing.named : named !== null && !isNamed(trace, named)) return false;
  if (!bringNew(trace, session, spots, from)) return false;
  for (let i = from; i < spots.length; i += 1) {
    const spot = spots[i];
    if (spot === undefined || trace.on[i] === 0) continue;
    trace.nodes.push(spot.node);
    if (isMessage(spot.node.entry)) trace.messages += 1;
  }
  trace.size = spots.length;
  return true;
};

// Makes room for what is new, and tells its newest prompt, reply or result.
const takeIn = (trace: Trace, spots: readonly Spot[]): Spot | 'odd' | null => {
  if (trace.on.length < spots.length) {
    const room = spots.length + (spots.length >> 2) + 64;
    for (const name of ['on', 'chain', 'abandoned'] as const) {
      const longer = new Uint8Array(room);
      longer.set(trace[name].subarray(0, trace.size));
      trace[name] = longer;
    }
  }
  let newest: Spot | null = null;
  for (let i = trace.size; i < spots.length; i += 1) {
    const spot = spots[i];
    if (spot === undefined) continue;
    const { up, node, isReplay } = spot;
    if (isReplay || node.entry.more?.isActive != null || (up !== null && up.node.position > i)) return 'odd';
    trace.abandoned[i] = up === null ? 0 : (trace.abandoned[up.node.position] ?? 0);
    if (isConversation(node.entry.role)) newest = spot;
  }
  return newest;
};

// The chain from the new tip must lead to the old one, over nothing but what is new or hangs beside the old tip.
const takeFurther = (trace: Trace, session: Session, newest: Spot): boolean => {
  const from = trace.size;
  const tip = newest.firstDown === null ? newest : newestLeaf(newest, NOBODY);
  if (tip.node.position < from) return false;
  let at: Spot | null = tip;
  for (; at !== null && trace.chain[at.node.position] === 0; at = at.up) {
    const { position, entry } = at.node;
    if (position < from && (trace.on[position] === 0 || at.forks > 1)) return false;
    const { messageId } = entry;
    if (messageId !== null && !trace.messageIds.has(messageId)) {
      const first = session.replies.get(messageId);
      if (first === undefined || first.thread.kind !== 'main' || first.position < from) return false;
      trace.messageIds.add(messageId);
    }
    trace.chain[position] = 1;
    trace.on[position] = 1;
  }
  if (at !== trace.tip) return false;
  trace.tip = tip;
  return true;
};

// What is named agrees with the path when nothing was chosen between the two.
const isNamed = (trace: Trace, named: Spot): boolean => {
  for (let at: Spot | null = named; at !== null; at = at.up) {
    if (trace.chain[at.node.position] === 1) return true;
    if (at.up !== null && at.up.forks > 1) return false;
  }
  return false;
};

// The other blocks of the chain's messages, the results of its tools and what hangs beside it; false when old records would come along, or a new
// prompt, reply or result would not.
const bringNew = (trace: Trace, session: Session, spots: readonly Spot[], from: number): boolean => {
  const { on, abandoned, messageIds } = trace;
  const bring = (position: number): boolean => {
    if (on[position] === 1 || abandoned[position] === 1) return true;
    if (position < from) return false;
    on[position] = 1;
    return true;
  };
  for (let i = from; i < spots.length; i += 1) {
    const messageId = spots[i]?.node.entry.messageId ?? null;
    if (messageId !== null && messageIds.has(messageId)) bring(i);
  }
  for (let i = from; i < spots.length; i += 1) {
    const entry = spots[i]?.node.entry;
    if (entry === undefined) continue;
    for (const { toolUseId } of entry.results) {
      const use = session.uses.get(toolUseId)?.node;
      if (use?.thread.kind === 'main' && on[use.position] === 1 && session.results.get(toolUseId)?.node === spots[i]?.node) bring(i);
    }
    if (on[i] === 0) continue;
    for (const use of entry.uses) {
      const result = session.results.get(use.id)?.node;
      if (result?.thread.kind === 'main' && !bring(result.position)) return false;
    }
  }
  for (let i = from; i < spots.length; i += 1) {
    const spot = spots[i];
    if (spot === undefined || on[i] === 1) continue;
    if (isConversation(spot.node.entry.role)) return false;
    if (spot.up !== null && on[spot.up.node.position] === 1 && !spot.carries) bring(i);
  }
  return true;
};

const NOBODY: ReadonlySet<Spot> = new Set();
