import { z } from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, FORGOTTEN } from './definition.ts';
import { checks, someChecks, episodeTrigger, findingStatus, maybe, sidebarIdOfContext, text, texts } from './values.ts';

/** A finding as it stood when its scratchpad was backed up. */
const backedUpFinding = z.strictObject({ ref: text, content: text, status: findingStatus, sourceRefs: texts });

/** Findings and what becomes of them: judged, contradicted, revised, kept. */
export const SCRATCHPAD_EVENTS = {
  'scratchpad.created': event(
    z.strictObject({ sidebarId: text, curator: text, taskDefinition: text, successCriteria: maybe, citableSources: texts }),
  )({
    remains: ({ contextId, sidebar }) => ({
      sidebarId: sidebarIdOfContext(contextId) ?? '',
      curator: sidebar?.curator ?? OPERATOR.id,
      taskDefinition: FORGOTTEN,
      successCriteria: null,
      citableSources: [],
    }),
  }),
  'scratchpad.backed_up': event(z.strictObject({ reason: text, priority: z.enum(['high', 'normal']), findings: z.array(backedUpFinding) }))({
    remains: () => ({ reason: FORGOTTEN, priority: 'normal', findings: [] }),
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
    numbers: () => ['FRAG'],
    words: ['content', 'relevanceToTask'],
    // Findings are counted: without it, those behind it would have other numbers than they were given.
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
  }),
  'finding.annotated': event(z.strictObject({ finding: text, note: text }))({ words: ['note'] }),
  'conflict.detected': event(z.strictObject({ findings: texts, description: text }))({
    // Nobody can tell any longer which findings it was about, so nobody has to settle it.
    remains: () => ({ findings: [], description: FORGOTTEN }),
  }),
  'conflict.resolved': event(z.strictObject({ conflict: text, notes: text }))(),
  'checkpoint.created': event(z.strictObject({ summary: text, findings: texts, annotations: z.record(z.string(), text) }))({
    words: ['summary'],
    remains: () => ({ summary: FORGOTTEN, findings: [], annotations: {} }),
  }),
  'checkpoint.annotated': event(z.strictObject({ checkpoint: text, note: text }))(),
  'episodic.archived': event(
    z.strictObject({
      content: text,
      trigger: episodeTrigger,
      finding: maybe,
      gold: maybe,
      sourceSidebar: maybe,
      sourceCheckpoint: maybe,
      isProvisional: z.boolean(),
      supersedes: maybe,
      tags: texts,
    }),
  )({
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
    }),
  }),
  'episodic.finalised': event(z.strictObject({ episode: text }))(),
  'episodic.superseded': event(z.strictObject({ episode: text, by: maybe, why: text }))(),
} as const;

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
    /** What it was when this was decided: if somebody else has judged it since, look at it again first. */
    seen: findingStatus.optional(),
  }),
  'finding.annotate': z.strictObject({ ...sidebar, finding: text, note: text }),
  'conflict.resolve': z.strictObject({ ...sidebar, conflict: text, notes: text }),
  'checkpoint.create': z.strictObject({ ...sidebar, summary: text, annotations: z.record(z.string(), text).optional() }),
  'checkpoint.annotate': z.strictObject({ ...sidebar, checkpoint: text, note: text }),
} as const;
