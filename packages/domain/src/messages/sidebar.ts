import { z } from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, FORGOTTEN, forAgents, inContext, NOBODY_ELSE } from './definition.ts';
import {
  archiveReason,
  context,
  contextIdOf,
  contextIdOfSidebar,
  maybe,
  mergePackage,
  origin,
  priority,
  status,
  text,
  texts,
  type MergePackage,
} from './values.ts';

const NO_PACKAGE: MergePackage = { summary: FORGOTTEN, keyFindings: [], newCitations: [], recommendations: null, goldCandidates: [] };

/** How a sidebar begins, moves, is merged and ends. */
export const SIDEBAR_EVENTS = {
  'sidebar.spawned': event(
    z.strictObject({
      origin,
      parent: context.nullable(),
      task: text,
      successCriteria: maybe,
      taskType: maybe,
      participants: texts,
      coordinator: text,
      curator: text,
      priority,
      status,
      testGroup: maybe,
      tags: texts,
      forkedFrom: maybe,
      forkReason: maybe,
      sourceScratchpad: maybe,
      /** Where it is merged when nobody says otherwise. */
      mergeTarget: context.nullable(),
      /** The conflict that it is there to resolve. */
      resolves: maybe,
    }),
  )({
    numbers: () => ['SB'],
    words: ['task', 'successCriteria'],
    // Its parents and what it inherited are gone; that it was there, and what happened in it, is not.
    remains: ({ by }) => ({
      origin: { kind: 'none' },
      parent: null,
      task: FORGOTTEN,
      successCriteria: null,
      taskType: null,
      participants: [by.type === 'system' ? OPERATOR.id : by.id],
      coordinator: OPERATOR.id,
      curator: OPERATOR.id,
      priority: 'NORMAL',
      status: 'ACTIVE',
      testGroup: null,
      tags: [],
      forkedFrom: null,
      forkReason: null,
      sourceScratchpad: null,
      mergeTarget: null,
      resolves: null,
    }),
    // Whoever follows a conversation hears that something branches off it.
    concerns: ({ parent }) => (parent === null ? NOBODY_ELSE : inContext(contextIdOf(parent))),
  }),
  'sidebar.moved': event(z.strictObject({ from: status, to: status, reason: maybe }))(),
  'sidebar.paused': event(z.strictObject({ from: status, reason: text, resumeCondition: maybe }))({
    remains: ({ sidebar }) => ({ from: sidebar?.status ?? 'ACTIVE', reason: FORGOTTEN, resumeCondition: null }),
  }),
  'sidebar.resumed': event(z.strictObject({ from: status, reason: maybe, pausedFor: z.number(), pausedReason: maybe, whatHappened: texts }))({
    remains: ({ sidebar }) => ({ from: sidebar?.status ?? 'PAUSED', reason: null, pausedFor: 0, pausedReason: null, whatHappened: [] }),
  }),
  'sidebar.waiting': event(
    z.strictObject({
      from: status,
      waitingFor: text,
      description: maybe,
      /** References, or ids of sidebars that have no number yet. */
      dependencies: texts,
      deadline: z.number().nullable(),
    }),
  )({
    remains: ({ sidebar }) => ({ from: sidebar?.status ?? 'ACTIVE', waitingFor: FORGOTTEN, description: null, dependencies: [], deadline: null }),
  }),
  'sidebar.changed': event(
    z.strictObject({
      task: text.exactOptional(),
      successCriteria: text.exactOptional(),
      taskType: text.exactOptional(),
      priority: priority.exactOptional(),
      coordinator: text.exactOptional(),
      curator: text.exactOptional(),
      tags: texts.exactOptional(),
      crossRefs: texts.exactOptional(),
    }),
  )({}),
  'sidebar.escalated': event(z.strictObject({ from: text, to: text, reason: text }))({
    remains: ({ by }) => ({ from: by.id, to: OPERATOR.id, reason: FORGOTTEN }),
    concerns: ({ to }) => forAgents(to),
  }),
  /** The human did what an agent coordinator was there for. */
  'sidebar.intervened': event(z.strictObject({ instead: text, what: text, taskType: maybe }))({
    remains: ({ sidebar }) => ({ instead: sidebar?.coordinator ?? OPERATOR.id, what: FORGOTTEN, taskType: sidebar?.taskType ?? null }),
  }),
  'sidebar.tested': event(z.strictObject({ description: text, result: text, findings: texts }))({
    words: ['description', 'result'],
    remains: () => ({ description: FORGOTTEN, result: FORGOTTEN, findings: [] }),
  }),
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
  /** Said of the original; the fork itself is spawned. */
  'sidebar.forked': event(z.strictObject({ into: text, reason: text }))(),
} as const;

/** What a new sidebar is told, wherever it branches off. */
const newSidebar = {
  task: text,
  successCriteria: text.optional(),
  taskType: text.optional(),
  /** Whoever spawns takes part in any case. */
  participants: texts.optional(),
  coordinator: text.optional(),
  curator: text.optional(),
  priority: priority.optional(),
  isTesting: z.boolean().optional(),
  /** Tests of one group are compared, and see each other's results. */
  testGroup: text.optional(),
  tags: texts.optional(),
};

const sidebar = { sidebar: text };
const upTo = z.number().nullable();

export const SIDEBAR_COMMANDS = {
  'sidebar.spawn': z.strictObject({ origin, resolves: text.exactOptional(), ...newSidebar }),
  'sidebar.spawn-child': z.strictObject({ ...sidebar, upTo, isWaiting: z.boolean().exactOptional(), ...newSidebar }),
  'sidebar.fork': z.strictObject({ ...sidebar, reason: text, ...newSidebar, task: text.exactOptional() }),
  'sidebar.pause': z.strictObject({ ...sidebar, reason: text, resumeCondition: text.optional() }),
  'sidebar.resume': z.strictObject({ ...sidebar, reason: text.optional() }),
  'sidebar.wait': z.strictObject({
    ...sidebar,
    waitingFor: text,
    description: text.optional(),
    dependencies: texts.optional(),
    timeoutMs: z.number().optional(),
  }),
  'sidebar.move': z.strictObject({ ...sidebar, to: status, reason: text.optional() }),
  'sidebar.change': z.strictObject({
    ...sidebar,
    task: text.optional(),
    successCriteria: text.optional(),
    taskType: text.optional(),
    priority: priority.optional(),
    coordinator: text.optional(),
    curator: text.optional(),
    tags: texts.optional(),
    crossRefs: texts.optional(),
  }),
  'sidebar.escalate': z.strictObject({ ...sidebar, reason: text }),
  'sidebar.test-result': z.strictObject({ ...sidebar, description: text, result: text, findings: texts.optional() }),
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
