import type { Usage } from '../entry.ts';
import { objectOf, stringOf, type Json } from '../json.ts';
import { assertNever } from '../never.ts';
import type { Envelope, ServiceKind, TurnStatus } from './envelope.ts';
import { normaliseEnvelope, type NormalisedContent, type NormalisedMessage } from './normalise.ts';
import { initialTracer, releaseOrphans, trace, type LinkedMessage, type TracerState } from './tracer.ts';

type Told = { readonly id: string; readonly time: number; readonly turn: string | null };

/** One item that a reader sees. */
export type ConversationItem = Told &
  (
    | { readonly kind: 'user'; readonly text: string }
    /** A sub-agent's task. */
    | { readonly kind: 'prompt'; readonly text: string }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'thinking'; readonly text: string }
    | ToolItem
    /** Where a sub-agent was called; its messages are in its sidechain. */
    | { readonly kind: 'subagent'; readonly subagent: string }
    | {
        readonly kind: 'file';
        readonly ref: string;
        readonly name: string;
        readonly size: number;
        readonly mimeType: string;
        readonly call: string | null;
      }
    | { readonly kind: 'service'; readonly service: ServiceKind; readonly text: string; readonly data: Json }
    /** A block of a legacy record that clients never showed. */
    | { readonly kind: 'other'; readonly block: string }
  );

export type ToolItem = {
  readonly kind: 'tool';
  readonly call: string;
  /** Null if only the result was sent. */
  readonly name: string | null;
  readonly args: Json;
  readonly result: Json;
  readonly isError: boolean;
  readonly state: 'open' | 'ended' | 'interrupted';
};

export type ConversationTurn = {
  readonly id: string;
  readonly status: TurnStatus | 'open';
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly usage: Usage | null;
};

export type ConversationSidechain = {
  readonly subagent: string;
  /** The sub-agent that called it; null if the main conversation did. */
  readonly parent: string | null;
  readonly title: string | null;
  readonly agent: string | null;
  readonly isOrphan: boolean;
  readonly status: TurnStatus | 'running';
  readonly usage: Usage | null;
  readonly items: readonly ConversationItem[];
};

export type Conversation = {
  readonly turns: readonly ConversationTurn[];
  readonly main: readonly ConversationItem[];
  /** In order of their first message. */
  readonly sidechains: readonly ConversationSidechain[];
  /** What was suppressed as a repetition, and what never found its call. */
  readonly counts: TracerState['counts'];
};

/** ENV-48: builds the conversation from envelopes. */
export const conversationOf = (envelopes: Iterable<Envelope>): Conversation => rebuild(normaliseAll(envelopes));

function* normaliseAll(envelopes: Iterable<Envelope>): Generator<NormalisedMessage, void, undefined> {
  for (const envelope of envelopes) yield normaliseEnvelope(envelope);
}

