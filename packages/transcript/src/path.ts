import { branchesOf, downs, inOneTree, visitBelow, type Shape, type Spot } from './branches.ts';
import { isConversation, isMessage, type Entry } from './entry.ts';
import type { Node } from './graph.ts';
import { promptKey, type Session } from './session.ts';

/** A path through the main thread from its root to one tip, with everything that belongs to it, in order of the file. */
export type Path = {
  /** The newest prompt, reply or tool result on it; null in a session without any. */
  readonly leaf: Node | null;
  readonly nodes: readonly Node[];
  readonly messages: number;
};

/** Why a conversation record is on no branch. */
export const OFF_PATH_REASONS = ['replayed', 'other root', 'dead end'] as const;
export type OffPathReason = (typeof OFF_PATH_REASONS)[number];

/**
 * PATH-1: the tip is chosen first, then its ancestors, then what belongs to them: the other blocks of their API messages, the results of their
 * tool uses, and records beside the conversation that hang on them.
 */
export const activePath = (session: Session, shape: Shape): Path => {
  const trace = traceActive(session, shape);
  return trace === null ? sidePath(shape) : pathOf(trace);
};

/** The path that goes through a given record and on to the newest record below it. */
export const pathThrough = (session: Session, shape: Shape, node: Node): Path => {
  const spot = node.thread.kind === 'main' ? shape.spots[node.position] : undefined;
  if (spot === undefined) return { leaf: null, nodes: [], messages: 0 };
  return pathOf(tracePath(session, shape, newestOn(shape, choicesAbove(spot), spot) ?? spot));
};

/** A path with what it was found by, from which it can be taken further. Lists are by position in the main thread. */
export type Trace = {
  tip: Spot;
  readonly nodes: Node[];
  messages: number;
  /** How many spots of the shape it knows. */
  size: number;
  /** What is on the path; of that, the tip and its ancestors; and what branches that the path left lead to. */
  on: Uint8Array;
  chain: Uint8Array;
  abandoned: Uint8Array;
  /** The API messages of the chain. */
  readonly messageIds: Set<string>;
};

/** The active path; null in a session without conversation. */
export const traceActive = (session: Session, shape: Shape): Trace | null => {
  const tip = chooseTip(session, shape);
  return tip === null ? null : tracePath(session, shape, tip);
};

/** A session without conversation still shows what it has. */
export const sidePath = (shape: Shape): Path => ({
  leaf: null,
  nodes: shape.spots.map((spot) => spot.node),
  messages: shape.spots.filter((spot) => isMessage(spot.node.entry)).length,
});

export const pathOf = ({ tip, nodes, messages }: Trace): Path => ({ leaf: tip.node, nodes, messages });

/** Conversation records of the main thread that stand neither on the path nor on a named branch, with the reason. */
export const offPath = (session: Session, shape: Shape, path: Path): ReadonlyMap<Node, OffPathReason> => {
  const placed = new Set<Node>(path.nodes);
  for (const node of otherBranches(shape, path)) placed.add(node);
  const tip = path.leaf === null ? undefined : shape.spots[path.leaf.position];
  const replayed = replayedKeys(session, shape);
  const left = new Map<Node, OffPathReason>();
  for (const spot of shape.spots) {
    if (placed.has(spot.node) || !isConversation(spot.node.entry.role)) continue;
    const isTwin = spot.isReplay || keysOf(session, spot.node).some((key) => replayed.has(key));
    left.set(spot.node, isTwin ? 'replayed' : tip !== undefined && inOneTree(tip, spot) ? 'dead end' : 'other root');
  }
  return left;
};

