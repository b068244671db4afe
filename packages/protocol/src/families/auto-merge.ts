import { ROUTINE_TASKS, type AutoMergeConfig } from '@yarnboard/domain';
import * as z from 'zod';
import { cursor, limit } from '../parameters.ts';
import * as auto from '../wire/auto-merge.ts';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after } from './field-texts.ts';
import { command, prose, ref, sidebarId, word } from './parameters.ts';
import { contextName, here } from './told-values.ts';

const flag = z.boolean().optional();

/** Automatic merges: what is allowed, what is in the way, and what came of them. */
export const AUTO_MERGE_OPERATIONS = {
  auto_merge_obstacles: {
    name: 'auto_merge_obstacles',
    method: 'GET',
    path: '/sidebars/{sidebar_id}/obstacles',
    who: 'anyone',
    help: 'Everything that keeps a sidebar from merging automatically, also while automatic merges are off.',
    input: z.object({ sidebar_id: sidebarId }),
    output: auto.autoMergeObstacles,
    terminal: { words: ['policy', 'obstacles'], given: ['sidebar_id'] },
  },
  auto_merge_history: {
    name: 'auto_merge_history',
    method: 'GET',
    path: '/auto_merge_history',
    who: 'anyone',
    help: 'What merged automatically, what went wrong later, how clean each task type is, and the settings.',
    input: z.object({ task_type: word.optional().describe('only merges of this type'), limit, cursor }),
    output: auto.autoMergeHistory,
    terminal: { words: ['policy', 'merges'], given: [] },
  },
  auto_merge_config: {
    name: 'auto_merge_config',
    method: 'POST',
    path: '/auto_merge_config',
    who: 'operator',
    help: 'Switches automatic merges on or off, for which task types and with which constraints. What you leave out stays as it is.',
    input: z.object({
      ...command,
      auto_merge_enabled: flag.describe('the switch for everything'),
      allowed_task_types: z
        .array(word)
        .max(100)
        .optional()
        .describe(`which types: ${ROUTINE_TASKS.join(', ')}`),
      require_curator_approval: flag.describe('off: every finding must be confirmed by someone other than its author'),
      require_no_conflicts: flag.describe('off: only conflicts inside the package count'),
      require_sources_cited: flag.describe('every finding needs a source that stands'),
      block_if_proposes_changes: flag.describe('off: only changes of code count'),
      required_approvals: z.number().int().min(1).max(10).optional().describe('how many of your latest decisions on a type have to be approvals'),
      allow_again: z.array(word).max(100).optional().describe('types that were suspended after a problem'),
    }),
    output: wire.done,
    terminal: { words: ['policy', 'auto-merge'], given: [] },
    command: 'automerge.configure',
    kept: { what: 'settings of automatic merges', text: null },
  },
  auto_merge_problem: {
    name: 'auto_merge_problem',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/problems',
    who: 'member',
    help: 'Reports that an automatic merge caused a problem. Its task type is suspended at once.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      ref: ref.describe('what shows it: MSG-n, EXCH-n, SCRATCH-n:FINDING-m …'),
      notes: prose.describe('what went wrong'),
    }),
    output: wire.done,
    terminal: { words: ['policy', 'problem'], given: ['sidebar_id', 'ref', 'notes'] },
    command: 'automerge.report',
    kept: { what: 'a problem with an automatic merge', text: 'notes' },
  },
} as const satisfies OperationsOf<'auto-merge'>;

export const AUTO_MERGE_CODECS: CodecsOf<typeof AUTO_MERGE_OPERATIONS> = {
  auto_merge_config: (input) => ({
    isEnabled: input.auto_merge_enabled,
    allowedTaskTypes: input.allowed_task_types,
    requireCuratorApproval: input.require_curator_approval,
    requireNoConflicts: input.require_no_conflicts,
    requireSourcesCited: input.require_sources_cited,
    blockIfProposesChanges: input.block_if_proposes_changes,
    requiredApprovals: input.required_approvals,
    allowAgain: input.allow_again,
  }),
  auto_merge_problem: (input) => ({ sidebar: input.sidebar_id, ref: input.ref, notes: input.notes }),
};

export const AUTO_MERGE_EVENT_NAMES = {
  'automerge.configured': ['auto_merge_config'],
  'automerge.done': ['auto_merge'],
  'automerge.foregone': ['auto_merge_shadow'],
  'automerge.faulted': ['auto_merge_problem'],
  'automerge.suspended': ['auto_merge_suspended'],
} as const satisfies NamesOf<'auto-merge'>;

/** The settings under the seed's names. */
export const encodeAutoMergeConfig = (config: AutoMergeConfig) => ({
  auto_merge_enabled: config.isEnabled,
  allowed_task_types: config.allowedTaskTypes,
  require_curator_approval: config.requireCuratorApproval,
  require_no_conflicts: config.requireNoConflicts,
  require_sources_cited: config.requireSourcesCited,
  block_if_proposes_changes: config.blockIfProposesChanges,
  required_approvals: config.requiredApprovals,
});

export const AUTO_MERGE_TELLERS: TellersOf<typeof AUTO_MERGE_EVENT_NAMES> = {
  'automerge.configured': ({ config, allowedAgain }) => ({
    type: 'auto_merge_config',
    ...encodeAutoMergeConfig(config),
    allowed_again: allowedAgain,
  }),
  'automerge.done': ({ taskType, target, config, checkedBy, isSample }, names, event) => ({
    type: 'auto_merge',
    sidebar_id: here(names, event),
    task_type: taskType,
    parent_id: contextName(names, target),
    config: encodeAutoMergeConfig(config),
    checked_by: checkedBy,
    sample: isSample,
  }),
  'automerge.foregone': ({ taskType, obstacles }, names, event) => ({
    type: 'auto_merge_shadow',
    sidebar_id: here(names, event),
    task_type: taskType,
    would_have_merged: obstacles.length === 0,
    obstacles,
  }),
  'automerge.faulted': ({ sidebarId, taskType, kind, ref: about, notes, isAutomatic }, names) => ({
    type: 'auto_merge_problem',
    sidebar_id: names.sidebar(sidebarId),
    task_type: taskType,
    kind,
    ref: about,
    notes,
    automatic: isAutomatic,
  }),
  'automerge.suspended': ({ taskType, sidebarId }, names) => ({
    type: 'auto_merge_suspended',
    task_type: taskType,
    sidebar_id: names.sidebar(sidebarId),
  }),
};

export const AUTO_MERGE_SENTENCES: SentencesOf<typeof AUTO_MERGE_EVENT_NAMES> = {
  auto_merge_config: (of) =>
    of('auto_merge_enabled') === 'true'
      ? `automatic merges are on for ${of('allowed_task_types') === '' ? 'no task type yet' : of('allowed_task_types')}${after('; allowed again: ', of('allowed_again'))}`
      : `automatic merges are off${after('; allowed again: ', of('allowed_again'))}`,
  auto_merge: (of) => `${of('sidebar_id')} merged automatically (${of('task_type')})${of('sample') === 'true' ? '; worth a look' : ''}`,
  auto_merge_shadow: (of) =>
    of('would_have_merged') === 'true'
      ? `${of('sidebar_id')} would have merged automatically (${of('task_type')})`
      : `${of('sidebar_id')} would not have merged automatically: ${of('obstacles')}`,
  auto_merge_problem: (of) => `problem with ${of('sidebar_id')} (${of('kind')})${after(': ', of('notes'))}`,
  auto_merge_suspended: (of) => `${of('task_type')} no longer merges automatically, after a problem with ${of('sidebar_id')}`,
};
