import { REACHES, RESPONSES, SEAT_STATES, TURN_STATUSES } from '@yarnboard/domain';
import * as z from 'zod';
import { RUNTIME_KINDS } from '../seats/runtime-settings.ts';

const instant = z.string().describe('ISO 8601, UTC');
const count = z.number().int();

const budget = z.strictObject({ used: z.number(), limit: z.number() });

/** A seat of an agent that has a runtime. */
export const seat = z.strictObject({
  agent_id: z.string(),
  sidebar_id: z.string(),
  instance_id: z.string().nullable().describe('which copy of the agent sits there; null when it has no seat now'),
  runtime: z.string().nullable(),
  model: z.string().nullable(),
  state: z.enum([...SEAT_STATES, 'working', 'waiting']).describe('working: in a turn; waiting: not started yet'),
  reason: z.string().nullable(),
  since: instant.nullable(),
  session_id: z.string().nullable().describe('its transcript'),
  context_kind: z.enum(['briefing', 'fork', 'rebuilt']).nullable(),
  server_id: z.string().nullable().describe('which of the servers runs it, where several share the board'),
  turn_id: z.string().nullable().describe('the turn that is open'),
  resting: z.boolean(),
  responds_to: z.enum(RESPONSES),
  reach: z.enum(REACHES),
  turns: budget,
  tokens: budget,
  usd: budget,
  usd_today: budget,
  turns_in_a_row: budget,
  faults: z.record(z.string(), count).describe('what its program did wrong since it was started, by code'),
});

/** What a seat was given to read. */
export const briefings = z.strictObject({
  items: z.array(
    z.strictObject({
      turn_id: z.string(),
      seq: count,
      at: instant,
      status: z.enum(TURN_STATUSES),
      refs: z.array(z.string()),
      up_to: count.describe('how much of the log it saw'),
      size: count.describe('in characters'),
      hash: z.string(),
    }),
  ),
  next_cursor: z.string().nullable(),
  text: z.string().describe('what the seat would be given to read now'),
});

export const runtimes = z.strictObject({
  items: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.enum(RUNTIME_KINDS),
      model: z.string().nullable(),
      url: z.string().nullable().describe('for the operator only'),
      command: z.array(z.string()).nullable().describe('for the operator only'),
      permission_mode: z.string().nullable().describe('what its agents may do unasked; bypassPermissions: everything'),
      agents: z.array(z.string()),
      seats: count.describe('seats that it makes act now'),
      resting_until: instant.nullable().describe('its provider asks to wait until then'),
      problem: z.string().nullable().describe('why it cannot run'),
    }),
  ),
});

/** The result of one tiny turn. */
export const tried = z.strictObject({
  agent_id: z.string(),
  runtime: z.string(),
  works: z.boolean().describe('it started, took its turn and ended it'),
  checks: z.array(
    z.strictObject({ name: z.enum(['settings', 'start', 'turn', 'usage', 'protocol', 'end']), works: z.boolean().nullable(), text: z.string() }),
  ),
});
