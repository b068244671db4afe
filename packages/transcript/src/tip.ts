import { downs, visitBelow, type Shape, type Spot } from './branches.ts';
import { isConversation } from './entry.ts';
import type { Session } from './session.ts';

/**
 * BRANCH-6: `is_active` decides if it is set; then the branch named by the newest `last-prompt`, if no prompt came after it; then the newest record.
 */
export const chooseTip = (session: Session, shape: Shape): Spot | null => {
  const choices = new Map<Spot, Spot>();
  for (const point of shape.points) {
    const marked = downs(point).find((spot) => spot.carries && spot.node.entry.more?.isActive === true);
    if (marked !== undefined) choices.set(point, marked);
  }
  const named = namedLeaf(session, shape);
  if (named !== null) for (const [point, child] of choicesAbove(named)) if (!choices.has(point)) choices.set(point, child);
  return newestOn(shape, choices, null) ?? newestOn(shape, new Map(), null);
};

/** PATH-2: whether a conversation may end here. It doesn't end with teammates' messages to each other, unless there is nothing else. */
const mayEnd = (shape: Shape, { node: { entry } }: Spot): boolean => isConversation(entry.role) && (shape.isOfTeam || entry.more?.isOfTeam !== true);

/** The leaf named by the newest `last-prompt`, unless a prompt came after it or there is only one option. */
export const namedLeaf = (session: Session, shape: Shape): Spot | null => {
  const last = session.lastPrompts.at(-1);
  if (last === undefined || shape.points.size === 0) return null;
  for (let i = last.position; i < shape.spots.length; i += 1) if (shape.spots[i]?.node.entry.role === 'prompt') return null;
  const leaf = session.graph.nodes.get(last.leafUuid);
  return leaf?.thread.kind === 'main' ? (shape.spots[leaf.position] ?? null) : null;
};

/** The newest leaf below a spot, on the branch of that spot. */
export const tipThrough = (shape: Shape, spot: Spot): Spot => newestOn(shape, choicesAbove(spot), spot) ?? spot;

// The child chosen at every branch point above a spot.
const choicesAbove = (spot: Spot): Map<Spot, Spot> => {
  const choices = new Map<Spot, Spot>();
  for (let at = spot; at.up !== null; at = at.up) if (at.up.forks > 1) choices.set(at.up, at);
  return choices;
};

// The newest leaf of the conversation that matches all choices and, if `below` is given, is below it.
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
    if (spot === undefined || !mayEnd(shape, spot) || excluded.has(spot)) continue;
    if (within === null || within.has(spot)) return spot.firstDown === null ? spot : newestLeaf(shape, spot, excluded);
  }
  return null;
};

/** A parent may be written after its child: then the newest record isn't where the conversation ends. */
export const newestLeaf = (shape: Shape, top: Spot, excluded: ReadonlySet<Spot>): Spot => {
  const parentsFirst: Spot[] = [];
  visitBelow(top, (spot) => !excluded.has(spot) && parentsFirst.push(spot) > 0);
  const goesOn = new Set<Spot>();
  let newest = top;
  let isFound = false;
  for (let spot = parentsFirst.pop(); spot !== undefined; spot = parentsFirst.pop()) {
    const isLeaf = mayEnd(shape, spot) && !goesOn.has(spot);
    if (isLeaf && (!isFound || spot.node.position > newest.node.position)) {
      newest = spot;
      isFound = true;
    }
    if (spot.up !== null && (isLeaf || goesOn.has(spot))) goesOn.add(spot.up);
  }
  return newest;
};
