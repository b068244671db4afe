import { z } from 'zod';
import { event, FORGOTTEN, forAgents } from './definition.ts';
import { maybe, priority, text, texts } from './values.ts';

/** What is said in a sidebar, to whom, and how much of what it inherited matters. */
export const TALK_EVENTS = {
  'chat.message': event(
    z.strictObject({
      content: text,
      role: z.enum(['user', 'assistant', 'system']),
      citations: texts,
      media: texts,
      confidence: z.number().nullable(),
      inReplyTo: maybe,
      /** The exchange it belongs to; null when it begins one. */
      exchange: maybe,
    }),
  )({
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
  }),
  'relevance.scored': event(z.strictObject({ scores: z.record(z.string(), z.number()) }))(),
  'relevance.disputed': event(z.strictObject({ exchange: text, agents: texts }))(),
  'focus.changed': event(z.strictObject({ add: texts, remove: texts }))(),
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
