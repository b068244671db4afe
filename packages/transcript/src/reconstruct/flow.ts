import { isMessage, type Role } from '../entry.ts';
import type { Node } from '../graph.ts';
import { assertNever } from '../never.ts';

/**
 * Why a conversation is known to have been resumed at a place: the text above was copied there, the context was cleared, or another process continued
 * the file.
 */
export type Resumed = { readonly by: 'copy' | 'clear' } | { readonly by: 'session' | 'version'; readonly from: string; readonly to: string };

/**
 * One step of the clean main flow. `nodes` are its records, the one that opened it first; a resumption has none, and `next` is the record after it.
 */
export type FlowStep =
  | { readonly kind: 'prompt' | 'reply' | 'system' | 'compaction'; nodes: Node[] }
  | { readonly kind: 'resumption'; readonly nodes: readonly Node[]; readonly resumed: Resumed; readonly next: Node };

export type FlowOptions = {
  /** The last record copied from the session that this one continues, if known; the records themselves hardly say. */
  readonly copiedUntil?: Node | null;
  /** Whether a record's text is gone: it keeps its place among the others. */
  readonly isGone?: (node: Node) => boolean;
};

/**
 * A path as numbered steps: what somebody asked or did, what the model answered with all it did for that, and markers. Mutable on purpose, like its
 * session: a live path grows by one record at a time. FLOW-3: every record of the path is in at most one step; those in none are attachments,
 * progress, state, injected text, system records without text, and results without a use.
 */
export type Flow = {
  readonly steps: FlowStep[];
  readonly stepOf: Map<Node, number>;
  /** How many of the path's records are processed. */
  taken: number;
  nodes: readonly Node[];
  readonly copiedUntil: Node | null;
  /** The reply step that continues in this turn. */
  reply: number | null;
  /** The API message that spoke last in it; `tail` is what it added to a step opened by another message. */
  message: string | null;
  tail: Node[] | null;
  /** The compaction that waits for its summary. */
  compaction: number | null;
  /** The record of each tool use, and results that came before their use. */
  readonly uses: Map<string, Node>;
  readonly waiting: Map<string, Node[]>;
  version: string | null;
  sessionId: string | null;
  isCopied: boolean;
  resumed: Resumed | null;
};

/**
 * The flow of a path. `before` is the earlier flow of this path: if the path merely grew, it is extended at the cost of what is new; otherwise a new
 * one is made. A path may be passed as the same list each time, only longer.
 */
export const flowOf = (nodes: readonly Node[], { copiedUntil = null, isGone = () => false }: FlowOptions = {}, before: Flow | null = null): Flow => {
  const flow = before !== null && before.copiedUntil === copiedUntil && goesOn(before, nodes) ? before : createFlow(copiedUntil);
  flow.nodes = nodes;
  for (; flow.taken < nodes.length; flow.taken += 1) {
    const node = nodes[flow.taken];
    if (node?.entry.more?.isFreshStart === true) flow.resumed = { by: 'clear' };
    if (node !== undefined && isMessage(node.entry)) take(flow, node, isGone(node));
    if (node === copiedUntil) flow.isCopied = true;
  }
  return flow;
};

/** The step with this record of the path; for a record in none, the step before it, or the first. */
export const stepAt = (flow: Flow, node: Node): number | null => {
  const own = flow.stepOf.get(node);
  if (own !== undefined) return own;
  const place = flow.nodes.indexOf(node);
  if (place === -1) return null;
  for (let at = place - 1; at >= 0; at -= 1) {
    const before = flow.nodes[at];
    const step = before === undefined ? undefined : flow.stepOf.get(before);
    if (step !== undefined) return step;
  }
  return flow.steps.length === 0 ? null : 0;
};

/**
 * The records of a thread in reading order: file order, but with parents first. Files of concurrent agents don't always begin with the earliest
 * record. Returns the same list if nothing is out of order.
 */
export const parentsFirst = (nodes: readonly Node[]): readonly Node[] => {
  if (!nodes.some(({ parent, thread, position }) => parent !== null && parent.thread === thread && parent.position > position)) return nodes;
  const waiting = new Set(nodes);
  const ordered: Node[] = [];
  for (const node of nodes) {
    const above: Node[] = [];
    for (let at: Node | null = node; at !== null && waiting.delete(at); at = at.parent) above.push(at);
    for (let next = above.pop(); next !== undefined; next = above.pop()) ordered.push(next);
  }
  return ordered;
};

const createFlow = (copiedUntil: Node | null): Flow => ({
  steps: [],
  stepOf: new Map(),
  taken: 0,
  nodes: [],
  copiedUntil,
  reply: null,
  message: null,
  tail: null,
  compaction: null,
  uses: new Map(),
  waiting: new Map(),
  version: null,
  sessionId: null,
  isCopied: false,
  resumed: null,
});

const goesOn = (flow: Flow, nodes: readonly Node[]): boolean => {
  if (nodes.length < flow.taken) return false;
  if (nodes === flow.nodes) return true;
  for (let i = flow.taken - 1; i >= 0; i -= 1) if (nodes[i] !== flow.nodes[i]) return false;
  return true;
};

/** The kind of step for each role; null: nothing that readers look for. */
const PLACES = {
  prompt: 'prompt',
  command: 'prompt',
  bash: 'prompt',
  memory: 'prompt',
  interruption: 'prompt',
  reply: 'reply',
  result: 'result',
  synthetic: 'system',
  notice: 'notice',
  output: 'notice',
  system: 'system',
  boundary: 'compaction',
  summary: 'summary',
  meta: null,
  attachment: null,
  progress: null,
  state: null,
} as const satisfies Record<Role, string | null>;

