import { COUNTED, NOTHING, SAID, type Counts, type Folded } from './folding.ts';
import { MAIN } from './session-tree.ts';

/** A line of the outline, and a card on the canvas; while it is open, its parts are there instead. */
export type Item = Counts & {
  readonly id: string;
  readonly kind: 'turn' | 'compaction' | 'stretch' | 'branch' | 'message' | 'agent';
  readonly isCard: boolean;
  /** Null if there is nothing to open. */
  readonly isOpen: boolean | null;
  /** Depth in the outline, from 1. */
  readonly level: number;
  /** Where it begins among all records, parents before children. */
  readonly order: number;
  /** `main`, or the sub-agent it belongs to; a sub-agent's item has its own id. */
  readonly thread: string;
  /** The record it leads to; null for a sub-agent without records. */
  readonly uuid: string | null;
  readonly ref: string | null;
  /** For a result: the record with its operation. */
  readonly resultOf: string | null;
  readonly role: string;
  readonly at: string | null;
  /** Number of records in it, including those without text. */
  readonly records: number;
  readonly agent: { readonly name: string; readonly state: string } | null;
  /** Which of several continuations it is. */
  readonly branch: { readonly at: number; readonly of: number } | null;
  /** On the active path. */
  readonly isActive: boolean;
  /** On the path from the beginning to the latest message. */
  readonly isSpine: boolean;
  /** Holds the latest message. */
  readonly isLeaf: boolean;
  /** Its parent, or its call, is not in the session. */
  readonly isLost: boolean;
  /** Open items that begin with this card, innermost first: it can fold them. */
  readonly folds: readonly string[];
};

type Sketch = Omit<Item, 'isCard' | 'folds' | 'level' | 'id' | 'isOpen'>;

export type Sketcher = {
  readonly headOf: (run: number) => number;
  readonly uuidOf: (run: number) => string;
  readonly runs: (runs: readonly number[], kind: Item['kind']) => Sketch;
  /** The messages of a run, each with the records attached to it: attachments, progress. */
  readonly messagesOf: (run: number) => readonly (readonly number[])[];
  readonly message: (nodes: readonly number[]) => Omit<Item, 'isCard' | 'folds' | 'level'>;
  readonly agent: (agentId: string) => Sketch;
  /** The sub-agents called by a node. */
  readonly calledAt: (node: number) => readonly string[];
};

export const sketcherOf = (folded: Folded): Sketcher => {
  const { linked, runs, runOf, agents, topsOf, leaf } = folded;
  const headOf = (run: number): number => runs[run]?.members[0] ?? -1;
  const leafRun = leaf < 0 ? -1 : (runOf[leaf] ?? -1);
  const orderOf = new Int32Array(linked.nodes.length);
  linked.order.forEach((node, order) => {
    orderOf[node] = order;
  });
  const nodeFacts = (node: number): Pick<Sketch, 'uuid' | 'ref' | 'resultOf' | 'role' | 'at' | 'order' | 'thread' | 'agent'> => {
    const { uuid = null, ref = null, role = '', timestamp: at = null, parentUuid = null } = linked.nodes[node] ?? {};
    return {
      uuid,
      ref,
      resultOf: role === 'result' ? parentUuid : null,
      role,
      at,
      order: orderOf[node] ?? -1,
      thread: linked.threadOf[node] ?? MAIN,
      agent: null,
    };
  };
  const calledBy = new Map<number, string[]>();
  for (const { agentId, node } of runs.flatMap(({ agents: calls }) => calls)) {
    const known = calledBy.get(node);
    if (known === undefined) calledBy.set(node, [agentId]);
    else known.push(agentId);
  }
  return {
    headOf,
    uuidOf: (run) => linked.nodes[headOf(run)]?.uuid ?? '',
    runs: (members, kind) => {
      const [first = -1] = members;
      const run = runs[first];
      return {
        ...nodeFacts(headOf(first)),
        ...sumOf(members.map((one) => runs[one]?.counts ?? NOTHING)),
        kind,
        records: members.reduce((sum, one) => sum + (runs[one]?.members.length ?? 0), 0),
        branch: run?.branch ?? null,
        isActive: members.some((one) => runs[one]?.isActive === true),
        isSpine: members.some((one) => runs[one]?.isSpine === true),
        isLeaf: members.includes(leafRun),
        isLost: run?.isLost ?? false,
      };
    },
    messagesOf: (index) => {
      const { members = [] } = runs[index] ?? {};
      const groups = new Map<number, number[]>();
      const ownerOf = new Map<number, number>();
      for (const node of members) {
        const owner = SAID.has(linked.nodes[node]?.role ?? '') ? node : (ownerOf.get(linked.up[node] ?? -1) ?? node);
        ownerOf.set(node, owner);
        const group = groups.get(owner);
        if (group === undefined) groups.set(owner, [node]);
        else group.push(node);
      }
      return [...groups.values()];
    },
    message: (nodes) => {
      const [head = -1] = nodes;
      const run = runs[runOf[head] ?? -1];
      const isFirst = run?.members[0] === head;
      const { role = '', uuid = '' } = linked.nodes[head] ?? {};
      return {
        ...nodeFacts(head),
        ...NOTHING,
        id: `message:${uuid}`,
        kind: 'message',
        isOpen: null,
        messages: 1,
        operations: role === 'result' ? 1 : 0,
        errors: nodes.filter((node) => linked.nodes[node]?.isError === true).length,
        records: nodes.length,
        branch: isFirst ? run.branch : null,
        isActive: linked.isActive[head] === 1,
        isSpine: linked.isSpine[head] === 1,
        isLeaf: nodes.includes(leaf),
        isLost: isFirst && run.isLost,
      };
    },
    agent: (agentId) => {
      const { agent: name = 'unknown', state = 'unknown', messages = 0, toolUses = 0 } = agents.get(agentId) ?? {};
      const tops = topsOf.get(agentId) ?? [];
      const inside = sumOf(tops.map((run) => runs[run]?.total ?? NOTHING));
      return {
        ...nodeFacts(headOf(tops[0] ?? -1)),
        ...inside,
        messages,
        operations: toolUses,
        kind: 'agent',
        thread: agentId,
        records: messages,
        agent: { name, state },
        branch: null,
        isActive: false,
        isSpine: false,
        isLeaf: false,
        isLost: false,
      };
    },
    calledAt: (node) => calledBy.get(node) ?? [],
  };
};

const sumOf = (all: readonly Counts[]): Counts => {
  const sum = { ...NOTHING };
  for (const one of all) for (const name of COUNTED) (sum as Record<keyof Counts, number>)[name] += one[name]; // a new object, not the constant
  return sum;
};
