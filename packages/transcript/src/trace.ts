import { visitBelow, type Shape, type Spot } from './branches.ts';
import { isConversation, isMessage, type Entry } from './entry.ts';
import type { Node } from './graph.ts';
import type { Session } from './session.ts';
import { newestLeaf } from './tip.ts';

/** A path with the state of its computation, so that it can be extended. Lists are indexed by position in the thread. */
export type Trace = {
  tip: Spot;
  readonly nodes: Node[];
  messages: number;
  /** How many spots of the shape it knows. */
  size: number;
  /** What is on the path; of that, the tip and its ancestors; and where abandoned branches lead. */
  on: Uint8Array;
  chain: Uint8Array;
  abandoned: Uint8Array;
  /** The API messages of the chain. */
  readonly messageIds: Set<string>;
  /** The contents of replays on the path: their originals are left out. */
  readonly told: ReadonlySet<string>;
  readonly hasReplays: boolean;
};

/** Computes the path to a tip from scratch. */
export const traceTo = (session: Session, shape: Shape, tip: Spot): Trace => {
  const chain = new Uint8Array(shape.spots.length);
  const messageIds = new Set<string>();
  for (let at: Spot | null = tip; at !== null; at = at.up) {
    chain[at.node.position] = 1;
    if (at.node.entry.messageId !== null) messageIds.add(at.node.entry.messageId);
  }
  const on = chain.slice();
  const abandoned = abandonedBy(shape, on);
  const told = bringReplays(shape, on, abandoned);
  const hasReplays = shape.spots.some((spot) => spot.isReplay);
  const trace: Trace = { tip, nodes: [], messages: 0, size: 0, on, chain, abandoned, messageIds, told, hasReplays };
  bringNew(trace, session, shape);
  take(trace, shape);
  return trace;
};

/** The leaf named by a `last-prompt`, at the last computation and now. */
export type NamedLeaf = { readonly before: Spot | null; readonly now: Spot | null };

/**
 * Extends a path with new spots of its shape, by the rules by which it was found. False as soon as it may have changed other than by growing; the
 * trace is useless then.
 */
export const growTrace = (trace: Trace, session: Session, shape: Shape, named: NamedLeaf): boolean => {
  const { spots } = shape;
  const from = trace.size;
  // A shape that started over has other spots.
  if (trace.hasReplays || spots.length < from || spots[trace.tip.node.position] !== trace.tip) return false;
  const newest = takeIn(trace, spots);
  if (newest === 'odd') return false;
  if (newest !== null && !takeFurther(trace, shape, newest)) return false;
  if (newest === null ? named.now !== named.before : named.now !== null && !isNamed(trace, named.now)) return false;
  if (!bringNew(trace, session, shape)) return false;
  for (let i = from; i < spots.length; i += 1) {
    const spot = spots[i];
    // Something newer was said elsewhere: the path may go there now.
    if (spot !== undefined && trace.on[i] === 0 && isConversation(spot.node.entry.role)) return false;
  }
  take(trace, shape);
  return true;
};

// Makes room for new spots, and returns their newest prompt, reply or result.
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
    if (isConversation(node.entry.role)) {
      // Its end may change with the first message that isn't a teammate's.
      if (node.entry.more?.isOfTeam === true) return 'odd';
      newest = spot;
    }
  }
  return newest;
};

// The chain from the new tip must lead to the old one, only over what is new or beside the old tip.
const takeFurther = (trace: Trace, shape: Shape, newest: Spot): boolean => {
  const from = trace.size;
  const tip = newest.firstDown === null ? newest : newestLeaf(shape, newest, NOBODY);
  if (tip.node.position < from) return false;
  let at: Spot | null = tip;
  for (; at !== null && trace.chain[at.node.position] === 0; at = at.up) {
    const { position, entry } = at.node;
    if (position < from && (trace.on[position] === 0 || at.forks > 1)) return false;
    const { messageId } = entry;
    if (messageId !== null && !trace.messageIds.has(messageId)) {
      const first = shape.replies.get(messageId);
      if (first === undefined || first.node.position < from) return false;
      trace.messageIds.add(messageId);
    }
    trace.chain[position] = 1;
    trace.on[position] = 1;
  }
  if (at !== trace.tip) return false;
  trace.tip = tip;
  return true;
};

// The named leaf matches the path if there is no choice between the two.
const isNamed = (trace: Trace, named: Spot): boolean => {
  for (let at: Spot | null = named; at !== null; at = at.up) {
    if (trace.chain[at.node.position] === 1) return true;
    if (at.up !== null && at.up.forks > 1) return false;
  }
  return false;
};

