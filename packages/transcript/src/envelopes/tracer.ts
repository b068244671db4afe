import { objectOf, stringOf } from '../json.ts';
import { normalise as comparable } from '../prompts.ts';
import { entriesIn, lookUp, NOTHING_LAYERED, put, sizeOf, type Layered } from './layered.ts';
import type { NormalisedMessage } from './normalise.ts';

/** How a message's sidechain was determined. */
export const TRACED_BY = [
  'subagent', // the envelope names the sub-agent
  'tool-call', // the legacy record names the call
  'ancestry', // its predecessor belongs there, or made the only call
  'prompt', // it is the call's prompt
  'none', // nothing was found until the end
] as const;
export type TracedBy = (typeof TRACED_BY)[number];

/** The place of a tool call. */
export type CallPlace = { readonly messageId: string; readonly sidechain: string | null };

export type LinkedMessage = {
  readonly message: NormalisedMessage;
  /** Null in the main conversation. A sub-agent's cuid2; in legacy forms the id of the call, or for an orphan what it waited for. */
  readonly sidechain: string | null;
  readonly by: TracedBy | null;
  /** The message with the call that began the sidechain; null if no call was sent, as with envelopes. */
  readonly caller: CallPlace | null;
  readonly isOrphan: boolean;
};

/** Immutable: each step makes a new one. */
export type TracerState = {
  readonly counts: {
    /** Messages that had arrived before. */
    readonly duplicates: number;
    /** Copies of user texts, which aren't shown twice. */
    readonly shadows: number;
    /** Messages that wait for their call, and those that were released without one. */
    readonly waiting: number;
    readonly orphans: number;
  };
  readonly seen: Layered<true>;
  readonly toolCallToMessageId: Layered<CallPlace>;
  /** Agents called by a legacy record, and those whose sidechain isn't known yet, by their prompts. */
  readonly callsIn: Layered<readonly { readonly id: string; readonly prompt: string }[]>;
  readonly callsAsking: Layered<Queue<string>>;
  readonly claimed: Layered<true>;
  /** The sidechain that a legacy record belongs to. */
  readonly sidechainOf: Layered<string>;
  readonly orphaned: Layered<true>;
  readonly held: Layered<Queue<Held>>;
  /** Whether a held message still waits. */
  readonly isHeld: Layered<boolean>;
  /** By how much the user texts shown in one form outnumber those in the other. */
  readonly surplus: Layered<number>;
};

export type Traced = { readonly state: TracerState; readonly messages: readonly LinkedMessage[] };

type Held = { readonly message: NormalisedMessage; readonly number: number };

export const initialTracer: TracerState = {
  counts: { duplicates: 0, shadows: 0, waiting: 0, orphans: 0 },
  seen: NOTHING_LAYERED,
  toolCallToMessageId: NOTHING_LAYERED,
  callsIn: NOTHING_LAYERED,
  callsAsking: NOTHING_LAYERED,
  claimed: NOTHING_LAYERED,
  sidechainOf: NOTHING_LAYERED,
  orphaned: NOTHING_LAYERED,
  held: NOTHING_LAYERED,
  isHeld: NOTHING_LAYERED,
  surplus: NOTHING_LAYERED,
};

/**
 * Takes the next message and returns its place, together with messages that were waiting for it. ENV-44: envelopes name their sub-agent and never
 * wait; only legacy messages may arrive before their call.
 */
export const trace = (state: TracerState, message: NormalisedMessage): Traced => {
  const work = begin(state);
  const identity = message.uuid ?? message.id;
  if (lookUp(work.seen, identity) === true) {
    work.duplicates += 1;
    return end(work);
  }
  work.seen = put(work.seen, identity, true);
  if (isSaidAlready(work, message)) work.shadows += 1;
  else {
    work.agenda.push({ message, number: work.number });
    settle(work);
  }
  return end(work);
};

/** ENV-47: nothing more will come: messages still waiting for their call are released in order of arrival, and marked. */
export const releaseOrphans = (state: TracerState): Traced => {
  const work = begin(state);
  const waiting = stillHeld(state);
  const own = new Set(waiting.map(({ message }) => message.uuid));
  // First those that begin something; what follows them is found by ancestry. Then the remaining records, which form cycles.
  for (const isBeginning of [true, false]) {
    for (const held of waiting) {
      if (lookUp(work.isHeld, held.message.id) !== true) continue;
      if (isBeginning && held.message.after !== null && own.has(held.message.after)) continue;
      release(work, held);
      settle(work);
    }
  }
  work.held = NOTHING_LAYERED;
  return end(work);
};

type Work = { -readonly [K in Exclude<keyof TracerState, 'counts'>]: TracerState[K] } & { -readonly [K in keyof TracerState['counts']]: number } & {
  readonly out: LinkedMessage[];
  readonly agenda: Held[];
  readonly number: number;
};

const begin = (state: TracerState): Work => ({
  ...state,
  ...state.counts,
  out: [],
  agenda: [],
  // Counts arriving messages, only to tell which came first.
  number: sizeOf(state.seen),
});

