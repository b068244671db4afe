import { ACCEPTS, agentIdOf, PRESENCES } from '@yarnboard/domain';
import * as z from 'zod';
import { cursor, limit } from '../parameters.ts';
import { page } from '../wire/schemas.ts';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after } from './field-texts.ts';
import { claimedName, command, names, prose, reason, refs, sidebarId, word } from './parameters.ts';
import { here } from './told-values.ts';

const agentId = z.string().min(1).max(200).describe('AGENT-name, or the name');
const withToken = wire.done.extend({ agent_id: z.string(), token: z.string().describe('shown once; only its hash is kept') });

/** Who takes part: agents, other people, and what waits for them. */
export const AGENT_OPERATIONS = {
  agents: {
    name: 'agents',
    method: 'GET',
    path: '/agents',
    who: 'anyone',
    help: 'Everyone with a token: their skills, whether they are online, and what they are working on.',
    input: z.object({ limit, cursor }),
    output: page(wire.agent),
    terminal: { words: ['agent', 'list'], given: [] },
  },
  agent: {
    name: 'agent',
    method: 'GET',
    path: '/agents/{agent_id}',
    who: 'anyone',
    help: 'One agent.',
    input: z.object({ agent_id: agentId }),
    output: wire.agent,
    terminal: { words: ['agent', 'show'], given: ['agent_id'] },
  },
  inbox: {
    name: 'inbox',
    method: 'GET',
    path: '/inbox',
    who: 'member',
    help: 'What needs you: mentions, findings to review, merges to check or approve, memory to score, conflicts.',
    input: z.object({}),
    output: wire.inbox,
    terminal: { words: ['agent', 'inbox'], given: [] },
  },
  inbox_ack: {
    name: 'inbox_ack',
    method: 'POST',
    path: '/inbox',
    who: 'member',
    help: 'Marks your notices as read up to a seq.',
    input: z.object({ ...command, seq: z.number().int().min(0).describe('seq of the inbox you have read') }),
    output: wire.done,
    terminal: { words: ['agent', 'read'], given: ['seq'] },
    command: 'inbox.read',
    kept: { what: 'marking notices as read', text: null },
  },
  agent_register: {
    name: 'agent_register',
    method: 'POST',
    path: '/agents',
    who: 'operator',
    help: 'Gives an agent, or another person, a name and a token.',
    input: z.object({
      ...command,
      agent_id: agentId,
      kind: z.enum(['agent', 'human']).default('agent').describe('a program, or a person'),
      specialties: z.array(word).max(100).default([]).describe('what it is good at'),
      preferred_collaborators: names.default([]).describe('agents it works well with: AGENT-name'),
    }),
    output: withToken,
    terminal: { words: ['agent', 'add'], given: ['agent_id'] },
    isShownWhole: true,
    command: 'agent.register',
    lost: 'it answers with a token shown only once, in a form that no longer exists',
  },
  agent_token: {
    name: 'agent_token',
    method: 'POST',
    path: '/agents/{agent_id}/token',
    who: 'operator',
    help: 'Gives an agent a new token; the old one stops working.',
    input: z.object({ ...command, agent_id: agentId }),
    output: withToken,
    terminal: { words: ['agent', 'token'], given: ['agent_id'] },
    isShownWhole: true,
    command: 'agent.change',
    lost: 'it answers with a token shown only once, in a form that no longer exists',
  },
  agent_update: {
    name: 'agent_update',
    method: 'POST',
    path: '/agents/{agent_id}/update',
    who: 'member',
    help: 'Sets an agent’s skills and preferred collaborators.',
    input: z.object({
      ...command,
      agent_id: agentId,
      specialties: z.array(word).max(100).optional().describe('what it is good at'),
      preferred_collaborators: names.optional().describe('agents it works well with: AGENT-name'),
      accepts: z.enum(ACCEPTS).optional().describe('auto: joins at once when recruited; ask: is asked first'),
    }),
    output: wire.done,
    terminal: { words: ['agent', 'update'], given: ['agent_id'] },
    command: 'agent.change',
    kept: { what: 'an edit of an agent', text: null },
  },
  agent_retire: {
    name: 'agent_retire',
    method: 'POST',
    path: '/agents/{agent_id}/retire',
    who: 'operator',
    help: 'Revokes an agent’s token; its work stays.',
    input: z.object({ ...command, agent_id: agentId, reason: reason.optional() }),
    output: wire.done,
    terminal: { words: ['agent', 'retire'], given: ['agent_id'] },
    command: 'agent.retire',
    lost: 'it locks someone out, so whoever asked should see it happen',
  },
  agent_presence: {
    name: 'agent_presence',
    method: 'POST',
    path: '/presence',
    who: 'member',
    help: 'Sets whether you are available, busy or offline, and what you are working on.',
    input: z.object({
      ...command,
      status: z.enum(PRESENCES).describe('whether you can be asked'),
      current_context: word.optional().describe('what you work on'),
    }),
    output: wire.done,
    terminal: { words: ['agent', 'presence'], given: ['status'] },
    claims: z.object({ agent_id: claimedName, active_sidebars: refs.nullish() }),
    command: 'agent.presence',
    lost: 'it describes this moment, which has passed after a reload',
  },
  agent_recruited: {
    name: 'agent_recruited',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/participants',
    who: 'member',
    help: 'Recruits an agent into a sidebar by name or skill. With neither, you join yourself, or ask to join if the sidebar is not open.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      agent_id: agentId.optional(),
      capability: z.string().min(1).max(500).optional().describe('the skill you need, instead of agent_id'),
      reason: prose.optional().describe('for the coordinator, who may have to answer'),
      note: prose.optional().describe('for the one who is asked'),
      dry_run: z.boolean().optional().describe('only show what would happen'),
      queue: z.boolean().optional().describe('false: give up instead of waiting for a seat'),
    }),
    output: wire.done,
    terminal: {
      words: ['sidebar', 'join'],
      given: ['sidebar_id', 'agent_id'],
      also: [
        { words: ['sidebar', 'recruit'], given: ['sidebar_id', 'agent_id'] },
        { words: ['agent', 'recruit'], given: ['agent_id', 'sidebar_id'] },
      ],
    },
    claims: z.object({ recruited_by: claimedName }),
    command: 'agent.recruit',
    kept: { what: 'an invitation', text: null },
  },
  agent_left: {
    name: 'agent_left',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/leave',
    who: 'member',
    help: 'Leaves a sidebar. The coordinator can also remove others.',
    input: z.object({ ...command, sidebar_id: sidebarId, agent_id: agentId.optional(), reason: reason.optional() }),
    output: wire.done,
    terminal: { words: ['sidebar', 'leave'], given: ['sidebar_id'] },
    command: 'agent.leave',
    kept: { what: 'removing a participant', text: 'reason' },
  },
} as const satisfies OperationsOf<'agents'>;

