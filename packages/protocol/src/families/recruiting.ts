import { agentIdOf, DECLINES } from '@yarnboard/domain';
import * as z from 'zod';
import { cursor, limit } from '../parameters.ts';
import { load, onboarding, recruitment, suggestion } from '../wire/recruiting.ts';
import { page } from '../wire/schemas.ts';
import { done } from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after } from './field-texts.ts';
import { command, prose, reason, sidebarId } from './parameters.ts';
import { here } from './told-values.ts';

const agentId = z.string().min(1).max(200).describe('AGENT-name, or the name');
const requestId = z.string().min(1).max(200).describe('request_id, or SB-n if you were the one asked');
const atMost = z.number().int().min(0).max(100);

/** Who is asked to take part, who waits for a seat, and what was done to make room. */
export const RECRUITING_OPERATIONS = {
  recruitments: {
    name: 'recruitments',
    method: 'GET',
    path: '/recruitments',
    who: 'anyone',
    help: 'Recruitment requests: who asked whom, queue positions, and how each request ended.',
    input: z.object({
      agent_id: agentId.optional(),
      sidebar_id: sidebarId.optional(),
      open: z.stringbool().optional().describe('true: only those that wait for an answer or a seat'),
      limit,
      cursor,
    }),
    output: page(recruitment),
    terminal: { words: ['agent', 'queue'], given: ['agent_id'] },
  },
  load: {
    name: 'load',
    method: 'GET',
    path: '/load',
    who: 'anyone',
    help: 'Who is free and who is full: instances, seats, limits and queues.',
    input: z.object({ agent_id: agentId.optional(), limit, cursor }),
    output: page(load),
    terminal: { words: ['agent', 'load'], given: ['agent_id'] },
  },
  suggestions: {
    name: 'suggestions',
    method: 'GET',
    path: '/sidebars/{sidebar_id}/suggestions',
    who: 'anyone',
    help: 'Suggests who could help in a sidebar, and which words of its task match; or who has a given capability.',
    input: z.object({ sidebar_id: sidebarId, capability: z.string().min(1).max(500).optional().describe('the skill you need') }),
    output: z.strictObject({ items: z.array(suggestion) }),
    terminal: { words: ['agent', 'suggest'], given: ['sidebar_id'] },
  },
  onboarding: {
    name: 'onboarding',
    method: 'GET',
    path: '/sidebars/{sidebar_id}/onboarding',
    who: 'member',
    help: 'What a newcomer needs: the task, inherited memory, active focus, the scratchpad, and what to do first.',
    input: z.object({ sidebar_id: sidebarId }),
    output: onboarding,
    terminal: { words: ['sidebar', 'onboarding'], given: ['sidebar_id'] },
  },
  agent_limits: {
    name: 'agent_limits',
    method: 'POST',
    path: '/agents/{agent_id}/limits',
    who: 'operator',
    help: 'Sets how many seats each instance of an agent has, and how many instances it may have.',
    input: z.object({
      ...command,
      agent_id: agentId,
      max_concurrent_per_instance: atMost.optional().describe('seats on one instance; 5 unless set'),
      max_instances: atMost.optional().describe('instances; 1 unless set'),
    }),
    output: done,
    terminal: { words: ['agent', 'limits'], given: ['agent_id'] },
    command: 'agent.limit',
    kept: { what: 'limits of an agent', text: null },
  },
  recruitment_answer: {
    name: 'recruitment_answer',
    method: 'POST',
    path: '/recruitments/{request_id}/answer',
    who: 'member',
    help: 'Accepts or declines a request to join. You can decline until you first act in the sidebar.',
    input: z.object({
      ...command,
      request_id: requestId,
      answer: z.enum(['accept', 'decline']).describe('accept or decline'),
      reason_code: z.enum(DECLINES).optional().describe('why you decline; "other" is for people'),
      note: prose.optional().describe('what else there is to say'),
    }),
    output: done,
    terminal: { words: ['agent', 'answer'], given: ['request_id', 'answer'] },
    command: 'recruitment.answer',
    kept: { what: 'an answer to a request', text: 'note' },
  },
  recruitment_withdraw: {
    name: 'recruitment_withdraw',
    method: 'POST',
    path: '/recruitments/{request_id}/withdraw',
    who: 'member',
    help: 'Withdraws a request that has not been answered.',
    input: z.object({ ...command, request_id: requestId, reason: reason.optional() }),
    output: done,
    terminal: { words: ['agent', 'withdraw'], given: ['request_id'] },
    command: 'recruitment.withdraw',
    kept: { what: 'taking a request back', text: 'reason' },
  },
} as const satisfies OperationsOf<'recruiting'>;

export const RECRUITING_CODECS: CodecsOf<typeof RECRUITING_OPERATIONS> = {
  agent_limits: (input) => ({
    agent: agentIdOf(input.agent_id),
    maxConcurrentPerInstance: input.max_concurrent_per_instance,
    maxInstances: input.max_instances,
  }),
  recruitment_answer: (input) => ({
    request: input.request_id,
    isAccepted: input.answer === 'accept',
    code: input.reason_code,
    note: input.note,
  }),
  recruitment_withdraw: (input) => ({ request: input.request_id, reason: input.reason }),
};

