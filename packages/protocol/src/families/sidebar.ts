import { wishOf } from '@yarnboard/domain';
import { z } from 'zod';
import { cursor, limit } from '../parameters.ts';
import { page } from '../wire/schemas.ts';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after, listOf } from './field-texts.ts';
import { command, priority, prose, reason, refs, sidebarId, status, tags, taskType, word } from './parameters.ts';
import { here } from './told-values.ts';

/** What there is to know of a sidebar. */
export const SIDEBAR_QUERIES = {
  sidebars: {
    name: 'sidebars',
    method: 'GET',
    path: '/sidebars',
    who: 'anyone',
    help: 'Sidebars, the latest activity first.',
    input: z.object({
      status: status.optional().describe('only those that are'),
      participant: word.optional().describe('only those in which they take part: AGENT-name'),
      parent_id: z.string().min(1).max(4096).optional().describe('SB-n or the id of a session'),
      task_type: taskType,
      limit,
      cursor,
    }),
    output: page(wire.sidebarSummary),
    terminal: { words: ['sidebar', 'list'], given: [] },
  },
  sidebar: {
    name: 'sidebar',
    method: 'GET',
    path: '/sidebars/{sidebar_id}',
    who: 'anyone',
    help: 'One sidebar whole: who takes part, where it branched off, what it waits for, relevance and focus, what it may become next.',
    input: z.object({ sidebar_id: sidebarId }),
    output: wire.sidebar,
    terminal: { words: ['sidebar', 'show'], given: ['sidebar_id'] },
  },
  sidebar_memory: {
    name: 'sidebar_memory',
    method: 'GET',
    path: '/sidebars/{sidebar_id}/memory',
    who: 'anyone',
    help: 'What a sidebar knows: inherited memory, frozen where it branched off, and local memory, what was said in it.',
    input: z.object({
      sidebar_id: sidebarId,
      part: z.enum(['inherited', 'local']).default('local').describe('what it began with, or what was said in it'),
      order: z.enum(['oldest', 'newest']).default('oldest').describe('which come first; a cursor is good for the order it was given in'),
      limit,
      cursor,
    }),
    output: page(wire.memoryItem),
    terminal: { words: ['sidebar', 'memory'], given: ['sidebar_id'] },
  },
  sidebar_archived: {
    name: 'sidebar_archived',
    method: 'GET',
    path: '/sidebars/{sidebar_id}/archive',
    who: 'anyone',
    help: 'An archived sidebar as it stood at the end: why, by whom, its scratchpad, what it made, what forked from it.',
    input: z.object({ sidebar_id: sidebarId }),
    output: wire.archivedSidebar,
    terminal: { words: ['sidebar', 'archived'], given: ['sidebar_id'] },
  },
  lifecycle: {
    name: 'lifecycle',
    method: 'GET',
    path: '/lifecycle',
    who: 'anyone',
    help: 'The ten states of a sidebar, which may follow which, and how often the human had to step in.',
    input: z.object({}),
    output: wire.lifecycle,
    terminal: { words: ['sidebar', 'lifecycle'], given: [] },
  },
} as const satisfies OperationsOf<'sidebar'>;

