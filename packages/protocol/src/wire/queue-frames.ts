import { STARTUP_STATES, type StartupState } from '@yarnboard/domain';
import { assertNever, type Json } from '@yarnboard/transcript';
import * as z from 'zod';
import { foreignJson } from './envelope.ts';

export const SETTLED_OUTCOMES = ['replayed', 'known', 'conflict', 'discarded'] as const;
export type SettledOutcome = (typeof SETTLED_OUTCOMES)[number];

export const EMERGENCY_STATES = ['normal', 'degraded', 'emergency', 'resuming'] as const;

/** REC-65: the state of the log, and what it means for people and agents at work. */
export type EmergencyNews = {
  readonly state: (typeof EMERGENCY_STATES)[number];
  readonly reason: string | null;
  readonly servicesDown: readonly string[];
  /** ISO 8601. */
  readonly since: string | null;
  readonly pendingWrites: number;
  /** How many of this outage's commands are settled by now: with those waiting, all of them. */
  readonly settledWrites: number;
  readonly conflicts: number;
  /** Where the latest queued command is durable. */
  readonly places: readonly string[];
  /** Operations refused in the meantime. */
  readonly blocked: readonly string[];
  readonly message: string;
};

/** REC-71: what the last session left behind, and what an outage left for the operator. */
export type RecoveryNews = {
  readonly state: StartupState;
  readonly severity: 'warning' | 'info';
  readonly message: string;
  /** Sent to the operator only. */
  readonly details: readonly {
    readonly cacheId: string;
    readonly reason: string;
    readonly occurredAt: string;
    readonly pendingItems: number;
    readonly notes: readonly string[];
  }[];
  readonly recommendation: string;
  readonly actions: readonly string[];
  /** Commands of this home that still need a decision, including conflicts of an outage that is over. */
  readonly openWrites: number;
};

/** Frames about commands that wait for the log. */
export type QueueFrame =
  /** REC-52: the answer to a command that waits for the log; others receive it with who sent what. */
  | {
      readonly type: 'queued';
      readonly messageId: string;
      readonly cacheId: string;
      readonly queuePosition: number;
      readonly durableIn: readonly string[];
      /** The uuid of its future entry; it has no number yet. */
      readonly uuid: string;
      readonly message: string;
      /** For somebody else's command: who sent it, where, and what it would do, in the form of events. */
      readonly by?: { readonly senderAgentId: string; readonly contextId: string; readonly events: readonly Json[] } | undefined;
    }
  /** REC-64: the outcome of a queued command. */
  | {
      readonly type: 'settled';
      readonly messageId: string;
      /** REC-69: whose it was and where, so that everyone who heard of it can place it. Servers of older versions don't send it. */
      readonly uuid?: string | undefined;
      readonly senderAgentId?: string | undefined;
      readonly contextId?: string | null | undefined;
      readonly outcome: SettledOutcome;
      /** The position of its last entry; null if it isn't on the log. */
      readonly settledSeq: number | null;
      readonly refs: readonly string[];
      readonly code?: string | undefined;
      readonly message?: string | undefined;
    }
  | (EmergencyNews & { readonly type: 'emergency'; readonly seq: number })
  | (RecoveryNews & { readonly type: 'startup_recovery_alert'; readonly seq: number });

export const encodeQueueFrame = (frame: QueueFrame): Record<string, unknown> => {
  switch (frame.type) {
    case 'queued': {
      const { type, messageId, cacheId, queuePosition, durableIn, uuid, message, by } = frame;
      const theirs = by === undefined ? {} : { by: { sender_agent_id: by.senderAgentId, context_id: by.contextId, events: by.events } };
      return { type, message_id: messageId, cache_id: cacheId, queue_position: queuePosition, durable_in: durableIn, uuid, message, ...theirs };
    }
    case 'settled': {
      const { type, messageId, uuid, senderAgentId, contextId, outcome, settledSeq, refs, code, message } = frame;
      const whose = { uuid, sender_agent_id: senderAgentId, context_id: contextId };
      return { type, message_id: messageId, ...whose, outcome, seq: settledSeq, refs, code, message };
    }
    case 'emergency': {
      const { servicesDown, pendingWrites, settledWrites, ...rest } = frame;
      return { ...rest, services_down: servicesDown, pending_writes: pendingWrites, settled_writes: settledWrites };
    }
    case 'startup_recovery_alert': {
      const { details, openWrites, ...rest } = frame;
      const told = details.map(({ cacheId, reason, occurredAt, pendingItems, notes }) => ({
        cache_id: cacheId,
        reason,
        occurred_at: occurredAt,
        pending_items: pendingItems,
        notes,
      }));
      return { ...rest, details: told, open_writes: openWrites };
    }
    default:
      return assertNever(frame);
  }
};

const seq = z.number().int().min(0);

/** WIRE-19: the same as read by a client. */
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
      uuid: z.string().optional(),
      sender_agent_id: z.string().optional(),
      context_id: z.string().nullish(),
      outcome: z.enum(SETTLED_OUTCOMES),
      seq: seq.nullable(),
      refs: z.array(z.string()),
      code: z.string().optional(),
      message: z.string().optional(),
    })
    .transform(({ message_id: messageId, sender_agent_id: senderAgentId, context_id: contextId, seq: settledSeq, ...rest }) => ({
      ...rest,
      messageId,
      senderAgentId,
      contextId,
      settledSeq,
    })),
  emergency: z
    .object({
      type: z.literal('emergency'),
      state: z.enum(EMERGENCY_STATES),
      reason: z.string().nullable(),
      services_down: z.array(z.string()),
      since: z.string().nullable(),
      pending_writes: z.number().int(),
      settled_writes: z.number().int().optional(),
      conflicts: z.number().int(),
      places: z.array(z.string()).optional(),
      blocked: z.array(z.string()),
      message: z.string(),
      seq,
    })
    .transform(({ services_down: servicesDown, pending_writes: pendingWrites, settled_writes: settledWrites = 0, places = [], ...rest }) => ({
      ...rest,
      servicesDown,
      pendingWrites,
      settledWrites,
      places,
    })),
  startup_recovery_alert: z
    .object({
      type: z.literal('startup_recovery_alert'),
      state: z.enum(STARTUP_STATES),
      severity: z.enum(['warning', 'info']),
      message: z.string(),
      details: z.array(
        z
          .object({ cache_id: z.string(), reason: z.string(), occurred_at: z.string(), pending_items: z.number().int(), notes: z.array(z.string()) })
          .transform(({ cache_id: cacheId, occurred_at: occurredAt, pending_items: pendingItems, ...rest }) => ({
            ...rest,
            cacheId,
            occurredAt,
            pendingItems,
          })),
      ),
      recommendation: z.string(),
      actions: z.array(z.string()),
      open_writes: z.number().int(),
      seq,
    })
    .transform(({ open_writes: openWrites, ...rest }) => ({ ...rest, openWrites })),
} as const satisfies { readonly [T in QueueFrame['type']]: z.ZodType<Extract<QueueFrame, { type: T }>> };
