import * as z from 'zod';
import { assertNever, type Envelope, type Json, type Result } from '@yarnboard/transcript';
import type { ProblemCode } from './registry/problems.ts';
import { REGISTRY, type OperationName } from './registry/registry.ts';
import { foreignJson, unwrapEnvelope, type EnvelopeRefusal } from './wire/envelope.ts';
import { EVENT_NAMES, isEventName, type BoardEvent } from './families/event-names.ts';
import { complaintsOf, complaintText } from './wire/complaints.ts';
import { encodeQueueFrame, queueFrames, type QueueFrame } from './wire/queue-frames.ts';

/** The version of the frames. A server with a different version closes with `other-protocol`. */
export const SOCKET_PROTOCOL = 1;

/** WIRE-19: why a connection is closed. `isFinal`: retrying with the same words would end the same way. */
export const CLOSE_CODES = {
  'going-away': { code: 1001, isFinal: false, help: 'the server is stopping; reconnect with the last seq' },
  'not-text': { code: 1003, isFinal: true, help: 'a frame was binary; frames are JSON texts' },
  'too-large': { code: 1009, isFinal: true, help: 'a frame was larger than the server accepts' },
  'bad-hello': { code: 4400, isFinal: true, help: 'the first frame was not a valid hello' },
  'bad-token': { code: 4401, isFinal: true, help: 'the token is not valid' },
  'operator-only': { code: 4403, isFinal: true, help: 'reveal was asked for without the token of the operator' },
  'no-hello': { code: 4408, isFinal: false, help: 'no hello arrived in time' },
  'other-log': { code: 4409, isFinal: true, help: 'since_seq is beyond the end of the log: it was counted on another one' },
  slow: { code: 4410, isFinal: false, help: 'the client is not reading; the reason has the seq to resume from' },
  'epoch-changed': { code: 4412, isFinal: false, help: 'an older copy of the board was restored; start over, without since_seq' },
  'other-protocol': { code: 4426, isFinal: true, help: 'the server speaks another version of the protocol' },
  fault: { code: 4500, isFinal: false, help: 'the log could not be read; reconnect with the last seq' },
} as const satisfies Record<string, { readonly code: number; readonly isFinal: boolean; readonly help: string }>;

export type CloseName = keyof typeof CLOSE_CODES;

/**
 * What a client wants to receive: sessions by id, sidebars as SB-n or by id. Neither (null, or left out) means everything; naming only one kind
 * excludes the other. `ALL_SIDEBARS` among the sidebars means every event among people and agents, wherever it happens.
 */
export type Subscription = {
  readonly sessions: readonly string[] | null;
  readonly sidebars?: readonly string[];
  readonly hasEnvelopes: boolean;
  /** WIRE-29: events include their record, for clients that fold them. */
  readonly hasRecords?: boolean;
};

export const ALL_SIDEBARS = '*';

export const EVERYTHING: Subscription = { sessions: null, hasEnvelopes: true };

export type ClientFrame =
  | {
      readonly type: 'hello';
      readonly protocol: number;
      readonly token: string | null;
      readonly sinceSeq: number | null;
      /** WIRE-40: the epoch that `sinceSeq` belongs to. */
      readonly epoch?: string;
      readonly reveal: boolean;
      /** REC-57: the client understands queued commands; without it, such commands are refused. */
      readonly queued?: boolean;
      readonly subscription: Subscription;
    }
  | { readonly type: 'subscribe'; readonly subscription: Subscription }
  | { readonly type: 'ping' }
  /** WIRE-32: nobody waits for the answer to this query any more. */
  | { readonly type: 'cancel'; readonly messageId: string }
  | { readonly type: 'command'; readonly name: OperationName; readonly messageId: string; readonly given: Readonly<Record<string, unknown>> };

/** What is wrong with a frame; with the id of the command, if it has one to answer to. */
export type FrameRefusal = { readonly code: ProblemCode; readonly message: string; readonly messageId: string | null };

