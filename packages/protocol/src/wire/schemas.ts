import { STARTUP_STATES } from '@yarnboard/domain';
import * as z from 'zod';
import { SESSION_TOOLS } from '../session-tools.ts';
import { offPathReason } from './off-path.ts';

const instant = z.string().describe('ISO 8601, UTC').nullable();
const count = z.number().int();
const usd = z.number().describe('US dollars');

export const usage = z.strictObject({
  input_tokens: count,
  output_tokens: count,
  cache_write_5m_tokens: count,
  cache_write_1h_tokens: count,
  cache_read_tokens: count,
});

export const spending = z.strictObject({
  responses: count,
  usage,
  cost_usd: usd.describe('sum over priced responses'),
  unpriced: count.describe('responses of models without a price'),
});

export const project = z.strictObject({
  project: z.string().nullable(),
  sessions: count,
  messages: count,
  started_at: instant,
  ended_at: instant,
  ...spending.shape,
});

export const session = z.strictObject({
  session_id: z.string(),
  tool: z.string().describe(`the program that it is a session of: ${SESSION_TOOLS}`),
  project: z.string().nullable(),
  title: z.string().nullable(),
  state: z.enum(['imported', 'pending']).describe('pending: not on the log yet; it is read from its file, and its messages have no references'),
  started_at: instant,
  ended_at: instant,
  ref: z.string().nullable().describe('reference of its first message; null while it is pending'),
  messages: count.describe('numbered messages of the main thread'),
  copied: count.describe('messages it repeats from the session it continues'),
  exchanges: count,
  entries: count,
  bytes: count,
  tool_uses: count,
  tool_results: count,
  errors: count,
  compactions: count,
  quarantined: count,
  sidechains: count,
  versions: z.array(z.string()),
  models: z.array(z.string()),
  continues: z.strictObject({ session_id: z.string(), by: z.enum(['resume', 'fork']), shared: count }).nullable(),
  in_tool: z.enum(['archived', 'deleted']).optional().describe('what happened to it in its tool; omitted if it is still there, or unknown'),
  labels: z
    .strictObject({
      pinned: z.boolean(),
      hidden: z.boolean(),
      name: z.string().nullable().describe('what the operator calls it, told as its title'),
      note: z.string().nullable(),
      tags: z.array(z.string()),
    })
    .optional()
    .describe('what the operator keeps about it; omitted where that is nothing'),
  ...spending.shape,
});

/** What a sidebar merged into a session. It isn't a record of the session's file, so it is placed at the record it follows. */
export const mergedExchange = z.strictObject({
  uuid: z.string(),
  ref: z.string().nullable().describe('MSG-n'),
  exchange: z.string().nullable().describe('EXCH-n'),
  sidebar_id: z.string().describe('the sidebar that was merged, SB-n'),
  content: z.string(),
  findings: z.array(z.string()).describe('references of the findings that it brought'),
  citations: z.array(z.string()).describe('all that it refers to: the sidebar, findings, citations, GOLD'),
  sender: z.string().describe('who approved the merge'),
  timestamp: instant,
  is_forgotten: z.boolean(),
  position: count,
});

const isTakenBack = z.literal(true).optional().describe('its tool has taken it back: rolled back, rewound, reverted or deleted; omitted otherwise');

const merged = z.array(mergedExchange).optional().describe('what sidebars merged after this record; omitted when nothing was');

/** A merged exchange with its place. */
export const placedExchange = z.strictObject({
  after_uuid: z.string().nullable().describe('the record it follows; null before anything was said'),
  ...mergedExchange.shape,
});

export const branch = z.strictObject({
  parent_uuid: z.string(),
  children: z.array(z.strictObject({ uuid: z.string(), active: z.boolean(), messages: count })),
});

