import { FINDING_STATUSES, PRIORITIES, STATUSES } from '@yarnboard/domain';
import { z } from 'zod';

/** What every command of a person or an agent may bring, as in the seed's BaseMessage. */
export const command = {
  message_id: z.uuid().optional().describe('made by whoever sends it: sent again under the same id, it is done once'),
  timestamp: z.string().max(100).optional().describe('when it was sent; the log has its own clock'),
  sender_agent_id: z.string().max(200).optional().describe('who the token says; anybody else is refused'),
  if_seq: z.number().int().min(0).optional().describe('only if the sidebar has not changed since this position'),
};

/** Lengths are the deciders' to judge: their refusals say what would be taken. */
export const prose = z.string();
export const word = z.string().min(1).max(500);
export const ref = z.string().min(1).max(500);
export const refs = z.array(ref).max(1000);
export const reason = prose.describe('why');
export const tags = z.array(word).max(50).optional().describe('words to find it by');
export const taskType = word.optional().describe('such as debugging or research');
export const names = z.array(z.string().min(1).max(200)).max(200);
export const sidebarId = z.string().min(1).max(200).describe('SB-n, or its uuid');
export const seenStatus = z
  .enum(FINDING_STATUSES)
  .optional()
  .describe('what it was when this was decided; refused when somebody else has judged it since');

/** A word of a list, in whichever case it was typed. */
export const upper = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.toUpperCase() : value), z.enum(values));
export const priority = upper(PRIORITIES);
export const status = upper(STATUSES);
