import { z } from 'zod';
import { event, forAgents } from './definition.ts';
import { maybe, presence, text, texts } from './values.ts';

/** SEC-15: that there is a token is told, and nothing by which it could be recognised. */
export const UNTOLD_HASH = '';

const kind = z.enum(['agent', 'human']);

/** Who has a token, who is there, who takes part. */
export const AGENT_EVENTS = {
  'agent.registered': event(
    z.strictObject({
      agent: text,
      kind,
      specialties: texts,
      preferredCollaborators: texts,
      /** SHA-256 of its token, in hexadecimal; the token itself is kept nowhere. */
      tokenHash: text,
    }),
  )({
    told: (payload) => ({ ...payload, tokenHash: UNTOLD_HASH }),
  }),
  'agent.changed': event(
    z.strictObject({
      agent: text,
      specialties: texts.exactOptional(),
      preferredCollaborators: texts.exactOptional(),
      tokenHash: text.exactOptional(),
    }),
  )({
    told: (payload) => (payload.tokenHash === undefined ? payload : { ...payload, tokenHash: UNTOLD_HASH }),
  }),
  'agent.retired': event(z.strictObject({ agent: text, reason: maybe }))(),
  'agent.presence': event(z.strictObject({ agent: text, status: presence, currentContext: maybe }))(),
  'agent.joined': event(z.strictObject({ agent: text, recruitedBy: text }))({ concerns: ({ agent }) => forAgents(agent) }),
  'agent.left': event(z.strictObject({ agent: text, reason: maybe }))({ concerns: ({ agent }) => forAgents(agent) }),
  'inbox.read': event(z.strictObject({ agent: text, upTo: z.number() }))(),
} as const;

export const AGENT_COMMANDS = {
  'agent.register': z.strictObject({ agent: text, kind, specialties: texts, preferredCollaborators: texts, tokenHash: text }),
  'agent.change': z.strictObject({
    agent: text,
    specialties: texts.optional(),
    preferredCollaborators: texts.optional(),
    tokenHash: text.optional(),
  }),
  'agent.retire': z.strictObject({ agent: text, reason: text.optional() }),
  'agent.presence': z.strictObject({ agent: text, status: presence, currentContext: text.optional() }),
  'agent.recruit': z.strictObject({ sidebar: text, agent: text }),
  'agent.leave': z.strictObject({ sidebar: text, agent: text, reason: text.optional() }),
  'inbox.read': z.strictObject({ upTo: z.number() }),
} as const;
