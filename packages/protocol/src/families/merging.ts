import { ARCHIVE_REASONS } from '@yarnboard/domain';
import * as z from 'zod';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after, fieldOf } from './field-texts.ts';
import { command, prose, reason, refs, sidebarId, status, tags } from './parameters.ts';
import { contextName, encodePackage, here } from './told-values.ts';

const contents = {
  summary: prose.optional().describe('what the sidebar found out'),
  key_findings: refs.optional().describe('which findings; all confirmed ones unless named'),
  recommendations: prose.optional().describe('what to do next'),
  gold_candidates: refs.optional().describe('what might become GOLD: GOLD-n, findings'),
};

/** How a sidebar rejoins: its work is consolidated, checked, merged and archived. */
export const MERGING_OPERATIONS = {
  sidebar_consolidate: {
    name: 'sidebar_consolidate',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/consolidate',
    who: 'member',
    help: 'Prepares a merge, by default of all confirmed findings. Call it again to revise.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      ...contents,
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'consolidate'], given: ['sidebar_id'] },
    command: 'sidebar.consolidate',
    kept: { what: 'a prepared merge', text: 'summary' },
  },
  sidebar_finish: {
    name: 'sidebar_finish',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/finish',
    who: 'member',
    help: 'Prepares, checks and merges in one step, if you both coordinate and curate the sidebar.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      ...contents,
      parent_id: z.string().min(1).max(4096).optional().describe('where to, for a root or a fork: SB-n or the id of a session'),
      notes: prose.optional().describe('what the check found'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'finish'], given: ['sidebar_id'] },
    command: 'sidebar.finish',
    kept: { what: 'a merge in one step', text: 'summary' },
  },
  sidebar_reopen: {
    name: 'sidebar_reopen',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/reopen',
    who: 'operator',
    help: 'Reopens a sidebar that ended by mistake: archives it if necessary and forks it with its team, in one step.',
    input: z.object({ ...command, sidebar_id: sidebarId, reason }),
    output: wire.done,
    terminal: { words: ['sidebar', 'reopen'], given: ['sidebar_id', 'reason'] },
    command: 'sidebar.reopen',
    kept: { what: 'reopening a sidebar', text: 'reason' },
  },
  sidebar_check_merge: {
    name: 'sidebar_check_merge',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/check',
    who: 'member',
    help: 'The curator’s review of a merge package; participants of the parent can review it too.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      fit: z.boolean().default(true).describe('false sends it back'),
      notes: prose.optional().describe('what the check found'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'check'], given: ['sidebar_id'] },
    command: 'merge.check',
    kept: { what: 'your review of a merge', text: 'notes' },
  },
  sidebar_merge: {
    name: 'sidebar_merge',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/merge',
    who: 'member',
    help: 'The coordinator approves: the parent gets an exchange with citations. With success false, the sidebar goes back to work.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      parent_id: z.string().min(1).max(4096).optional().describe('where to, for a root or a fork: SB-n or the id of a session'),
      consolidated_findings: refs.optional().describe('what you expect to be merged; refused if the package differs'),
      success: z.boolean().default(true).describe('false sends it back to work'),
      reason: reason.optional(),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'merge'], given: ['sidebar_id'] },
    command: 'sidebar.merge',
    // It includes what was seen at approval: it is refused if something has happened since.
    kept: { what: 'a merge', text: 'reason' },
  },
  sidebar_archive: {
    name: 'sidebar_archive',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/archive',
    who: 'member',
    help: 'Archives a sidebar. Nothing is lost: it can still be cited and forked.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      archive_reason: z.enum(ARCHIVE_REASONS).optional().describe('follows from the status; optional'),
      tags,
      note: prose.optional().describe('a note for later readers'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'archive'], given: ['sidebar_id'] },
    claims: z.object({ final_status: status.nullish() }),
    command: 'sidebar.archive',
    kept: { what: 'archiving the sidebar', text: 'note' },
  },
} as const satisfies OperationsOf<'merging'>;