/** The same from normalised messages of any form. */
export const rebuild = (messages: Iterable<NormalisedMessage>): Conversation => {
  const draft: Draft = { turns: new Map(), main: [], sidechains: new Map(), tools: new Map() };
  let state = initialTracer;
  for (const message of messages) {
    const traced = trace(state, message);
    state = traced.state;
    for (const linked of traced.messages) take(draft, linked);
  }
  const last = releaseOrphans(state);
  for (const linked of last.messages) take(draft, linked);
  return { turns: [...draft.turns.values()], main: draft.main, sidechains: [...draft.sidechains.values()], counts: last.state.counts };
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type SidechainDraft = Writable<Omit<ConversationSidechain, 'items'>> & { readonly items: ConversationItem[] };
type ToolDraft = Told & Writable<ToolItem>;
type Draft = {
  readonly turns: Map<string, Writable<ConversationTurn>>;
  readonly main: ConversationItem[];
  readonly sidechains: Map<string, SidechainDraft>;
  readonly tools: Map<string, ToolDraft>;
};

const take = (draft: Draft, linked: LinkedMessage): void => {
  const { message, sidechain } = linked;
  const told = { id: message.id, time: message.time, turn: message.turn };
  const items = sidechain === null ? draft.main : sidechainAt(draft, sidechain, linked, told).items;
  for (const block of message.content) takeBlock(draft, linked, items, told, block);
};

const takeBlock = (draft: Draft, { message, sidechain }: LinkedMessage, items: ConversationItem[], told: Told, block: NormalisedContent): void => {
  switch (block.type) {
    case 'text':
      items.push({ ...told, kind: block.isPrompt ? 'prompt' : message.role === 'user' ? 'user' : 'text', text: block.text });
      return;
    case 'sidechain':
      items.push({ ...told, kind: 'prompt', text: block.prompt });
      return;
    case 'thinking':
      items.push({ ...told, kind: 'thinking', text: block.text });
      return;
    case 'tool-call': {
      const tool = toolAt(draft, items, told, block.id);
      tool.name = block.name;
      tool.args = block.input;
      return;
    }
    case 'tool-result': {
      const tool = toolAt(draft, items, told, block.toolCallId);
      tool.result = block.result;
      tool.isError = block.isError;
      tool.state = block.isInterrupted ? 'interrupted' : 'ended';
      const answered = draft.sidechains.get(block.toolCallId); // legacy: only a call's result marks the end of its sidechain
      if (answered !== undefined) answered.status = block.isError ? 'failed' : 'completed';
      return;
    }
    case 'file':
      items.push({ ...told, kind: 'file', ref: block.ref, name: block.name, size: block.size, mimeType: block.mimeType, call: block.call });
      return;
    case 'service':
      items.push({ ...told, kind: 'service', service: block.kind, text: block.text, data: block.data });
      return;
    case 'other':
      items.push({ ...told, kind: 'other', block: block.block });
      return;
    case 'turn-start':
    case 'turn-end':
      takeTurn(draft, told, block);
      return;
    case 'start':
    case 'stop': {
      const own = sidechain === null ? undefined : draft.sidechains.get(sidechain);
      if (own === undefined) return; // a life cycle without a sub-agent: no sender makes one
      own.status = block.type === 'stop' ? block.status : 'running';
      if (block.type === 'stop') own.usage = block.usage;
      return;
    }
    default:
      assertNever(block);
  }
};

const takeTurn = (draft: Draft, { turn, time }: Told, block: Extract<NormalisedContent, { type: 'turn-start' | 'turn-end' }>): void => {
  if (turn === null) return;
  const known = draft.turns.get(turn) ?? { id: turn, status: 'open', startedAt: time, endedAt: null, usage: null };
  draft.turns.set(turn, known);
  if (block.type === 'turn-start') return;
  known.status = block.status;
  known.endedAt = time;
  known.usage = block.usage;
};

const toolAt = (draft: Draft, items: ConversationItem[], told: Told, call: string): ToolDraft => {
  const known = draft.tools.get(call);
  if (known !== undefined && call !== '') return known;
  const tool: ToolDraft = { ...told, kind: 'tool', call, name: null, args: null, result: null, isError: false, state: 'open' };
  draft.tools.set(call, tool);
  items.push(tool);
  return tool;
};

// A sidechain begins with its `start`, or in legacy forms with its first message; then its call says what it is for.
const sidechainAt = (draft: Draft, id: string, { message, caller, isOrphan }: LinkedMessage, told: Told): SidechainDraft => {
  const known = draft.sidechains.get(id);
  if (known !== undefined) {
    known.isOrphan ||= isOrphan;
    return known;
  }
  const start = message.content.find((block) => block.type === 'start');
  const input = objectOf(draft.tools.get(id)?.args ?? undefined);
  const made: SidechainDraft = {
    subagent: id,
    parent: start?.parent ?? caller?.sidechain ?? null,
    title: start?.title ?? stringOf(input?.['description']),
    agent: start?.agent ?? stringOf(input?.['subagent_type']),
    isOrphan,
    status: statusOf(draft.tools.get(id)),
    usage: null,
    items: [],
  };
  draft.sidechains.set(id, made);
  if (start === undefined || isOrphan) return made;
  const around = made.parent === null ? draft.main : draft.sidechains.get(made.parent)?.items;
  around?.push({ ...told, kind: 'subagent', subagent: id });
  return made;
};

const statusOf = (call: ToolItem | undefined): ConversationSidechain['status'] =>
  call === undefined || call.state === 'open' ? 'running' : call.isError ? 'failed' : 'completed';
