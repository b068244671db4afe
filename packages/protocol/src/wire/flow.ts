import * as z from 'zod';
import { mergedExchange, usage } from './schemas.ts';

const instant = z.string().describe('ISO 8601, UTC').nullable();
const count = z.number().int();

/** An operation as one line; its input and result are loaded with `message` when somebody opens it. */
const flowOperation = z.strictObject({
  uuid: z.string().describe('GET /messages/{uuid}?session= has what the tool was given'),
  ref: z.string().nullable(),
  tool_use_id: z.string(),
  name: z.string(),
  summary: z.string(),
  started_at: instant,
  duration_ms: count.nullable(),
  state: z
    .enum(['running', 'done', 'failed', 'rejected', 'unanswered'])
    .describe('running: no answer yet, and the session is live; unanswered: none will come'),
  result_uuid: z.string().nullable().describe('GET /messages/{uuid}?session= has what the tool returned'),
  agent_id: z.string().nullable().describe('the sub-agent it started: give it as `thread`; a quick answer knows those that results name'),
});

/** One step of the clean main flow of a conversation. */
const flowStep = z.strictObject({
  index: count.describe('from 0; in a quick answer from the end, where -1 is the last, or from `at`'),
  kind: z
    .enum(['prompt', 'reply', 'system', 'compaction', 'resumption'])
    .describe(
      'prompt: what a person asked or did; system: what the program said, notices and outputs of commands among it; the last two are markers',
    ),
  uuid: z.string().describe('of its first record; of a resumption the record behind it'),
  uuids: z.array(z.string()).describe('of the records it is made of, results of its operations among them; at most 1,000'),
  ref: z.string().nullable().describe('of its first record that has words; a copy has that of the original'),
  exchange: z.string().nullable(),
  parent_uuid: z.string().nullable(),
  role: z
    .string()
    .describe('of its first record: prompt, command, bash, memory, interruption, reply, synthetic, notice, output, system, boundary; or resumption'),
  speaker: z.string(),
  timestamp: instant,
  model: z.string().nullable(),
  text: z.string().describe('its beginning, where it is long'),
  text_length: count,
  thinking: z.string().describe('its beginning, where it is long'),
  thinking_length: count,
  images: count.describe('in the prompt or the reply itself, not in what its tools returned'),
  usage: usage.nullable(),
  cost_usd: z.number().nullable(),
  is_error: z.boolean(),
  is_copy: z.boolean(),
  is_forgotten: z.boolean(),
  operations: z.array(flowOperation).describe('sixty of them, from `operations_from` on'),
  operations_total: count,
  branch: z
    .strictObject({
      parent_uuid: z.string(),
      at: count.describe('which of the children this is, from 1'),
      of: count,
      choices: z.array(z.string()).describe('the children in order of time; give one as `through` to take its branch'),
    })
    .nullable()
    .describe('here the conversation went more than one way'),
  note: z.string().nullable().describe('what a marker says: "auto, 155,000 tokens before", "forked from session …"'),
  merged: z.array(mergedExchange).optional().describe('what sidebars merged after a record of this step; omitted when nothing was'),
  is_going_on: z.literal(true).optional().describe('a reply in the same turn as the step before it; omitted otherwise'),
  turn: z
    .strictObject({
      duration_ms: count.nullable().describe('from the prompt to the last record'),
      usage: usage.nullable(),
      cost_usd: z.number().nullable(),
    })
    .optional()
    .describe('of the last reply of a turn: what all of the turn took, null where a quick answer does not know, or the turn is very long'),
  is_taken_back: z.literal(true).optional().describe('its tool has taken it back: rolled back, rewound, reverted or deleted; omitted otherwise'),
});

export const conversation = z.strictObject({
  session_id: z.string(),
  thread: z.string(),
  seq: count.nullable().describe('the position of the log it was read up to; null while the session is not on the log'),
  leaf_uuid: z.string().nullable(),
  is_active: z.boolean().describe('whether this is the branch that goes on'),
  total: count.nullable().describe('steps in all; null in a quick answer'),
  at: count.nullable().describe('the index of the step that was asked for; in a quick answer steps are counted from it'),
  items: z.array(flowStep),
});
