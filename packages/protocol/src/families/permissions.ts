import { agentIdOf, PERMISSION_SCOPES, RULE_BREADTHS } from '@yarnboard/domain';
import * as z from 'zod';
import { permissions } from '../wire/permissions.ts';
import { done } from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after } from './field-texts.ts';
import { command, prose, sidebarId, word } from './parameters.ts';
import { here } from './told-values.ts';

const agentId = z.string().min(1).max(200).describe('AGENT-name, or the name');
const id = z.string().min(1).max(200);

/** Permission requests of seats, and the rules that answer them automatically. */
export const PERMISSION_OPERATIONS = {
  permissions: {
    name: 'permissions',
    method: 'GET',
    path: '/permissions',
    who: 'anyone',
    help: 'Open permission requests, recent answers, and the rules that allow tools without asking.',
    input: z.object({ agent_id: agentId.optional(), sidebar_id: sidebarId.optional() }),
    output: permissions,
    terminal: { words: ['agent', 'permissions'], given: ['agent_id'], isForServer: true },
  },
  permission_answer: {
    name: 'permission_answer',
    method: 'POST',
    path: '/permissions/{request_id}/answer',
    who: 'operator',
    help: 'Answers a permission request: once, or with a rule for this seat or this agent. The first answer counts.',
    input: z.object({
      ...command,
      request_id: id.describe('which request; the list of permissions has them'),
      decision: z.enum(['allow', 'deny']).describe('your answer'),
      scope: z.enum(PERMISSION_SCOPES).optional().describe('once, or always: for this seat, or for this agent'),
      breadth: z.enum(RULE_BREADTHS).optional().describe('with seat or agent: exactly this, or anything like it'),
      message: prose.optional().describe('with deny: the agent reads it'),
      updated_input: z.record(z.string(), z.unknown()).optional().describe('with allow, once: what the tool is used with instead'),
    }),
    output: done,
    terminal: { words: ['agent', 'permit'], given: ['request_id', 'decision'], isForServer: true },
    command: 'permission.answer',
    lost: 'it answers a question of now, and the seat may ask another one by then',
  },
  permission_rule: {
    name: 'permission_rule',
    method: 'POST',
    path: '/permissions/rules',
    who: 'operator',
    help: 'Lets an agent use a tool without asking, within a pattern and a directory.',
    input: z.object({
      ...command,
      agent_id: agentId,
      sidebar_id: sidebarId.optional(),
      tool: word.describe('the name of the tool'),
      pattern: z
        .string()
        .min(1)
        .max(2000)
        .describe('a command, a file or an address; "git status *", "/src/**" or "https://host/*" match everything that starts that way'),
      directory: z.string().min(1).max(4096).optional().describe('only there and below'),
    }),
    output: done,
    terminal: { words: ['agent', 'allow'], given: ['agent_id', 'tool', 'pattern'] },
    command: 'permission.rule',
    lost: 'it decides what runs without asking: who asked for that should see it done',
  },
  permission_revoke: {
    name: 'permission_revoke',
    method: 'POST',
    path: '/permissions/rules/{rule_id}/revoke',
    who: 'operator',
    help: 'Revokes a permission rule; from then on the agent asks again.',
    input: z.object({ ...command, rule_id: id.describe('which rule; the list of permissions has them') }),
    output: done,
    terminal: { words: ['agent', 'revoke'], given: ['rule_id'] },
    command: 'permission.revoke',
    lost: 'who takes a permission back should see it done',
  },
} as const satisfies OperationsOf<'permissions'>;

export const PERMISSION_CODECS: CodecsOf<typeof PERMISSION_OPERATIONS> = {
  permission_answer: ({ request_id: request, decision, scope, breadth, message, updated_input: input }, given) => ({
    request,
    decision,
    scope,
    breadth,
    message,
    ...(input === undefined ? {} : { input: given.changedInput(request, input) }),
  }),
  permission_rule: (input) => ({
    agent: agentIdOf(input.agent_id),
    sidebar: input.sidebar_id,
    tool: input.tool,
    pattern: input.pattern,
    directory: input.directory,
  }),
  permission_revoke: (input) => ({ rule: input.rule_id }),
};

export const PERMISSION_EVENT_NAMES = {
  'permission.requested': ['permission_asked'],
  'permission.reminded': ['permission_reminded'],
  'permission.decided': ['permission_answered'],
  'permission.ruled': ['permission_rule'],
  'permission.revoked': ['permission_revoke'],
  'token.misused': ['token_misused'],
} as const satisfies NamesOf<'permissions'>;

export const PERMISSION_TELLERS: TellersOf<typeof PERMISSION_EVENT_NAMES> = {
  'permission.requested': ({ agent, tool, input, directory, isOpen }, names, event) => ({
    type: 'permission_asked',
    request_id: event.uuid,
    agent_id: agent,
    sidebar_id: here(names, event),
    tool,
    input,
    directory,
    is_open: isOpen,
  }),
  'permission.reminded': ({ agent, request, tool }, names, event) => ({
    type: 'permission_reminded',
    request_id: request,
    agent_id: agent,
    sidebar_id: here(names, event),
    tool,
  }),
  'permission.decided': ({ agent, request, decision, means, message, rule, input }, names, event) => ({
    type: 'permission_answered',
    request_id: request,
    agent_id: agent,
    sidebar_id: here(names, event),
    decision,
    means,
    message,
    rule_id: rule,
    ...(input === undefined ? {} : { updated_input: input }),
  }),
  'permission.ruled': ({ agent, sidebar, tool, pattern, directory }, names, event) => ({
    type: 'permission_rule',
    rule_id: event.uuid,
    agent_id: agent,
    sidebar_id: sidebar === null ? null : names.sidebar(sidebar),
    tool,
    pattern,
    directory,
  }),
  'token.misused': ({ agent }, names, event) => ({ type: 'token_misused', agent_id: agent, sidebar_id: here(names, event) }),
  'permission.revoked': ({ agent, rule }) => ({ type: 'permission_revoke', agent_id: agent, rule_id: rule }),
};

export const PERMISSION_SENTENCES: SentencesOf<typeof PERMISSION_EVENT_NAMES> = {
  permission_asked: (of) => `${of('agent_id')} asks to use ${of('tool')} in ${of('sidebar_id')}`,
  permission_reminded: (of) => `${of('agent_id')} still asks to use ${of('tool')} in ${of('sidebar_id')}`,
  permission_answered: (of) =>
    `${of('agent_id')} in ${of('sidebar_id')}: ${of('decision')}${of('means') === 'rule' ? ' by a rule' : ''}${of('updated_input') === '' ? '' : ' with changes'}${after(', ', of('message'))}`,
  permission_rule: (of) => `${of('agent_id')} may use ${of('tool')} for ${of('pattern')}${after(' in ', of('sidebar_id'))} without asking`,
  token_misused: (of) => `${of('agent_id')} in ${of('sidebar_id')} tried to act with the operator’s token and was refused`,
  permission_revoke: (of) => `a permission rule of ${of('agent_id')} was revoked`,
};
