import type { Entry } from './entry.ts';
import { unite } from './forest.ts';

/**
 * A record in the graph. `parent` follows `parentUuid` and nothing else; children are a linked list through `firstChild` and `nextSibling`. DAG-7:
 * parents and children never form a cycle here: the edge that would close one is left out and counted.
 */
export type Node = {
  readonly uuid: string;
  readonly entry: Entry;
  /** Order of arrival in the graph, from 0; -1 for a record that only another record reports, which is in no graph. */
  readonly index: number;
  /** Number of its file. */
  readonly file: number;
  readonly thread: Thread;
  /** Order of arrival in its thread, from 0. */
  readonly position: number;
  parent: Node | null;
  firstChild: Node | null;
  lastChild: Node | null;
  nextSibling: Node | null;
  /** Its parent is known, but the edge would have closed a cycle and is left out. */
  isCut: boolean;
  /** Some node of the same tree: the union-find forest finds cycles without walking. */
  tree: Node | null;
};

/** A conversation of its own: the session's main thread, one sub-agent's file, or the pool of sidechain records written inline. */
export type Thread = {
  readonly kind: 'main' | 'agent' | 'inline';
  readonly agentId: string | null;
  readonly nodes: Node[];
  /** Positions of records that got their parent after they were added, in that order. */
  readonly adopted: number[];
};

export type Graph = {
  readonly nodes: Map<string, Node>;
  /** Children that came before their parent, by the parent's uuid. */
  readonly waiting: Map<string, Node[]>;
  readonly duplicates: { readonly of: Node; readonly entry: Entry; readonly file: number }[];
  /** Nodes whose own edge would have closed a cycle; their number is the number of cycles. */
  readonly cycles: Node[];
  /** Children whose parent came later in the same file. */
  readonly late: Node[];
};

export const createGraph = (): Graph => ({ nodes: new Map(), waiting: new Map(), duplicates: [], cycles: [], late: [] });

export const createThread = (kind: Thread['kind'], agentId: string | null): Thread => ({ kind, agentId, nodes: [], adopted: [] });

export type Added =
  | { readonly node: Node; readonly adopted: readonly Node[] }
  /** DAG-6: the first record with a uuid stays, later ones are counted. */
  | { readonly duplicateOf: Node };

/** Adds one record; the cost doesn't depend on the size of the graph. */
export const addNode = (graph: Graph, thread: Thread, entry: Entry, uuid: string, file: number): Added => {
  const known = graph.nodes.get(uuid);
  if (known !== undefined) {
    graph.duplicates.push({ of: known, entry, file });
    return { duplicateOf: known };
  }
  const node: Node = {
    uuid,
    entry,
    index: graph.nodes.size,
    file,
    thread,
    position: thread.nodes.length,
    parent: null,
    firstChild: null,
    lastChild: null,
    nextSibling: null,
    isCut: false,
    tree: null,
  };
  graph.nodes.set(uuid, node);
  thread.nodes.push(node);
  const parentUuid = entry.parentUuid;
  if (typeof parentUuid === 'string') connect(graph, node, parentUuid);
  return { node, adopted: adopt(graph, node) };
};

/** Whether the record names a parent that has not been seen. */
export const isOrphan = (node: Node): boolean => typeof node.entry.parentUuid === 'string' && node.parent === null && !node.isCut;

export const childrenOf = (node: Node): Node[] => {
  const children: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
};

const connect = (graph: Graph, node: Node, parentUuid: string): void => {
  if (parentUuid === node.uuid) {
    cut(graph, node);
    return;
  }
  const parent = graph.nodes.get(parentUuid);
  if (parent === undefined) {
    const siblings = graph.waiting.get(parentUuid);
    if (siblings === undefined) graph.waiting.set(parentUuid, [node]);
    else siblings.push(node);
  } else link(graph, parent, node);
};

const adopt = (graph: Graph, parent: Node): readonly Node[] => {
  const waiting = graph.waiting.get(parent.uuid);
  if (waiting === undefined) return NOBODY;
  graph.waiting.delete(parent.uuid);
  for (const child of waiting) {
    link(graph, parent, child);
    if (child.file === parent.file) graph.late.push(child);
  }
  return waiting;
};

const link = (graph: Graph, parent: Node, child: Node): void => {
  if (!unite(parent, child)) {
    cut(graph, child);
    return;
  }
  child.parent = parent;
  if (parent.lastChild === null) parent.firstChild = child;
  else parent.lastChild.nextSibling = child;
  parent.lastChild = child;
};

const cut = (graph: Graph, node: Node): void => {
  node.isCut = true;
  graph.cycles.push(node);
};

const NOBODY: readonly Node[] = [];
