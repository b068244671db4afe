import { FINDING_STATUSES, GOLD_ANSWERS } from '@yarnboard/domain';
import * as z from 'zod';

const instant = z.string().describe('ISO 8601, UTC');
const count = z.number().int();
const ref = z.string();

export const gold = z.strictObject({
  gold_id: ref,
  uuid: z.string(),
  source_refs: z.array(ref),
  key_insight: z.string(),
  reuse_pattern: z.string(),
  trigger_conditions: z.array(z.string()),
  created_by: z.string(),
  created_in: z.string(),
  created_at: instant,
  confidence: z.number().nullable(),
  times_referenced: count,
  times_surfaced: count,
  times_useful: count,
  times_not_now: count,
  not_now_in_a_row: count,
  resting: z.boolean().describe('not wanted three times in a row: it does not come up until someone answers that it is useful'),
  shown: z
    .array(
      z.strictObject({
        where: z.string().describe('SB-n, or a session'),
        at: instant,
        answer: z.enum(GOLD_ANSWERS).nullable(),
        answered_by: z.string().nullable(),
      }),
    )
    .describe('where it came up, the latest last; the last 20'),
  status: z.enum(FINDING_STATUSES),
  validated_by: z.string().nullable(),
  validated_at: instant.nullable(),
  validation_notes: z.string().nullable(),
  provisional: z.boolean(),
  superseded: z.strictObject({ by: ref.nullable(), why: z.string() }).nullable(),
});

export const goldMatch = z.strictObject({ gold, score: z.number(), condition: z.string().describe('which of its trigger conditions fits best') });