export const sessionDetail = z.strictObject({
  ...session.shape,
  roots: count,
  cycles: count,
  tools: z.strictObject({ uses: count, results: count, paired: count }),
  branch_points: count,
  active_path: z.strictObject({ leaf_uuid: z.string().nullable(), messages: count }),
  off_path: z
    .strictObject({
      messages: count,
      stretches: z
        .array(z.strictObject({ reason: offPathReason, messages: count, through: z.string() }))
        .describe('a hundred of them; a conversation `through` the record shows the stretch'),
    })
    .describe('messages that are neither on the active path nor on another branch'),
  compaction_list: z.array(z.strictObject({ uuid: z.string(), trigger: z.string().nullable(), pre_tokens: count.nullable() })),
  trail: z
    .strictObject({
      joins: z
        .array(z.strictObject({ uuid: z.string(), after_uuid: z.string().nullable() }))
        .describe('records of the main thread that go on after another one than the parent they name'),
      turns: z.array(z.string()).describe('records that leave the active path or come back to it; whatever begins is on it, unless named'),
    })
    .nullable()
    .describe('how its main thread hangs together, when it was asked for'),
});

export const message = z.strictObject({
  _id: z.string(),
  uuid: z.string(),
  message_uuid: z.string().describe('the same as uuid'),
  ref: z.string().nullable().describe('MSG-n, or MSG-n#i for the i-th operation taken out of MSG-n, from 1'),
  exchange: z.string().nullable(),
  session_id: z.string(),
  session_id_alias: z.string(),
  agent_id: z.string().nullable().describe('the sub-agent whose conversation it belongs to'),
  parent_uuid: z.string().nullable().describe('the parent to show; for what was taken out of a record, its owner'),
  parent_uuid_alias: z.string().nullable(),
  raw_parent_uuid: z.string().nullable().describe('the parent as it was written'),
  type: z.string(),
  role: z.string(),
  actor: z.enum(['human', 'agent', 'system']),
  content: z.string(),
  message_data: z.unknown().describe('the record, or the block, as it was written'),
  timestamp: instant,
  created_at: instant,
  is_sidechain: z.boolean(),
  isSidechain: z.boolean(),
  is_error: z.boolean(),
  is_copy: z.boolean(),
  is_forgotten: z.boolean(),
  copy_of: z.string().nullable(),
  model: z.string().nullable(),
  usage: usage.nullable(),
  cost_usd: usd.nullable().describe('of the response that is counted at this record; on operations that of their record, for show'),
  is_cost_counted: z.boolean().describe('false where the cost is shown but belongs to another message'),
  position: count.nullable(),
  is_taken_back: isTakenBack,
  merged,
});

export const treeNode = z.strictObject({
  uuid: z.string(),
  parent_uuid: z.string().nullable(),
  ref: z.string().nullable(),
  type: z.string(),
  role: z.string(),
  agent_id: z.string().nullable(),
  timestamp: instant,
  is_sidechain: z.boolean(),
  is_error: z.boolean(),
  merged,
});

export const operation = z.strictObject({
  uuid: z.string(),
  ref: z.string().nullable(),
  tool_use_id: z.string(),
  name: z.string(),
  summary: z.string(),
  message_uuid: z.string().describe('the record that holds it'),
  group_uuid: z.string().nullable().describe('the nearest preceding assistant text of the turn, under which it is shown'),
  agent_id: z.string().nullable(),
  started_at: instant,
  ended_at: instant,
  duration_ms: count.nullable(),
  is_error: z.boolean(),
  result_uuid: z.string().nullable(),
});

export const sidechain = z.strictObject({
  agent: z.string(),
  agent_id: z.string(),
  task: z.string().nullable().describe('what it was asked to do: what its call or its file says, else the first words of its prompt'),
  tool_use_ids: z.array(z.string()),
  linked_by: z.string(),
  depth: count,
  parent_agent_id: z.string().nullable(),
  messages: count,
  tool_uses: count,
  state: z.string(),
  started_at: instant,
  ended_at: instant,
  ...spending.shape,
});

export const reference = z.strictObject({
  id: z.string(),
  uuid: z.string(),
  kind: z.string(),
  created_in: z.string().describe('SB-n, the id of a session, or board; of a sidebar: what it branched off from'),
  branched_from: z.string().nullable().describe('the MSG-n at which a sidebar branched off'),
  created_by: z.string(),
  created_at: instant,
  position: count,
  message: message.nullable(),
  /** For anything but messages: what a reference of the board stands for, as its own operation shows it. */
  thing: z.record(z.string(), z.unknown()).nullable().describe('the sidebar, scratchpad, finding, citation, medium, waypoint or agent'),
});