/** How a sidebar moves: it pauses, waits, is changed, tested, escalated. */
export const SIDEBAR_OPERATIONS = {
  sidebar_pause: {
    name: 'sidebar_pause',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/pause',
    who: 'member',
    help: 'Pauses a sidebar: hold that thought.',
    input: z.object({ ...command, sidebar_id: sidebarId, reason, resume_condition: prose.optional().describe('when to go on') }),
    output: wire.done,
    terminal: { words: ['sidebar', 'pause'], given: ['sidebar_id', 'reason'] },
    command: 'sidebar.pause',
    kept: { what: 'a pause', text: 'reason' },
  },
  sidebar_resume: {
    name: 'sidebar_resume',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/resume',
    who: 'member',
    help: 'Resumes a sidebar that is paused or waits; tells what happened meanwhile.',
    input: z.object({ ...command, sidebar_id: sidebarId, reason: reason.optional() }),
    output: wire.done,
    terminal: { words: ['sidebar', 'resume'], given: ['sidebar_id'] },
    command: 'sidebar.resume',
    kept: { what: 'resuming the sidebar', text: 'reason' },
  },
  sidebar_waiting_update: {
    name: 'sidebar_waiting_update',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/waiting',
    who: 'member',
    help: 'Says that a sidebar is blocked on something; sidebars it depends on unblock it when they end, its deadline fails it.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      waiting_for: word.describe('what it waits for, in a few words'),
      description: prose.optional().describe('more about it'),
      dependency_refs: refs.optional().describe('sidebars it waits for: SB-n'),
      timeout_seconds: z.number().min(1).max(31_536_000).optional().describe('after which it fails'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'wait'], given: ['sidebar_id', 'waiting_for'] },
    command: 'sidebar.wait',
    kept: { what: 'a wait', text: 'waiting_for' },
  },
  sidebar_status_update: {
    name: 'sidebar_status_update',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/status',
    who: 'member',
    help: 'Moves a sidebar: to REVIEWING, back to ACTIVE (which promotes a test), or to FAILED with a reason.',
    input: z.object({ ...command, sidebar_id: sidebarId, new_status: status.describe('REVIEWING, ACTIVE or FAILED'), reason: reason.optional() }),
    output: wire.done,
    terminal: { words: ['sidebar', 'move'], given: ['sidebar_id', 'new_status'] },
    command: 'sidebar.move',
    kept: { what: 'a status change', text: 'reason' },
  },
  sidebar_test_result: {
    name: 'sidebar_test_result',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/results',
    who: 'member',
    help: 'Reports the result of a test; the other tests of its group see it.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      test_description: prose.describe('what was tried'),
      result: prose.describe('what came of it'),
      findings: z.array(prose).max(100).optional().describe('what it shows'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'result'], given: ['sidebar_id', 'test_description', 'result'] },
    command: 'sidebar.test-result',
    kept: { what: 'a test result', text: 'result' },
  },
  sidebar_update: {
    name: 'sidebar_update',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/update',
    who: 'member',
    help: 'Changes tags and related sidebars. Priority, task and type are for the coordinator and whoever spawned it; others propose them. The coordinator may name another coordinator or curator.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      task_description: prose.optional().describe('what is to be done'),
      success_criteria: prose.optional().describe('what done looks like'),
      task_type: taskType,
      priority: priority.optional().describe('how urgent it is'),
      coordinator_agent: word.optional().describe('who approves the merge'),
      curator_agent: word.optional().describe('who validates findings'),
      tags,
      cross_sidebar_refs: refs.optional().describe('related sidebars: SB-n'),
      open: z.boolean().optional().describe('whether anybody may join without asking; for the coordinator to say'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'update'], given: ['sidebar_id'] },
    command: 'sidebar.change',
    kept: { what: 'an edit of the sidebar', text: 'task_description' },
  },
  sidebar_escalate: {
    name: 'sidebar_escalate',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/escalate',
    who: 'member',
    help: 'Hands something an agent cannot resolve to the human operator.',
    input: z.object({ ...command, sidebar_id: sidebarId, reason }),
    output: wire.done,
    terminal: { words: ['sidebar', 'escalate'], given: ['sidebar_id', 'reason'] },
    command: 'sidebar.escalate',
    kept: { what: 'an escalation', text: 'reason' },
  },
  proposal_answer: {
    name: 'proposal_answer',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/proposals/{proposal_id}',
    who: 'member',
    help: 'The coordinator accepts or declines what somebody proposed: to end the sidebar, to join it, to change its task or priority.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      proposal_id: z.string().min(1).max(200).describe('PROPOSAL-n of the sidebar, or its uuid'),
      accept: z.boolean().describe('true to accept, false to decline'),
      reason: prose.optional().describe('why not, for whoever proposed it'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'answer'], given: ['sidebar_id', 'proposal_id', 'accept'] },
    command: 'proposal.answer',
    kept: { what: 'your answer to a proposal', text: 'reason' },
  },
} as const satisfies OperationsOf<'sidebar'>;