// Adds the other blocks of the chain's messages, the results of its tools and what is attached to it, for all new spots. False if a known spot would
// have to be added.
const bringNew = (trace: Trace, session: Session, { spots, answers }: Shape): boolean => {
  const { on, abandoned, messageIds, told, size: from } = trace;
  let isNewOnly = true;
  const bring = (position: number): void => {
    if (on[position] === 1 || abandoned[position] === 1) return;
    if (position < from) isNewOnly = false;
    on[position] = 1;
  };
  for (let i = from; i < spots.length; i += 1) {
    const spot = spots[i];
    const messageId = spot?.node.entry.messageId ?? null;
    if (spot === undefined || messageId === null || spot.isReplay || !messageIds.has(messageId)) continue;
    // Hardly any session has replays; without them, a key for every block would be most of the work.
    if (told.size === 0 || !told.has(blockKey(spot.node.entry))) bring(i);
  }
  for (let i = from; i < spots.length; i += 1) {
    const spot = spots[i];
    if (spot === undefined) continue;
    const { entry, thread } = spot.node;
    if (from > 0) {
      for (const { toolUseId } of entry.results) {
        const use = session.uses.get(toolUseId)?.node;
        if (use?.thread === thread && use.position < from && on[use.position] === 1 && answers.get(toolUseId) === spot) bring(i);
      }
    }
    if (on[i] === 0) continue;
    for (const use of entry.uses) {
      const result = told.has(use.id) ? undefined : answers.get(use.id);
      if (result !== undefined) bring(result.node.position);
    }
  }
  for (let i = from; i < spots.length; i += 1) {
    const spot = spots[i];
    if (spot?.up != null && on[spot.up.node.position] === 1) bringBeside(trace, spot);
  }
  return isNewOnly;
};

const bringBeside = ({ on, abandoned }: Trace, top: Spot): void => {
  visitBelow(top, (spot) => {
    const at = spot.node.position;
    // A carrying record leads to a prompt or reply that isn't on this path: it belongs there.
    if (on[at] === 1 || abandoned[at] === 1 || spot.carries || isConversation(spot.node.entry.role)) return false;
    on[at] = 1;
    return true;
  });
};

// Records what was added to the list.
const take = (trace: Trace, { spots }: Shape): void => {
  for (let i = trace.size; i < spots.length; i += 1) {
    const spot = spots[i];
    if (spot === undefined || trace.on[i] === 0) continue;
    trace.nodes.push(spot.node);
    if (isMessage(spot.node.entry)) trace.messages += 1;
  }
  trace.size = spots.length;
};

// Adds what was rewritten beside a replay on the path, and returns what the original no longer has to provide. A replay may be partial: what it lacks
// still comes from the original, what it has must not appear twice.
const bringReplays = (shape: Shape, on: Uint8Array, abandoned: Uint8Array): ReadonlySet<string> => {
  const told = new Set<string>();
  for (const spot of shape.spots) {
    const { entry, position } = spot.node;
    if (!spot.isReplay) continue;
    if (abandoned[position] === 0 && isReplayedBeside(spot, on)) on[position] = 1;
    if (on[position] === 0) continue;
    told.add(blockKey(entry));
    for (const result of entry.results) told.add(result.toolUseId);
  }
  return told;
};

// A block and its replay share message id, time and tool ids.
const blockKey = (entry: Entry): string => `${entry.messageId ?? ''}|${entry.at}|${entry.uses.map((use) => use.id).join()}`;

// Only parents hold a replay together: its ids are those of the original.
const isReplayedBeside = ({ node, up }: Spot, on: Uint8Array): boolean => {
  if (up === null || on[up.node.position] === 0) return false;
  return node.entry.role === 'result' || (node.entry.messageId !== null && up.message === node.entry.messageId);
};

const abandonedBy = (shape: Shape, on: Uint8Array): Uint8Array => {
  const abandoned = new Uint8Array(shape.spots.length);
  for (const point of shape.points) {
    if (on[point.node.position] === 0) continue;
    for (let down = point.firstDown; down !== null; down = down.nextDown) {
      if (!down.carries || on[down.node.position] === 1) continue;
      visitBelow(down, (spot) => {
        if (abandoned[spot.node.position] === 1) return false;
        abandoned[spot.node.position] = 1;
        return true;
      });
    }
  }
  return abandoned;
};

const NOBODY: ReadonlySet<Spot> = new Set();
