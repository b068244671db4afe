import * as z from 'zod';
import { event, FORGOTTEN, type WhileAway } from './definition.ts';
import { VERIFICATIONS } from './marks.ts';
import { nobody } from './telling.ts';
import { episodeTrigger, maybe, text, texts } from './values.ts';

const archived = {
  content: text,
  finding: maybe,
  gold: maybe,
  sourceSidebar: maybe,
  sourceCheckpoint: maybe,
  isProvisional: z.boolean(),
  supersedes: maybe,
  tags: texts,
};

/** Nothing is moved: an episode of a sidebar says where its local memory is on the log, and names the rest. */
const pointers = z.strictObject({
  from: z.number(),
  to: z.number(),
  scratchpad: text,
  citations: texts,
  media: texts,
  golds: texts,
});

/** Before version 2, only findings and GOLD were kept. */
const fromFirst = (payload: { readonly trigger: string }): object => ({
  ...payload,
  about: null,
  sources: [],
  pointers: null,
  priority: payload.trigger === 'gold' ? 'high' : 'normal',
  requiresValidation: payload.trigger === 'gold',
  mark: null,
  note: null,
});

/** What episodic memory keeps, and how confident working memory is. */
export const MEMORY_EVENTS = {
  'episodic.archived': event(
    z.strictObject({
      ...archived,
      trigger: episodeTrigger,
      /** EXCH-n or MSG-n if a message is kept, SB-n if a sidebar is. */
      about: maybe,
      /** The messages its words come from, or the evidence behind it. */
      sources: texts,
      /** Where all of a sidebar is. */
      pointers: pointers.nullable(),
      priority: z.enum(['high', 'normal']),
      requiresValidation: z.boolean(),
      /** EPI-12: the status of the claims in its evidence when it was kept; null if nobody had judged any. */
      mark: z.enum(VERIFICATIONS).nullable(),
      /** The reason somebody gave for keeping it by hand. */
      note: maybe,
    }),
  )({
    version: 2,
    upcasts: { 1: { payload: z.strictObject({ ...archived, trigger: z.enum(['checkpoint', 'gold', 'completion']) }), next: fromFirst } },
    tells: nobody,
    words: ['content', 'note'],
    remains: ({ sidebar }) => ({
      content: FORGOTTEN,
      trigger: 'completion',
      finding: null,
      gold: null,
      sourceSidebar: sidebar?.id ?? null,
      sourceCheckpoint: null,
      isProvisional: false,
      supersedes: null,
      tags: [],
      about: null,
      sources: [],
      pointers: null,
      priority: 'normal',
      requiresValidation: false,
      mark: null,
      note: null,
    }),
  }),
  'episodic.finalised': event(z.strictObject({ episode: text }))({ tells: nobody }),
  'episodic.superseded': event(z.strictObject({ episode: text, by: maybe, why: text }))({ tells: nobody }),
  /** The speaker's own confidence stays on its entry. */
  'confidence.set': event(
    z.strictObject({
      /** MSG-n, EXCH-n, or the reference of a finding. */
      about: text,
      confidence: z.number(),
      /** The previous value; null if nobody had set it. */
      was: z.number().nullable(),
      reason: text,
    }),
  )({ tells: nobody, words: ['reason'] }),
} as const;

export const MEMORY_COMMANDS = {
  'memory.archive': z.strictObject({
    refs: texts,
    /** Where it is kept; by default where it was said. */
    sidebar: text.optional(),
    reason: text.optional(),
    tags: texts.optional(),
  }),
  'memory.finalise': z.strictObject({ episodes: texts }),
  'confidence.set': z.strictObject({ about: text, confidence: z.number(), reason: text }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const MEMORY_WHILE_AWAY = {
  'confidence.set': 'queued',
  'memory.archive': 'blocked',
  'memory.finalise': 'blocked',
} as const satisfies Readonly<Record<keyof typeof MEMORY_COMMANDS, WhileAway>>;