export const AGENT_CODECS: CodecsOf<typeof AGENT_OPERATIONS> = {
  inbox_ack: (input) => ({ upTo: input.seq }),
  agent_register: (input, given) => ({
    agent: agentIdOf(input.agent_id),
    kind: input.kind,
    specialties: input.specialties,
    preferredCollaborators: input.preferred_collaborators,
    tokenHash: given.newTokenHash(),
  }),
  agent_token: (input, given) => ({ agent: agentIdOf(input.agent_id), tokenHash: given.newTokenHash() }),
  agent_update: (input) => ({
    agent: input.agent_id,
    specialties: input.specialties,
    preferredCollaborators: input.preferred_collaborators,
    accepts: input.accepts,
  }),
  agent_retire: (input) => ({ agent: input.agent_id, reason: input.reason }),
  agent_presence: (input, given) => ({ agent: given.actor, status: input.status, currentContext: input.current_context }),
  agent_recruited: (input, given) => ({
    sidebar: input.sidebar_id,
    agent: input.agent_id === undefined ? (input.capability === undefined ? given.actor : undefined) : agentIdOf(input.agent_id),
    capability: input.capability,
    reason: input.note ?? input.reason,
    queue: input.queue,
  }),
  agent_left: (input, given) => ({
    sidebar: input.sidebar_id,
    agent: input.agent_id === undefined ? given.actor : agentIdOf(input.agent_id),
    reason: input.reason,
  }),
};