const HIT_MARKS = ['provisional', 'superseded', 'rejected', 'archived', 'taken-back'] as const;
export const coverage = z.strictObject({
  model: z.string(),
  position: count,
  of: count,
  problem: z.string().optional().describe('why meaning took no part in this answer, where its model could not be asked'),
  unknown: z.literal(true).optional().describe('the model has none of the words asked for: meaning compares characters only'),
});

const hit = z.strictObject({
  ref: z.string().nullable(),
  uuid: z.string().nullable(),
  position: count,
  session_id: z.string(),
  session_title: z.string().nullable(),
  project: z.string().nullable(),
  tool: z.string().nullable().describe('the program of the session; null for what was said on the board'),
  agent_id: z.string().nullable(),
  type: z.string(),
  role: z.string().nullable().describe('what a message is in its conversation: prompt, reply, result, output…; null for what is none'),
  actor: z.string(),
  timestamp: instant,
  snippet: z.string(),
  highlights: z.array(z.strictObject({ from: count, to: count })).describe('places in the snippet, in UTF-16 units'),
  score: z.number(),
  by: z.enum(['words', 'meaning', 'both']).describe('what it was found by'),
  near: z.number().nullable().describe('how near its meaning is to the question, by this model; null where meaning took no part'),
  similarity: z.number().nullable().describe('the same as a number from 0 to 1 that means the same for every model'),
  marks: z.array(z.enum(HIT_MARKS)).describe('how it stands: empty where nothing is to be said'),
  superseded_by: z.string().nullable().describe('what took its place'),
});

export const similarAnswer = z.strictObject({
  ref: z.string().describe('what was asked about'),
  items: z.array(hit),
  coverage: coverage.describe('how far the index of meaning is, and with which model'),
});

export const searchAnswer = z.strictObject({
  items: z.array(hit),
  next_cursor: z.string().nullable(),
  order: z.enum(['relevance', 'newest']),
  corrected: z.array(z.strictObject({ word: z.string(), instead: z.array(z.string()) })),
  loosened: z
    .strictObject({
      wanted: z.enum(['all', 'most']).describe('which of the remaining words a hit has, in any form'),
      ignored: z.array(z.string()).describe('words that say nothing about the subject'),
      widened: z
        .array(z.strictObject({ word: z.string(), instead: z.array(z.string()) }))
        .describe('words with the other forms that were looked for'),
    })
    .nullable()
    .describe('how the question was asked less strictly, because nothing has all of it as typed or because it may be meant otherwise'),
  coverage: coverage.nullable().describe('how far the index of meaning is, and with which model; null where meaning took no part'),
  is_complete: z.boolean().describe('false while entries wait to be indexed'),
});

const spendingBy = z.strictObject({ key: z.string(), ...spending.shape });

export const stats = z.strictObject({
  totals: z.strictObject({ entries: count, sessions: count, messages: count, sidechains: count, operations: count, ...spending.shape }),
  by_day: z.array(spendingBy),
  by_model: z.array(spendingBy),
  by_project: z.array(spendingBy),
  by_agent: z
    .array(spendingBy)
    .describe('"main" is the main thread of sessions and comes first; then the kinds of sub-agents, "sub-agent" if unknown'),
  by_tool: z.array(spendingBy).describe('by the program whose sessions they are'),
  by_day_split: z.array(z.strictObject({ day: z.string(), ...spendingBy.shape })).describe('empty unless `split` is given'),
});

export const integrity = z.strictObject({
  is_sound: z.boolean().describe('no finding of severity error'),
  messages: count,
  operations: count,
  findings: z.array(z.strictObject({ rule: z.string(), severity: z.enum(['error', 'warning']), count, examples: z.array(z.string()) })),
});