/** All records on named branches that the path does not take. */
export const otherBranches = (shape: Shape, path: Path): ReadonlySet<Node> => {
  const taken = new Set<Node>(path.nodes);
  const others = new Set<Node>();
  for (const branch of branchesOf(shape)) {
    for (const { spot, node } of branch.children) {
      if (taken.has(node) || others.has(node)) continue;
      // What another branch point has led to already is not walked again.
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

// BRANCH-6: `is_active` decides where it is set; then the branch that the newest `last-prompt` names, if no prompt came after it; then the newest record.
const chooseTip = (session: Session, shape: Shape): Spot | null => {
  const choices = new Map<Spot, Spot>();
  for (const point of shape.points) {
    const marked = downs(point).find((spot) => spot.carries && spot.node.entry.more?.isActive === true);
    if (marked !== undefined) choices.set(point, marked);
  }
  const named = namedLeaf(session, shape);
  if (named !== null) for (const [point, child] of choicesAbove(named)) if (!choices.has(point)) choices.set(point, child);
  return newestOn(shape, choices, null) ?? newestOn(shape, new Map(), null);
};

/** The leaf that the newest `last-prompt` names, unless a prompt came after it or there is nothing to choose. */
export const namedLeaf = (session: Session, shape: Shape): Spot | null => {
  const last = session.lastPrompt;
  if (last === null || shape.points.size === 0) return null;
  for (let i = last.position; i < shape.spots.length; i += 1) if (shape.spots[i]?.node.entry.role === 'prompt') return null;
  const leaf = session.graph.nodes.get(last.leafUuid);
  return leaf?.thread.kind === 'main' ? (shape.spots[leaf.position] ?? null) : null;
};

// Which child was taken at every branch point above a spot.
const choicesAbove = (spot: Spot): Map<Spot, Spot> => {
  const choices = new Map<Spot, Spot>();
  for (let at = spot; at.up !== null; at = at.up) if (at.up.forks > 1) choices.set(at.up, at);
  return choices;
};

// The newest leaf of the conversation that agrees with all choices and, if `below` is given, stands under it.
const newestOn = (shape: Shape, choices: ReadonlyMap<Spot, Spot>, below: Spot | null): Spot | null => {
  const excluded = new Set<Spot>();
  for (const [point, chosen] of choices) {
    for (let down = point.firstDown; down !== null; down = down.nextDown) {
      if (down !== chosen && down.carries && !excluded.has(down)) visitBelow(down, (spot) => !excluded.has(spot) && excluded.add(spot) !== null);
    }
  }
  const within = below === null ? null : new Set<Spot>();
  if (below !== null && within !== null) visitBelow(below, (spot) => within.add(spot) !== null);
  for (let i = shape.spots.length - 1; i >= 0; i -= 1) {
    const spot = shape.spots[i];
    if (spot === undefined || !isConversation(spot.node.entry.role) || excluded.has(spot)) continue;
    if (within === null || within.has(spot)) return spot.firstDown === null ? spot : newestLeaf(spot, excluded);
  }
  return null;
};

/** A parent may be written after its child: then the newest record is not where the conversation ends. */
export const newestLeaf = (top: Spot, excluded: ReadonlySet<Spot>): Spot => {
  const parentsFirst: Spot[] = [];
  visitBelow(top, (spot) => !excluded.has(spot) && parentsFirst.push(spot) > 0);
  const goesOn = new Set<Spot>();
  let newest = top;
  let isFound = false;
  for (let spot = parentsFirst.pop(); spot !== undefined; spot = parentsFirst.pop()) {
    const isLeaf = isConversation(spot.node.entry.role) && !goesOn.has(spot);
    if (isLeaf && (!isFound || spot.node.position > newest.node.position)) {
      newest = spot;
      isFound = true;
    }
    if (spot.up !== null && (isLeaf || goesOn.has(spot))) goesOn.add(spot.up);
  }
  return newest;
};

const tracePath = (session: Session, shape: Shape, tip: Spot): Trace => {
  const chain = new Uint8Array(shape.spots.length);
  const messageIds = new Set<string>();
  for (let at: Spot | null = tip; at !== null; at = at.up) {
    chain[at.node.position] = 1;
    if (at.node.entry.messageId !== null) messageIds.add(at.node.entry.messageId);
  }
  const on = chain.slice();
  const abandoned = abandonedBy(shape, on);
  const told = bringReplays(shape, on, abandoned);
  for (const spot of shape.spots) {
    const { messageId } = spot.node.entry;
    if (messageId === null || spot.isReplay || !messageIds.has(messageId) || abandoned[spot.node.position] === 1) continue;
    // Hardly any session has replays; without them a key of every block would be most of the work.
    if (told.size === 0 || !told.has(blockKey(spot.node.entry))) on[spot.node.position] = 1;
  }
  for (const spot of shape.spots) {
    if (on[spot.node.position] === 0) continue;
    for (const use of spot.node.entry.uses) {
      if (told.has(use.id)) continue;
      const result = session.results.get(use.id)?.node;
      if (result?.thread.kind === 'main' && abandoned[result.position] === 0) on[result.position] = 1;
    }
  }
  bringBesides(shape, on, abandoned);
  let messages = 0;
  const nodes: Node[] = [];
  for (const spot of shape.spots) {
    if (on[spot.node.position] === 0) continue;
    nodes.push(spot.node);
    if (isMessage(spot.node.entry)) messages += 1;
  }
  return { tip, nodes, messages, size: shape.spots.length, on, chain, abandoned, messageIds };
};

// Brings what was written again beside a replay on the path, and returns what need not be brought from the original any more. A replay may be
// partial: what it lacks still comes from the original, what it has must not be shown twice.
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

// A block and its replay have message, instant and tool ids in common.
const blockKey = (entry: Entry): string => `${entry.messageId ?? ''}|${entry.at}|${entry.uses.map((use) => use.id).join()}`;

// A replay is kept together by its parents alone: its ids are those of the original.
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

const bringBesides = (shape: Shape, on: Uint8Array, abandoned: Uint8Array): void => {
  const stack = shape.spots.filter((spot) => on[spot.node.position] === 1);
  for (let spot = stack.pop(); spot !== undefined; spot = stack.pop()) {
    for (let down = spot.firstDown; down !== null; down = down.nextDown) {
      const at = down.node.position;
      // One that carries leads to a prompt or reply that is not on this path: it belongs there.
      if (on[at] === 1 || abandoned[at] === 1 || down.carries || isConversation(down.node.entry.role)) continue;
      on[at] = 1;
      stack.push(down);
    }
  }
};