const wants = {
  sessions: z.array(z.string().min(1).max(4096)).max(1000).optional(),
  sidebars: z.array(z.string().min(1).max(200)).max(1000).optional(),
  envelopes: z.boolean().optional(),
  records: z.boolean().optional(),
};

/** WIRE-5: everything a client may send, besides the commands of the registry. */
export const clientFrames = {
  hello: z.strictObject({
    type: z.literal('hello'),
    protocol: z.number().int(),
    token: z.string().max(4096).optional(),
    since_seq: z.number().int().min(0).optional(),
    epoch: z.string().min(1).max(200).optional(),
    reveal: z.boolean().optional(),
    queued: z.boolean().optional(),
    subscribe: z.strictObject(wants).optional(),
  }),
  subscribe: z.strictObject({ type: z.literal('subscribe'), ...wants }),
  ping: z.strictObject({ type: z.literal('ping') }),
  cancel: z.strictObject({ type: z.literal('cancel'), message_id: z.uuid() }),
};

/** WIRE-5: a client's frame, or why it is refused; no part of it is ever ignored. */
export const decodeClientFrame = (text: string): Result<ClientFrame, FrameRefusal> => {
  const frame = objectIn(text);
  if (frame === null) return refused('the frame is not a JSON object');
  const { type } = frame;
  // An envelope has no type of its own; commands may well have a content.
  if ('content' in frame && typeof type !== 'string') return refused(whyNoEnvelope(frame));
  switch (type) {
    case 'hello': {
      const { success, data, error } = clientFrames.hello.safeParse(frame);
      if (!success) return refused(`hello: ${whyOf(error, frame)}`);
      return ok({
        type,
        protocol: data.protocol,
        token: data.token ?? null,
        sinceSeq: data.since_seq ?? null,
        ...(data.epoch === undefined ? {} : { epoch: data.epoch }),
        reveal: data.reveal ?? false,
        ...(data.queued === true ? { queued: true } : {}),
        subscription: subscriptionOf(data.subscribe ?? {}),
      });
    }
    case 'subscribe': {
      const { success, data, error } = clientFrames.subscribe.safeParse(frame);
      return success ? ok({ type, subscription: subscriptionOf(data) }) : refused(`subscribe: ${whyOf(error, frame)}`);
    }
    case 'ping': {
      const { success, error } = clientFrames.ping.safeParse(frame);
      return success ? ok({ type }) : refused(`ping: ${whyOf(error, frame)}`);
    }
    case 'cancel': {
      const { success, data, error } = clientFrames.cancel.safeParse(frame);
      return success ? ok({ type, messageId: data.message_id.toLowerCase() }) : refused(`cancel: ${whyOf(error, frame)}`);
    }
    default:
      return commandIn(frame);
  }
};

const commandIn = ({ type, message_id: id, ...given }: Readonly<Record<string, unknown>>): Result<ClientFrame, FrameRefusal> => {
  const messageId = typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : null;
  if (typeof type !== 'string' || !Object.hasOwn(REGISTRY, type)) {
    if (typeof type === 'string' && (isEventName(type) || Object.hasOwn(serverFrames, type)))
      return refused(`only the server sends ${type}`, messageId);
    const named = typeof type === 'string' ? `"${type.slice(0, 100)}"` : 'without a type';
    return refused(
      `there is no frame ${named}; there are ${Object.keys(clientFrames).join(', ')} and the operations of /api/openapi.json`,
      messageId,
    );
  }
  if (messageId === null) return refused(`${type}: message_id must be a uuid, so that sending it again is noticed`);
  return ok({ type: 'command', name: type as OperationName, messageId, given }); // looked up just above
};

const whyNoEnvelope = (frame: object): string => {
  const read = unwrapEnvelope(frame);
  if (!read.ok) return `the envelope is refused: ${read.error.field}: ${read.error.why}`;
  return 'the envelope is well-formed, but envelopes come from the log and cannot be sent; to say something in a session, start a run';
};