export const AGENT_EVENT_NAMES = {
  'agent.registered': ['agent_register'],
  'agent.changed': ['agent_update', 'agent_token'],
  'agent.retired': ['agent_retire'],
  'agent.presence': ['agent_presence'],
  'agent.crashed': ['agent_crashed'],
  'agent.returned': ['agent_returned'],
  'agent.joined': ['agent_recruited'],
  'agent.left': ['agent_left'],
  'inbox.read': ['inbox_ack'],
} as const satisfies NamesOf<'agents'>;

export const AGENT_TELLERS: TellersOf<typeof AGENT_EVENT_NAMES> = {
  'agent.registered': ({ agent, kind, specialties, preferredCollaborators }) => ({
    type: 'agent_register',
    agent_id: agent,
    kind,
    specialties,
    preferred_collaborators: preferredCollaborators,
  }),
  'agent.changed': ({ agent, specialties, preferredCollaborators, tokenHash, accepts }) => ({
    type: tokenHash === undefined ? 'agent_update' : 'agent_token',
    agent_id: agent,
    ...(specialties === undefined ? {} : { specialties }),
    ...(preferredCollaborators === undefined ? {} : { preferred_collaborators: preferredCollaborators }),
    ...(accepts === undefined ? {} : { accepts }),
  }),
  'agent.retired': ({ agent, reason }) => ({ type: 'agent_retire', agent_id: agent, reason }),
  'agent.crashed': ({ agent, since, sidebars, lastWords }) => ({
    type: 'agent_crashed',
    agent_id: agent,
    since: new Date(since).toISOString(),
    sidebars: sidebars.map(({ sidebar, owner, refs, coordinates, curates }) => ({
      sidebar_id: sidebar,
      owner,
      pending_findings: refs,
      was_coordinator: coordinates,
      was_curator: curates,
    })),
    last_words: lastWords,
  }),
  'agent.returned': ({ agent, sidebars }, names) => ({
    type: 'agent_returned',
    agent_id: agent,
    sidebars: sidebars.map(({ sidebarId, findings, coordinates, curates }) => ({
      sidebar_id: names.sidebar(sidebarId),
      findings_returned: findings.length,
      is_coordinator: coordinates,
      is_curator: curates,
    })),
  }),
  'agent.presence': ({ agent, status, currentContext }, names) => ({
    type: 'agent_presence',
    agent_id: agent,
    status,
    current_context: currentContext,
    active_sidebars: names.activeSidebars(agent),
  }),
  'agent.joined': ({ agent, recruitedBy }, names, event) => ({
    type: 'agent_recruited',
    agent_id: agent,
    sidebar_id: here(names, event),
    recruited_by: recruitedBy,
  }),
  'agent.left': ({ agent, reason }, names, event) => ({ type: 'agent_left', agent_id: agent, sidebar_id: here(names, event), reason }),
  'inbox.read': ({ agent, upTo }) => ({ type: 'inbox_ack', agent_id: agent, up_to: upTo }),
};

export const AGENT_SENTENCES: SentencesOf<typeof AGENT_EVENT_NAMES> = {
  agent_register: (of) => `${of('agent_id')} registered${after('; good at ', of('specialties'))}`,
  agent_update: (of) =>
    `${of('agent_id')} changed${after('; good at ', of('specialties'))}${after('; works well with ', of('preferred_collaborators'))}`,
  agent_token: (of) => `${of('agent_id')} has a new token; the old one no longer works`,
  agent_retire: (of) => `${of('agent_id')} retired${after(': ', of('reason'))}`,
  agent_crashed: (of) => `${of('agent_id')} disappeared without a word${of('last_words') === '' ? '' : `; its last words are ${of('last_words')}`}`,
  agent_returned: (of) => `${of('agent_id')} is back`,
  agent_presence: (of) => `${of('agent_id')} is ${of('status')}${after(', working on ', of('current_context'))}`,
  agent_recruited: (of) => `${of('agent_id')} joined ${of('sidebar_id')}`,
  agent_left: (of) => `${of('agent_id')} left ${of('sidebar_id')}${after(': ', of('reason'))}`,
  inbox_ack: (of) => (of('up_to') === '0' ? `${of('agent_id')} had nothing to read` : `${of('agent_id')} has read everything up to ${of('up_to')}`),
};
