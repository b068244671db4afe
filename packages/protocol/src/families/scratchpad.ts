import { FINDING_STATUSES } from '@yarnboard/domain';
import * as z from 'zod';
import { limit } from '../parameters.ts';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after, textOf } from './field-texts.ts';
import { circumstances, claimedName, command, prose, ref, refs, seenStatus, sidebarId } from './parameters.ts';
import { here } from './told-values.ts';

const entryId = ref.describe('FINDING-n of the sidebar, SCRATCH-n:FINDING-m, FRAG-n or its uuid');

/** The scratchpad of a sidebar: findings that a curator validates. */
export const SCRATCHPAD_OPERATIONS = {
  scratchpad: {
    name: 'scratchpad',
    method: 'GET',
    path: '/sidebars/{sidebar_id}/scratchpad',
    who: 'anyone',
    help: 'A sidebar’s findings (confirmed, pending, rejected), conflicts and checkpoints.',
    input: z.object({
      sidebar_id: sidebarId,
      status: z.enum(FINDING_STATUSES).optional().describe('only findings with this status'),
      limit: limit.default(500).describe('the newest of each list, at most 500'),
    }),
    output: wire.scratchpad,
    terminal: { words: ['sidebar', 'scratchpad'], given: ['sidebar_id'] },
  },
  scratchpad_entry_submitted: {
    name: 'scratchpad_entry_submitted',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/findings',
    who: 'member',
    help: 'Submits a finding with its evidence for the curator to review. Contradictions are detected.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      content: prose.describe('what was found, in a sentence or two'),
      source_refs: refs.optional().describe('evidence: MSG-n, CITE-n, FILE-hash:lines …'),
      relevance_to_task: prose.optional().describe('why it matters for the task'),
      supersedes: entryId.optional().describe('the finding it revises'),
      flagged_uncertain: circumstances.shape.flagged_uncertain,
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'find'], given: ['sidebar_id', 'content'] },
    claims: z.object({ entry_id: claimedName }),
    command: 'finding.submit',
    kept: { what: 'a finding', text: 'content' },
  },
  scratchpad_entry_validated: {
    name: 'scratchpad_entry_validated',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/findings/{entry_id}/validation',
    who: 'member',
    help: 'The curator confirms a finding, leaves it pending, or rejects it with a reason.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      entry_id: entryId,
      status: z.enum(FINDING_STATUSES).describe('your verdict'),
      validation_notes: prose.optional().describe('why; needed to reject'),
      fits_task: z.boolean().optional().describe('does it belong to the task?'),
      evidence_supports: z.boolean().optional().describe('does the evidence support it?'),
      contradicts: z.boolean().optional().describe('does it contradict another finding?'),
      seen_status: seenStatus,
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'validate'], given: ['sidebar_id', 'entry_id', 'status'] },
    command: 'finding.validate',
    kept: { what: 'your review of a finding', text: 'validation_notes' },
  },
  scratchpad_annotate: {
    name: 'scratchpad_annotate',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/findings/{entry_id}/annotations',
    who: 'member',
    help: 'Adds a note to a confirmed finding.',
    input: z.object({ ...command, sidebar_id: sidebarId, entry_id: entryId, note: prose.describe('what to add') }),
    output: wire.done,
    terminal: { words: ['sidebar', 'annotate'], given: ['sidebar_id', 'entry_id', 'note'] },
    command: 'finding.annotate',
    kept: { what: 'a note on a finding', text: 'note' },
  },
  conflict_resolve: {
    name: 'conflict_resolve',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/conflicts/{conflict_id}/resolution',
    who: 'member',
    help: 'The curator settles a conflict between findings.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      conflict_id: ref.describe('CONFLICT-n of the sidebar, SB-n:CONFLICT-m or its uuid'),
      notes: prose.describe('how it is settled'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'settle'], given: ['sidebar_id', 'conflict_id', 'notes'] },
    command: 'conflict.resolve',
    kept: { what: 'your resolution of a conflict', text: 'notes' },
  },
  scratchpad_checkpoint: {
    name: 'scratchpad_checkpoint',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/checkpoints',
    who: 'member',
    help: 'Saves a checkpoint: findings confirmed so far are kept, provisionally.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      summary: prose.describe('how far it has come'),
      findings: refs.optional().describe('the confirmed findings it holds; all of them unless named'),
      agent_annotations: z.record(z.string().min(1).max(200), prose).optional().describe('notes by name'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'checkpoint'], given: ['sidebar_id', 'summary'] },
    claims: z.object({ checkpoint_id: claimedName, findings_at_checkpoint: refs.nullish() }),
    command: 'checkpoint.create',
    kept: { what: 'a checkpoint', text: 'summary' },
  },
  checkpoint_annotate: {
    name: 'checkpoint_annotate',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/checkpoints/{checkpoint_id}/annotations',
    who: 'member',
    help: 'Adds your note to a checkpoint.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      checkpoint_id: ref.describe('CHECKPOINT-n of the sidebar, SB-n:CHECKPOINT-m or its uuid'),
      note: prose.describe('what to add'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'note'], given: ['sidebar_id', 'checkpoint_id', 'note'] },
    command: 'checkpoint.annotate',
    kept: { what: 'a note on a checkpoint', text: 'note' },
  },
} as const satisfies OperationsOf<'scratchpad'>;

