import { RELEVANCES, sidebarIdOfContext } from '@yarnboard/domain';
import * as z from 'zod';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after, textOf } from './field-texts.ts';
import { circumstances, command, names, priority, prose, ref, refs, sidebarId, upper } from './parameters.ts';
import { here } from './told-values.ts';

/** What is said in a sidebar, to whom, and how much of its inheritance matters. */
export const TALK_OPERATIONS = {
  chat_message: {
    name: 'chat_message',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/messages',
    who: 'member',
    help: 'Says something in a sidebar. @name notifies that agent; references such as MSG-12 become citations.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      content: prose.describe('what to say'),
      citations: refs.optional().describe('what it cites: MSG-n, CITE-n, GOLD-n …'),
      media: refs.optional().describe('MEDIA-n'),
      confidence_score: z.number().min(0).max(1).optional().describe('how sure you are, from 0 to 1'),
      in_reply_to: ref.optional().describe('the message it answers: MSG-n'),
      flagged_uncertain: circumstances.shape.flagged_uncertain,
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'say'], given: ['sidebar_id', 'content'] },
    claims: z.object({ role: z.enum(['user', 'assistant', 'system']).nullish() }),
    command: 'chat.say',
    kept: { what: 'a message', text: 'content' },
  },
  mention_route: {
    name: 'mention_route',
    method: 'POST',
    path: '/mentions',
    who: 'member',
    help: 'Sends a message to someone’s inbox.',
    input: z.object({
      ...command,
      target_agents: names.min(1).describe('whom to tell: AGENT-name'),
      message: prose.describe('what to tell them'),
      sidebar_id: sidebarId.optional(),
      context_refs: refs.optional().describe('what it is about: MSG-n, SB-n …'),
      priority: priority.optional().describe('how urgent it is'),
    }),
    output: wire.done,
    terminal: { words: ['agent', 'mention'], given: ['target_agents', 'message'] },
    command: 'mention.route',
    kept: { what: 'a mention', text: 'message' },
  },
  relevance_score: {
    name: 'relevance_score',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/relevance',
    who: 'member',
    help: 'Scores how relevant inherited exchanges are to the task: 0 to 1, or HIGH, MEDIUM, LOW, by EXCH-n.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      scores: z
        .record(z.string().min(1).max(100), z.union([z.number().min(0).max(1), upper(['HIGH', 'MEDIUM', 'LOW'])]))
        .describe('by EXCH-n: from 0 to 1, or HIGH, MEDIUM, LOW'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'score'], given: ['sidebar_id', 'scores'] },
    command: 'relevance.score',
    kept: { what: 'your relevance ratings', text: null },
  },
  focus_set: {
    name: 'focus_set',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/focus',
    who: 'member',
    help: 'Adds inherited exchanges to the active focus or removes them, regardless of their scores.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      add: refs.optional().describe('EXCH-n to put in'),
      remove: refs.optional().describe('EXCH-n to take out'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'focus'], given: ['sidebar_id'] },
    command: 'focus.change',
    kept: { what: 'a focus change', text: null },
  },
} as const satisfies OperationsOf<'talk'>;

export const TALK_CODECS: CodecsOf<typeof TALK_OPERATIONS> = {
  chat_message: (input) => ({
    sidebar: input.sidebar_id,
    content: input.content,
    citations: input.citations,
    media: input.media,
    confidence: input.confidence_score,
    inReplyTo: input.in_reply_to,
  }),
  mention_route: (input) => ({
    sidebar: input.sidebar_id,
    targets: input.target_agents,
    message: input.message,
    contextRefs: input.context_refs,
    priority: input.priority,
  }),
  relevance_score: (input) => ({ sidebar: input.sidebar_id, scores: scoresOf(input.scores) }),
  focus_set: (input) => ({ sidebar: input.sidebar_id, add: uppercase(input.add), remove: uppercase(input.remove) }),
};

export const TALK_EVENT_NAMES = {
  'chat.message': ['chat_message'],
  'mention.routed': ['mention_route'],
  'relevance.scored': ['relevance_score'],
  'relevance.disputed': ['relevance_dispute'],
  'focus.changed': ['focus_set'],
} as const satisfies NamesOf<'talk'>;

export const TALK_TELLERS: TellersOf<typeof TALK_EVENT_NAMES> = {
  'chat.message': ({ content, role, citations, media, confidence, inReplyTo }, names, event) => ({
    type: 'chat_message',
    sidebar_id: here(names, event),
    role,
    content,
    citations,
    media,
    confidence_score: confidence,
    in_reply_to: inReplyTo,
    ...storedIn(event.refs, here(names, event), names.priority(sidebarIdOfContext(event.contextId) ?? '')),
  }),
  'mention.routed': ({ targets, message, contextRefs, priority, about }) => ({
    type: 'mention_route',
    target_agents: targets,
    message,
    context_refs: contextRefs,
    priority,
    about,
  }),
  'relevance.scored': ({ scores }, names, event) => ({ type: 'relevance_score', sidebar_id: here(names, event), scores }),
  'relevance.disputed': ({ exchange, agents }, names, event) => ({
    type: 'relevance_dispute',
    sidebar_id: here(names, event),
    exchange_id: exchange,
    agents,
  }),
  'focus.changed': ({ add, remove }, names, event) => ({ type: 'focus_set', sidebar_id: here(names, event), add, remove }),
};

export const TALK_SENTENCES: SentencesOf<typeof TALK_EVENT_NAMES> = {
  chat_message: (of, event) => `${messageRef(event['refs'])}${of('sender_agent_id')}: ${of('content')}`,
  mention_route: (of) => `told ${of('target_agents')}: ${of('message')}`,
  relevance_score: (of) => `${of('sidebar_id')} scored: ${of('scores')}`,
  relevance_dispute: (of) => `${of('sidebar_id')}: ${of('agents')} disagree about ${of('exchange_id')}`,
  focus_set: (of) => `${of('sidebar_id')} focus${after(' +', of('add'))}${after(' −', of('remove'))}`,
};

/**
 * MEM-14: the first message of an exchange stores the exchange in the sidebar's memory. It is sent within the message: an entry is one frame, and a
 * client cut off between two would miss one. The words of the exchange are the message's own.
 */
const storedIn = (made: readonly string[], context: string, priority: string): object => {
  const exchange = made.find((one) => one.startsWith('EXCH-'));
  return exchange === undefined ? {} : { memory_update: { exchange: { exchange_id: exchange }, context_id: context, priority } };
};

const scoresOf = (scores: Readonly<Record<string, number | keyof typeof RELEVANCES>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(scores).map(([exchange, score]) => [exchange.toUpperCase(), typeof score === 'number' ? score : RELEVANCES[score]]),
  );

const uppercase = (given: readonly string[] | undefined): readonly string[] | undefined => given?.map((one) => one.toUpperCase());

/** "MSG-3 ", if it has a number. */
const messageRef = (told: unknown): string => {
  const ref = Array.isArray(told) ? told.find((one) => typeof one === 'string' && one.startsWith('MSG-')) : undefined;
  return textOf(ref) === '' ? '' : `${textOf(ref)} `;
};
