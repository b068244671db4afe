import * as z from 'zod';
import { event, FORGOTTEN, inContext, type WhileAway } from './definition.ts';
import { checked, moved, refsOf } from './sidebar-telling.ts';
import { because, decider, doer, nameOf, teamOf, toParent, toTeam } from './telling.ts';
import { archiveReason, context, contextIdOfSidebar, maybe, mergePackage, status, text, texts, type MergePackage } from './values.ts';

/** What is left of a forgotten one. */
export const NO_PACKAGE: MergePackage = { summary: FORGOTTEN, keyFindings: [], newCitations: [], recommendations: null, goldCandidates: [] };

/** How a sidebar ends: its findings are consolidated, checked, merged and archived. */
export const MERGING_EVENTS = {
  'sidebar.consolidated': event(z.strictObject({ from: status, package: mergePackage }))({
    remains: ({ sidebar }) => ({ from: sidebar?.status ?? 'ACTIVE', package: NO_PACKAGE }),
    tells: (_, around) => {
      const { sidebar, by } = around;
      if (sidebar === null) return [];
      return [
        {
          to: [decider(sidebar.curator, by.id)],
          level: 'escalate',
          kind: 'package',
          text: `${nameOf(sidebar)} has a package to merge: please check it`,
        },
      ];
    },
  }),
  'merge.checked': event(z.strictObject({ as: z.enum(['curator', 'parent']), isFit: z.boolean(), notes: maybe }))({
    tells: ({ as, isFit, notes }, around) => checked(around, as, isFit, notes),
  }),
  'sidebar.merged': event(z.strictObject({ target: context, package: mergePackage, finalSummary: text }))({
    stirs: true,
    remains: ({ sidebar }) => ({
      target: sidebar?.parent ?? sidebar?.mergeTarget ?? { kind: 'session', sessionId: '' },
      package: sidebar?.merge?.package ?? NO_PACKAGE,
      finalSummary: FORGOTTEN,
    }),
    tells: (_, around) => toTeam(around, 'info', 'merge', `${doer(around)} merged ${nameOf(around.sidebar)}`),
  }),
  /** MERGE-12: the coordinator refused, and the sidebar goes on. */
  'merge.refused': event(z.strictObject({ target: context.nullable(), keyFindings: texts, reason: text }))({
    words: ['reason'],
    remains: ({ sidebar }) => ({
      target: sidebar?.parent ?? sidebar?.mergeTarget ?? null,
      keyFindings: sidebar?.merge?.package.keyFindings ?? [],
      reason: FORGOTTEN,
    }),
    tells: ({ reason }, around) => moved(around, 'CONSOLIDATING', 'ACTIVE', reason),
  }),
  /** What a sidebar found, as an exchange in the context it is merged into. */
  'memory.merged': event(z.strictObject({ sidebarId: text, text, citations: texts, package: mergePackage }))({
    numbers: () => ['MSG', 'EXCH'],
    words: ['text'],
    remains: ({ citationsUsed }) => ({ sidebarId: '', text: FORGOTTEN, citations: citationsUsed, package: NO_PACKAGE }),
    concerns: ({ sidebarId }) => inContext(contextIdOfSidebar(sidebarId)),
    tells: ({ sidebarId, text: said }, { sidebar, sidebarOf }) => [
      { to: teamOf(sidebar), level: 'info', kind: 'merge', text: said, refs: refsOf(sidebarOf(sidebarId), sidebar) },
    ],
    filing: ({ text: said, citations }) => ({ contentType: 'text', said, citations }),
  }),
  'sidebar.archived': event(z.strictObject({ reason: archiveReason, finalStatus: status, tags: texts, summary: text, note: maybe }))({
    stirs: true,
    words: ['summary', 'note'],
    remains: ({ sidebar }) => ({ reason: 'manual', finalStatus: sidebar?.status ?? 'ACTIVE', tags: [], summary: FORGOTTEN, note: null }),
    tells: ({ reason, finalStatus, note }, around) => [
      ...toTeam(around, 'info', 'archived', `${doer(around)} archived ${nameOf(around.sidebar)} (${reason})${because(note)}`),
      // The parent has already heard that it was merged or failed.
      ...(finalStatus === 'MERGED' || finalStatus === 'FAILED' ? [] : toParent(around, 'info', `was archived (${reason})`)),
    ],
  }),
} as const;

const sidebar = { sidebar: text };

export const MERGING_COMMANDS = {
  'sidebar.consolidate': z.strictObject({
    ...sidebar,
    summary: text.optional(),
    /** By default all confirmed ones. */
    keyFindings: texts.optional(),
    recommendations: text.optional(),
    goldCandidates: texts.optional(),
  }),
  /** All three steps of a merge in one, for somebody who need not wait for others. */
  'sidebar.finish': z.strictObject({
    ...sidebar,
    summary: text.optional(),
    keyFindings: texts.optional(),
    recommendations: text.optional(),
    goldCandidates: texts.optional(),
    target: context.optional(),
    notes: text.optional(),
  }),
  'merge.check': z.strictObject({ ...sidebar, isFit: z.boolean(), notes: text.optional() }),
  'sidebar.merge': z.strictObject({
    ...sidebar,
    /** The merge target; only for a sidebar without a parent, or to repeat which one it is. */
    target: context.optional(),
    /** What the approver believes is being merged. */
    keyFindings: texts.optional(),
    /** False sends it back to work. */
    isApproved: z.boolean().optional(),
    reason: text.optional(),
  }),
  'sidebar.archive': z.strictObject({ ...sidebar, reason: archiveReason.optional(), tags: texts.optional(), note: text.optional() }),
  /** What ended by mistake continues as a fork, in one step. */
  'sidebar.reopen': z.strictObject({ ...sidebar, reason: text }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const MERGING_WHILE_AWAY = {
  'sidebar.consolidate': 'queued',
  'sidebar.finish': 'blocked',
  'merge.check': 'queued',
  'sidebar.merge': 'blocked',
  'sidebar.archive': 'blocked',
  'sidebar.reopen': 'blocked',
} as const satisfies Readonly<Record<keyof typeof MERGING_COMMANDS, WhileAway>>;

/** REC-55: events that must wait for the log, whichever command causes them. */
export const MERGING_MUST_WAIT = {
  'sidebar.merged': () => true,
  'memory.merged': () => true,
  'sidebar.archived': () => true,
};
