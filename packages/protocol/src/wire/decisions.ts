import { PRIORITIES } from '@yarnboard/domain';
import * as z from 'zod';

/** AGT-13: what needs somebody's decision. */
export const toDecide = z
  .array(
    z.strictObject({
      what: z
        .enum(['request', 'escalation', 'queued', 'failed'])
        .describe('a request to take part; a request for a decision; a CRITICAL task that waits for a seat; a seat that keeps failing'),
      sidebar_id: z.string(),
      agent_id: z.string().describe('the one who asks, is full, or keeps failing'),
      since: z.string().describe('ISO 8601, UTC'),
      reason: z.string(),
      can_pause: z
        .array(z.strictObject({ sidebar_id: z.string(), priority: z.enum(PRIORITIES) }))
        .describe('sidebars of a full agent that sidebar_pause would free a seat in, the least important first'),
    }),
  )
  .describe('what only it can decide; there until it is decided, acknowledged or not');
