import { z } from 'zod';
import { event, FORGOTTEN, inContext } from './definition.ts';
import { archiveReason, context, contextIdOfSidebar, maybe, mergePackage, status, text, texts, type MergePackage } from './values.ts';

const NO_PACKAGE: MergePackage = { summary: FORGOTTEN, keyFindings: [], newCitations: [], recommendations: null, goldCandidates: [] };

/** How a sidebar ends: what it found is put together, checked, merged and archived. */
export const MERGING_EVENTS = {
  'sidebar.consolidated': event(z.strictObject({ from: status, package: mergePackage }))({
    remains: ({ sidebar }) => ({ from: sidebar?.status ?? 'ACTIVE', package: NO_PACKAGE }),
  }),
  'merge.checked': event(z.strictObject({ as: z.enum(['curator', 'parent']), isFit: z.boolean(), notes: maybe }))(),
  'sidebar.merged': event(z.strictObject({ target: context, package: mergePackage, finalSummary: text }))({
    remains: ({ sidebar }) => ({
      target: sidebar?.parent ?? sidebar?.mergeTarget ?? { kind: 'session', sessionId: '' },
      package: sidebar?.merge?.package ?? NO_PACKAGE,
      finalSummary: FORGOTTEN,
    }),
  }),
  /** What a sidebar found, as an exchange in the context it is merged into. */
  'memory.merged': event(z.strictObject({ sidebarId: text, text, citations: texts, package: mergePackage }))({
    numbers: () => ['MSG', 'EXCH'],
    words: ['text'],
    remains: ({ citationsUsed }) => ({ sidebarId: '', text: FORGOTTEN, citations: citationsUsed, package: NO_PACKAGE }),
    concerns: ({ sidebarId }) => inContext(contextIdOfSidebar(sidebarId)),
    filing: ({ text: said, citations }) => ({ contentType: 'text', said, citations }),
  }),
  'sidebar.archived': event(z.strictObject({ reason: archiveReason, finalStatus: status, tags: texts, summary: text, note: maybe }))({
    words: ['summary'],
    remains: ({ sidebar }) => ({ reason: 'manual', finalStatus: sidebar?.status ?? 'ACTIVE', tags: [], summary: FORGOTTEN, note: null }),
  }),
} as const;

const sidebar = { sidebar: text };

export const MERGING_COMMANDS = {
  'sidebar.consolidate': z.strictObject({
    ...sidebar,
    summary: text.optional(),
    /** Left out: all that are confirmed. */
    keyFindings: texts.optional(),
    recommendations: text.optional(),
    goldCandidates: texts.optional(),
  }),
  'merge.check': z.strictObject({ ...sidebar, isFit: z.boolean(), notes: text.optional() }),
  'sidebar.merge': z.strictObject({
    ...sidebar,
    /** Where to; only for one that has no parent, or to say again which it is. */
    target: context.optional(),
    /** What whoever approves believes is merged. */
    keyFindings: texts.optional(),
    /** False sends it back to work. */
    isApproved: z.boolean().optional(),
    reason: text.optional(),
  }),
  'sidebar.archive': z.strictObject({ ...sidebar, reason: archiveReason.optional(), tags: texts.optional(), note: text.optional() }),
} as const;
