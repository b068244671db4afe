import * as z from 'zod';
import { assertNever, type Json } from '@yarnboard/transcript';
import { foreignJson } from './envelope.ts';

export const SETTLED_OUTCOMES = ['replayed', 'known', 'conflict', 'discarded'] as const;
export type SettledOutcome = (typeof SETTLED_OUTCOMES)[number];

export const EMERGENCY_STATES = ['normal', 'degraded', 'emergency', 'resuming'] as const;

/** REC-65: how it stands with the log, and what that means for whoever works. */
export type EmergencyNews = {
  readonly state: (typeof EMERGENCY_STATES)[number];
  readonly reason: string | null;
  readonly servicesDown: readonly string[];
  /** ISO 8601. */
  readonly since: string | null;
  readonly pendingWrites: number;
  readonly conflicts: number;
  /** Operations that are refused meanwhile. */
  readonly blocked: readonly string[];
  readonly message: string;
};

/** What is told of commands that wait for the log. */
export type QueueFrame =
  /** REC-52: the answer to a command that waits for the log; others hear it with who said what. */
  | {
      readonly type: 'queued';
      readonly messageId: string;
      readonly cacheId: string;
      readonly queuePosition: number;
      readonly durableIn: readonly string[];
      /** Of the entry it becomes; it has no number yet. */
      readonly uuid: string;
      readonly message: string;
      /** Of somebody else's: who, where, and what it would do, as events are told. */
      readonly by?: { readonly senderAgentId: string; readonly contextId: string; readonly events: readonly Json[] } | undefined;
    }
  /** REC-64: what became of a queued command. */
  | {
      readonly type: 'settled';
      readonly messageId: string;
      readonly outcome: SettledOutcome;
      /** Where its last entry stands; null for what is not on the log. */
      readonly settledSeq: number | null;
      readonly refs: readonly string[];
      readonly code?: string | undefined;
      readonly message?: string | undefined;
    }
  | (EmergencyNews & { readonly type: 'emergency'; readonly seq: number });

export const encodeQueueFrame = (frame: QueueFrame): Record<string, unknown> => {
  switch (frame.type) {
    case 'queued': {
      const { type, messageId, cacheId, queuePosition, durableIn, uuid, message, by } = frame;
      const theirs = by === undefined ? {} : { by: { sender_agent_id: by.senderAgentId, context_id: by.contextId, events: by.events } };
      return { type, message_id: messageId, cache_id: cacheId, queue_position: queuePosition, durable_in: durableIn, uuid, message, ...theirs };
    }
    case 'settled': {
      const { type, messageId, outcome, settledSeq, refs, code, message } = frame;
      return { type, message_id: messageId, outcome, seq: settledSeq, refs, code, message };
    }
    case 'emergency': {
      const { type, state, reason, servicesDown, since, pendingWrites, conflicts, blocked, message, seq } = frame;
      return { type, state, reason, services_down: servicesDown, since, pending_writes: pendingWrites, conflicts, blocked, message, seq };
    }
    default:
      return assertNever(frame);
  }
};

const seq = z.number().int().min(0);

/** WIRE-19: the same as a client reads it. */
export const queueFrames = {
  queued: z
    .object({
      type: z.literal('queued'),
      message_id: z.string(),
      cache_id: z.string(),
      queue_position: z.number().int(),
      durable_in: z.array(z.string()),
      uuid: z.string(),
      message: z.string(),
      by: z
        .object({ sender_agent_id: z.string(), context_id: z.string(), events: z.array(foreignJson) })
        .transform(({ sender_agent_id: senderAgentId, context_id: contextId, events }) => ({ senderAgentId, contextId, events }))
        .optional(),
    })
    .transform(({ message_id: messageId, cache_id: cacheId, queue_position: queuePosition, durable_in: durableIn, ...rest }) => ({
      ...rest,
      messageId,
      cacheId,
      queuePosition,
      durableIn,
    })),
  settled: z
    .object({
      type: z.literal('settled'),
      message_id: z.string(),
      outcome: z.enum(SETTLED_OUTCOMES),
      seq: seq.nullable(),
      refs: z.array(z.string()),
      code: z.string().optional(),
      message: z.string().optional(),
    })
    .transform(({ message_id: messageId, seq: settledSeq, ...rest }) => ({ ...rest, messageId, settledSeq })),
  emergency: z
    .object({
      type: z.literal('emergency'),
      state: z.enum(EMERGENCY_STATES),
      reason: z.string().nullable(),
      services_down: z.array(z.string()),
      since: z.string().nullable(),
      pending_writes: z.number().int(),
      conflicts: z.number().int(),
      blocked: z.array(z.string()),
      message: z.string(),
      seq,
    })
    .transform(({ services_down: servicesDown, pending_writes: pendingWrites, ...rest }) => ({ ...rest, servicesDown, pendingWrites })),
} as const satisfies { readonly [T in QueueFrame['type']]: z.ZodType<Extract<QueueFrame, { type: T }>> };