// Field by field: omitting some of them takes longer than all the rest of a step.
const end = (work: Work): Traced => ({
  state: {
    counts: { duplicates: work.duplicates, shadows: work.shadows, waiting: work.waiting, orphans: work.orphans },
    seen: work.seen,
    toolCallToMessageId: work.toolCallToMessageId,
    callsIn: work.callsIn,
    callsAsking: work.callsAsking,
    claimed: work.claimed,
    sidechainOf: work.sidechainOf,
    orphaned: work.orphaned,
    held: work.held,
    isHeld: work.isHeld,
    surplus: work.surplus,
  },
  messages: work.out,
});

// Not by recursion: chains of waiting messages may be arbitrarily long.
const settle = (work: Work): void => {
  for (let i = 0; i < work.agenda.length; i += 1) {
    const held = work.agenda[i];
    if (held === undefined || lookUp(work.isHeld, held.message.id) === false) continue;
    const found = sidechainFor(work, held.message);
    if (found === undefined) hold(work, held);
    else link(work, held.message, found.sidechain, found.by);
  }
  work.agenda.length = 0;
};

type Found = { readonly sidechain: string | null; readonly by: TracedBy | null };

/** ENV-45: the named call, then ancestry, then the prompt; undefined while nothing is known. */
const sidechainFor = (work: Work, message: NormalisedMessage): Found | undefined => {
  const { parentUUID, after } = message;
  if (!message.isSidechain) return { sidechain: null, by: null };
  if (message.origin === 'session') return { sidechain: parentUUID, by: 'subagent' };
  if (parentUUID !== null && lookUp(work.toolCallToMessageId, parentUUID) !== undefined) return { sidechain: parentUUID, by: 'tool-call' };
  const prompt = promptOf(message);
  if (after !== null) {
    const calls = lookUp(work.callsIn, after) ?? [];
    const asked = prompt === null ? undefined : calls.find((call) => call.prompt === prompt && lookUp(work.claimed, call.id) !== true);
    if (asked !== undefined) return { sidechain: asked.id, by: 'ancestry' };
    const inherited = lookUp(work.sidechainOf, after);
    if (inherited !== undefined) return { sidechain: inherited, by: 'ancestry' };
    const [only, another] = calls;
    if (only !== undefined && another === undefined) return { sidechain: only.id, by: 'ancestry' };
  }
  if (parentUUID !== null) return lookUp(work.orphaned, parentUUID) === true ? { sidechain: parentUUID, by: 'none' } : undefined;
  const asked = prompt === null ? undefined : takeCall(work, prompt);
  return asked === undefined ? undefined : { sidechain: asked, by: 'prompt' };
};

const link = (work: Work, message: NormalisedMessage, sidechain: string | null, by: TracedBy | null): void => {
  if (lookUp(work.isHeld, message.id) === true) {
    work.isHeld = put(work.isHeld, message.id, false);
    work.waiting -= 1;
  }
  const isOrphan = sidechain !== null && (lookUp(work.orphaned, sidechain) === true || startsAsOrphan(message));
  if (isOrphan) work.orphans += 1;
  const caller = sidechain === null ? null : (lookUp(work.toolCallToMessageId, sidechain) ?? null);
  work.out.push({ message, sidechain, by, caller, isOrphan });
  // By its prompt: a message that merely names the call doesn't block a root that can't.
  if (sidechain !== null && promptOf(message) !== null) work.claimed = put(work.claimed, sidechain, true);
  if (isOrphan && sidechain !== null) work.orphaned = put(work.orphaned, sidechain, true);
  indexCalls(work, message, sidechain);
  if (message.uuid === null) return;
  if (sidechain !== null) work.sidechainOf = put(work.sidechainOf, message.uuid, sidechain);
  wakeAll(work, `on ${message.uuid}`);
};

const startsAsOrphan = (message: NormalisedMessage): boolean => message.content.some((block) => block.type === 'start' && block.isOrphan);

const indexCalls = (work: Work, message: NormalisedMessage, sidechain: string | null): void => {
  const agents: { id: string; prompt: string }[] = [];
  for (const block of message.content) {
    if (block.type !== 'tool-call') continue;
    work.toolCallToMessageId = put(work.toolCallToMessageId, block.id, { messageId: message.id, sidechain });
    wakeAll(work, `on ${block.id}`);
    if (message.origin === 'session' || (block.name !== 'Task' && block.name !== 'Agent')) continue;
    const prompt = comparable(stringOf(objectOf(block.input)?.['prompt']) ?? '');
    agents.push({ id: block.id, prompt });
    if (prompt === '') continue;
    work.callsAsking = put(work.callsAsking, prompt, pushed(lookUp(work.callsAsking, prompt), block.id));
    wakeFirst(work, `asked ${prompt}`);
  }
  if (agents.length > 0 && message.uuid !== null) work.callsIn = put(work.callsIn, message.uuid, agents);
};

