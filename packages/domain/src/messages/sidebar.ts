import { z } from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, FORGOTTEN, forAgents } from './definition.ts';
import { maybe, priority, status, text, texts } from './values.ts';

/** How a sidebar moves: it pauses, waits, is changed, tested, escalated. */
export const SIDEBAR_EVENTS = {
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
} as const;

const sidebar = { sidebar: text };

export const SIDEBAR_COMMANDS = {
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
} as const;
