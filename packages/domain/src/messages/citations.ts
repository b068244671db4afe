import * as z from 'zod';
import { event, FORGOTTEN, type WhileAway } from './definition.ts';
import { because, doer, nameOf, nobody, teamOf } from './telling.ts';
import { citationSource, findingStatus, goldAnswer, maybe, mediaType, text, texts } from './values.ts';

const share = z.number().nullable();

/** Citations, attachments, and GOLD. */
export const CITATION_EVENTS = {
  'citation.created': event(z.strictObject({ source: citationSource, content: maybe, relevance: share, note: maybe }))({
    tells: nobody,
    numbers: () => ['CITE'],
    words: ['content', 'note', 'source.title', 'source.path', 'source.url'],
    remains: () => ({ source: { kind: 'external', url: null, title: FORGOTTEN }, content: null, relevance: null, note: null }),
  }),
  'media.uploaded': event(
    /** `content` is base64. */
    z.strictObject({ mediaType, filePath: text, fileSize: z.number(), inResponseTo: maybe, content: text }),
  )({
    tells: nobody,
    numbers: () => ['MEDIA'],
    words: ['filePath'],
    remains: () => ({ mediaType: 'document', filePath: FORGOTTEN, fileSize: 0, inResponseTo: null, content: '' }),
    // Listeners don't receive the bytes.
    told: (payload) => ({ ...payload, content: '' }),
    filing: () => ({ contentType: 'media_ref' }),
  }),
  'media.processed': event(z.strictObject({ media: text, mime: text, sha256: text }))({ tells: nobody }),
  'media.failed': event(z.strictObject({ media: text, why: text }))({
    tells: ({ media, why }, { mediaOf }) => {
      const failed = mediaOf(media);
      if (failed === null) return [];
      return [
        { to: [failed.uploadedBy], level: 'warning', kind: 'media', text: `${failed.filePath} could not be processed: ${why}`, refs: [failed.ref] },
      ];
    },
  }),
  'gold.created': event(z.strictObject({ sourceRefs: texts, keyInsight: text, reusePattern: text, triggerConditions: texts, confidence: share }))({
    tells: nobody,
    numbers: () => ['GOLD'],
    words: ['keyInsight', 'reusePattern', 'triggerConditions'],
    // Without conditions, it never surfaces.
    remains: () => ({ sourceRefs: [], keyInsight: FORGOTTEN, reusePattern: FORGOTTEN, triggerConditions: [], confidence: null }),
  }),
  'gold.validated': event(z.strictObject({ gold: text, status: findingStatus, notes: maybe }))({
    tells: ({ gold, status, notes }, around) => {
      const judged = around.goldOf(gold);
      if (judged === null || status === 'pending') return [];
      const level = status === 'rejected' ? 'warning' : 'info';
      return [
        { to: [judged.createdBy], level, kind: 'validated', text: `${doer(around)} ${status} ${judged.ref}${because(notes)}`, refs: [judged.ref] },
      ];
    },
  }),
  'gold.finalised': event(z.strictObject({ gold: text }))({ tells: nobody }),
  'gold.superseded': event(z.strictObject({ gold: text, by: maybe, why: text }))({
    tells: ({ gold, why }, { goldOf }) => {
      const fallen = goldOf(gold);
      return fallen === null
        ? []
        : [{ to: [fallen.createdBy], level: 'warning', kind: 'gold', text: `${fallen.ref} no longer stands: ${why}`, refs: [fallen.ref] }];
    },
  }),
  /** A message showed the symptoms named by a GOLD. */
  'gold.surfaced': event(z.strictObject({ gold: text, score: z.number(), condition: text, about: maybe }))({
    tells: ({ gold, condition }, { goldOf, sidebar }) => {
      const shown = goldOf(gold);
      if (shown === null) return [];
      const text = `${shown.ref} dealt with something like this (${condition}): ${shown.keyInsight}`;
      return [{ to: teamOf(sidebar), level: 'info', kind: 'gold', text, refs: [shown.ref, ...(sidebar === null ? [] : [nameOf(sidebar)])] }];
    },
  }),
  /** GOLD-12: an answer to a waypoint shown in this context. GOLD-13: `rests` if it was one refusal too many. */
  'gold.answered': event(z.strictObject({ gold: text, answer: goldAnswer, rests: z.boolean() }))({
    tells: ({ gold, rests }, { goldOf }) => {
      const refused = goldOf(gold);
      if (!rests || refused === null) return [];
      const text = `${refused.ref} was not wanted three times in a row and no longer comes up. Answer "useful" to bring it back.`;
      return [{ to: [refused.createdBy], level: 'warning', kind: 'gold', text, refs: [refused.ref] }];
    },
  }),
} as const;

export const CITATION_COMMANDS = {
  'citation.create': z.strictObject({
    sidebar: text.optional(),
    source: citationSource,
    content: text.optional(),
    relevance: z.number().optional(),
    note: text.optional(),
  }),
  'media.upload': z.strictObject({
    sidebar: text,
    mediaType,
    filePath: text,
    /** Base64. */
    content: text,
    inResponseTo: text.optional(),
    /** What was found out about the bytes. */
    found: z.union([z.strictObject({ size: z.number(), mime: text, sha256: text }), z.strictObject({ why: text })]),
  }),
  'gold.create': z.strictObject({
    sidebar: text.optional(),
    sourceRefs: texts,
    keyInsight: text,
    reusePattern: text,
    triggerConditions: texts,
    confidence: z.number().optional(),
  }),
  'gold.validate': z.strictObject({ gold: text, status: findingStatus, notes: text.optional(), seen: findingStatus.optional() }),
  /** `where` is the sidebar or session in which it was shown; by default the latest unanswered one. */
  'gold.answer': z.strictObject({ gold: text, answer: goldAnswer, where: text.optional() }),
  /** A message outside sidebars showed the symptoms of a GOLD. */
  'gold.surface': z.strictObject({ gold: text, contextId: text, score: z.number(), condition: text, about: text }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const CITATION_WHILE_AWAY = {
  'citation.create': 'queued',
  'media.upload': 'queued',
  'gold.create': 'queued',
  'gold.validate': 'queued',
  'gold.answer': 'blocked',
  'gold.surface': 'blocked',
} as const satisfies Readonly<Record<keyof typeof CITATION_COMMANDS, WhileAway>>;