export const SCRATCHPAD_CODECS: CodecsOf<typeof SCRATCHPAD_OPERATIONS> = {
  scratchpad_entry_submitted: (input) => ({
    sidebar: input.sidebar_id,
    content: input.content,
    sourceRefs: input.source_refs,
    relevanceToTask: input.relevance_to_task,
    supersedes: input.supersedes,
  }),
  scratchpad_entry_validated: (input) => ({
    sidebar: input.sidebar_id,
    finding: input.entry_id,
    status: input.status,
    notes: input.validation_notes,
    seen: input.seen_status,
    checks: {
      ...(input.fits_task === undefined ? {} : { fitsTask: input.fits_task }),
      ...(input.evidence_supports === undefined ? {} : { evidenceSupports: input.evidence_supports }),
      ...(input.contradicts === undefined ? {} : { contradicts: input.contradicts }),
    },
  }),
  scratchpad_annotate: (input) => ({ sidebar: input.sidebar_id, finding: input.entry_id, note: input.note }),
  conflict_resolve: (input) => ({ sidebar: input.sidebar_id, conflict: input.conflict_id, notes: input.notes }),
  scratchpad_checkpoint: (input) => ({
    sidebar: input.sidebar_id,
    summary: input.summary,
    annotations: input.agent_annotations,
    findings: input.findings,
  }),
  checkpoint_annotate: (input) => ({ sidebar: input.sidebar_id, checkpoint: input.checkpoint_id, note: input.note }),
};

export const SCRATCHPAD_EVENT_NAMES = {
  'scratchpad.created': ['scratchpad_created'],
  'scratchpad.backed_up': ['scratchpad_backup'],
  'finding.submitted': ['scratchpad_entry_submitted'],
  'finding.validated': ['scratchpad_entry_validated'],
  'finding.annotated': ['scratchpad_annotate'],
  'conflict.detected': ['scratchpad_conflict'],
  'conflict.resolved': ['conflict_resolve'],
  'checkpoint.created': ['scratchpad_checkpoint'],
  'checkpoint.annotated': ['checkpoint_annotate'],
} as const satisfies NamesOf<'scratchpad'>;

