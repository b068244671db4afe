import { recruitmentResult } from './recruiting.ts';
import { EPISODE_TRIGGERS, FINDING_STATUSES, LEVELS, MEDIA_TYPES, PRESENCES, PRIORITIES, STATUSES, VERIFICATIONS } from '@yarnboard/domain';
import * as z from 'zod';
import { inherited, mark, toSettle, toVerify } from './claims.ts';
import { toDecide } from './decisions.ts';
import { toJudge, validation } from './validation.ts';

const instant = z.string().describe('ISO 8601, UTC');
const count = z.number().int();
const status = z.enum(STATUSES);
const priority = z.enum(PRIORITIES);
const ref = z.string();

/** The events that a command of a person or an agent caused. */
export const done = z.strictObject({
  message_id: z.string().describe('of the command; sending it again under this id does nothing'),
  seq: count.describe('position of its last entry on the log'),
  ref: ref.nullable().describe('the first reference it made'),
  refs: z.array(ref),
  duplicate: z.boolean().describe('it was done before, under the same message_id'),
  warnings: z.array(z.string()),
  recruitments: z.array(recruitmentResult).optional().describe('who joined, waits, is asked or is away'),
  planned: z.boolean().optional().describe('nothing was done: this is what would happen'),
  events: z.array(z.record(z.string(), z.unknown())).describe('what happened, as sent on the WebSocket; empty for a duplicate'),
});

/** REC-52: the answer to a command that waits for the log. It has no position and no reference yet. */
export const queued = z.strictObject({
  message_id: z.string().describe('of the command; sending it again under this id queues nothing more'),
  queued: z.literal(true),
  cache_id: z.string().describe('of the outage; `yarnboard recover` shows what waits in it'),
  queue_position: count.describe('which one it is in the queue, from 1'),
  durable_in: z.array(z.string()).describe('where it is kept until the log is back'),
  uuid: z.string().describe('of the entry it becomes; other queued commands name it by this'),
  message: z.string(),
});

export const mergePackage = z.strictObject({
  summary: z.string(),
  key_findings: z.array(ref),
  new_citations: z.array(ref),
  recommendations: z.string().nullable(),
  gold_candidates: z.array(ref),
});

const finding = z.strictObject({
  entry_id: ref.describe('SCRATCH-n:FINDING-m'),
  uuid: z.string(),
  fragment: ref.nullable().describe('FRAG-n'),
  content: z.string(),
  submitted_by: z.string(),
  owner: z.string().nullable().describe('who is responsible for it while its submitter is gone'),
  submitted_at: instant,
  source_refs: z.array(ref),
  relevance_to_task: z.string().nullable(),
  status: z.enum(FINDING_STATUSES),
  validated_by: z.string().nullable(),
  validated_at: instant.nullable(),
  validation_notes: z.string().nullable(),
  checks: z.strictObject({ fits_task: z.boolean().nullable(), evidence_supports: z.boolean().nullable(), contradicts: z.boolean().nullable() }),
  annotations: z.array(z.strictObject({ by: z.string(), at: instant, note: z.string() })),
  supersedes: ref.nullable(),
  superseded_by: ref.nullable(),
  same_as: ref.nullable().describe('the first finding of the sidebar that says the same'),
  machine_check: validation.nullable().describe('the latest check of it by machine: evidence, and no status'),
});

const conflict = z.strictObject({
  conflict_id: ref.describe('SB-n:CONFLICT-m'),
  uuid: z.string(),
  entry_ids: z.array(ref),
  conflict_description: z.string(),
  detected_at: instant,
  is_open: z.boolean(),
  resolution_sidebar: ref.nullable(),
  outcome: z
    .enum(['settled', 'rejected', 'revised'])
    .nullable()
    .describe('how it ended: by a word of the curator, or because one of the findings was rejected or revised'),
  outcome_entry_id: ref.nullable().describe('the finding that was rejected or revised'),
  resolved_by: z.string().nullable().describe('who ended it, also by rejecting or by confirming the revision'),
  resolved_at: instant.nullable(),
  notes: z.string().nullable(),
});

const findingCounts = z.strictObject({
  confirmed: count,
  pending: count,
  rejected: count,
  revised: count.describe('a revision stands for them: they are in none of the other counts'),
});

