import { FINDING_STATUSES, PRIORITIES, STATUSES } from '@yarnboard/domain';
import * as z from 'zod';

/** Fields that every command of a person or an agent may have, as in the seed's BaseMessage. */
export const command = {
  message_id: z.uuid().optional().describe('chosen by the sender; repeating it under the same id has no further effect'),
  timestamp: z.string().max(100).optional().describe('when it was sent; the log has its own clock'),
  sender_agent_id: z.string().max(200).optional().describe('must match the token'),
  if_seq: z.number().int().min(0).optional().describe('refused if the sidebar has changed since this position'),
};

const MOST_COUNTED = 1_000_000_000;

/** The deciders check lengths: their refusals state the limit. */
export const prose = z.string();
export const word = z.string().min(1).max(500);
export const ref = z.string().min(1).max(500);
export const refs = z.array(ref).max(1000);
export const reason = prose.describe('why');
/** A day, or a point in time. */
export const instant = z.iso.datetime({ offset: true }).or(z.iso.date());
export const tags = z.array(word).max(50).optional().describe('words to find it by');
export const taskType = word.optional().describe('such as debugging or research');
export const names = z.array(z.string().min(1).max(200)).max(200);
export const sidebarId = z.string().min(1).max(200).describe('SB-n, or its uuid');
export const seenStatus = z.enum(FINDING_STATUSES).optional().describe('the status you saw; refused if someone else has judged it since');

/** LOG-15: what every command may say about its circumstances. The log keeps it beside the text; tools and flags don't include it. */
export const circumstances = z.object({
  processing_time_ms: z.number().int().min(0).max(MOST_COUNTED).optional().describe('how long it took to make'),
  token_count: z.number().int().min(0).max(MOST_COUNTED).optional().describe('how many tokens it took'),
  agent_model_version: word.optional().describe('which model made it'),
  tools_invoked: z.array(word).max(100).optional().describe('which tools were used for it'),
  flagged_uncertain: z.boolean().optional().describe('you are not sure of it'),
  error_ref: word.optional().describe('the error it refers to: a reference, a path or an address'),
  content_type: z.enum(['text', 'code']).optional().describe('assumed to be code when it is one fenced block'),
  queue: z.boolean().optional().describe('false: refused instead of queued while the log cannot be written'),
});

/** WIRE-33: a name that the sender believes to be right. */
export const claimedName = z.string().min(1).max(200).nullish();

/** Whether a value's nesting is shallow enough to traverse. */
const isShallow = (value: unknown, left = MOST_NESTED): boolean =>
  typeof value !== 'object' || value === null || (left > 0 && Object.values(value).every((one) => isShallow(one, left - 1)));

const MOST_NESTED = 20;

/** REFS-1 */
export const dataRefs = z
  .record(
    z.string().min(1).max(200),
    z.unknown().refine((value) => isShallow(value), 'must not be nested deeper than 20'),
  )
  .describe('data by name: any JSON');

/** A word of a list, in upper or lower case. */
export const upper = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.toUpperCase() : value), z.enum(values));
export const priority = upper(PRIORITIES);
export const status = upper(STATUSES);
