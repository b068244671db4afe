import * as z from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, FORGOTTEN, forAgents, type WhileAway } from './definition.ts';
import { proposal, wishOf } from './proposals.ts';
import { changed, moved, roleTaken } from './sidebar-telling.ts';
import { because, doer, nameOf, toTeam } from './telling.ts';
import { dataRefs, maybe, priority, status, text, texts } from './values.ts';

/** What can be changed while work goes on. */
const changeable = {
  task: text.exactOptional(),
  successCriteria: text.exactOptional(),
  taskType: text.exactOptional(),
  priority: priority.exactOptional(),
  coordinator: text.exactOptional(),
  curator: text.exactOptional(),
  tags: texts.exactOptional(),
  crossRefs: texts.exactOptional(),
};

const paused = { from: status, reason: text, resumeCondition: maybe };

/** The changes of a sidebar: it is paused, waits, is edited, tested, escalated; and requests by those who may only ask. */
export const SIDEBAR_EVENTS = {
  'sidebar.moved': event(z.strictObject({ from: status, to: status, reason: maybe }))({
    stirs: true,
    tells: ({ from, to, reason }, around) => moved(around, from, to, reason),
  }),
  'sidebar.paused': event(
    z.strictObject({
      ...paused,
      /** LOAD-7: the agent whose seat was needed; Yarnboard resumes it. */
      capacity: z.strictObject({ agent: text, request: text }).exactOptional(),
    }),
  )({
    version: 2,
    upcasts: { 1: { payload: z.strictObject(paused), next: (payload: object) => payload } },
    stirs: true,
    remains: ({ sidebar }) => ({ from: sidebar?.status ?? 'ACTIVE', reason: FORGOTTEN, resumeCondition: null }),
    tells: ({ reason, resumeCondition }, around) =>
      toTeam(
        around,
        'info',
        'paused',
        `${doer(around)} paused ${nameOf(around.sidebar)}: ${reason}${resumeCondition === null ? '' : `; until ${resumeCondition}`}`,
      ),
  }),
  'sidebar.resumed': event(z.strictObject({ from: status, reason: maybe, pausedFor: z.number(), pausedReason: maybe, whatHappened: texts }))({
    stirs: true,
    remains: ({ sidebar }) => ({ from: sidebar?.status ?? 'PAUSED', reason: null, pausedFor: 0, pausedReason: null, whatHappened: [] }),
    tells: ({ pausedReason, whatHappened }, around) =>
      toTeam(
        around,
        'info',
        'resumed',
        `${nameOf(around.sidebar)} goes on${pausedReason === null ? '' : ` (it stood still: ${pausedReason})`}: ${whatHappened.join('; ') || 'nothing happened meanwhile'}`,
      ),
  }),
  'sidebar.waiting': event(
    z.strictObject({
      from: status,
      waitingFor: text,
      description: maybe,
      /** References, or ids of sidebars without a number yet. */
      dependencies: texts,
      deadline: z.number().nullable(),
    }),
  )({
    stirs: true,
    remains: ({ sidebar }) => ({ from: sidebar?.status ?? 'ACTIVE', waitingFor: FORGOTTEN, description: null, dependencies: [], deadline: null }),
    tells: ({ waitingFor, description }, around) =>
      toTeam(around, 'info', 'waiting', `${nameOf(around.sidebar)} waits for ${waitingFor}${because(description)}`),
  }),
  'sidebar.changed': event(
    z.strictObject({
      ...changeable,
      isOpen: z.boolean().exactOptional(),
      /** Those of `crossRefs` that were removed. */
      crossRefsGone: texts.exactOptional(),
      dataRefs: dataRefs.exactOptional(),
    }),
  )({
    version: 2,
    stirs: true,
    upcasts: { 1: { payload: z.strictObject(changeable), next: (payload: object) => payload } },
    tells: ({ coordinator, curator, task, priority: urgency, taskType, successCriteria }, around) => [
      ...roleTaken(around, 'coordinator', coordinator),
      ...roleTaken(around, 'curator', curator),
      ...changed(around, [
        task === undefined ? null : `its task: ${task}`,
        successCriteria === undefined ? null : `when it succeeds: ${successCriteria}`,
        taskType === undefined ? null : `its type: ${taskType}`,
        urgency === undefined ? null : `its priority: ${urgency}`,
      ]),
    ],
  }),
  'sidebar.escalated': event(z.strictObject({ from: text, to: text, reason: text }))({
    remains: ({ by }) => ({ from: by.id, to: OPERATOR.id, reason: FORGOTTEN }),
    concerns: ({ to }) => forAgents(to),
    tells: ({ to, reason }, around) => [
      { to: [to], level: 'escalate', kind: 'escalation', text: `${doer(around)} needs a decision in ${nameOf(around.sidebar)}: ${reason}` },
    ],
  }),
  /** The human did an agent coordinator's job. */
  'sidebar.intervened': event(z.strictObject({ instead: text, what: text, taskType: maybe }))({
    remains: ({ sidebar }) => ({ instead: sidebar?.coordinator ?? OPERATOR.id, what: FORGOTTEN, taskType: sidebar?.taskType ?? null }),
    tells: ({ instead, what }, around) => [
      { to: [instead], level: 'info', kind: 'intervention', text: `${doer(around)} stepped in for you in ${nameOf(around.sidebar)}: ${what}` },
    ],
  }),
  'sidebar.tested': event(z.strictObject({ description: text, result: text, findings: texts }))({
    words: ['description', 'result'],
    remains: () => ({ description: FORGOTTEN, result: FORGOTTEN, findings: [] }),
    tells: ({ description, result }, { sidebar, peers }) => [
      {
        to: [...peers.flatMap(({ participants }) => participants), ...(sidebar === null ? [] : [sidebar.coordinator])],
        level: 'info',
        kind: 'tested',
        text: `${nameOf(sidebar)} tested: ${description}: ${result}`,
        refs: sidebar === null ? [] : [nameOf(sidebar)],
      },
    ],
  }),
  'sidebar.proposed': event(z.strictObject({ number: z.number(), proposal }))({
    words: ['proposal.reason', 'proposal.note'],
    remains: () => ({ number: 0, proposal: { action: 'archive', note: FORGOTTEN, tags: [] } }),
    tells: ({ proposal: asked }, around) => [
      {
        to: around.sidebar === null ? [] : [around.sidebar.coordinator],
        level: 'escalate',
        kind: 'proposal',
        text: `${doer(around)} asks to ${wishOf(asked, nameOf(around.sidebar))}`,
      },
    ],
  }),
  'proposal.answered': event(z.strictObject({ proposal: text, isAccepted: z.boolean(), reason: maybe }))({
    words: ['reason'],
    tells: ({ proposal: id, isAccepted, reason }, around) => {
      const asked = around.proposalOf(id);
      if (asked === null) return [];
      const answer = isAccepted ? 'accepted' : 'declined';
      return [
        {
          to: [asked.by],
          level: isAccepted ? 'info' : 'warning',
          kind: 'proposal',
          text: `${doer(around)} ${answer} your proposal to ${asked.what}${isAccepted || reason === null ? '' : ` (${reason})`}`,
        },
      ];
    },
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
    isOpen: z.boolean().optional(),
    dataRefs: dataRefs.optional(),
  }),
  'sidebar.escalate': z.strictObject({ ...sidebar, reason: text }),
  'sidebar.test-result': z.strictObject({ ...sidebar, description: text, result: text, findings: texts.optional() }),
  'proposal.answer': z.strictObject({ ...sidebar, proposal: text, isAccepted: z.boolean(), reason: text.optional() }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const SIDEBAR_WHILE_AWAY = {
  'sidebar.pause': 'queued',
  'sidebar.resume': 'queued',
  'sidebar.wait': 'queued',
  'sidebar.move': 'queued',
  'sidebar.change': 'queued',
  'sidebar.escalate': 'queued',
  'sidebar.test-result': 'queued',
  'proposal.answer': 'queued',
} as const satisfies Readonly<Record<keyof typeof SIDEBAR_COMMANDS, WhileAway>>;

/** REC-55: events that must wait for the log, whichever command causes them. */
export const SIDEBAR_MUST_WAIT = {
  'sidebar.moved': ({ to }: { readonly to: string }) => to === 'MERGED' || to === 'ARCHIVED' || to === 'FAILED',
};
