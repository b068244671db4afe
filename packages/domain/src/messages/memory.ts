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

/** Nothing moves: an episode of a sidebar says where its local memory is on the log, and names the rest. */
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

/** What is kept in episodic memory, and what working memory thinks of what was said. */
export const MEMORY_EVENTS = {
  'episodic.archived': event(
    z.strictObject({
      ...archived,
      trigger: episodeTrigger,
      /** EXCH-n or MSG-n where what was said is kept, SB-n where a sidebar is. */
      about: maybe,
      /** The messages whose words it has, or the evidence behind it. */
      sources: texts,
      /** Where the whole of a sidebar is. */
      pointers: pointers.nullable(),
      priority: z.enum(['high', 'normal']),
      requiresValidation: z.boolean(),
      /** EPI-12: what the claims in its evidence counted as when it was kept; null where nobody had judged any. */
      mark: z.enum(VERIFICATIONS).nullable(),
      /** Why somebody kept it by hand. */
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
  /** What whoever said it thought of it stays on its entry. */
  'confidence.set': event(
    z.strictObject({
      /** MSG-n, EXCH-n, or a finding by its reference. */
      about: text,
      confidence: z.number(),
      /** What it was before; null when nobody had set it. */
      was: z.number().nullable(),
      reason: text,
    }),
  )({ tells: nobody, words: ['reason'] }),
} as const;

export const MEMORY_COMMANDS = {
  'memory.archive': z.strictObject({
    refs: texts,
    /** Where it is kept; left out, where it was said. */
    sidebar: text.optional(),
    reason: text.optional(),
    tags: texts.optional(),
  }),
  'memory.finalise': z.strictObject({ episodes: texts }),
  'confidence.set': z.strictObject({ about: text, confidence: z.number(), reason: text }),
} as const;

/** REC-54: what becomes of them while the log cannot be written. */
export const MEMORY_WHILE_AWAY = {
  'confidence.set': 'queued',
  'memory.archive': 'blocked',
  'memory.finalise': 'blocked',
} as const satisfies Readonly<Record<keyof typeof MEMORY_COMMANDS, WhileAway>>;
