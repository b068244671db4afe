import { DECLINES, PRESENCES, PRIORITIES } from '@yarnboard/domain';
import * as z from 'zod';
import { inherited, mark } from './claims.ts';

const count = z.number().int().min(0);
const instant = z.string();

/** The seed's RecruitmentResult: the outcome for one recruit. */
export const recruitmentResult = z.strictObject({
  agent_id: z.string(),
  status: z.enum(['joined', 'queued', 'asked', 'offline', 'declined', 'withdrawn', 'dropped']),
  queue_position: count.nullable().describe('from 1, where it waits for a seat'),
  alternatives: z.array(z.string()).describe('who is free and has the same skills'),
  message: z.string(),
  why: z.string().nullable().describe('why it was chosen for the capability; null if you named it'),
  instance_id: z.string().nullable().describe('the instance that has the seat'),
  request_id: z.string().nullable(),
});

export const recruitment = z.strictObject({
  request_id: z.string(),
  agent_id: z.string(),
  sidebar_id: z.string(),
  priority: z.enum(PRIORITIES),
  requested_by: z.string(),
  requested_at: instant,
  note: z.string().nullable(),
  capability: z.string().nullable(),
  kind: z.enum(['join', 'return']).describe('return: it takes part already, and waits for a seat'),
  state: z.enum(['asked', 'queued', 'joined', 'declined', 'withdrawn', 'dropped']),
  queue_position: count.nullable(),
  ended_at: instant.nullable(),
  reason_code: z.enum(DECLINES).nullable(),
  answer: z.string().nullable(),
});

export const load = z.strictObject({
  agent_id: z.string(),
  kind: z.enum(['agent', 'human']),
  availability: z.enum(PRESENCES),
  accepts: z.enum(['auto', 'ask']),
  current_load: count,
  capacity: count.nullable().describe('seats there may be; null for people, who have no limit'),
  max_concurrent_per_instance: count.nullable(),
  max_instances: count.nullable(),
  instances: z.array(z.strictObject({ instance_id: z.string(), seats: z.array(z.strictObject({ sidebar_id: z.string(), since: instant })) })),
  queue: z.array(
    z.strictObject({ request_id: z.string(), sidebar_id: z.string(), priority: z.enum(PRIORITIES), queue_position: count, since: instant }),
  ),
  queued: count.describe('how many wait; the first 20 of them are listed'),
  paused: z.array(z.string()).describe('sidebars that were paused to make room, and will go on'),
  paused_for: z
    .array(z.strictObject({ sidebar_id: z.string(), for_sidebar_id: z.string().nullable() }))
    .describe('the same, each with the sidebar that got the seat'),
  runtime: z.string().nullable().describe('what makes it act by itself'),
  model: z.string().nullable().describe('another model than the runtime’s'),
  resting: z.boolean(),
});

export const suggestion = z.strictObject({
  agent_id: z.string(),
  availability: z.enum(PRESENCES),
  words: z.array(z.string()).describe('which words fit'),
  why: z.string(),
});

export const onboarding = z.strictObject({
  sidebar_id: z.string(),
  task_description: z.string(),
  success_criteria: z.string().nullable(),
  status: z.string(),
  priority: z.enum(PRIORITIES),
  coordinator_agent: z.string(),
  curator_agent: z.string(),
  participants: z.array(z.string()),
  inherited_memory: z.strictObject({
    segments: z.array(z.strictObject({ context_id: z.string(), up_to: count })),
    read_with: z.string().describe('the operation that reads it, page by page'),
    judged: z
      .array(z.strictObject({ exchange_id: z.string(), ...inherited, mark: mark.nullable() }))
      .describe('what was found out here, contradictions first; the rest is unverified'),
  }),
  active_focus: z.array(z.string()),
  scratchpad: z.strictObject({
    scratchpad_id: z.string(),
    pending: count,
    confirmed: count,
    rejected: count,
    open_conflicts: count,
    checkpoints: count,
  }),
  first_act: z.string(),
});
