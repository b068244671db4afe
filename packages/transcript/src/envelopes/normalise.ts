import { readEntry, type Entry, type Role, type Usage } from '../entry.ts';
import { isObject, listOf, objectOf, stringOf, type Json, type JsonObject } from '../json.ts';
import { assertNever } from '../never.ts';
import { err, ok, type Result } from '../result.ts';
import type { Envelope, EnvelopeEvent, ServiceKind, TurnStatus } from './envelope.ts';

/** A message as a client receives it: a decoded envelope, or a form from before envelopes. */
export type WireMessage =
  | { readonly type: 'session'; readonly envelope: Envelope }
  | {
      readonly type: 'legacy';
      /** The id it was delivered under. */
      readonly id: string;
      readonly time: number;
      readonly message: Json;
    };

/** ENV-40: the same for every form of message. */
export type NormalisedMessage = {
  readonly id: string;
  readonly time: number;
  readonly role: 'user' | 'agent';
  readonly origin: WireMessage['type'];
  readonly turn: string | null;
  /** The sidechain it belongs to: a sub-agent's cuid2, or in legacy forms a tool call's id or a record's uuid. */
  readonly parentUUID: string | null;
  readonly isSidechain: boolean;
  /** A second copy of a user's text, made while clients migrated from one form to the other. */
  readonly isShadow: boolean;
  /** The legacy record's own uuid, and its parent's, for when its tool call is unknown. */
  readonly uuid: string | null;
  readonly after: string | null;
  readonly content: readonly NormalisedContent[];
};

type Owned = { readonly parentUUID: string | null };

export type NormalisedContent = Owned &
  (
    | { readonly type: 'text'; readonly text: string; readonly isPrompt: boolean }
    | { readonly type: 'thinking'; readonly text: string }
    | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly description: string | null; readonly input: Json }
    | {
        readonly type: 'tool-result';
        readonly toolCallId: string;
        readonly result: Json;
        readonly isError: boolean;
        readonly isInterrupted: boolean;
      }
    | {
        readonly type: 'file';
        readonly ref: string;
        readonly name: string;
        readonly size: number;
        readonly mimeType: string;
        readonly call: string | null;
      }
    | { readonly type: 'service'; readonly kind: ServiceKind; readonly text: string; readonly data: Json }
    | { readonly type: 'turn-start' }
    | { readonly type: 'turn-end'; readonly status: TurnStatus; readonly usage: Usage | null }
    | {
        readonly type: 'start';
        readonly title: string | null;
        readonly agent: string | null;
        readonly parent: string | null;
        readonly isOrphan: boolean;
      }
    | { readonly type: 'stop'; readonly status: TurnStatus; readonly usage: Usage | null }
    /** The root of a legacy sidechain: it has only the prompt, which identifies its call. */
    | { readonly type: 'sidechain'; readonly prompt: string }
    /** A block of a legacy record that clients never showed. */
    | { readonly type: 'other'; readonly block: string }
  );

/** ENV-43: why a message can't be shown. Only `silent` ones are fine: they say nothing to the reader. */
export type Refusal =
  | { readonly kind: 'not-an-object'; readonly field: 'message' | 'content' | 'data' }
  | { readonly kind: 'unknown-content'; readonly type: string | null }
  | { readonly kind: 'unknown-record'; readonly type: string | null }
  | { readonly kind: 'undecoded-envelope' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'silent'; readonly role: Role };

/** Converts one wire message to the only form that clients work with. */
export const normalise = (wire: WireMessage): Result<NormalisedMessage, Refusal> => {
  switch (wire.type) {
    case 'session':
      return ok(normaliseEnvelope(wire.envelope));
    case 'legacy':
      return normaliseLegacy(wire.id, wire.time, wire.message);
    default:
      return assertNever(wire);
  }
};

/** ENV-41: `parentUUID` is the sub-agent or null, and a message with one is part of a sidechain. */
export const normaliseEnvelope = (envelope: Envelope): NormalisedMessage => {
  const parentUUID = envelope.subagent ?? null;
  return {
    id: envelope.id,
    time: envelope.time,
    role: envelope.role === 'agent' ? 'agent' : 'user',
    origin: 'session',
    turn: envelope.turn ?? null,
    parentUUID,
    isSidechain: parentUUID !== null,
    isShadow: envelope.role === 'session',
    uuid: null,
    after: null,
    content: [{ ...contentOf(envelope.ev), parentUUID }],
  };
};

