import { STATUSES } from '@yarnboard/domain';
import * as z from 'zod';
import { mark } from './claims.ts';
import { episode } from './sidebars.ts';

const instant = z.string().describe('ISO 8601, UTC');
const count = z.number().int();
const ref = z.string();
const status = z.enum(STATUSES);

const confidence = z.strictObject({
  confidence: z.number(),
  was: z.number().nullable().describe('null if it was not set before'),
  reason: z.string(),
  set_by: z.string(),
  set_at: instant,
  times: count.describe('how often it was set'),
});

export const memory = z.strictObject({
  ref: ref.nullable().describe('what was asked about; null for the board as a whole'),
  layers: z.array(z.enum(['log', 'working', 'episodic', 'context'])).describe('the layers it is in'),
  log: z
    .strictObject({
      seq: count,
      type: z.string(),
      timestamp: instant,
      sender: z.string(),
      context_id: z.string(),
      checksum: z.string(),
      sender_confidence: z.number().nullable().describe('as it was said; nothing changes it'),
    })
    .nullable()
    .describe('its entry on the immutable log'),
  working: z
    .strictObject({
      sidebar_id: ref.nullable().describe('the open sidebar whose local memory it is in'),
      status: status.nullable(),
      in_focus_of: z.array(ref).describe('open sidebars that have it in their focus'),
      confidence: confidence.nullable().describe('the current one; null while it stands as it was said'),
    })
    .nullable(),
  episodes: z.array(episode).describe('the newest first'),
  inherited_by: z
    .array(z.strictObject({ sidebar_id: ref, status, relevance: z.number().nullable(), in_focus: z.boolean(), mark: mark.nullable() }))
    .describe('sidebars that know it from before they branched off, with what each made of it'),
  scratchpads: z.array(ref).describe('the scratchpads it is in, or is evidence in'),
  counts: z
    .strictObject({
      log: z.strictObject({ entries: count }),
      working: z.strictObject({ sidebars: count, findings: count, in_focus: count, confidences: count }),
      episodic: z.strictObject({ episodes: count, provisional: count, final: count, superseded: count }),
      context: z.strictObject({ inheriting: count, scratchpads: count, scored: count, judged: count }),
    })
    .nullable()
    .describe('of the whole board; null where a reference was given'),
});