export const MERGING_CODECS: CodecsOf<typeof MERGING_OPERATIONS> = {
  sidebar_consolidate: (input) => ({
    sidebar: input.sidebar_id,
    summary: input.summary,
    keyFindings: input.key_findings,
    recommendations: input.recommendations,
    goldCandidates: input.gold_candidates,
  }),
  sidebar_finish: async (input, given) => ({
    sidebar: input.sidebar_id,
    summary: input.summary,
    keyFindings: input.key_findings,
    recommendations: input.recommendations,
    goldCandidates: input.gold_candidates,
    target: input.parent_id === undefined ? undefined : await given.targetFor(input.parent_id),
    notes: input.notes,
  }),
  sidebar_reopen: (input) => ({ sidebar: input.sidebar_id, reason: input.reason }),
  sidebar_check_merge: (input) => ({ sidebar: input.sidebar_id, isFit: input.fit, notes: input.notes }),
  sidebar_merge: async (input, given) => ({
    sidebar: input.sidebar_id,
    target: input.parent_id === undefined ? undefined : await given.targetFor(input.parent_id),
    keyFindings: input.consolidated_findings,
    isApproved: input.success,
    reason: input.reason,
  }),
  sidebar_archive: (input) => ({ sidebar: input.sidebar_id, reason: input.archive_reason, tags: input.tags, note: input.note }),
};

export const MERGING_EVENT_NAMES = {
  'sidebar.consolidated': ['sidebar_consolidate'],
  'merge.checked': ['sidebar_check_merge'],
  'sidebar.merged': ['sidebar_merge'],
  'merge.refused': ['sidebar_merge'],
  'memory.merged': ['memory_update'],
  'sidebar.archived': ['sidebar_archive'],
} as const satisfies NamesOf<'merging'>;

export const MERGING_TELLERS: TellersOf<typeof MERGING_EVENT_NAMES> = {
  'sidebar.consolidated': (payload, names, event) => ({
    type: 'sidebar_consolidate',
    sidebar_id: here(names, event),
    merge_package: encodePackage(payload.package),
    old_status: payload.from,
    new_status: 'CONSOLIDATING',
  }),
  'merge.checked': ({ as, isFit, notes }, names, event) => ({ type: 'sidebar_check_merge', sidebar_id: here(names, event), as, fit: isFit, notes }),
  'sidebar.merged': (payload, names, event) => ({
    type: 'sidebar_merge',
    sidebar_id: here(names, event),
    parent_id: contextName(names, payload.target),
    consolidated_findings: payload.package.keyFindings,
    success: true,
    automatic: event.by.type === 'system',
    merge_package: encodePackage(payload.package),
    old_status: 'CONSOLIDATING',
    new_status: 'MERGED',
  }),
  'merge.refused': ({ target, keyFindings, reason }, names, event) => ({
    type: 'sidebar_merge',
    sidebar_id: here(names, event),
    parent_id: contextName(names, target),
    consolidated_findings: keyFindings,
    success: false,
    reason,
    old_status: 'CONSOLIDATING',
    new_status: 'ACTIVE',
  }),
  'memory.merged': ({ sidebarId, text, citations, package: merged }, names, event) => ({
    type: 'memory_update',
    exchange: { exchange_id: event.refs.find((ref) => ref.startsWith('EXCH-')) ?? null, content: text, citations },
    priority: names.priority(sidebarId),
    sidebar_id: names.sidebar(sidebarId),
    merge_package: encodePackage(merged),
  }),
  'sidebar.archived': ({ reason, finalStatus, tags, summary, note }, names, event) => ({
    type: 'sidebar_archive',
    sidebar_id: here(names, event),
    archive_reason: reason,
    final_status: finalStatus,
    archived_by: event.by.id,
    tags,
    summary,
    note,
    old_status: finalStatus,
    new_status: 'ARCHIVED',
  }),
};

export const MERGING_SENTENCES: SentencesOf<typeof MERGING_EVENT_NAMES> = {
  sidebar_consolidate: (of) => `${of('sidebar_id')} consolidated; its merge package is ready for review`,
  sidebar_check_merge: (of) =>
    `${of('sidebar_id')}: merge package ${of('fit') === 'true' ? 'fits' : 'does not fit'}, says the ${of('as')}${after(': ', of('notes'))}`,
  sidebar_merge: (of) =>
    of('success') === 'false'
      ? `${of('sidebar_id')} was not merged${after(': ', of('reason'))}; work continues`
      : `${of('sidebar_id')} merged${of('automatic') === 'true' ? ' automatically' : ''}${after(' into ', of('parent_id'))}${after(': ', of('consolidated_findings'))}`,
  memory_update: (of, event) =>
    `${of('context_id')} received the findings of ${of('sidebar_id')}${after(' as ', fieldOf(event['exchange'], 'exchange_id'))}`,
  sidebar_archive: (of) => `${of('sidebar_id')} archived (${of('archive_reason')})${after(': ', of('note'))}; it can still be cited and forked`,
};
