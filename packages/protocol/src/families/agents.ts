import { PRESENCES } from '@yarnboard/domain';
import { z } from 'zod';
import { page } from '../wire/schemas.ts';
import * as wire from '../wire/sidebars.ts';
import { command, names, prose, sidebarId, word } from './parameters.ts';
import type { Operation } from '../operation.ts';
import { cursor, limit } from '../parameters.ts';

const agentId = z.string().min(1).max(200).describe('AGENT-name, or the name');
const withToken = wire.done.extend({ agent_id: z.string(), token: z.string().describe('shown once; only its hash is kept') });

/** Who takes part: agents, other people, and what waits for them. */
export const AGENT_OPERATIONS = {
  agents: {
    name: 'agents',
    method: 'GET',
    path: '/agents',
    who: 'anyone',
    help: 'Everybody with a token: what they are good at, whether they are there, what they work on.',
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
    help: 'What waits for you: mentions, findings to validate, merges to check or approve, memory to score, conflicts.',
    input: z.object({}),
    output: wire.inbox,
    terminal: { words: ['agent', 'inbox'], given: [] },
  },
  inbox_ack: {
    name: 'inbox_ack',
    method: 'POST',
    path: '/inbox',
    who: 'member',
    help: 'Says that you have read your notices up to a seq.',
    input: z.object({ ...command, seq: z.number().int().min(0) }),
    output: wire.done,
    terminal: { words: ['agent', 'read'], given: ['seq'] },
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
      kind: z.enum(['agent', 'human']).default('agent'),
      specialties: z.array(word).max(100).default([]),
      preferred_collaborators: names.default([]),
    }),
    output: withToken,
    terminal: { words: ['agent', 'add'], given: ['agent_id'] },
    isShownWhole: true,
  },
  agent_token: {
    name: 'agent_token',
    method: 'POST',
    path: '/agents/{agent_id}/token',
    who: 'operator',
    help: 'Gives an agent a new token; the old one is worth nothing any more.',
    input: z.object({ ...command, agent_id: agentId }),
    output: withToken,
    terminal: { words: ['agent', 'token'], given: ['agent_id'] },
    isShownWhole: true,
  },
  agent_update: {
    name: 'agent_update',
    method: 'POST',
    path: '/agents/{agent_id}/update',
    who: 'member',
    help: 'Says what an agent is good at, and with whom it works well.',
    input: z.object({
      ...command,
      agent_id: agentId,
      specialties: z.array(word).max(100).optional(),
      preferred_collaborators: names.optional(),
    }),
    output: wire.done,
    terminal: { words: ['agent', 'update'], given: ['agent_id'] },
  },
  agent_retire: {
    name: 'agent_retire',
    method: 'POST',
    path: '/agents/{agent_id}/retire',
    who: 'operator',
    help: 'Takes an agent’s token away; what it did stays.',
    input: z.object({ ...command, agent_id: agentId, reason: prose.optional() }),
    output: wire.done,
    terminal: { words: ['agent', 'retire'], given: ['agent_id'] },
  },
  agent_presence: {
    name: 'agent_presence',
    method: 'POST',
    path: '/presence',
    who: 'member',
    help: 'Says whether you are available, busy or offline, and what you work on.',
    input: z.object({ ...command, status: z.enum(PRESENCES), current_context: word.optional() }),
    output: wire.done,
    terminal: { words: ['agent', 'presence'], given: ['status'] },
  },
  agent_recruited: {
    name: 'agent_recruited',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/participants',
    who: 'member',
    help: 'Brings somebody into a sidebar; without agent_id you join yourself.',
    input: z.object({ ...command, sidebar_id: sidebarId, agent_id: agentId.optional() }),
    output: wire.done,
    terminal: { words: ['sidebar', 'join'], given: ['sidebar_id', 'agent_id'] },
  },
  agent_left: {
    name: 'agent_left',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/leave',
    who: 'member',
    help: 'Leaves a sidebar; the coordinator may send others away.',
    input: z.object({ ...command, sidebar_id: sidebarId, agent_id: agentId.optional(), reason: prose.optional() }),
    output: wire.done,
    terminal: { words: ['sidebar', 'leave'], given: ['sidebar_id'] },
  },
} as const satisfies Record<string, Operation>;