const takeCall = (work: Work, prompt: string): string | undefined => {
  for (let asking = lookUp(work.callsAsking, prompt); asking !== undefined;) {
    const [first, rest] = shifted(asking);
    work.callsAsking = put(work.callsAsking, prompt, rest);
    if (first === undefined || lookUp(work.claimed, first) !== true) return first;
    asking = rest;
  }
  return undefined;
};

// A message may wait for its call and for its predecessor: whichever comes first.
const hold = (work: Work, held: Held): void => {
  const { id, parentUUID, after } = held.message;
  if (lookUp(work.isHeld, id) !== true) {
    work.isHeld = put(work.isHeld, id, true);
    work.waiting += 1;
  }
  const prompt = promptOf(held.message);
  const keys = new Set([parentUUID, after].flatMap((one) => (one === null ? [] : [`on ${one}`])));
  if (keys.size === 0) keys.add(prompt === null ? 'on nothing' : `asked ${prompt}`);
  for (const key of keys) work.held = put(work.held, key, pushed(lookUp(work.held, key), held));
};

const wakeAll = (work: Work, key: string): void => {
  const waiting = lookUp(work.held, key);
  if (waiting === undefined || isEmpty(waiting)) return;
  work.held = put(work.held, key, EMPTY);
  for (const held of inOrder(waiting)) if (lookUp(work.isHeld, held.message.id) === true) work.agenda.push(held);
};

const wakeFirst = (work: Work, key: string): void => {
  for (let waiting = lookUp(work.held, key); waiting !== undefined;) {
    const [first, rest] = shifted(waiting);
    if (first === undefined) return;
    work.held = put(work.held, key, rest);
    waiting = rest;
    if (lookUp(work.isHeld, first.message.id) !== true) continue;
    work.agenda.push(first);
    return;
  }
};

const stillHeld = (state: TracerState): readonly Held[] => {
  const waiting = new Map<string, Held>();
  for (const [, queue] of entriesIn(state.held)) for (const held of inOrder(queue)) waiting.set(held.message.id, held);
  return [...waiting.values()].filter(({ message }) => lookUp(state.isHeld, message.id) === true).sort((a, b) => a.number - b.number);
};

// The prompt may still identify a record whose parent never came. Records that waited for the same thing belong together under its name.
const release = (work: Work, { message }: Held): void => {
  const prompt = promptOf(message);
  const asked = prompt === null ? undefined : takeCall(work, prompt);
  if (asked !== undefined) {
    link(work, message, asked, 'prompt');
    return;
  }
  const sidechain = message.parentUUID ?? message.uuid ?? message.id;
  work.orphaned = put(work.orphaned, sidechain, true);
  link(work, message, sidechain, 'none');
};

/**
 * ENV-46: of a user's text and its migration copy, the first is shown. Both have the time of their record, unless the text was sent in legacy form.
 */
const isSaidAlready = (work: Work, message: NormalisedMessage): boolean => {
  const [block] = message.content;
  if (message.role !== 'user' || block?.type !== 'text') return false;
  const own = message.origin === 'legacy' ? block.text : `${message.time} ${block.text}`;
  const sign = message.isShadow ? -1 : 1;
  const key = message.isShadow && (lookUp(work.surplus, own) ?? 0) <= 0 && (lookUp(work.surplus, block.text) ?? 0) > 0 ? block.text : own;
  const surplus = lookUp(work.surplus, key) ?? 0;
  work.surplus = put(work.surplus, key, surplus + sign);
  return surplus * sign < 0;
};

const promptOf = (message: NormalisedMessage): string | null => {
  for (const block of message.content) {
    if (block.type === 'sidechain') return comparable(block.prompt);
    if (block.type === 'text' && block.isPrompt) return comparable(block.text);
  }
  return null;
};

/** An immutable FIFO queue: new items are stacked, and the stack is reversed when the front is used up. */
type Queue<T> = { readonly front: Stack<T>; readonly back: Stack<T> };
type Stack<T> = { readonly top: T; readonly below: Stack<T> } | null;

const EMPTY: Queue<never> = { front: null, back: null };

const isEmpty = (queue: Queue<unknown>): boolean => queue.front === null && queue.back === null;

const pushed = <T>(queue: Queue<T> | undefined, item: T): Queue<T> => ({
  front: queue?.front ?? null,
  back: { top: item, below: queue?.back ?? null },
});

const shifted = <T>({ front, back }: Queue<T>): readonly [T | undefined, Queue<T>] => {
  let first = front;
  let rest = back;
  if (first === null) {
    for (let at = rest; at !== null; at = at.below) first = { top: at.top, below: first };
    rest = null;
  }
  return first === null ? [undefined, EMPTY] : [first.top, { front: first.below, back: rest }];
};

const inOrder = <T>({ front, back }: Queue<T>): readonly T[] => {
  const items: T[] = [];
  for (let at = front; at !== null; at = at.below) items.push(at.top);
  const newer: T[] = [];
  for (let at = back; at !== null; at = at.below) newer.push(at.top);
  return [...items, ...newer.reverse()];
};