type Unowned = NormalisedContent extends infer C ? (C extends Owned ? Omit<C, 'parentUUID'> : never) : never;

const contentOf = (event: EnvelopeEvent): Unowned => {
  switch (event.t) {
    case 'text':
      if (event.thinking === true) return { type: 'thinking', text: event.text };
      return { type: 'text', text: event.text, isPrompt: event.prompt === true };
    case 'tool-call-start':
      return { type: 'tool-call', id: event.call, name: event.name, description: event.description, input: event.args };
    case 'tool-call-end':
      return {
        type: 'tool-result',
        toolCallId: event.call,
        result: event.result,
        isError: event.isError,
        isInterrupted: event.isInterrupted === true,
      };
    case 'turn-start':
      return { type: 'turn-start' };
    case 'turn-end':
      return { type: 'turn-end', status: event.status, usage: event.usage ?? null };
    case 'start':
      return {
        type: 'start',
        title: event.title ?? null,
        agent: event.agent ?? null,
        parent: event.parent ?? null,
        isOrphan: event.isOrphan === true,
      };
    case 'stop':
      return { type: 'stop', status: event.status, usage: event.usage ?? null };
    case 'service':
      return { type: 'service', kind: event.kind, text: event.text, data: event.data ?? null };
    case 'file':
      return { type: 'file', ref: event.ref, name: event.name, size: event.size, mimeType: event.mimeType, call: event.call ?? null };
    default:
      return assertNever(event);
  }
};

const normaliseLegacy = (id: string, time: number, message: Json): Result<NormalisedMessage, Refusal> => {
  if (!isObject(message)) return err({ kind: 'not-an-object', field: 'message' });
  const content = message['content'];
  if (typeof content === 'string') return said(id, time, content);
  if (!isObject(content)) return err({ kind: 'not-an-object', field: 'content' });
  const type = stringOf(content['type']);
  switch (type ?? '') {
    case 'text':
      return said(id, time, stringOf(content['text']) ?? '');
    case 'output': {
      const { data } = content;
      return isObject(data) ? normaliseRecord(id, time, data) : err({ kind: 'not-an-object', field: 'data' });
    }
    case 'event': {
      const { data } = content;
      return isObject(data) ? told(id, time, data) : err({ kind: 'not-an-object', field: 'data' });
    }
    case 'session':
      return err({ kind: 'undecoded-envelope' });
    default:
      return err({ kind: 'unknown-content', type });
  }
};

const said = (id: string, time: number, text: string): Result<NormalisedMessage, Refusal> => {
  if (text === '') return err({ kind: 'empty' });
  return ok({ ...legacyMessage(id, time, null, null), role: 'user', content: [{ type: 'text', text, isPrompt: false, parentUUID: null }] });
};

// "ready", "switch", "message" and "limit-reached": reports by the launcher, not conversation.
const told = (id: string, time: number, data: JsonObject): Result<NormalisedMessage, Refusal> => {
  const type = stringOf(data['type']);
  if (type === null) return err({ kind: 'unknown-content', type });
  const text = stringOf(data['message']) ?? type;
  return ok({ ...legacyMessage(id, time, null, null), content: [{ type: 'service', kind: 'run', text, data, parentUUID: null }] });
};

