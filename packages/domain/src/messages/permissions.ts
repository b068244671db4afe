import * as z from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, forAgents, type WhileAway } from './definition.ts';
import { nameOf, nobody, type Telling } from './telling.ts';
import { maybe, text } from './values.ts';

/** How long an answer is valid: for this request, this seat, or every seat of the agent. */
export const PERMISSION_SCOPES = ['once', 'seat', 'agent'] as const;
export type PermissionScope = (typeof PERMISSION_SCOPES)[number];

/** What a rule covers: exactly this request, or those that differ only in their arguments, file or page. */
export const RULE_BREADTHS = ['exact', 'alike'] as const;
export type RuleBreadth = (typeof RULE_BREADTHS)[number];

export const PERMISSION_DECISIONS = ['allow', 'deny', 'withdrawn'] as const;
export const PERMISSION_MEANS = [...PERMISSION_SCOPES, 'rule', 'protected', 'late', 'gone'] as const;

const requested = {
  agent: text,
  /** The program's own name for its request. */
  key: text,
  tool: text,
  /** The input of the tool as JSON. */
  input: text,
  directory: maybe,
};
const decided = {
  agent: text,
  request: text,
  key: text,
  decision: z.enum(PERMISSION_DECISIONS),
  /** A person, and for how long; a rule; or Yarnboard: protected, unanswered, or no longer requested. */
  means: z.enum(PERMISSION_MEANS),
  message: maybe,
  rule: maybe,
  /** The changed input of the tool, as JSON. */
  input: text.optional(),
};
const ruled = { agent: text, sidebar: maybe, tool: text, pattern: text, directory: maybe };

/** Permission requests of seats, their answers, and the rules that answer automatically. */
export const PERMISSION_EVENTS = {
  'permission.requested': event(z.strictObject({ ...requested, isOpen: z.boolean() }))({
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent, tool, isOpen }, { sidebar }) => (isOpen ? toOperator('warning', `${agent} asks to use ${tool} in ${nameOf(sidebar)}`) : []),
  }),
  'permission.reminded': event(z.strictObject({ agent: text, request: text, tool: text }))({
    tells: ({ agent, tool }, { sidebar }) => toOperator('escalate', `${agent} still asks to use ${tool} in ${nameOf(sidebar)}`),
  }),
  'permission.decided': event(z.strictObject(decided))({ concerns: ({ agent }) => forAgents(agent), tells: nobody }),
  'permission.ruled': event(z.strictObject(ruled))({ tells: nobody }),
  /** A process of the seat used the operator's token. */
  'token.misused': event(z.strictObject({ agent: text }))({
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent }, { sidebar }) => toOperator('escalate', `${agent} in ${nameOf(sidebar)} tried to act with your token and was refused`, 'seat'),
  }),
  'permission.revoked': event(z.strictObject({ agent: text, rule: text }))({ tells: nobody }),
} as const;

const toOperator = (level: Telling['level'], said: string, kind: Telling['kind'] = 'permission'): readonly Telling[] => [
  { to: [OPERATOR.id], level, kind, text: said },
];

export const PERMISSION_COMMANDS = {
  /** `refusal`: why it is denied without asking anyone. */
  'permission.ask': z.strictObject({ sidebar: text, ...requested, refusal: maybe }),
  'permission.remind': z.strictObject({ request: text }),
  /** All unanswered requests of a seat: it is no longer active. */
  'permission.withdraw': z.strictObject({ sidebar: text, agent: text }),
  'permission.answer': z.strictObject({
    request: text,
    decision: z.enum(['allow', 'deny']),
    scope: z.enum(PERMISSION_SCOPES).optional(),
    breadth: z.enum(RULE_BREADTHS).optional(),
    message: text.optional(),
    /** JSON; only with `allow`, and only once. */
    input: text.optional(),
  }),
  'permission.rule': z.strictObject({
    agent: text,
    sidebar: text.optional(),
    tool: text,
    pattern: text,
    directory: text.optional(),
  }),
  'permission.revoke': z.strictObject({ rule: text }),
  'token.misuse': z.strictObject({ sidebar: text, agent: text }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const PERMISSION_WHILE_AWAY = {
  'permission.ask': 'queued',
  'permission.remind': 'blocked',
  'permission.withdraw': 'queued',
  'permission.answer': 'queued',
  'permission.rule': 'blocked',
  'permission.revoke': 'queued',
  'token.misuse': 'queued',
} as const satisfies Readonly<Record<keyof typeof PERMISSION_COMMANDS, WhileAway>>;