const subscriptionOf = ({ sessions, sidebars, envelopes, records }: z.output<z.ZodObject<typeof wants>>): Subscription => ({
  sessions: sessions ?? null,
  ...(sidebars === undefined ? {} : { sidebars }),
  hasEnvelopes: envelopes ?? true,
  ...(records === true ? { hasRecords: true } : {}),
});

/** What is sent about an entry of the log. */
export type EntryNews = {
  readonly seq: number;
  readonly entryType: string;
  readonly sessionId: string;
  readonly contextId: string;
  readonly agentId: string | null;
  readonly sender: string;
  readonly senderType: string;
  /** ISO 8601. */
  readonly timestamp: string | null;
  readonly refs: readonly string[];
  readonly copyOf: number | null;
};

/** WIRE-6: by hand, like envelopes; the caller adds `messages` if it has them. */
export const encodeEntry = (news: EntryNews): Record<string, unknown> => ({
  type: 'entry',
  seq: news.seq,
  entry_type: news.entryType,
  session_id: news.sessionId,
  context_id: news.contextId,
  agent_id: news.agentId,
  sender: news.sender,
  sender_type: news.senderType,
  timestamp: news.timestamp,
  refs: news.refs,
  copy_of: news.copyOf,
});

/** Whose token the client has: the human operator's, an agent's, another person's, or none. */
const CLIENT_TYPES = ['operator', 'agent', 'human', 'reader'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

const URGENCIES = ['low', 'normal', 'high'] as const;
export type Urgency = (typeof URGENCIES)[number];

export type ServerFrame =
  | {
      readonly type: 'connection_established';
      readonly clientId: string;
      readonly clientType: ClientType;
      /** Who the token belongs to; null without one. */
      readonly agentId: string | null;
      /** The current end of the log. */
      readonly seq: number;
      readonly board: string;
      /** WIRE-40: the epoch in which positions and numbers have their present meaning; servers of older versions don't send it. */
      readonly epoch?: string | undefined;
      /** Differs after a restart: the server no longer knows which commands it has received. */
      readonly instance: string;
      readonly protocol: number;
    }
  | (EntryNews & { readonly type: 'entry'; readonly messages: readonly Envelope[]; readonly refused: readonly EnvelopeRefusal[] })
  /** WIRE-22: an event among people and agents has its own name as type. */
  | { readonly type: 'event'; readonly event: BoardEvent }
  /** WIRE-31: an event whose name this version doesn't know. */
  | { readonly type: 'newer_event'; readonly name: string; readonly seq: number }
  /** Everything up to here has been sent; what follows is live. */
  | { readonly type: 'caught_up'; readonly seq: number }
  | { readonly type: 'subscribed'; readonly seq: number }
  | { readonly type: 'pong'; readonly seq: number }
  | { readonly type: 'ack'; readonly messageId: string; readonly seq: number; readonly refs: readonly string[]; readonly result: Json }
  | {
      readonly type: 'rejected';
      readonly messageId: string;
      readonly code: string;
      readonly message: string;
      /** The reason for `message`, for rewording it. */
      readonly reason?: string | undefined;
      readonly facts?: object | undefined;
    }
  | { readonly type: 'duplicate_ack'; readonly originalMessageId: string; readonly ref: string | null; readonly message: string }
  | QueueFrame
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  /** Somebody else's connection broke. */
  | { readonly type: 'connection_lost'; readonly clientId: string; readonly agentId: string; readonly reason: string; readonly seq: number }
  | {
      readonly type: 'system_shutdown';
      readonly message: string;
      readonly countdownSeconds: number;
      readonly urgency: Urgency;
      /** The stop was cancelled. */
      readonly cancelled?: true | undefined;
      readonly seq: number;
    }
  | { readonly type: 'going_away'; readonly reason: string; readonly seq: number };

type OtherFrame = Exclude<ServerFrame, { type: 'entry' | 'event' | 'newer_event' }>;

/** Everything a server sends besides entries and events. */
export const encodeServerFrame = (frame: OtherFrame): Record<string, unknown> => {
  switch (frame.type) {
    case 'connection_established': {
      const { type, clientId, clientType, agentId, seq, board, epoch, instance, protocol } = frame;
      return { type, client_id: clientId, client_type: clientType, agent_id: agentId, seq, board, epoch, instance, protocol };
    }
    case 'ack': {
      const { type, messageId, seq, refs, result } = frame;
      return { type, message_id: messageId, seq, refs, result };
    }
    case 'rejected': {
      const { type, messageId, code, message, reason, facts } = frame;
      return { type, message_id: messageId, code, message, ...(reason === undefined || facts === undefined ? {} : { reason, facts }) };
    }
    case 'duplicate_ack': {
      const { type, originalMessageId, ref, message } = frame;
      return { type, original_message_id: originalMessageId, ref, message };
    }
    case 'queued':
    case 'settled':
    case 'emergency':
    case 'startup_recovery_alert':
      return encodeQueueFrame(frame);
    case 'connection_lost': {
      const { type, clientId, agentId, reason, seq } = frame;
      return { type, client_id: clientId, agent_id: agentId, reason, seq };
    }
    case 'system_shutdown': {
      const { type, message, countdownSeconds, urgency, cancelled, seq } = frame;
      return { type, message, countdown_seconds: countdownSeconds, urgency, ...(cancelled === true ? { cancelled } : {}), seq };
    }
    case 'caught_up':
    case 'subscribed':
    case 'pong':
    case 'error':
    case 'going_away':
      return { ...frame };
    default:
      return assertNever(frame);
  }
};

const seq = z.number().int().min(0);

/** WIRE-19: frames from a server. Loose: a newer server may send more fields. */
export const serverFrames = {
  connection_established: z
    .object({
      type: z.literal('connection_established'),
      client_id: z.string(),
      client_type: z.enum(CLIENT_TYPES),
      agent_id: z.string().nullish(),
      seq,
      board: z.string(),
      epoch: z.string().optional(),
      instance: z.string(),
      protocol: z.number().int(),
    })
    .transform(({ client_id: clientId, client_type: clientType, agent_id: agentId = null, ...rest }) => ({ ...rest, clientId, clientType, agentId })),
  entry: z
    .object({
      type: z.literal('entry'),
      seq,
      entry_type: z.string(),
      session_id: z.string(),
      context_id: z.string(),
      agent_id: z.string().nullable(),
      sender: z.string(),
      sender_type: z.string(),
      timestamp: z.string().nullable(),
      refs: z.array(z.string()),
      copy_of: seq.nullable(),
      messages: z.array(z.unknown()).optional(),
    })
    .transform(({ type, seq, sender, timestamp, refs, messages = [], ...rest }) => {
      const read = messages.map(unwrapEnvelope);
      return {
        type,
        seq,
        entryType: rest.entry_type,
        sessionId: rest.session_id,
        contextId: rest.context_id,
        agentId: rest.agent_id,
        sender,
        senderType: rest.sender_type,
        timestamp,
        refs,
        copyOf: rest.copy_of,
        messages: read.flatMap((one) => (one.ok ? [one.value] : [])),
        refused: read.flatMap((one) => (one.ok ? [] : [one.error])),
      };
    }),
  caught_up: z.object({ type: z.literal('caught_up'), seq }),
  subscribed: z.object({ type: z.literal('subscribed'), seq }),
  pong: z.object({ type: z.literal('pong'), seq }),
  ack: z
    .object({ type: z.literal('ack'), message_id: z.string(), seq, refs: z.array(z.string()), result: foreignJson })
    .transform(({ message_id: messageId, ...rest }) => ({ ...rest, messageId })),
  rejected: z
    .object({
      type: z.literal('rejected'),
      message_id: z.string(),
      code: z.string(),
      message: z.string(),
      reason: z.string().optional(),
      facts: z.looseObject({}).optional(),
    })
    .transform(({ message_id: messageId, ...rest }) => ({ ...rest, messageId })),
  duplicate_ack: z
    .object({ type: z.literal('duplicate_ack'), original_message_id: z.string(), ref: z.string().nullable(), message: z.string() })
    .transform(({ original_message_id: originalMessageId, ...rest }) => ({ ...rest, originalMessageId })),
  ...queueFrames,
  error: z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
  connection_lost: z
    .object({ type: z.literal('connection_lost'), client_id: z.string(), agent_id: z.string(), reason: z.string(), seq })
    .transform(({ client_id: clientId, agent_id: agentId, ...rest }) => ({ ...rest, clientId, agentId })),
  system_shutdown: z
    .object({
      type: z.literal('system_shutdown'),
      message: z.string(),
      countdown_seconds: z.number(),
      urgency: z.enum(URGENCIES),
      cancelled: z.literal(true).optional(),
      seq,
    })
    .transform(({ countdown_seconds: countdownSeconds, ...rest }) => ({ ...rest, countdownSeconds })),
  going_away: z.object({ type: z.literal('going_away'), reason: z.string(), seq }),
} as const satisfies { readonly [T in Exclude<ServerFrame['type'], 'event' | 'newer_event'>]: z.ZodType<Extract<ServerFrame, { type: T }>> };

/** The fields common to all events; their own fields are left as they are. */
const boardEvent = z.looseObject({
  type: z.enum(EVENT_NAMES),
  message_id: z.string().optional(),
  seq,
  timestamp: z.string(),
  sender_agent_id: z.string(),
  context_id: z.string(),
  uuid: z.string(),
  refs: z.array(z.string()),
});

/** The same for a newer server's events, by the common fields. */
const unknownEvent = boardEvent.extend({ type: z.string() });

/** Decodes a frame for a client, or says why it can't be read. */
export const decodeServerFrame = (text: string): Result<ServerFrame, string> => {
  const frame = objectIn(text);
  if (frame === null) return { ok: false, error: 'the frame is not a JSON object' };
  const { type } = frame;
  if (isEventName(type)) {
    const read = boardEvent.safeParse(frame);
    return read.success ? { ok: true, value: { type: 'event', event: read.data } } : { ok: false, error: `${type}: ${whyOf(read.error, frame)}` };
  }
  if (typeof type !== 'string' || !Object.hasOwn(serverFrames, type)) {
    const newer = unknownEvent.safeParse(frame);
    if (newer.success) return { ok: true, value: { type: 'newer_event', name: newer.data.type, seq: newer.data.seq } };
    return { ok: false, error: `frames of type ${JSON.stringify(type) ?? 'none'} are not known here` };
  }
  const read = serverFrames[type as keyof typeof serverFrames].safeParse(frame); // looked up just above
  return read.success ? { ok: true, value: read.data } : { ok: false, error: `${type}: ${whyOf(read.error, frame)}` };
};

const objectIn = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null; // JSON.parse returns nothing else
  } catch {
    return null; // the caller reports it
  }
};

const whyOf = ({ issues }: z.ZodError, given: unknown): string =>
  complaintsOf(issues, given)
    .map((complaint) =>
      complaint.fault === 'unknown' ? `there is no field "${complaint.input}"` : complaintText(complaint, complaint.input || 'the frame'),
    )
    .join('; ');

const ok = (value: ClientFrame): Result<ClientFrame, FrameRefusal> => ({ ok: true, value });

const refused = (message: string, messageId: string | null = null): Result<ClientFrame, FrameRefusal> => ({
  ok: false,
  error: { code: 'bad-request', message, messageId },
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