export const SCRATCHPAD_TELLERS: TellersOf<typeof SCRATCHPAD_EVENT_NAMES> = {
  'scratchpad.created': (payload, names) => ({
    type: 'scratchpad_created',
    scratchpad_id: names.sidebar(payload.sidebarId).replace(/^SB-/u, 'SCRATCH-'),
    sidebar_id: names.sidebar(payload.sidebarId),
    task_definition: payload.taskDefinition,
    success_criteria: payload.successCriteria,
    curator_agent: payload.curator,
    citable_sources: payload.citableSources,
  }),
  'scratchpad.backed_up': ({ reason, priority, gold, findings }, names, event) => ({
    type: 'scratchpad_backup',
    sidebar_id: here(names, event),
    scratchpad_id: here(names, event).replace(/^SB-/u, 'SCRATCH-'),
    // PAD-12: the GOLD had no number yet at the time of the decision.
    reason: gold === null ? reason : `Contains GOLD: ${names.gold(gold)}`,
    priority,
    gold_id: gold === null ? null : names.gold(gold),
    findings: findings.map((finding) => ({
      entry_id: finding.ref,
      content: finding.content,
      status: finding.status,
      source_refs: finding.sourceRefs,
    })),
  }),
  'finding.submitted': ({ content, sourceRefs, relevanceToTask, supersedes }, names, event) => ({
    type: 'scratchpad_entry_submitted',
    sidebar_id: here(names, event),
    entry_id: names.finding(event.uuid, event.contextId),
    content,
    source_refs: sourceRefs,
    relevance_to_task: relevanceToTask,
    supersedes: supersedes === null ? null : names.finding(supersedes, event.contextId),
  }),
  'finding.validated': ({ finding, status, notes, checks }, names, event) => ({
    type: 'scratchpad_entry_validated',
    sidebar_id: here(names, event),
    entry_id: names.finding(finding, event.contextId),
    status,
    validation_notes: notes,
    fits_task: checks.fitsTask,
    evidence_supports: checks.evidenceSupports,
    contradicts: checks.contradicts,
  }),
  'finding.annotated': ({ finding, note }, names, event) => ({
    type: 'scratchpad_annotate',
    sidebar_id: here(names, event),
    entry_id: names.finding(finding, event.contextId),
    note,
  }),
  'conflict.detected': ({ findings, description }, names, event) => ({
    type: 'scratchpad_conflict',
    sidebar_id: here(names, event),
    conflict_id: names.item('CONFLICT', event.uuid, event.contextId),
    entry_ids: findings.map((id) => names.finding(id, event.contextId)),
    conflict_description: description,
  }),
  'conflict.resolved': ({ conflict, notes }, names, event) => ({
    type: 'conflict_resolve',
    sidebar_id: here(names, event),
    conflict_id: names.item('CONFLICT', conflict, event.contextId),
    notes,
  }),
  'checkpoint.created': ({ summary, findings, annotations }, names, event) => ({
    type: 'scratchpad_checkpoint',
    sidebar_id: here(names, event),
    checkpoint_id: names.item('CHECKPOINT', event.uuid, event.contextId),
    summary,
    findings_at_checkpoint: findings.map((id) => names.finding(id, event.contextId)),
    agent_annotations: annotations,
  }),
  'checkpoint.annotated': ({ checkpoint, note }, names, event) => ({
    type: 'checkpoint_annotate',
    sidebar_id: here(names, event),
    checkpoint_id: names.item('CHECKPOINT', checkpoint, event.contextId),
    note,
  }),
};

export const SCRATCHPAD_SENTENCES: SentencesOf<typeof SCRATCHPAD_EVENT_NAMES> = {
  scratchpad_created: (of) => `${of('scratchpad_id')} created; ${of('curator_agent')} validates its findings`,
  scratchpad_backup: (of) => `${of('scratchpad_id')} backed up${of('reason') === '' ? '' : ` (${of('reason')})`}`,
  scratchpad_entry_submitted: (of) => `${of('entry_id')} submitted: ${of('content')}`,
  scratchpad_entry_validated: (of) => `${of('entry_id')} ${of('status')}${after(': ', of('validation_notes'))}`,
  scratchpad_annotate: (of) => `${of('entry_id')} annotated: ${of('note')}`,
  scratchpad_conflict: (of, event) => `${of('conflict_id')}: ${contradiction(event['entry_ids'], of('conflict_description'))}`,
  conflict_resolve: (of) => `${of('conflict_id')} settled: ${of('notes')}`,
  scratchpad_checkpoint: (of) => `${of('checkpoint_id')}: ${of('summary')}`,
  checkpoint_annotate: (of) => `${of('checkpoint_id')} annotated: ${of('note')}`,
};

/** The two sides of a conflict, named once: the board's own description mostly names the findings already. */
export const contradiction = (entries: unknown, description: string): string => {
  const named = Array.isArray(entries) ? entries.map(textOf) : [];
  return named.every((one) => description.includes(one)) ? description : `${named.join(' and ')}: ${description}`;
};