export const SIDEBAR_CODECS: CodecsOf<typeof SIDEBAR_OPERATIONS> = {
  sidebar_pause: (input) => ({ sidebar: input.sidebar_id, reason: input.reason, resumeCondition: input.resume_condition }),
  sidebar_resume: (input) => ({ sidebar: input.sidebar_id, reason: input.reason }),
  sidebar_waiting_update: (input) => ({
    sidebar: input.sidebar_id,
    waitingFor: input.waiting_for,
    description: input.description,
    dependencies: input.dependency_refs,
    timeoutMs: input.timeout_seconds === undefined ? undefined : Math.round(input.timeout_seconds * 1000),
  }),
  sidebar_status_update: (input) => ({ sidebar: input.sidebar_id, to: input.new_status, reason: input.reason }),
  sidebar_test_result: (input) => ({
    sidebar: input.sidebar_id,
    description: input.test_description,
    result: input.result,
    findings: input.findings,
  }),
  sidebar_update: (input) => ({
    sidebar: input.sidebar_id,
    task: input.task_description,
    successCriteria: input.success_criteria,
    taskType: input.task_type,
    priority: input.priority,
    coordinator: input.coordinator_agent,
    curator: input.curator_agent,
    tags: input.tags,
    crossRefs: input.cross_sidebar_refs,
    isOpen: input.open,
  }),
  sidebar_escalate: (input) => ({ sidebar: input.sidebar_id, reason: input.reason }),
  proposal_answer: (input) => ({ sidebar: input.sidebar_id, proposal: input.proposal_id, isAccepted: input.accept, reason: input.reason }),
};

export const SIDEBAR_EVENT_NAMES = {
  'sidebar.moved': ['sidebar_status_update'],
  'sidebar.paused': ['sidebar_pause'],
  'sidebar.resumed': ['sidebar_resumed'],
  'sidebar.waiting': ['sidebar_waiting_update'],
  'sidebar.changed': ['sidebar_update'],
  'sidebar.escalated': ['sidebar_escalate'],
  'sidebar.intervened': ['sidebar_intervention'],
  'sidebar.tested': ['sidebar_test_result'],
  'sidebar.proposed': ['sidebar_proposal'],
  'proposal.answered': ['proposal_answer'],
} as const satisfies NamesOf<'sidebar'>;

