import { assertNever } from '@yarnboard/domain';
import type { Counts, Folded } from './folding.ts';
import { sketcherOf, type Item } from './item.ts';
import { MAIN, NO_TICK, type Tick } from './session-tree.ts';

export const DETAILS = ['overview', 'turns', 'messages'] as const;
export type Detail = (typeof DETAILS)[number];

/** What is open: according to the detail level, except what was toggled by hand. */
export type Openness = { readonly detail: Detail; readonly toggled: ReadonlyMap<string, boolean> };

/** A line from one card to another: a continuation, a continuation by place in the file only, or a call of a sub-agent. */
export type Line = { readonly from: number; readonly to: number; readonly kind: 'next' | 'order' | 'call'; readonly isActive: boolean };

export type Picture = {
  /** In outline order. */
  readonly items: readonly Item[];
  /** Every card except the tops has exactly one incoming line. */
  readonly lines: readonly Line[];
  /** The card with the latest message; -1 if unknown. */
  readonly leaf: number;
};

/** What remains to be emitted. */
type Task =
  | { readonly kind: 'thread'; readonly thread: string; readonly level: number }
  | { readonly kind: 'way' | 'run' | 'branch'; readonly run: number; readonly level: number }
  | { readonly kind: 'message'; readonly nodes: readonly number[]; readonly level: number }
  | { readonly kind: 'agent'; readonly agentId: string; readonly node: number; readonly level: number };