const checkpoint = z.strictObject({
  checkpoint_id: ref.describe('SB-n:CHECKPOINT-m'),
  uuid: z.string(),
  created_at: instant,
  created_by: z.string(),
  summary: z.string(),
  findings_at_checkpoint: z.array(ref),
  agent_annotations: z.record(z.string(), z.string()),
});

export const scratchpad = z.strictObject({
  scratchpad_id: ref.describe('SCRATCH-n'),
  sidebar_id: ref,
  curator_agent: z.string(),
  task_definition: z.string(),
  success_criteria: z.string().nullable(),
  counts: z
    .strictObject({ ...findingCounts.shape, conflicts: count, checkpoints: count, backups: count })
    .describe('how many there are; each list has the newest, as many as fit'),
  confirmed_findings: z.array(finding),
  pending_findings: z.array(finding),
  rejected_findings: z.array(finding),
  conflicts: z.array(conflict),
  checkpoints: z.array(checkpoint),
  citable_sources: z.array(ref),
  final_summary: z.string().nullable(),
  backups: z.array(z.strictObject({ backup_id: z.string(), at: instant, reason: z.string(), priority: z.string(), gold_id: ref.nullable() })),
});

/** A sidebar in a list. */
export const sidebarSummary = z.strictObject({
  sidebar_id: ref.describe('SB-n'),
  uuid: z.string(),
  status,
  priority,
  task_description: z.string(),
  task_type: z.string().nullable(),
  parent_context_id: z.string().nullable().describe('SB-n or the id of a session; null for a root or a fork'),
  forked_from: ref.nullable(),
  participants: z.array(z.string()),
  coordinator_agent: z.string(),
  curator_agent: z.string(),
  created_by: z.string(),
  created_at: instant,
  last_activity: instant,
  seq: count.describe('position of its latest entry; give it as if_seq to act only if nothing changed since'),
  messages: count,
  findings: findingCounts,
  open_conflicts: count,
  tags: z.array(z.string()),
});

const testResult = z.strictObject({
  test_description: z.string(),
  result: z.string(),
  findings: z.array(z.string()),
  by: z.string(),
  at: instant,
});

export const sidebar = z.strictObject({
  ...sidebarSummary.shape,
  success_criteria: z.string().nullable(),
  child_sidebar_ids: z.array(ref),
  forked_into: z.array(ref),
  fork_reason: z.string().nullable(),
  merged_into: z.string().nullable(),
  branch_point: z
    .strictObject({ context_id: z.string(), leaf_uuid: z.string().nullable(), position: count })
    .nullable()
    .describe('inherited memory is what was there, on that branch, up to this position of the log'),
  agent_capabilities: z.record(
    z.string(),
    z.strictObject({
      agent_id: z.string(),
      specialties: z.array(z.string()),
      availability: z.string(),
      current_load: count.describe('seats it has'),
      preferred_collaborators: z.array(z.string()),
    }),
  ),
  data_refs: z.record(z.string(), z.unknown()).describe('data by name; citations and media of this sidebar under their references'),
  cross_sidebar_refs: z.array(ref),
  failure_reason: z.string().nullable(),
  pause_reason: z.string().nullable(),
  resume_condition: z.string().nullable(),
  paused_at: instant.nullable(),
  waiting: z
    .strictObject({
      waiting_for: z.string(),
      description: z.string().nullable(),
      dependency_refs: z.array(ref),
      deadline: instant.nullable(),
      since: instant,
    })
    .nullable(),
  escalation: z.strictObject({ by: z.string(), reason: z.string(), at: instant }).nullable(),
  open: z.boolean().describe('whether anyone may join without asking'),
  proposals: z
    .array(
      z.strictObject({ proposal_id: z.string(), uuid: z.string(), action: z.string(), proposal: z.string(), proposed_by: z.string(), at: instant }),
    )
    .describe('what was asked for and waits for the coordinator'),
  interventions: count.describe('how often the human did what its coordinator or curator was there for'),
  relevance_scores: z.record(z.string(), z.number()).describe('by EXCH-n: what those who scored it agree on'),
  relevance_by_agent: z.record(z.string(), z.record(z.string(), z.number())),
  relevance_disputes: z.array(z.strictObject({ exchange_id: ref, agents: z.array(z.string()) })),
  to_review: z.array(z.string()).describe('participants who have not scored what was inherited'),
  active_focus: z.array(ref),
  test_group: z.string().nullable(),
  test_results: z.array(testResult),
  test_peers: z.array(z.strictObject({ sidebar_id: ref, status, results: z.array(testResult) })).describe('the other tests of its group'),
  source_scratchpad_ref: ref.nullable(),
  scratchpad: z.strictObject({ scratchpad_id: ref, ...findingCounts.shape, checkpoints: count }),
  gold: z.array(ref),
  media: z.array(ref),
  merge: z
    .strictObject({
      package: mergePackage,
      proposed_by: z.string(),
      proposed_at: instant,
      checks: z.array(
        z.strictObject({ as: z.enum(['curator', 'parent']), fit: z.boolean(), notes: z.string().nullable(), by: z.string(), at: instant }),
      ),
    })
    .nullable(),
  allowed_moves: z.array(status).describe('what it may become next, by the one table'),
});

