import { MAIN, NO_TICK, type SessionTree, type Tick, type Trail, type TreeNode } from './session-tree.ts';

/**
 * own: below its parent; order: follows the record before it; lost: the parent it names is missing, or is one of its descendants; begin: names no
 * parent.
 */
export type LinkKind = 'own' | 'order' | 'lost' | 'begin';

/** The nodes of a session as a forest: `up` has no cycles and never leaves a thread. */
export type Linked = {
  readonly nodes: readonly TreeNode[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** Index of the node it continues; -1 if none. */
  readonly up: Int32Array;
  readonly how: readonly LinkKind[];
  /** `main`, or the id of a sub-agent. */
  readonly threadOf: readonly string[];
  /** All nodes, parents before children. */
  readonly order: Int32Array;
  /** What is on the active path, including records beside the way to its end. */
  readonly isActive: Uint8Array;
  /** That way. */
  readonly isSpine: Uint8Array;
  /** The latest message: the newest prompt, reply or result, or a command or output after it; -1 if unknown. */
  readonly end: number;
};

export const linkNodes = (tree: SessionTree, tick: Tick = NO_TICK): Linked => {
  const { nodes, trail } = tree;
  const indexOf = new Map(nodes.map((node, i) => [node.uuid, i]));
  const threadOf = threadsOf(tree, indexOf, tick);
  const up = new Int32Array(nodes.length).fill(-1);
  const how: LinkKind[] = nodes.map(() => 'begin');
  const join = createJoin(up, tick);
  const parentOf = (i: number): number => indexOf.get(nodes[i]?.parentUuid ?? '') ?? -1;
  nodes.forEach((_, i) => {
    tick();
    const parent = parentOf(i);
    if (trail?.joins.has(nodes[i]?.uuid ?? '') === true && threadOf[i] === MAIN) return;
    if (parent >= 0 && threadOf[parent] === threadOf[i] && join(parent, i)) how[i] = 'own';
  });
  const before = new Map<string, number>();
  nodes.forEach((node, i) => {
    tick();
    const thread = threadOf[i] ?? MAIN;
    if (how[i] === 'begin') {
      // A parent in another thread is a sub-agent's call, not a missing parent; one in the same thread would close a cycle.
      const parent = parentOf(i);
      const isElsewhere = parent >= 0 && threadOf[parent] !== thread;
      const told = thread === MAIN ? trail?.joins.get(node.uuid) : undefined;
      const after = told == null ? -1 : (indexOf.get(told) ?? -1);
      const isLost = node.parentUuid !== null && !isElsewhere && (parent < 0 || told == null);
      // Nobody calls the main thread, so a parent in another thread counts as missing there.
      const isNext = node.role === 'boundary' || node.role === 'summary' || isLost || (isElsewhere && thread === MAIN);
      const isJoined = threadOf[after] === MAIN && thread === MAIN ? join(after, i) : told !== null && isNext && join(before.get(thread) ?? -1, i);
      how[i] = isLost ? 'lost' : isJoined ? 'order' : 'begin';
    }
    before.set(thread, i);
  });
  const order = parentsFirst(up, tick);
  const leaf = indexOf.get(tree.leafUuid ?? '') ?? -1;
  const isOn = trail === null ? null : onPath({ nodes, up, threadOf, order }, trail, tick);
  const end = isOn === null || leaf < 0 ? leaf : endFrom(leaf, { nodes, up, order }, isOn, tick);
  const isSpine = spineTo(end, up, tick);
  return { nodes, indexOf, up, how, threadOf, order, isActive: isOn ?? isSpine, isSpine, end };
};

const onPath = ({ nodes, up, threadOf, order }: Pick<Linked, 'nodes' | 'up' | 'threadOf' | 'order'>, { turns }: Trail, tick: Tick): Uint8Array => {
  const isOn = new Uint8Array(nodes.length);
  for (const i of order) {
    tick();
    if (threadOf[i] !== MAIN) continue;
    const above = up[i] ?? -1;
    const before = above < 0 ? 1 : (isOn[above] ?? 0);
    isOn[i] = turns.has(nodes[i]?.uuid ?? '') ? 1 - before : before;
  }
  return isOn;
};

// The newest message, command or output below the leaf: a session often ends with a command.
const endFrom = (leaf: number, { nodes, up, order }: Pick<Linked, 'nodes' | 'up' | 'order'>, isOn: Uint8Array, tick: Tick): number => {
  const isBelow = new Uint8Array(nodes.length);
  let end = leaf;
  for (const i of order) {
    tick();
    isBelow[i] = i === leaf || isBelow[up[i] ?? -1] === 1 ? 1 : 0;
    if (isBelow[i] === 1 && isOn[i] === 1 && i > end && AT_THE_END.has(nodes[i]?.role ?? '')) end = i;
  }
  return end;
};

const AT_THE_END: ReadonlySet<string> = new Set([
  'prompt',
  'reply',
  'result',
  'synthetic',
  'command',
  'output',
  'bash',
  'memory',
  'notice',
  'interruption',
]);

/**
 * Up to version 2.0.26, sub-agents were written into the main file without an id. Such a record belongs to its parent's thread, unless a sub-agent is
 * known to begin with it; one without a parent continues the record before it.
 */
const threadsOf = ({ nodes, sidechains }: SessionTree, indexOf: ReadonlyMap<string, number>, tick: Tick): readonly string[] => {
  const agents = new Set(sidechains.map(({ agentId }) => agentId));
  const threads: (string | undefined)[] = nodes.map(({ agentId, isSidechain, uuid }) => {
    if (agentId !== null) return agentId;
    if (!isSidechain) return MAIN;
    return agents.has(uuid) ? uuid : undefined;
  });
  let inline = MAIN;
  for (let i = 0; i < nodes.length; i += 1) {
    const passed: number[] = [];
    const seen = new Set<number>();
    let at = i;
    while (at >= 0 && threads[at] === undefined && !seen.has(at)) {
      tick();
      seen.add(at);
      passed.push(at);
      at = indexOf.get(nodes[at]?.parentUuid ?? '') ?? -1;
    }
    // In the old structure, a tool's record marked as a sidechain does not belong to a sub-agent.
    const last = nodes[passed.at(-1) ?? i];
    const thread = (at < 0 ? undefined : threads[at]) ?? (last !== undefined && isTool(last) ? MAIN : inline);
    for (const one of passed) threads[one] = thread;
    const { agentId = null, isSidechain = false } = nodes[i] ?? {};
    if (isSidechain && agentId === null) inline = threads[i] ?? inline;
  }
  return threads.map((thread) => thread ?? MAIN);
};

const isTool = ({ type }: TreeNode): boolean => type === 'tool_use' || type === 'tool_result';

/** Attaches one node below another unless that closes a cycle, because a file can contain anything. */
const createJoin = (up: Int32Array, tick: Tick): ((parent: number, child: number) => boolean) => {
  const boss = Int32Array.from(up, (_, i) => i);
  const size = new Int32Array(up.length).fill(1);
  const rootOf = (from: number): number => {
    let at = from;
    for (let over = boss[at] ?? at; over !== at; over = boss[at] ?? at) {
      tick();
      boss[at] = boss[over] ?? over;
      at = boss[at] ?? at;
    }
    return at;
  };
  return (parent, child) => {
    if (parent < 0) return false;
    const [a, b] = [rootOf(parent), rootOf(child)];
    if (a === b) return false;
    const [large, small] = (size[a] ?? 0) >= (size[b] ?? 0) ? [a, b] : [b, a];
    boss[small] = large;
    size[large] = (size[large] ?? 0) + (size[small] ?? 0);
    up[child] = parent;
    return true;
  };
};

/** No recursion: a conversation may be deeper than the call stack. */
const parentsFirst = (up: Int32Array, tick: Tick): Int32Array => {
  const firstDown = new Int32Array(up.length).fill(-1);
  const nextDown = new Int32Array(up.length).fill(-1);
  const tops: number[] = [];
  // Backwards, so that popping from a list yields log order.
  for (let i = up.length - 1; i >= 0; i -= 1) {
    tick();
    const parent = up[i] ?? -1;
    if (parent < 0) tops.push(i);
    else {
      nextDown[i] = firstDown[parent] ?? -1;
      firstDown[parent] = i;
    }
  }
  const order = new Int32Array(up.length);
  let filled = 0;
  for (let next = tops.pop(); next !== undefined; next = tops.pop()) {
    order[filled] = next;
    filled += 1;
    const downs: number[] = [];
    for (let down = firstDown[next] ?? -1; down >= 0; down = nextDown[down] ?? -1) {
      tick();
      downs.push(down);
    }
    while (downs.length > 0) tops.push(downs.pop() ?? -1);
  }
  return order;
};

const spineTo = (end: number, up: Int32Array, tick: Tick): Uint8Array => {
  const isSpine = new Uint8Array(up.length);
  for (let at = end; at >= 0; at = up[at] ?? -1) {
    tick();
    isSpine[at] = 1;
  }
  return isSpine;
};