/** What is visible of a folded session. */
export const pictureOf = (folded: Folded, { detail, toggled }: Openness, tick: Tick = NO_TICK): Picture => {
  const { runs, linked, stretches, stretchOf } = folded;
  const sketch = sketcherOf(folded);
  const items: Item[] = [];
  const headOf: number[] = []; // the node that an item begins with
  const cardOf = new Int32Array(linked.nodes.length).fill(-1);
  const calls: { readonly item: number; readonly node: number }[] = [];
  const agentItem = new Map<string, number>();
  // The next task is last. No recursion: a session may be deeper than the call stack.
  const tasks: Task[] = [];
  let opened: string[] = [];

  const isOpen = (id: string, byDefault: boolean): boolean => toggled.get(id) ?? byDefault;
  const later = (parts: readonly Task[]): void => {
    for (const task of parts.toReversed()) tasks.push(task);
  };
  const add = (item: Omit<Item, 'isCard' | 'folds'>, head: number): number => {
    tick();
    const isCard = item.isOpen !== true || item.kind === 'agent';
    if (!isCard) opened.push(item.id);
    items.push({ ...item, isCard, folds: isCard ? opened.toReversed() : [] });
    if (isCard) opened = [];
    headOf.push(head);
    return items.length - 1;
  };
  const cover = (run: number, item: number): void => {
    for (const member of runs[run]?.members ?? []) {
      tick();
      cardOf[member] = item;
    }
  };
  const coverBelow = (top: number, item: number): void => {
    const stack = [top];
    for (let run = stack.pop(); run !== undefined; run = stack.pop()) {
      cover(run, item);
      for (const down of runs[run]?.downs ?? []) stack.push(down);
    }
  };

  /** Emits a run or its whole stretch, then the branches, then the continuation. */
  const tellWay = (run: number, level: number): void => {
    const stretch = stretches[stretchOf[run] ?? -1];
    const last = runs[stretch?.runs.at(-1) ?? run];
    const parts: Task[] = [];
    if (stretch === undefined) parts.push({ kind: 'run', run, level });
    else {
      const id = `stretch:${sketch.uuidOf(run)}`;
      const isStretchOpen = isOpen(id, detail !== 'overview');
      const item = add({ ...sketch.runs(stretch.runs, 'stretch'), id, isOpen: isStretchOpen, level }, sketch.headOf(run));
      for (const one of stretch.runs) {
        if (isStretchOpen) parts.push({ kind: 'run', run: one, level: level + 1 });
        else cover(one, item);
      }
    }
    for (const down of last?.downs ?? []) if (down !== last?.next) parts.push({ kind: 'branch', run: down, level });
    if (last !== undefined && last.next >= 0) parts.push({ kind: 'way', run: last.next, level });
    later(parts);
  };

  const tellBranch = (run: number, level: number): void => {
    const id = `branch:${sketch.uuidOf(run)}`;
    const isBranchOpen = isOpen(id, detail !== 'overview');
    const total: Counts = runs[run]?.total ?? sketch.runs([run], 'branch');
    const item = add({ ...sketch.runs([run], 'branch'), ...total, id, isOpen: isBranchOpen, level }, sketch.headOf(run));
    if (isBranchOpen) later([{ kind: 'way', run, level: level + 1 }]);
    else coverBelow(run, item);
  };

  const tellRun = (index: number, level: number): void => {
    const run = runs[index];
    if (run === undefined) return;
    const id = `turn:${sketch.uuidOf(index)}`;
    const isOneMessage = sketch.messagesOf(index).length === 1;
    const isRunOpen = !isOneMessage && isOpen(id, detail === 'messages');
    const item = add({ ...sketch.runs([index], run.kind), id, isOpen: isOneMessage ? null : isRunOpen, level }, sketch.headOf(index));
    if (isRunOpen) {
      later(sketch.messagesOf(index).map((nodes) => ({ kind: 'message', nodes, level: level + 1 })));
      return;
    }
    cover(index, item);
    later(run.agents.map(({ agentId, node }) => ({ kind: 'agent', agentId, node, level })));
  };

  const tellMessage = (nodes: readonly number[], level: number): void => {
    const item = add({ ...sketch.message(nodes), level }, nodes[0] ?? -1);
    const called: Task[] = [];
    for (const node of nodes) {
      cardOf[node] = item;
      for (const agentId of sketch.calledAt(node)) called.push({ kind: 'agent', agentId, node, level });
    }
    later(called);
  };

  const tellAgent = (agentId: string, node: number, level: number): void => {
    const id = `agent:${agentId}`;
    const isThere = folded.topsOf.has(agentId);
    const isAgentOpen = isThere && isOpen(id, false);
    const item = add({ ...sketch.agent(agentId), id, isOpen: isThere ? isAgentOpen : null, level, isLost: node < 0 }, -1);
    agentItem.set(agentId, item);
    if (node >= 0) calls.push({ item, node });
    if (isAgentOpen) later([{ kind: 'thread', thread: agentId, level: level + 1 }]);
  };

  const tell = (task: Task): void => {
    switch (task.kind) {
      case 'thread':
        later((folded.topsOf.get(task.thread) ?? []).map((run) => ({ kind: 'way', run, level: task.level })));
        return;
      case 'way':
        tellWay(task.run, task.level);
        return;
      case 'branch':
        tellBranch(task.run, task.level);
        return;
      case 'run':
        tellRun(task.run, task.level);
        return;
      case 'message':
        tellMessage(task.nodes, task.level);
        return;
      case 'agent':
        tellAgent(task.agentId, task.node, task.level);
        return;
      default:
        assertNever(task);
    }
  };

  later([
    { kind: 'thread', thread: MAIN, level: 1 },
    ...folded.looseAgents.map((agentId) => ({ kind: 'agent', agentId, node: -1, level: 1 }) as const),
  ]);
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) tell(task);

  const lines: Line[] = [];
  const draw = (from: number, to: number, kind: Line['kind']): void => {
    if (from < 0) return;
    lines.push({ from, to, kind, isActive: kind !== 'call' && items[from]?.isSpine === true && items[to]?.isSpine === true });
  };
  for (const { item, node } of calls) draw(cardOf[node] ?? -1, item, 'call');
  items.forEach(({ isCard, thread }, i) => {
    tick();
    const head = headOf[i] ?? -1;
    if (!isCard || head < 0) return;
    const above = linked.up[head] ?? -1;
    const how = linked.how[head];
    draw(above >= 0 ? (cardOf[above] ?? -1) : (agentItem.get(thread) ?? -1), i, how === 'order' || how === 'lost' ? 'order' : 'next');
  });
  return { items, lines, leaf: folded.leaf < 0 ? -1 : (cardOf[folded.leaf] ?? -1) };
};
