import type { JsonObject } from '../json.ts';
import type { Node } from '../graph.ts';
import type { Session } from '../session.ts';
import { toldIn } from '../told.ts';

/** The data a renderer needs beyond the session in memory. */
export type Source = {
  readonly session: Session;
  readonly title: string | null;
  readonly project: string | null;
  /** The record of a node; null if its file has changed or is gone. */
  readonly recordOf: (node: Node) => JsonObject | null;
  /** A large tool output saved beside the transcript; null if it isn't there. */
  readonly outputOf: (savedAs: string) => string | null;
};

/** The content of a node, given the record at its place: the record itself, or the sub-agent's message it reports. */
export const saidAt = (node: Pick<Node, 'index'>, record: JsonObject | null): JsonObject | null =>
  record === null || node.index !== -1 ? record : toldIn(record);