export const SIDEBAR_TELLERS: TellersOf<typeof SIDEBAR_EVENT_NAMES> = {
  'sidebar.moved': ({ from, to, reason }, names, event) => ({
    type: 'sidebar_status_update',
    sidebar_id: here(names, event),
    old_status: from,
    new_status: to,
    reason,
  }),
  'sidebar.paused': ({ from, reason, resumeCondition }, names, event) => ({
    type: 'sidebar_pause',
    sidebar_id: here(names, event),
    reason,
    resume_condition: resumeCondition,
    old_status: from,
    new_status: 'PAUSED',
  }),
  'sidebar.resumed': ({ from, reason, pausedFor, pausedReason, whatHappened }, names, event) => ({
    type: 'sidebar_resumed',
    sidebar_id: here(names, event),
    reason,
    paused_duration: Math.round(pausedFor / 1000),
    paused_reason: pausedReason,
    what_happened_while_paused: whatHappened,
    old_status: from,
    new_status: 'ACTIVE',
  }),
  'sidebar.waiting': ({ from, waitingFor, description, dependencies, deadline }, names, event) => ({
    type: 'sidebar_waiting_update',
    sidebar_id: here(names, event),
    waiting_for: waitingFor,
    description,
    dependency_refs: dependencies.map(names.sidebar),
    deadline: deadline === null ? null : new Date(deadline).toISOString(),
    old_status: from,
    new_status: 'WAITING',
  }),
  'sidebar.changed': (payload, names, event) => ({
    type: 'sidebar_update',
    sidebar_id: here(names, event),
    ...(payload.task === undefined ? {} : { task_description: payload.task }),
    ...(payload.successCriteria === undefined ? {} : { success_criteria: payload.successCriteria }),
    ...(payload.taskType === undefined ? {} : { task_type: payload.taskType }),
    ...(payload.priority === undefined ? {} : { priority: payload.priority }),
    ...(payload.coordinator === undefined ? {} : { coordinator_agent: payload.coordinator }),
    ...(payload.curator === undefined ? {} : { curator_agent: payload.curator }),
    ...(payload.tags === undefined ? {} : { tags: payload.tags }),
    ...(payload.crossRefs === undefined ? {} : { cross_sidebar_refs: payload.crossRefs }),
    ...(payload.isOpen === undefined ? {} : { open: payload.isOpen }),
  }),
  'sidebar.escalated': ({ from, to, reason }, names, event) => ({ type: 'sidebar_escalate', sidebar_id: here(names, event), from, to, reason }),
  'sidebar.intervened': ({ instead, what, taskType }, names, event) => ({
    type: 'sidebar_intervention',
    sidebar_id: here(names, event),
    instead_of: instead,
    what,
    task_type: taskType,
  }),
  'sidebar.tested': ({ description, result, findings }, names, event) => ({
    type: 'sidebar_test_result',
    sidebar_id: here(names, event),
    test_description: description,
    result,
    findings,
  }),
  'sidebar.proposed': ({ number, proposal }, names, event) => ({
    type: 'sidebar_proposal',
    sidebar_id: here(names, event),
    proposal_id: `PROPOSAL-${number}`,
    action: proposal.action,
    proposal: wishOf(proposal, here(names, event)),
  }),
  'proposal.answered': ({ proposal, isAccepted, reason }, names, event) => ({
    type: 'proposal_answer',
    sidebar_id: here(names, event),
    proposal_id: proposal,
    accept: isAccepted,
    reason,
  }),
};

export const SIDEBAR_SENTENCES: SentencesOf<typeof SIDEBAR_EVENT_NAMES> = {
  sidebar_status_update: (of) => `${of('sidebar_id')} is ${of('new_status')} (was ${of('old_status')})${after(': ', of('reason'))}`,
  sidebar_pause: (of) => `${of('sidebar_id')} paused: ${of('reason')}${after('; until ', of('resume_condition'))}`,
  sidebar_resumed: (of, event) =>
    `${of('sidebar_id')} resumed after ${of('paused_duration')} s${after('; meanwhile: ', listOf(event['what_happened_while_paused']))}`,
  sidebar_waiting_update: (of) =>
    `${of('sidebar_id')} waits for ${of('waiting_for')}${after(', on ', of('dependency_refs'))}${after(', until ', of('deadline'))}`,
  sidebar_update: (of, event) => `${of('sidebar_id')} changed${after(': ', changesIn(of, event))}`,
  sidebar_escalate: (of) => `${of('sidebar_id')} escalated to ${of('to')}: ${of('reason')}`,
  sidebar_intervention: (of) => `${of('sidebar_id')}: you did it instead of ${of('instead_of')} (${of('what')})`,
  sidebar_test_result: (of) => `${of('sidebar_id')} tested: ${of('test_description')}: ${of('result')}`,
  sidebar_proposal: (of) => `${of('sidebar_id')} ${of('proposal_id')}: ${of('sender_agent_id')} proposes to ${of('proposal')}`,
  proposal_answer: (of) => `${of('sidebar_id')}: proposal ${of('accept') === 'true' ? 'accepted' : 'declined'}${after(': ', of('reason'))}`,
};

/** What was changed, and to what. */
const changesIn = (of: (field: string) => string, event: object): string =>
  Object.keys(event)
    .filter((key) => !HEAD.has(key))
    .map((key) => `${key.replaceAll('_', ' ')} ${of(key)}`)
    .join(', ');

const HEAD: ReadonlySet<string> = new Set(['type', 'seq', 'timestamp', 'sender_agent_id', 'context_id', 'uuid', 'refs', 'sidebar_id', 'agent_id']);
