import * as z from 'zod';
import { event, FORGOTTEN, forAgents, type WhileAway } from './definition.ts';
import { nameOf, nobody } from './telling.ts';
import { maybe, priority, text, texts } from './values.ts';

/** What is said in a sidebar, to whom, and how much of its inheritance matters. */
export const TALK_EVENTS = {
  'chat.message': event(
    z.strictObject({
      content: text,
      role: z.enum(['user', 'assistant', 'system']),
      citations: texts,
      media: texts,
      confidence: z.number().nullable(),
      inReplyTo: maybe,
      /** The exchange it belongs to; null if it begins one. */
      exchange: maybe,
    }),
  )({
    tells: nobody,
    numbers: ({ exchange }) => (exchange === null ? ['MSG', 'EXCH'] : ['MSG']),
    words: ['content'],
    remains: ({ by, citationsUsed, mediaAttached, senderConfidence, parentMsgId }) => ({
      content: FORGOTTEN,
      role: by.type === 'human' ? 'user' : by.type === 'agent' ? 'assistant' : 'system',
      citations: citationsUsed,
      media: mediaAttached,
      confidence: senderConfidence,
      inReplyTo: parentMsgId,
      exchange: parentMsgId,
    }),
    filing: ({ content, citations, media, inReplyTo, confidence }) => ({
      contentType: 'text',
      said: content,
      citations,
      media,
      inReplyTo,
      confidence,
    }),
  }),
  'mention.routed': event(
    z.strictObject({
      targets: texts,
      message: text,
      contextRefs: texts,
      priority,
      /** The id of the entry that mentions them. */
      about: maybe,
    }),
  )({
    concerns: ({ targets }) => forAgents(...targets),
    // To answer, the recipient needs the message itself, not only its place.
    tells: ({ targets, message, contextRefs, priority: urgency, about }, { sidebar }) => [
      {
        to: targets,
        level: urgency === 'CRITICAL' || urgency === 'HIGH' ? 'warning' : 'info',
        kind: 'mention',
        text: message,
        refs: [...(about !== null && sidebar?.latest?.id === about && sidebar.latest.ref !== '' ? [sidebar.latest.ref] : []), ...contextRefs],
      },
    ],
  }),
  'relevance.scored': event(z.strictObject({ scores: z.record(z.string(), z.number()) }))({ tells: nobody }),
  'relevance.disputed': event(z.strictObject({ exchange: text, agents: texts }))({
    tells: ({ exchange, agents }, { sidebar }) => [
      {
        to: agents,
        level: 'warning',
        kind: 'dispute',
        text: `you disagree about how much ${exchange} matters in ${nameOf(sidebar)}; please discuss it there`,
        refs: [exchange, nameOf(sidebar)],
      },
    ],
  }),
  'focus.changed': event(z.strictObject({ add: texts, remove: texts }))({ tells: nobody }),
} as const;

export const TALK_COMMANDS = {
  'chat.say': z.strictObject({
    sidebar: text,
    content: text,
    citations: texts.optional(),
    media: texts.optional(),
    confidence: z.number().optional(),
    inReplyTo: text.optional(),
  }),
  'mention.route': z.strictObject({
    sidebar: text.optional(),
    targets: texts,
    message: text,
    contextRefs: texts.optional(),
    priority: priority.optional(),
  }),
  'relevance.score': z.strictObject({ sidebar: text, scores: z.record(z.string(), z.number()) }),
  'focus.change': z.strictObject({ sidebar: text, add: texts.optional(), remove: texts.optional() }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const TALK_WHILE_AWAY = {
  'chat.say': 'queued',
  'mention.route': 'queued',
  'relevance.score': 'queued',
  'focus.change': 'queued',
} as const satisfies Readonly<Record<keyof typeof TALK_COMMANDS, WhileAway>>;
