import { z } from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, FORGOTTEN, forAgents, inContext, NOBODY_ELSE } from './definition.ts';
import { proposal, wishOf } from './proposals.ts';
import { changed, checked, moved, putInTeam, refsOf, roleTaken } from './sidebar-telling.ts';
import { because, decider, doer, nameOf, teamOf, toParent, toTeam } from './telling.ts';
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

/** What a sidebar is when it begins. */
const spawned = {
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
};

/** What can be changed while the work goes on. */
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

/** How a sidebar begins, moves, is merged and ends. */
export const SIDEBAR_EVENTS = {
  'sidebar.spawned': event(z.strictObject({ ...spawned, isOpen: z.boolean().nullable() }))({
    version: 2,
    // Whether others may join was not asked: it is open if an agent or Yarnboard made it.
    upcasts: { 1: { payload: z.strictObject(spawned), next: (payload: object) => ({ ...payload, isOpen: null }) } },
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
      isOpen: null,
    }),
    tells: ({ participants, coordinator, curator, task, forkedFrom }, around) =>
      putInTeam(around, { participants, coordinator, curator, task, isFork: forkedFrom !== null }),
    // Whoever follows a conversation hears that something branches off it.
    concerns: ({ parent }) => (parent === null ? NOBODY_ELSE : inContext(contextIdOf(parent))),
  }),
  'sidebar.moved': event(z.strictObject({ from: status, to: status, reason: maybe }))({
    tells: ({ from, to, reason }, around) => moved(around, from, to, reason),
  }),
  'sidebar.paused': event(z.strictObject({ from: status, reason: text, resumeCondition: maybe }))({
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
      /** References, or ids of sidebars that have no number yet. */
      dependencies: texts,
      deadline: z.number().nullable(),
    }),
  )({
    remains: ({ sidebar }) => ({ from: sidebar?.status ?? 'ACTIVE', waitingFor: FORGOTTEN, description: null, dependencies: [], deadline: null }),
    tells: ({ waitingFor, description }, around) =>
      toTeam(around, 'info', 'waiting', `${nameOf(around.sidebar)} waits for ${waitingFor}${because(description)}`),
  }),
  'sidebar.changed': event(z.strictObject({ ...changeable, isOpen: z.boolean().exactOptional() }))({
    version: 2,
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
  /** The human did what an agent coordinator was there for. */
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
    remains: ({ sidebar }) => ({
      target: sidebar?.parent ?? sidebar?.mergeTarget ?? { kind: 'session', sessionId: '' },
      package: sidebar?.merge?.package ?? NO_PACKAGE,
      finalSummary: FORGOTTEN,
    }),
    tells: (_, around) => toTeam(around, 'info', 'merge', `${doer(around)} merged ${nameOf(around.sidebar)}`),
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
    words: ['summary'],
    remains: ({ sidebar }) => ({ reason: 'manual', finalStatus: sidebar?.status ?? 'ACTIVE', tags: [], summary: FORGOTTEN, note: null }),
    tells: ({ reason, finalStatus, note }, around) => [
      ...toTeam(around, 'info', 'archived', `${doer(around)} archived ${nameOf(around.sidebar)} (${reason})${because(note)}`),
      // That it was merged, or failed, its parent has heard.
      ...(finalStatus === 'MERGED' || finalStatus === 'FAILED' ? [] : toParent(around, 'info', `was archived (${reason})`)),
    ],
  }),
  /** Said of the original; the fork itself is spawned. */
  'sidebar.forked': event(z.strictObject({ into: text, reason: text }))({
    tells: ({ into, reason }, around) => {
      const fork = nameOf(around.sidebarOf(into));
      return [
        {
          to: teamOf(around.sidebar),
          level: 'info',
          kind: 'forked',
          text: `${doer(around)} forked ${nameOf(around.sidebar)} into ${fork}: ${reason}`,
          refs: [fork, nameOf(around.sidebar)],
        },
      ];
    },
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
  /** Whether whoever wants may join. Left out: unless a person made it. */
  isOpen: z.boolean().optional(),
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
    isOpen: z.boolean().optional(),
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
  /** All three steps of a merge in one, for whoever has nobody to wait for. */
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
    /** Where to; only for one that has no parent, or to say again which it is. */
    target: context.optional(),
    /** What whoever approves believes is merged. */
    keyFindings: texts.optional(),
    /** False sends it back to work. */
    isApproved: z.boolean().optional(),
    reason: text.optional(),
  }),
  'sidebar.archive': z.strictObject({ ...sidebar, reason: archiveReason.optional(), tags: texts.optional(), note: text.optional() }),
  /** What ended by mistake goes on as a fork, in one step. */
  'sidebar.reopen': z.strictObject({ ...sidebar, reason: text }),
  'proposal.answer': z.strictObject({ ...sidebar, proposal: text, isAccepted: z.boolean(), reason: text.optional() }),
} as const;
