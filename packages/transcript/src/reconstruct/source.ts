import type { JsonObject } from '../json.ts';
import type { Node } from '../graph.ts';
import type { Session } from '../session.ts';
import { toldIn } from '../told.ts';

/** Where a renderer gets what the session does not keep in memory. */
export type Source = {
  readonly session: Session;
  readonly title: string | null;
  readonly project: string | null;
  /** The record behind a node; null when its file has changed or gone. */
  readonly recordOf: (node: Node) => JsonObject | null;
  /** A large tool output that was saved beside the transcript; null when it is not there. */
  readonly outputOf: (savedAs: string) => string | null;
};

/** What a node says, of the record at its place: the record itself, or what that tells of a sub-agent. */
export const saidAt = (node: Pick<Node, 'index'>, record: JsonObject | null): JsonObject | null =>
  record === null || node.index !== -1 ? record : toldIn(record);