const take = (flow: Flow, node: Node, isGone: boolean): void => {
  noteResumption(flow, node);
  const { role, says, kind } = node.entry;
  const place = isGone && role === 'meta' ? 'prompt' : PLACES[role];
  switch (place) {
    case 'prompt':
      endTurn(flow);
      open(flow, 'prompt', [node]);
      break;
    case 'reply':
      takeReply(flow, node, says || isGone);
      break;
    case 'result':
      takeResult(flow, node);
      break;
    case 'notice':
      open(flow, 'system', [node]);
      break;
    case 'system':
      takeSystem(flow, node, says || isGone || kind === API_ERROR);
      break;
    case 'compaction':
      endTurn(flow);
      flow.compaction = open(flow, 'compaction', [node]);
      break;
    case 'summary':
      takeSummary(flow, node);
      break;
    case null:
      break;
    default:
      assertNever(place);
  }
};

// A message with text opens its step, together with what it did before the text; a message without text continues the previous step.
const takeReply = (flow: Flow, node: Node, says: boolean): void => {
  const { messageId, uses } = node.entry;
  if (messageId === null || messageId !== flow.message) flow.tail = flow.reply === null ? null : [];
  flow.message = messageId;
  if (flow.reply === null) flow.reply = open(flow, 'reply', [node]);
  else if (flow.tail === null || !says) add(flow, flow.reply, node);
  else {
    const moved = takeBack(flow, flow.reply, new Set(flow.tail));
    flow.tail = null;
    flow.reply = open(flow, 'reply', [...moved, node]);
  }
  flow.tail?.push(node);
  for (const { id } of uses) {
    flow.uses.set(id, node);
    for (const result of flow.waiting.get(id) ?? []) if (!flow.stepOf.has(result)) add(flow, flow.reply, result);
    flow.waiting.delete(id);
  }
};

const takeResult = (flow: Flow, node: Node): void => {
  const use = useOf(flow, node);
  const step = use === null ? undefined : flow.stepOf.get(use);
  if (step !== undefined) {
    add(flow, step, node);
    return;
  }
  for (const { toolUseId } of node.entry.results) {
    const known = flow.waiting.get(toolUseId);
    if (known !== undefined) known.push(node);
    else if (toolUseId !== '') flow.waiting.set(toolUseId, [node]);
  }
};

/** The use that a result answers; the first one if a record answers several. */
const useOf = (flow: Flow, { entry }: Node): Node | null => {
  for (const { toolUseId } of entry.results) {
    const use = flow.uses.get(toolUseId);
    if (use !== undefined && toolUseId !== '') return use;
  }
  return null;
};

// Removes replies from a step, along with their tools' results.
const takeBack = (flow: Flow, at: number, replies: ReadonlySet<Node>): readonly Node[] => {
  const step = flow.steps[at];
  if (step === undefined || step.kind === 'resumption' || replies.size === 0) return NOBODY;
  const isMoved = (node: Node): boolean => {
    const use = replies.has(node) ? node : useOf(flow, node);
    return use !== null && replies.has(use);
  };
  const moved = step.nodes.filter(isMoved);
  step.nodes = step.nodes.filter((node) => !isMoved(node));
  return moved;
};

// A busy API is retried again and again: a single step shows it.
const takeSystem = (flow: Flow, node: Node, isShown: boolean): void => {
  if (!isShown) return;
  const last = flow.steps.length - 1;
  const step = flow.steps[last];
  if (node.entry.kind === API_ERROR && step?.kind === 'system' && step.nodes.at(-1)?.entry.kind === API_ERROR) add(flow, last, node);
  else open(flow, 'system', [node]);
};

const takeSummary = (flow: Flow, node: Node): void => {
  if (flow.compaction !== null) add(flow, flow.compaction, node);
  else {
    endTurn(flow);
    open(flow, 'compaction', [node]);
  }
  flow.compaction = null;
};

const endTurn = (flow: Flow): void => {
  flow.reply = null;
  flow.message = null;
  flow.tail = null;
  flow.compaction = null;
};

const open = (flow: Flow, kind: Exclude<FlowStep['kind'], 'resumption'>, nodes: readonly Node[]): number => {
  const [next] = nodes;
  if (flow.resumed !== null && next !== undefined && flow.steps.length > 0) {
    flow.steps.push({ kind: 'resumption', nodes: NOBODY, resumed: flow.resumed, next });
  }
  flow.resumed = null;
  const step = flow.steps.push({ kind, nodes: [] }) - 1;
  for (const node of nodes) add(flow, step, node);
  return step;
};

const add = (flow: Flow, at: number, node: Node): void => {
  const step = flow.steps[at];
  if (step === undefined || step.kind === 'resumption') return;
  step.nodes.push(node);
  flow.stepOf.set(node, at);
};

// Shown before the next step, and never before the first: then everything was copied, or there is nothing to resume.
const noteResumption = (flow: Flow, node: Node): void => {
  const { version, sessionId, more, isSidechain } = node.entry;
  const isCopied = flow.copiedUntil === null && more?.forkedFrom != null;
  if (flow.isCopied && !isCopied) flow.resumed = { by: 'copy' };
  else if (!isSidechain && sessionId !== null && flow.sessionId !== null && sessionId !== flow.sessionId)
    flow.resumed ??= { by: 'session', from: flow.sessionId, to: sessionId };
  else if (version !== null && flow.version !== null && version !== flow.version) flow.resumed ??= { by: 'version', from: flow.version, to: version };
  flow.isCopied = isCopied;
  flow.version = version ?? flow.version;
  flow.sessionId = sessionId ?? flow.sessionId;
};

const API_ERROR = 'system/api_error';
const NOBODY: readonly Node[] = [];
