import type { Node } from './graph.ts';
import { createGrowingPath, extendActivePath } from './path.ts';
import type { Session } from './session.ts';

/** How a reader goes through the main thread, as differences from its records: short, however long the thread is. */
export type Trail = {
  /** Records that continue a record other than their parent; null: none. */
  readonly joins: readonly { readonly uuid: string; readonly afterUuid: string | null }[];
  /** Records where the active path is left or entered: they are on it if the record they continue isn't. A root is on it unless listed. */
  readonly turns: readonly string[];
};

/** PATH-7 */
export const trailOf = (session: Session, parentOf: (node: Node) => string | null = namedParent, growing = createGrowingPath()): Trail => {
  const path = extendActivePath(growing, session);
  const { shape } = growing;
  const on = new Uint8Array(shape.spots.length);
  for (const { position } of path.nodes) on[position] = 1;
  const joins: Trail['joins'][number][] = [];
  const turns: string[] = [];
  for (const { node, up } of shape.spots) {
    const afterUuid = up?.node.uuid ?? null;
    if (afterUuid !== parentOf(node)) joins.push({ uuid: node.uuid, afterUuid });
    if (on[node.position] !== (up === null ? 1 : on[up.node.position])) turns.push(node.uuid);
  }
  return { joins, turns };
};

const namedParent = ({ entry }: Node): string | null => entry.parentUuid ?? null;