export const archivedSidebar = z.strictObject({
  sidebar_snapshot: sidebar,
  archived_at: instant,
  archived_by: z.string(),
  archive_reason: z.string(),
  final_status: status,
  scratchpad_snapshot: scratchpad,
  local_memory: z.strictObject({ messages: count, path: z.string().describe('where its messages are listed') }),
  citations_created: z.array(ref),
  gold_citations: z.array(ref),
  media_refs: z.array(ref),
  parent_context_id: z.string().nullable(),
  child_sidebar_ids: z.array(ref),
  forked_from: ref.nullable(),
  forked_into: z.array(ref),
  tags: z.array(z.string()),
  summary: z.string(),
  note: z.string().nullable().describe('the note left when it was archived'),
});

/** One message of a memory. */
export const memoryItem = z.strictObject({
  part: z.enum(['inherited', 'local']),
  ref: ref.nullable(),
  exchange_id: ref.nullable().describe('EXCH-n: the exchange it belongs to'),
  seq: count,
  timestamp: instant.nullable(),
  sender: z.string(),
  sender_type: z.string(),
  context_id: z.string().describe('SB-n or the id of a session'),
  content: z.string(),
  citations: z.array(ref),
  relevance: z.number().nullable(),
  in_focus: z.boolean(),
  ...inherited,
  mark: mark.nullable().describe('the reason for the mark; null if it was never judged'),
  amended_by: z.string().optional().describe('who changed its words when it was replayed after an outage'),
});

export const agent = z.strictObject({
  agent_id: z.string(),
  kind: z.enum(['agent', 'human']),
  specialties: z.array(z.string()),
  preferred_collaborators: z.array(z.string()),
  availability: z.enum(PRESENCES),
  current_context: z.string().nullable(),
  seen_at: instant.nullable(),
  current_load: count.describe('seats it has: sidebars that go on, paused and waiting ones not counted'),
  active_sidebars: z.array(ref),
  is_retired: z.boolean(),
  registered_at: instant.nullable(),
});

const notice = z.strictObject({
  seq: count,
  at: instant,
  kind: z.string(),
  level: z.enum(LEVELS).describe('info: for your information; warning: worth knowing; escalate: your decision is needed'),
  context_id: z.string(),
  from: z.string(),
  text: z.string(),
  refs: z.array(ref),
});