export const RECRUITING_EVENT_NAMES = {
  'agent.limited': ['agent_limits'],
  'recruitment.requested': ['recruitment_requested'],
  'recruitment.accepted': ['recruitment_accepted'],
  'recruitment.queued': ['recruitment_queued'],
  'queue.moved': ['agent_queue'],
  'recruitment.declined': ['recruitment_declined'],
  'recruitment.withdrawn': ['recruitment_withdrawn'],
  'agent.seated': ['recruitment_seated'],
  'agent.instance': ['agent_instance'],
  'capacity.noticed': ['capacity_notice'],
  'agent.suggested': ['agent_suggested'],
} as const satisfies NamesOf<'recruiting'>;

export const RECRUITING_TELLERS: TellersOf<typeof RECRUITING_EVENT_NAMES> = {
  'agent.limited': ({ agent, maxConcurrentPerInstance, maxInstances }) => ({
    type: 'agent_limits',
    agent_id: agent,
    max_concurrent_per_instance: maxConcurrentPerInstance,
    max_instances: maxInstances,
  }),
  'recruitment.requested': ({ agent, by, note, capability, wants, kind }, names, event) => ({
    type: 'recruitment_requested',
    request_id: event.uuid,
    agent_id: agent,
    sidebar_id: here(names, event),
    requested_by: by,
    note,
    capability,
    wants,
    kind,
  }),
  'recruitment.accepted': ({ agent, request }, names, event) => ({
    type: 'recruitment_accepted',
    request_id: request,
    agent_id: agent,
    sidebar_id: here(names, event),
  }),
  'recruitment.queued': ({ agent, request, place, urgency, alternatives, why }, names, event) => ({
    type: 'recruitment_queued',
    request_id: request,
    agent_id: agent,
    sidebar_id: here(names, event),
    queue_position: place,
    level: urgency === 'high' ? 'escalate' : 'info',
    urgency,
    alternatives,
    why,
  }),
  'queue.moved': ({ agent, places }, names) => ({
    type: 'agent_queue',
    agent_id: agent,
    places: places.map(({ request, sidebar, place }) => ({ request_id: request, sidebar_id: names.sidebar(sidebar), queue_position: place })),
  }),
  'recruitment.declined': ({ agent, request, code, note, alternatives }, names, event) => ({
    type: 'recruitment_declined',
    request_id: request,
    agent_id: agent,
    sidebar_id: here(names, event),
    reason_code: code,
    note,
    alternatives,
  }),
  'recruitment.withdrawn': ({ agent, request, how, reason: why }, names, event) => ({
    type: 'recruitment_withdrawn',
    request_id: request,
    agent_id: agent,
    sidebar_id: here(names, event),
    outcome: how,
    reason: why,
  }),
  'agent.seated': ({ agent, request }, names, event) => ({
    type: 'recruitment_seated',
    request_id: request,
    agent_id: agent,
    sidebar_id: here(names, event),
  }),
  'agent.instance': ({ agent, instance, state }, names, event) => ({
    type: 'agent_instance',
    agent_id: agent,
    instance_id: instance,
    state,
    sidebar_id: here(names, event),
  }),
  'capacity.noticed': ({ agent, request, what, paused }, names, event) => ({
    type: 'capacity_notice',
    level: 'warning',
    urgency: names.priority(event.contextId.replace('sidebar:', '')) === 'CRITICAL' ? 'high' : 'normal',
    agent_id: agent,
    request_id: request,
    sidebar_id: here(names, event),
    what,
    paused_sidebar_id: paused === null ? null : names.sidebar(paused),
  }),
  'agent.suggested': ({ suggestions }, names, event) => ({
    type: 'agent_suggested',
    sidebar_id: here(names, event),
    suggestions: suggestions.map(({ agent, words }) => ({ agent_id: agent, words })),
    agents: suggestions.map(({ agent }) => agent),
  }),
};

export const RECRUITING_SENTENCES: SentencesOf<typeof RECRUITING_EVENT_NAMES> = {
  agent_limits: (of) => `${of('agent_id')}: seats per instance ${of('max_concurrent_per_instance')}, instances ${of('max_instances')}`,
  recruitment_requested: (of) => `${of('requested_by')} asks ${of('agent_id')} to take part in ${of('sidebar_id')}${after(': ', of('note'))}`,
  recruitment_accepted: (of) => `${of('agent_id')} accepted for ${of('sidebar_id')}`,
  recruitment_queued: (of) =>
    `${of('agent_id')} is full; ${of('sidebar_id')} is number ${of('queue_position')} in its queue${after('; free instead: ', of('alternatives'))}`,
  agent_queue: (of) => `the queue of ${of('agent_id')} moved`,
  recruitment_declined: (of) =>
    `${of('agent_id')} declined for ${of('sidebar_id')} (${of('reason_code')})${after(': ', of('note'))}${after('; instead: ', of('alternatives'))}`,
  recruitment_withdrawn: (of) => `the request for ${of('agent_id')} in ${of('sidebar_id')} was ${of('outcome')}${after(': ', of('reason'))}`,
  recruitment_seated: (of) => `${of('agent_id')} has a seat in ${of('sidebar_id')} again`,
  agent_instance: (of) => `spawned ${of('instance_id')} to handle additional load`,
  capacity_notice: (of) =>
    of('what') === 'paused'
      ? `paused ${of('paused_sidebar_id')} for CRITICAL task ${of('sidebar_id')}`
      : `${of('agent_id')} at capacity, no hardware for new instance`,
  agent_suggested: (of) => `${of('agents')} might be useful in ${of('sidebar_id')}`,
};
