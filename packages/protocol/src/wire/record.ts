import { definitionOf, ok, readEvent, SENDER_TYPES, type Recorded, type Result, type Unreadable } from '@yarnboard/domain';
import * as z from 'zod';

/** WIRE-29: a decided entry as the log has it, for clients that fold it. Its payload is the domain's own, with internal names. */
export const encodeRecord = (event: Recorded): Readonly<Record<string, unknown>> => {
  const { version, told } = definitionOf(event.type);
  return {
    type: event.type,
    version,
    uuid: event.uuid,
    context_id: event.contextId,
    position: event.position,
    at: event.at,
    refs: event.refs,
    sender: event.by.id,
    sender_type: event.by.type,
    payload: told(event.payload),
  };
};

const record = z.object({
  type: z.string(),
  /** Servers of 0.1.0 don't send it: theirs is version 1. */
  version: z.number().int().min(1).default(1),
  uuid: z.string(),
  context_id: z.string(),
  position: z.number().int().min(0),
  at: z.number(),
  refs: z.array(z.string()),
  sender: z.string(),
  sender_type: z.enum(SENDER_TYPES),
  payload: z.record(z.string(), z.unknown()),
});

/** The record of an event; null if it has none, or an invalid one. */
export const recordedIn = (event: Readonly<Record<string, unknown>>): Result<Recorded, Unreadable> | null => {
  const { success, data } = record.safeParse(event['record']);
  if (!success) return null;
  const { context_id: contextId, sender: id, sender_type: senderType, type, version, payload, ...rest } = data;
  const read = readEvent({ type, version, payload });
  return read.ok ? ok({ ...rest, ...read.value, contextId, by: { id, type: senderType } }) : read;
};
