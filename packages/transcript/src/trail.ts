import type { Node } from './graph.ts';
import { createGrowingPath, extendActivePath } from './path.ts';
import type { Session } from './session.ts';

/** How a reader goes through the main thread, told against what its records say themselves: few words, however long it is. */
export type Trail = {
  /** Records that go on after another one than the parent they name; null: after none. */
  readonly joins: readonly { readonly uuid: string; readonly afterUuid: string | null }[];
  /** Records that leave the active path, or come back to it: they are on it where what they go on after is not. Whatever begins is, unless named. */
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
