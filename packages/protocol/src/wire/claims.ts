import { CLAIM_CLASSES, CLAIM_TYPES, VERIFICATIONS } from '@yarnboard/domain';
import * as z from 'zod';
import { validation } from './validation.ts';

const instant = z.string().describe('ISO 8601, UTC');
const ref = z.string();
const share = z.number().nullable();

/** The seed's InheritedExchange, except what was said. */
export const inherited = {
  original_confidence: share.describe('how sure the speaker was; null if not given'),
  inherited_from: z.string().nullable().describe('SB-n or the id of a session: what the sidebar branched off; null for local memory'),
  inherited_at: instant.nullable(),
  local_verification: z.enum(VERIFICATIONS).nullable().describe('of its exchange, in this sidebar and nowhere else; null for local memory'),
  local_confidence: share.describe('null until it is verified'),
  effective_confidence: share.describe('what it counts with here: 0 unless confirmed'),
};

const marked = {
  verification: z.enum(VERIFICATIONS),
  was: z.enum(VERIFICATIONS).nullable().describe('what it was before it grew old'),
  disputed: z.boolean().describe('those who judged it disagree'),
  marked_by: z.array(z.string()),
  marked_at: instant.nullable(),
};

const elsewhere = z.array(z.strictObject({ sidebar_id: ref, ...marked })).describe('what other sidebars found out; it counts for nothing here');

/** Why an inherited exchange has its mark. */
export const mark = z.strictObject({
  ...marked,
  assumed: z.boolean().describe('the judgement came without a confidence'),
  claims: z.array(ref),
  elsewhere,
});

const judgement = z.strictObject({
  by: z.string(),
  verification: z.enum(VERIFICATIONS),
  confidence: share,
  assumed: z.boolean(),
  notes: z.string().nullable(),
  evidence: z.array(ref),
  at: instant,
});

export const claim = z.strictObject({
  claim_id: ref.describe('SB-n:CLAIM-m'),
  uuid: z.string(),
  sidebar_id: ref,
  exchange_id: ref.nullable().describe('null once what it was about is forgotten'),
  message_ids: z.array(ref),
  words: z.string().nullable().describe('null for an exchange as a whole'),
  type: z.enum(CLAIM_TYPES).nullable(),
  class: z.enum(CLAIM_CLASSES).nullable(),
  said_by: z.array(z.string()),
  ...marked,
  assumed: z.boolean(),
  original_confidence: share,
  local_confidence: share,
  effective_confidence: z.number(),
  judgements: z.array(judgement).describe('the latest of each who judged it'),
  settlement: judgement.nullable(),
  validation: validation.nullable().describe('the latest check by machine, with everything that was tried'),
  elsewhere,
});

export const toVerify = z
  .array(z.strictObject({ sidebar_id: ref, exchange_id: ref }))
  .describe('exchanges in the focus of its sidebars that are not verified there yet');
export const toSettle = z
  .array(z.strictObject({ sidebar_id: ref, claim_id: ref, exchange_id: ref, agents: z.array(z.string()) }))
  .describe('claims on which others disagree, and it has the last word');