/** What waits for a member. */
export const inbox = z.strictObject({
  agent_id: z.string(),
  seq: count.describe('give it to inbox_ack once everything is dealt with'),
  notices: z.array(notice).describe('what it was told and has not acknowledged'),
  to_decide: toDecide,
  to_validate: z.array(z.strictObject({ sidebar_id: ref, entry_id: ref, content: z.string(), submitted_by: z.string() })),
  gold_to_validate: z.array(z.strictObject({ gold_id: ref, key_insight: z.string(), created_by: z.string(), sidebar_id: ref.nullable() })),
  to_answer: z
    .array(z.strictObject({ sidebar_id: ref, proposal_id: z.string(), proposal: z.string(), proposed_by: z.string() }))
    .describe('proposals it has to accept or decline'),
  to_check: z.array(ref).describe('sidebars whose merge package it has to check'),
  to_approve: z.array(ref).describe('sidebars whose merge it has to approve'),
  to_review: z.array(ref).describe('sidebars whose inherited memory it has not scored'),
  to_verify: toVerify,
  to_settle: toSettle,
  to_judge: toJudge,
  conflicts: z.array(z.strictObject({ sidebar_id: ref, conflict_id: ref, conflict_description: z.string() })),
  more: z
    .strictObject({
      notices: count,
      to_decide: count,
      to_validate: count,
      gold_to_validate: count,
      to_answer: count,
      to_check: count,
      to_approve: count,
      to_review: count,
      to_verify: count,
      to_settle: count,
      to_judge: count,
      conflicts: count,
    })
    .describe('how many there are beyond the 100 of each list'),
});

export const citation = z.strictObject({
  citation_id: ref,
  uuid: z.string(),
  source: z.strictObject({
    type: z.enum(['reference', 'file', 'external']),
    ref: ref.nullable(),
    path: z.string().nullable(),
    file_ref: ref.nullable().describe('FILE-hash:from-to'),
    lines: z.strictObject({ from: count, to: count }).nullable(),
    url: z.string().nullable(),
    title: z.string().nullable(),
  }),
  content: z.string().nullable(),
  relevance_score: z.number().nullable(),
  note: z.string().nullable(),
  created_in: z.string(),
  created_by: z.string(),
  created_at: instant,
});

export const media = z.strictObject({
  media_id: ref,
  uuid: z.string(),
  media_type: z.enum(MEDIA_TYPES),
  file_path: z.string(),
  file_size: count,
  processing_status: z.enum(['pending', 'processing', 'complete', 'failed']),
  error: z.string().nullable(),
  mime: z.string().nullable(),
  hash: z.string().nullable().describe('SHA-256 of its bytes'),
  uploaded_during: z.string(),
  in_response_to: ref.nullable(),
  uploaded_by: z.string(),
  uploaded_at: instant,
  content: z.string().nullable().describe('base64, where it was asked for and is at most 675 KB'),
  download: z.string().nullable().describe('where its bytes are, however many; null where there are none'),
});

export const episode = z.strictObject({
  entry_id: ref.describe('SB-n:EPISODE-m; where it belongs to no sidebar GOLD-n:EPISODE-m, EXCH-n:EPISODE-m or MSG-n:EPISODE-m'),
  uuid: z.string(),
  content: z.string(),
  archive_reason: z.enum(EPISODE_TRIGGERS).describe('what it was kept for'),
  source_sidebar: ref.nullable(),
  source_checkpoint: ref.nullable(),
  finding: ref.nullable(),
  gold_id: ref.nullable(),
  provisional: z.boolean(),
  finalized_at: instant.nullable(),
  superseded: z.boolean(),
  superseded_by: ref.nullable(),
  supersedes: ref.nullable(),
  why: z.string().nullable(),
  tags: z.array(z.string()),
  about: ref.nullable().describe('EXCH-n or MSG-n where what was said is kept, SB-n for a whole sidebar'),
  source_refs: z.array(ref).describe('the messages it has the words of, or the evidence behind it'),
  pointers: z
    .strictObject({ from: count, to: count, scratchpad: ref, citations: z.array(ref), media: z.array(ref), golds: z.array(ref) })
    .nullable()
    .describe('where a whole sidebar is: its part of the log, and what was made in it'),
  priority: z.enum(['high', 'normal']),
  requires_validation: z.boolean().describe('it is protected, but not confirmed yet'),
  verification: z.enum(VERIFICATIONS).nullable().describe('what its evidence counted as when it was kept; null if it was not judged'),
  note: z.string().nullable().describe('why it was kept by hand'),
  archived_at: instant,
  archived_by: z.string(),
});

export const lifecycle = z.strictObject({
  statuses: z.array(z.strictObject({ status, moves_to: z.array(status), is_ended: z.boolean() })),
  interventions: z.record(z.string(), count).describe('by task type: how often the human had to step in'),
});
