import { LINK_EVIDENCE, ROLES, SIDECHAIN_STATES } from '@yarnboard/transcript';
import * as z from 'zod';
import { offPathReason } from '../wire/off-path.ts';
import { mergedExchange } from '../wire/schemas.ts';

const count = z.int().nonnegative();

const part = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('thinking'), text: z.string() }),
  z.strictObject({ kind: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown(), summary: z.string() }),
  z.strictObject({
    kind: z.literal('tool_result'),
    tool_use_id: z.string(),
    text: z.string(),
    is_error: z.boolean(),
    saved_as: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('image'), media_type: z.string(), data: z.string().nullable() }),
  z.strictObject({ kind: z.literal('other'), type: z.string(), json: z.unknown() }),
]);

const message = z.strictObject({
  uuid: z.string(),
  parent_uuid: z.string().nullable(),
  actor: z.strictObject({ kind: z.enum(['human', 'claude', 'agent', 'tool', 'system']), name: z.string() }),
  role: z.enum(ROLES),
  depth: count,
  sidechain: z.string().nullable(),
  timestamp: z.string().nullable(),
  file: z.string(),
  line: z.int().positive(),
  parts: z.array(part),
  off_path: offPathReason.nullable(),
  is_fresh_start: z.boolean(),
  compaction: z.strictObject({ trigger: z.string().nullable(), pre_tokens: count.nullable() }).nullable(),
  usage: z
    .strictObject({ input_tokens: count, output_tokens: count, cache_write_5m_tokens: count, cache_write_1h_tokens: count, cache_read_tokens: count })
    .nullable(),
  cost_usd: z.number().nonnegative().nullable(),
  merged: z.array(mergedExchange).optional(),
  is_taken_back: z.literal(true).optional(),
});

/** `yarnboard show --format json`. */
export const showDocument = z.strictObject({
  version: z.literal(1),
  session_id: z.string(),
  title: z.string().nullable(),
  project: z.string().nullable(),
  leaf_uuid: z.string().nullable(),
  sidechains: z.array(
    z.strictObject({
      agent: z.string(),
      agent_id: z.string(),
      tool_use_ids: z.array(z.string()),
      linked_by: z.enum(LINK_EVIDENCE),
      depth: z.int().positive(),
      parent_agent_id: z.string().nullable(),
      state: z.enum(SIDECHAIN_STATES),
    }),
  ),
  not_shown: count,
  on_no_branch: z.array(z.strictObject({ reason: offPathReason, messages: count, first_uuid: z.string(), last_uuid: z.string() })),
  messages: z.array(message),
});
export type ShowDocument = z.infer<typeof showDocument>;