/** ENV-42: a raw record belongs to the call that it names, otherwise wherever its predecessor belongs. */
const normaliseRecord = (id: string, time: number, record: JsonObject): Result<NormalisedMessage, Refusal> => {
  const entry = readEntry(record, NOWHERE);
  if (!RECORD_TYPES.has(entry.type)) return err({ kind: 'unknown-record', type: stringOf(record['type']) });
  const call = entry.more?.parentToolUseId ?? null;
  const isSidechain = entry.isSidechain || call !== null;
  const after = isSidechain ? (entry.parentUuid ?? null) : null;
  const parentUUID = call ?? after;
  const blocks = blocksOf(entry, record, isSidechain, parentUUID === null);
  if (blocks === null) return err({ kind: 'silent', role: entry.role });
  if (blocks.length === 0) return err({ kind: 'empty' });
  return ok({
    ...legacyMessage(id, Number.isFinite(entry.at) ? entry.at : time, stringOf(record['uuid']), after),
    role: entry.role === 'prompt' && !isSidechain ? 'user' : 'agent',
    parentUUID,
    isSidechain,
    content: blocks.map((block) => ({ ...block, parentUUID })),
  });
};

/** Null for records that readers don't see. */
const blocksOf = (entry: Entry, record: JsonObject, isSidechain: boolean, isUnplaced: boolean): readonly Unowned[] | null => {
  const content = objectOf(record['message'])?.['content'] ?? stringOf(record['message']);
  switch (entry.role) {
    case 'prompt': {
      const texts = blocksIn(content);
      const [first] = texts;
      if (isSidechain && isUnplaced && first?.type === 'text') return [{ type: 'sidechain', prompt: first.text }, ...texts.slice(1)];
      return isSidechain ? texts.map((block) => (block.type === 'text' ? { ...block, isPrompt: true } : block)) : texts;
    }
    case 'reply':
    case 'result':
    case 'synthetic':
      return blocksIn(content);
    case 'command':
      return [{ type: 'service', kind: 'command', text: textIn(content), data: null }];
    case 'boundary':
      return [{ type: 'service', kind: 'compaction', text: stringOf(record['content']) ?? '', data: null }];
    case 'summary':
    case 'meta':
    case 'output':
    case 'bash':
    case 'memory':
    case 'notice':
    case 'interruption':
    case 'attachment':
    case 'progress':
    case 'system':
    case 'state':
      return null;
    default:
      return assertNever(entry.role);
  }
};

const textIn = (content: Json | null): string => blocksIn(content).flatMap((block) => (block.type === 'text' ? [block.text] : []))[0] ?? '';

const blocksIn = (content: Json | null): readonly Unowned[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content, isPrompt: false }];
  return listOf(content ?? undefined).flatMap((block) => (isObject(block) ? blockOf(block) : []));
};

const blockOf = (block: JsonObject): readonly Unowned[] => {
  const type = stringOf(block['type']) ?? '';
  switch (type) {
    case 'text': {
      const text = stringOf(block['text']) ?? '';
      return text === '' ? [] : [{ type: 'text', text, isPrompt: false }];
    }
    case 'thinking': {
      // Some versions keep only the signature of a thought.
      const text = stringOf(block['thinking']) ?? '';
      return text === '' ? [] : [{ type: 'thinking', text }];
    }
    case 'tool_use':
    case 'tool-call': {
      const input = block['input'] ?? null;
      return [
        {
          type: 'tool-call',
          id: stringOf(block['callId']) ?? stringOf(block['id']) ?? '',
          name: stringOf(block['name']) ?? '',
          description: stringOf(objectOf(input)?.['description']),
          input,
        },
      ];
    }
    case 'tool_result':
    case 'tool-call-result':
      return [
        {
          type: 'tool-result',
          toolCallId: stringOf(block['callId']) ?? stringOf(block['tool_use_id']) ?? '',
          result: block['output'] ?? block['content'] ?? null,
          isError: block['is_error'] === true,
          isInterrupted: false,
        },
      ];
    default:
      return [{ type: 'other', block: type }];
  }
};

const legacyMessage = (id: string, time: number, uuid: string | null, after: string | null): Omit<NormalisedMessage, 'content'> => ({
  id,
  time,
  role: 'agent',
  origin: 'legacy',
  turn: null,
  parentUUID: null,
  isSidechain: false,
  isShadow: false,
  uuid,
  after,
});

const NOWHERE = { line: 0, part: 0, offset: 0, length: 0 };
const RECORD_TYPES: ReadonlySet<string> = new Set([
  'user',
  'human',
  'assistant',
  'tool_result',
  'system',
  'summary',
  'result',
  'attachment',
  'progress',
]);
