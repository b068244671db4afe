import * as z from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, FORGOTTEN, type WhileAway } from './definition.ts';
import { because, doer, nameOf, nobody, teamOf, type Surroundings } from './telling.ts';
import { checks, someChecks, findingStatus, maybe, sidebarIdOfContext, text, texts } from './values.ts';

/** A finding at the time its scratchpad was backed up. */
const backedUpFinding = z.strictObject({ ref: text, content: text, status: findingStatus, sourceRefs: texts });

const backedUp = { reason: text, priority: z.enum(['high', 'normal']), findings: z.array(backedUpFinding) };

/** Findings and their fate: judged, contradicted, revised, kept. */
export const SCRATCHPAD_EVENTS = {
  'scratchpad.created': event(
    z.strictObject({ sidebarId: text, curator: text, taskDefinition: text, successCriteria: maybe, citableSources: texts }),
  )({
    tells: nobody,
    remains: ({ contextId, sidebar }) => ({
      sidebarId: sidebarIdOfContext(contextId) ?? '',
      curator: sidebar?.curator ?? OPERATOR.id,
      taskDefinition: FORGOTTEN,
      successCriteria: null,
      citableSources: [],
    }),
  }),
  'scratchpad.backed_up': event(z.strictObject({ ...backedUp, /** The GOLD it was backed up for. */ gold: maybe }))({
    version: 2,
    upcasts: { 1: { payload: z.strictObject(backedUp), next: (payload: object) => ({ ...payload, gold: null }) } },
    tells: nobody,
    remains: () => ({ reason: FORGOTTEN, priority: 'normal', findings: [], gold: null }),
  }),
  'finding.submitted': event(
    z.strictObject({
      number: z.number(),
      content: text,
      sourceRefs: texts,
      relevanceToTask: maybe,
      /** The finding it revises. */
      supersedes: maybe,
    }),
  )({
    tells: nobody,
    numbers: () => ['FRAG'],
    words: ['content', 'relevanceToTask'],
    // Findings are counted: without this one, later ones would get different numbers.
    remains: ({ sidebar }) => ({
      number: (sidebar?.scratchpad.findings.length ?? 0) + 1,
      content: FORGOTTEN,
      sourceRefs: [],
      relevanceToTask: null,
      supersedes: null,
    }),
  }),
  'finding.validated': event(z.strictObject({ finding: text, status: findingStatus, notes: maybe, checks }))({
    words: ['notes'],
    tells: ({ finding, status, notes }, around) => {
      const judged = around.findingOf(finding);
      if (judged === null || status === 'pending') return [];
      const to = [...new Set([judged.submittedBy, ...(around.sidebar?.participants ?? [])])];
      const level = status === 'rejected' ? 'warning' : 'info';
      return [
        {
          to,
          level,
          kind: 'validated',
          text: `${doer(around)} ${status} finding ${judged.number} of ${nameOf(around.sidebar)}${because(notes)}`,
          refs: refsTo(around, [finding]),
        },
      ];
    },
  }),
  'finding.annotated': event(z.strictObject({ finding: text, note: text }))({
    words: ['note'],
    tells: ({ finding, note }, around) => {
      const noted = around.findingOf(finding);
      if (noted === null) return [];
      const to = [noted.submittedBy, ...(around.sidebar === null ? [] : [around.sidebar.curator])];
      return [
        {
          to,
          level: 'info',
          kind: 'annotated',
          text: `${doer(around)} on finding ${noted.number} of ${nameOf(around.sidebar)}: ${note}`,
          refs: refsTo(around, [finding]),
        },
      ];
    },
  }),
  'conflict.detected': event(z.strictObject({ findings: texts, description: text }))({
    tells: ({ findings, description }, around) => {
      const to = findings.map((id) => around.findingOf(id)?.submittedBy).filter((one) => one !== undefined);
      const curator = around.sidebar === null ? [] : [around.sidebar.curator];
      return [
        {
          to: [...to, ...curator],
          level: 'warning',
          kind: 'conflict',
          text: `findings contradict each other, please discuss: ${description}`,
          refs: refsTo(around, findings),
        },
      ];
    },
    // It is no longer known which findings it was about, so nobody has to settle it.
    remains: () => ({ findings: [], description: FORGOTTEN }),
  }),
  'conflict.resolved': event(z.strictObject({ conflict: text, notes: text }))({
    tells: ({ conflict, notes }, around) => {
      const settled = around.conflictOf(conflict);
      if (settled === null) return [];
      const to = settled.findings.map((id) => around.findingOf(id)?.submittedBy).filter((one) => one !== undefined);
      return [
        {
          to: [...to, ...teamOf(around.sidebar)],
          level: 'info',
          kind: 'conflict',
          text: `${doer(around)} settled a conflict in ${nameOf(around.sidebar)}: ${notes}`,
          refs: refsTo(around, settled.findings),
        },
      ];
    },
  }),
  'checkpoint.created': event(z.strictObject({ summary: text, findings: texts, annotations: z.record(z.string(), text) }))({
    tells: nobody,
    words: ['summary'],
    remains: () => ({ summary: FORGOTTEN, findings: [], annotations: {} }),
  }),
  'checkpoint.annotated': event(z.strictObject({ checkpoint: text, note: text }))({ tells: nobody }),
} as const;

/** The findings by references that readers can use, and their sidebars. */
const refsTo = ({ findingOf, sidebar }: Surroundings, ids: readonly string[]): readonly string[] => [
  ...ids.map((id) => findingOf(id)?.ref ?? '').filter((ref) => ref !== ''),
  ...(sidebar === null ? [] : [nameOf(sidebar)]),
];

const sidebar = { sidebar: text };

export const SCRATCHPAD_COMMANDS = {
  'finding.submit': z.strictObject({
    ...sidebar,
    content: text,
    sourceRefs: texts.optional(),
    relevanceToTask: text.optional(),
    supersedes: text.optional(),
  }),
  'finding.validate': z.strictObject({
    ...sidebar,
    finding: text,
    status: findingStatus,
    notes: text.optional(),
    checks: someChecks.optional(),
    /** The status it was judged from: if somebody else has judged it since, look again first. */
    seen: findingStatus.optional(),
  }),
  'finding.annotate': z.strictObject({ ...sidebar, finding: text, note: text }),
  'conflict.resolve': z.strictObject({ ...sidebar, conflict: text, notes: text }),
  'checkpoint.create': z.strictObject({
    ...sidebar,
    summary: text,
    annotations: z.record(z.string(), text).optional(),
    /** By default all that stand. */
    findings: texts.optional(),
  }),
  'checkpoint.annotate': z.strictObject({ ...sidebar, checkpoint: text, note: text }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const SCRATCHPAD_WHILE_AWAY = {
  'finding.submit': 'queued',
  'finding.validate': 'queued',
  'finding.annotate': 'queued',
  'conflict.resolve': 'queued',
  'checkpoint.create': 'queued',
  'checkpoint.annotate': 'queued',
} as const satisfies Readonly<Record<keyof typeof SCRATCHPAD_COMMANDS, WhileAway>>;
