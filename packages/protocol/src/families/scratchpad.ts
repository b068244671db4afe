import { FINDING_STATUSES } from '@yarnboard/domain';
import { z } from 'zod';
import { page } from '../wire/schemas.ts';
import * as wire from '../wire/sidebars.ts';
import { command, prose, ref, refs, seenStatus, sidebarId } from './parameters.ts';
import type { Operation } from '../operation.ts';
import { cursor, limit } from '../parameters.ts';

const entryId = ref.describe('FINDING-n of the sidebar, SCRATCH-n:FINDING-m, FRAG-n or its uuid');

/** The scratchpad of a sidebar: findings that a curator validates. */
export const SCRATCHPAD_OPERATIONS = {
  scratchpad: {
    name: 'scratchpad',
    method: 'GET',
    path: '/sidebars/{sidebar_id}/scratchpad',
    who: 'anyone',
    help: 'The findings of a sidebar: confirmed, pending, rejected; conflicts and checkpoints.',
    input: z.object({
      sidebar_id: sidebarId,
      status: z.enum(FINDING_STATUSES).optional().describe('only the findings that are'),
      limit: limit.default(500).describe('of each list the newest, at most 500'),
    }),
    output: wire.scratchpad,
    terminal: { words: ['sidebar', 'scratchpad'], given: ['sidebar_id'] },
  },
  episodes: {
    name: 'episodes',
    method: 'GET',
    path: '/episodes',
    who: 'anyone',
    help: 'What is kept in episodic memory, the latest first: provisional until its sidebar is done, then final or superseded.',
    input: z.object({ sidebar_id: sidebarId.optional(), provisional: z.stringbool().optional(), limit, cursor }),
    output: page(wire.episode),
    terminal: { words: ['sidebar', 'episodes'], given: [] },
  },
  scratchpad_entry_submitted: {
    name: 'scratchpad_entry_submitted',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/findings',
    who: 'member',
    help: 'Submits a finding with its evidence; the curator validates it. Contradictions are noticed.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      content: prose,
      source_refs: refs.optional().describe('evidence: MSG-n, CITE-n, FILE-hash:lines …'),
      relevance_to_task: prose.optional(),
      supersedes: entryId.optional().describe('the finding it revises'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'find'], given: ['sidebar_id', 'content'] },
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
      status: z.enum(FINDING_STATUSES),
      validation_notes: prose.optional(),
      fits_task: z.boolean().optional(),
      evidence_supports: z.boolean().optional(),
      contradicts: z.boolean().optional(),
      seen_status: seenStatus,
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'validate'], given: ['sidebar_id', 'entry_id', 'status'] },
  },
  scratchpad_annotate: {
    name: 'scratchpad_annotate',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/findings/{entry_id}/annotations',
    who: 'member',
    help: 'Adds a note to a confirmed finding.',
    input: z.object({ ...command, sidebar_id: sidebarId, entry_id: entryId, note: prose }),
    output: wire.done,
    terminal: { words: ['sidebar', 'annotate'], given: ['sidebar_id', 'entry_id', 'note'] },
  },
  conflict_resolve: {
    name: 'conflict_resolve',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/conflicts/{conflict_id}/resolution',
    who: 'member',
    help: 'The curator says how a conflict of findings is settled.',
    input: z.object({ ...command, sidebar_id: sidebarId, conflict_id: ref, notes: prose }),
    output: wire.done,
    terminal: { words: ['sidebar', 'settle'], given: ['sidebar_id', 'conflict_id', 'notes'] },
  },
  scratchpad_checkpoint: {
    name: 'scratchpad_checkpoint',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/checkpoints',
    who: 'member',
    help: 'Marks how far a sidebar has come; what is confirmed so far is kept, provisionally.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      summary: prose,
      agent_annotations: z.record(z.string().min(1).max(200), prose).optional(),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'checkpoint'], given: ['sidebar_id', 'summary'] },
  },
  checkpoint_annotate: {
    name: 'checkpoint_annotate',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/checkpoints/{checkpoint_id}/annotations',
    who: 'member',
    help: 'Adds your note to a checkpoint.',
    input: z.object({ ...command, sidebar_id: sidebarId, checkpoint_id: ref, note: prose }),
    output: wire.done,
    terminal: { words: ['sidebar', 'note'], given: ['sidebar_id', 'checkpoint_id', 'note'] },
  },
} as const satisfies Record<string, Operation>;
