import { CLAIM_CLASSES, ENVIRONMENTS, OUTCOMES, SAYINGS, VALIDATION_TYPES, VERIFICATIONS } from '@yarnboard/domain';
import * as z from 'zod';

const instant = z.string().describe('ISO 8601, UTC');
const ref = z.string();
const type = z.enum(VALIDATION_TYPES);

const attempt = z.strictObject({
  method: z.string(),
  environment: z.enum(ENVIRONMENTS).describe('where it looked: in the project, on the machine, at a declared address, or on the log'),
  started_at: instant,
  duration_ms: z.number(),
  says: z.enum(SAYINGS).describe('of the claim without its “not”'),
  decisive: z.boolean().describe('one such answer is enough'),
  evidence: z.string().describe('what it saw, masked'),
  fault: z.string().nullable().describe('what kept it from looking'),
});

/** The seed's ValidationScratchpad, with the fields of its ValidationResult. */
export const validation = z.strictObject({
  validation_id: z.string(),
  claim_being_validated: z.string(),
  type,
  denied: z.boolean().describe('the claim says that it is not so'),
  attempts: z.array(attempt),
  conflicts: z.array(z.string()),
  conclusion: z.enum(OUTCOMES),
  confidence: z.number().nullable(),
  needs_human_review: z.boolean().describe('methods disagree, and no one has decided since'),
  verified: z.boolean().describe('whether something was concluded; it may be that the claim is wrong'),
  method: z.string().nullable().describe('the method that decided it'),
  message: z.string().nullable(),
  found_at: z.array(z.string()).describe('where else it was found'),
  asked_by: z.string(),
  automatic: z.boolean(),
  outdated: z.boolean().describe('a file that it rests on has changed since'),
  at: instant,
  duration_ms: z.number(),
});

const rates = {
  runs: z.number(),
  conclusive: z.number(),
  conclusive_share: z.number().nullable().describe('null when there were no runs'),
  overruled: z.number(),
  last_trouble: z.strictObject({ at: instant, why: z.string() }).nullable(),
};

export const validators = z.strictObject({
  enabled: z.boolean().describe('whether checks run by themselves, and agents may ask for them'),
  allowed: z.array(type),
  state_ttl_minutes: z.number().describe('how long the mark of a state holds'),
  roots: z.array(z.string()).nullable().describe('folders that may be read; null unless you are the operator'),
  problems: z.array(z.string()).describe('what is wrong with the settings'),
  items: z.array(
    z.strictObject({
      type,
      class: z.enum(CLAIM_CLASSES),
      risk: z.enum(['very low', 'low']),
      reads: z.string(),
      allowed: z.boolean(),
      methods: z.array(z.strictObject({ method: z.string(), available: z.boolean(), why: z.string().nullable() })),
      ...rates,
    }),
  ),
});

export const historyItem = z.strictObject({
  validation_id: z.string(),
  sidebar_id: ref,
  claim_id: ref,
  type,
  asked_by: z.string(),
  automatic: z.boolean(),
  conclusion: z.enum(OUTCOMES),
  needs_human_review: z.boolean(),
  at: instant,
  duration_ms: z.number(),
  overruled: z.strictObject({ by: z.string(), at: instant, verification: z.enum(VERIFICATIONS), reason: z.string() }).nullable(),
});

export const configChanges = z.array(
  z.strictObject({
    enabled: z.boolean(),
    allowed: z.array(type),
    state_ttl_minutes: z.number(),
    reason: z.string().nullable(),
    by: z.string(),
    at: instant,
  }),
);

export const toJudge = z
  .array(z.strictObject({ sidebar_id: ref, claim_id: ref, claim: z.string(), conflicts: z.array(z.string()) }))
  .describe('claims whose checks disagree; only the operator has any');
