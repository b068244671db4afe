import type { NewSidebar } from '@yarnboard/domain';
import * as z from 'zod';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { claimedName, command, dataRefs, names, priority, prose, sidebarId, tags, taskType, word } from './parameters.ts';
import { contextName, here } from './told-values.ts';

const about = {
  success_criteria: prose.optional().describe('how you will know it is done; recommended'),
  participants: names.optional().describe('who takes part besides you'),
  priority: priority.optional().describe('NORMAL unless said otherwise'),
  task_type: taskType,
  coordinator_agent: word.optional().describe('approves the merge; the human operator unless named'),
  curator_agent: word.optional().describe('validates findings; the coordinator unless named'),
  testing: z.boolean().optional().describe('starts as TESTING: an experiment you can discard'),
  test_group: word.optional().describe('tests in the same group see each other’s results'),
  tags,
  data_refs: dataRefs.optional(),
  open: z.boolean().optional().describe('whether anyone can join without asking; yes unless a person spawns it'),
};

/** Sidebars: conversations that branch off. */
export const SPAWNING_OPERATIONS = {
  sidebar_spawn: {
    name: 'sidebar_spawn',
    method: 'POST',
    path: '/sidebars',
    who: 'member',
    help: 'Branches a sidebar off a session, any message or another sidebar, or starts one from nothing (parent_id null).',
    input: z.object({
      ...command,
      parent_id: z.string().min(1).max(4096).nullable().describe('where to inherit from: a session id, MSG-n, SB-n, a uuid; null for a root'),
      task_description: prose.describe('the task'),
      ...about,
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'spawn'], given: ['task_description'] },
    command: 'sidebar.spawn',
    kept: { what: 'a new sidebar', text: 'task_description' },
  },
  sidebar_child_spawn: {
    name: 'sidebar_child_spawn',
    method: 'POST',
    path: '/sidebars/{parent_sidebar_id}/children',
    who: 'member',
    help: 'Spawns a child sidebar for part of the task; the parent can wait for it.',
    input: z.object({
      ...command,
      parent_sidebar_id: sidebarId,
      sub_task_description: prose.describe('the child’s task'),
      wait: z.boolean().optional().describe('the parent is WAITING until the child ends'),
      ...about,
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'child'], given: ['parent_sidebar_id', 'sub_task_description'] },
    claims: z.object({ child_sidebar_id: claimedName }),
    command: 'sidebar.spawn-child',
    kept: { what: 'a new child sidebar', text: 'sub_task_description' },
  },
  sidebar_fork: {
    name: 'sidebar_fork',
    method: 'POST',
    path: '/sidebars/{original_sidebar_id}/fork',
    who: 'member',
    help: 'Picks archived work up again in a new sidebar that inherits everything; the original stays as it is.',
    input: z.object({
      ...command,
      original_sidebar_id: sidebarId,
      fork_reason: prose.describe('why you are picking it up again'),
      task_description: prose.optional().describe('the original’s if omitted'),
      ...about,
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'fork'], given: ['original_sidebar_id', 'fork_reason'] },
    claims: z.object({ new_sidebar_id: claimedName }),
    command: 'sidebar.fork',
    kept: { what: 'a fork', text: 'fork_reason' },
  },
} as const satisfies OperationsOf<'spawning'>;

export const SPAWNING_CODECS: CodecsOf<typeof SPAWNING_OPERATIONS> = {
  sidebar_spawn: async (input, given) => ({ origin: await given.originFor(input.parent_id), task: input.task_description, ...newSidebar(input) }),
  sidebar_child_spawn: (input) => ({
    sidebar: input.parent_sidebar_id,
    upTo: null,
    task: input.sub_task_description,
    isWaiting: input.wait === true,
    ...newSidebar(input),
  }),
  sidebar_fork: (input) => ({
    sidebar: input.original_sidebar_id,
    reason: input.fork_reason,
    ...(input.task_description === undefined ? {} : { task: input.task_description }),
    ...newSidebar(input),
  }),
};

export const SPAWNING_EVENT_NAMES = {
  'sidebar.spawned': ['sidebar_spawn', 'sidebar_child_spawn', 'sidebar_fork'],
  'sidebar.forked': ['sidebar_forked'],
} as const satisfies NamesOf<'spawning'>;

export const SPAWNING_TELLERS: TellersOf<typeof SPAWNING_EVENT_NAMES> = {
  'sidebar.spawned': (payload, names, event) => {
    const sidebar = names.sidebar(event.uuid);
    const common = {
      sidebar_id: sidebar,
      participants: payload.participants,
      task_description: payload.task,
      success_criteria: payload.successCriteria,
      priority: payload.priority,
      task_type: payload.taskType,
      coordinator_agent: payload.coordinator,
      curator_agent: payload.curator,
      status: payload.status,
      test_group: payload.testGroup,
      tags: payload.tags,
      data_refs: payload.dataRefs ?? {},
      open: payload.isOpen ?? event.by.type !== 'human',
    };
    if (payload.forkedFrom !== null) {
      const original = names.sidebar(payload.forkedFrom);
      return { type: 'sidebar_fork', original_sidebar_id: original, new_sidebar_id: sidebar, fork_reason: payload.forkReason, ...common };
    }
    const parent = contextName(names, payload.parent);
    return payload.parent?.kind === 'sidebar'
      ? {
          type: 'sidebar_child_spawn',
          parent_sidebar_id: parent,
          child_sidebar_id: sidebar,
          sub_task_description: payload.task,
          parent_id: parent,
          ...common,
        }
      : { type: 'sidebar_spawn', parent_id: parent, ...common };
  },
  'sidebar.forked': ({ into, reason }, names, event) => ({
    type: 'sidebar_forked',
    original_sidebar_id: here(names, event),
    new_sidebar_id: names.sidebar(into),
    fork_reason: reason,
  }),
};

export const SPAWNING_SENTENCES: SentencesOf<typeof SPAWNING_EVENT_NAMES> = {
  sidebar_spawn: (of) => `${of('sidebar_id')} spawned${parentOf(of)}: ${of('task_description')}`,
  sidebar_child_spawn: (of) => `${of('sidebar_id')} spawned under ${of('parent_id')}: ${of('task_description')}`,
  sidebar_fork: (of) => `${of('sidebar_id')} forked from ${of('original_sidebar_id')}: ${of('fork_reason')}`,
  sidebar_forked: (of) => `${of('original_sidebar_id')} was forked into ${of('new_sidebar_id')}`,
};

type AboutInput = { readonly [K in keyof typeof about]?: z.output<(typeof about)[K]> };

const newSidebar = (input: AboutInput): Omit<NewSidebar, 'task'> => ({
  successCriteria: input.success_criteria,
  taskType: input.task_type,
  participants: input.participants,
  coordinator: input.coordinator_agent,
  curator: input.curator_agent,
  priority: input.priority,
  isTesting: input.testing,
  testGroup: input.test_group,
  tags: input.tags,
  isOpen: input.open,
  dataRefs: input.data_refs,
});

const parentOf = (of: (field: string) => string): string => (of('parent_id') === '' ? ' as a root' : ` from ${of('parent_id')}`);
