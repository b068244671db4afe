import { SENDER_TYPES, type Recorded } from '@yarnboard/domain';
import { z } from 'zod';
import type { BoardEvent } from './event-names.ts';

/** WIRE-29: a decided entry as the log has it, for whoever folds it. Its payload is the domain's own, whose names are not those of the wire. */
export const encodeRecord = (event: Recorded): Readonly<Record<string, unknown>> => ({
  type: event.type,
  uuid: event.uuid,
  context_id: event.contextId,
  position: event.position,
  at: event.at,
  refs: event.refs,
  sender: event.by.id,
  sender_type: event.by.type,
  payload: toldPayload(event),
});

/** SEC-15: that there is a token is told, and nothing by which it could be known again. */
export const UNTOLD_HASH = '';

const toldPayload = ({ type, payload }: Recorded): Recorded['payload'] => {
  if (type === 'media.uploaded') return { ...payload, content: '' };
  const hasToken = type === 'agent.registered' || (type === 'agent.changed' && payload.tokenHash !== undefined);
  return hasToken ? { ...payload, tokenHash: UNTOLD_HASH } : payload;
};

const record = z.object({
  type: z.string(),
  uuid: z.string(),
  context_id: z.string(),
  position: z.number().int().min(0),
  at: z.number(),
  refs: z.array(z.string()),
  sender: z.string(),
  sender_type: z.enum(SENDER_TYPES),
  payload: z.record(z.string(), z.unknown()),
});

/** The record that an event came with; null when it came without one, or with one that cannot be read. */
export const recordedIn = (event: BoardEvent): Recorded | null => {
  const { success, data } = record.safeParse(event['record']);
  if (!success) return null;
  const { context_id: contextId, sender: id, sender_type: type, ...rest } = data;
  // The payload is what was decided: the server has it from its log, and the domain's fold is made for logs of any version.
  return { ...rest, contextId, by: { id, type } } as Recorded;
};