export const logEntry = z.strictObject({
  position: count,
  entry_id: z.string().nullable(),
  refs: z.array(z.string()),
  uuid: z.string(),
  type: z.string(),
  version: count,
  timestamp: instant,
  recorded_at: instant,
  processing_time_ms: count.nullable(),
  raw_content: z.string().nullable().describe('null when the payload was forgotten, or there is none'),
  payload_hash: z.string().nullable(),
  content_type: z.string(),
  content_length: count,
  token_count: count.nullable(),
  sender: z.string(),
  sender_type: z.string(),
  context_id: z.string().describe('SB-n, the id of a session, or board'),
  parent_msg_id: z.string().nullable().describe('MSG-n or EXCH-n; the uuid of a record that has no number'),
  chained_context_id: z.string().describe('as it goes into the checksum'),
  chained_parent_msg_id: z.string().nullable().describe('as it goes into the checksum'),
  checksum: z.string(),
  previous_entry_checksum: z.string(),
  inner_hash: z.string(),
  session_id: z.string(),
  agent_model_version: z.string().nullable(),
  citations_used: z.array(z.string()),
  media_attached: z.array(z.string()),
  tools_invoked: z.array(z.string()).nullable(),
  tool_results_summary: z.string().nullable(),
  sender_confidence: z.number().nullable(),
  flagged_uncertain: z.boolean(),
  error_occurred: z.boolean(),
  error_ref: z.string().nullable(),
  originating_client: z.string(),
  client_version: z.string().nullable(),
  occurrence: count.nullable(),
  copy_of: count.nullable(),
  note: z.string().nullable(),
});

export const verdict = z.strictObject({
  is_whole: z.boolean(),
  entries: count,
  payloads: count,
  bytes: count,
  forgotten: count,
  checkpoints: count,
  head: z.string(),
  broken: z.strictObject({ position: count, kind: z.string(), why: z.string() }).nullable(),
  notes: z.array(z.string()).describe('no faults, but worth knowing: restores, lost checkpoints, what was only sampled'),
  damages: z
    .array(z.strictObject({ part: z.string(), where: z.string(), what: z.string(), remedy: z.string() }))
    .describe('with deep: what else is not as it was written, and what to do'),
});

export const importCounts = z.strictObject({
  files: count,
  lines: count,
  added: count,
  copied: count,
  known: count,
  quarantined: count,
  bytes: count,
});

export const status = z.strictObject({
  version: z.string(),
  pid: count,
  started_at: instant,
  home: z.string(),
  database: z.string(),
  board: z.string(),
  /** The epoch of positions and numbers; present once an older state was restored. */
  epoch: z.string().optional(),
  state: z.enum(['importing', 'watching', 'stuck', 'stopped']),
  why: z.string().nullable(),
  progress: z.strictObject({ done_bytes: count, all_bytes: count, files: count, all_files: count }).nullable(),
  pending_sessions: count,
  entries: count,
  indexed: count,
  roots: z.array(z.string()).describe('what is watched'),
  storage: z
    .strictObject({ bytes: count, payload_bytes: count })
    .describe('what the log and the library take up, and how long what was said is before it is packed'),
  emergency: z
    .strictObject({
      state: z.enum(['normal', 'degraded', 'emergency', 'resuming']),
      reason: z.string().nullable(),
      services_down: z.array(z.string()),
      since: z.string().nullable(),
      pending_writes: count,
      settled_writes: count.describe('how many of this outage are settled by now'),
      conflicts: count,
      places: z.array(z.string()).describe('where what was queued last is durable'),
      blocked: z.array(z.string()),
      message: z.string(),
    })
    .optional()
    .describe('the log is away, and commands are queued; left out while all is well'),
  recovery: z
    .strictObject({ state: z.enum(STARTUP_STATES), message: z.string(), recommendation: z.string(), open_writes: count })
    .optional()
    .describe('what the last session or an outage left for the operator; left out when nothing was'),
  troubles: z.array(z.strictObject({ path: z.string(), why: z.string(), since: instant })),
  failing: z
    .array(z.strictObject({ name: z.string(), effect: z.string(), why: z.string(), remedy: z.string(), since: instant }))
    .optional()
    .describe(
      'background tasks that fail at the moment, and what search does not cover: what no longer happens, why, and what to do; left out when there are none',
    ),
});

export const launch = z.strictObject({
  launch_id: z.string(),
  pid: count.nullable().describe('of the launcher, not of claude'),
  session_id: z.string().nullable().describe('the session it is in, or was in last; null before claude has told'),
  sessions: z.array(z.string()).describe('every session it has been in, in order'),
  state: z.enum(['running', 'released', 'ended', 'lost']).describe('released: the session goes on elsewhere; lost: gone without a word'),
  cwd: z.string().nullable(),
  started_at: instant,
  ended_at: instant,
  exit: z
    .strictObject({ code: count.nullable(), signal: z.string().nullable(), status: z.enum(['completed', 'failed', 'cancelled']) })
    .nullable()
    .describe('how claude ended, and what that made of its turn'),
});

export const page = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() });
