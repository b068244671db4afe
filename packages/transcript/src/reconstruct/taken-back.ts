import type { Node } from '../graph.ts';
import { parentsFirst } from './flow.ts';
import type { Session } from '../session.ts';

/**
 * BACK-1, BACK-2: the records of the main thread that their tool has taken back: those after a rollback point, unless something was said after them
 * later; and those missing from its files or rows. Empty for nearly every session, and then nothing is scanned.
 */
export const takenBackIn = (session: Session): ReadonlySet<Node> => {
  const { takebacks, withdrawn, graph, main } = session;
  if (takebacks.length === 0 && withdrawn.size === 0) return NOBODY;
  const taken = new Set<Node>();
  for (const uuid of withdrawn) {
    const node = graph.nodes.get(uuid);
    if (node !== undefined) taken.add(node);
  }
  if (takebacks.length === 0) return taken;
  const order = parentsFirst(main.nodes);
  const latest = latestBelow(order);
  const marks = new Map<Node | null, number>();
  for (const { to, position } of takebacks) {
    const node = to === null ? null : graph.nodes.get(to);
    if (node !== undefined) marks.set(node, Math.max(marks.get(node) ?? 0, position));
  }
  /** For each record, when anything after one above it was last taken back. */
  const when = new Map<Node, number>();
  const everything = marks.get(null) ?? 0;
  for (const node of order) {
    const up = node.parent?.thread === main ? node.parent : null;
    const at = Math.max(everything, up === null ? 0 : (when.get(up) ?? 0), up === null ? 0 : (marks.get(up) ?? 0));
    when.set(node, at);
    if (at > (latest.get(node) ?? node.position)) taken.add(node);
  }
  return taken;
};

/** For each record, the position of its latest descendant, or its own. */
const latestBelow = (order: readonly Node[]): ReadonlyMap<Node, number> => {
  const latest = new Map<Node, number>();
  for (const node of order.toReversed()) {
    const own = Math.max(latest.get(node) ?? 0, node.position);
    latest.set(node, own);
    if (node.parent !== null && node.parent.thread === node.thread) latest.set(node.parent, Math.max(latest.get(node.parent) ?? 0, own));
  }
  return latest;
};

const NOBODY: ReadonlySet<Node> = new Set();
