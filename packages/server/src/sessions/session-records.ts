import type { AgentMeta, Entry, JsonObject, Node } from '@yarnboard/transcript';

/** A record of a session with its reading, or a report about a sub-agent beside its transcript. */
export type SessionInput =
  | {
      readonly kind: 'record';
      /** Its place: the path of its file, or the id of its context on the log. */
      readonly file: string;
      readonly agentId: string | null;
      readonly record: JsonObject;
      readonly entry: Entry;
    }
  | { readonly kind: 'meta'; readonly agentId: string; readonly meta: AgentMeta }
  /** BACK-2: records that their tool no longer has, and those that reappeared. */
  | { readonly kind: 'withdrawal'; readonly gone: readonly string[]; readonly back: readonly string[] };

/**
 * READ-2: the records of one session. There are two implementations, on the log (`log-records`) and in files (`file-records`), and readers use either
 * without asking which.
 */
export type SessionRecords = {
  readonly sessionId: string;
  /** In the order of the log and in parts, each record parsed once. */
  readonly read: () => AsyncGenerator<readonly SessionInput[], void, undefined>;
  /** The content of records of a graph made from these; without those whose words are gone. */
  readonly records: (nodes: readonly Node[]) => Promise<ReadonlyMap<Node, JsonObject>>;
};

/** Maps nodes to their data, without nodes of which nothing is known. */
export const byNode = <T>(nodes: readonly Node[], knownOf: (node: Node) => T | null | undefined): ReadonlyMap<Node, T> => {
  const known = new Map<Node, T>();
  for (const node of nodes) {
    const one = known.has(node) ? null : knownOf(node);
    if (one !== null && one !== undefined) known.set(node, one);
  }
  return known;
};
