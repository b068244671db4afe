import { OPERATOR } from '../actors.ts';
import type { Evolver } from '../board/evolve.ts';
import { link, unlink } from '../board/links.ts';
import type { Board } from '../board/state.ts';
import { EMPTY_SCRATCHPAD } from '../scratchpad/state.ts';
import { sidebarsAmong } from './relations.ts';
import { dataAfter } from './data.ts';
import { disputesAfter } from './relevance.ts';
import {
  plain,
  type PlainStatus,
  type Routine,
  type Sidebar,
  type SidebarChange,
  type SidebarFacts,
  type Standing,
  type Standstill,
} from './state.ts';
import { BOARD_CONTEXT, type Context, type Origin, type Status, contextIdOfSidebar, sidebarIdOfContext } from '../messages/values.ts';
import type { FamilyEvent, Recorded } from '../messages/catalogue.ts';
import { isEnded } from './lifecycle.ts';

type Evolvers<T extends Recorded['type']> = { readonly [K in T]: Evolver<K> };

type SidebarEvents = FamilyEvent<'spawning' | 'sidebar' | 'merging' | 'talk'>;

/** Changes the sidebar of an event's context. */
export const change = (board: Board, event: Recorded, next: (sidebar: Sidebar) => SidebarChange): void => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(event.contextId) ?? '');
  if (sidebar === undefined) return;
  // Work on an ended sidebar doesn't make it active again.
  const lastActivity = isEnded(sidebar.status) ? sidebar.lastActivity : event.at;
  const isAnswer = event.by.id === sidebar.escalatedTo || event.by.id === OPERATOR.id;
  const answered = isAnswer ? { escalation: null, escalatedTo: null } : {};
  const after = { ...sidebar, ...answered, lastActivity, lastPosition: event.position, ...next(sidebar) };
  board.sidebars.set(sidebar.id, after);
  if (sidebar.waiting === after.waiting) return;
  for (const id of sidebarsAmong(board, sidebar.waiting?.dependencies ?? [])) unlink(board, 'waiting', id, sidebar.id);
  for (const id of sidebarsAmong(board, after.waiting?.dependencies ?? [])) link(board, 'waiting', id, sidebar.id);
};

const moved = (standing: Standing, { at, position }: Recorded): Partial<SidebarFacts> & Standing => ({
  ...standing,
  // Its end settles all proposals.
  ...(isEnded(standing.status) ? { endedPosition: position, lastActivity: at, proposals: [] } : {}),
});

/** The others have events of their own, with the reason. */
const isPlain = (status: Status): status is PlainStatus => status !== 'PAUSED' && status !== 'WAITING' && status !== 'ARCHIVED';

const standstill = (board: Board, { at, position }: Recorded, { messages, scratchpad }: Sidebar): Standstill => ({
  at,
  position,
  citations: board.citations.size(),
  golds: board.golds.size(),
  messages,
  findings: scratchpad.findings.length,
});

const spawned: Evolver<'sidebar.spawned'> = (board, { uuid, payload, position, at, refs, by }) => {
  const [ref = ''] = refs;
  const contextId = contextIdOfSidebar(uuid);
  board.sidebars.set(uuid, {
    id: uuid,
    ref,
    contextId,
    origin: fixed(payload.origin, position),
    parent: payload.parent,
    children: [],
    forkedFrom: payload.forkedFrom,
    forkReason: payload.forkReason,
    forkedInto: [],
    mergeTarget: payload.mergeTarget,
    mergedInto: null,
    mergedAs: null,
    resolves: payload.resolves,
    participants: payload.participants,
    coordinator: payload.coordinator,
    curator: payload.curator,
    escalation: null,
    escalatedTo: null,
    interventions: 0,
    isOpen: payload.isOpen ?? by.type !== 'human',
    proposals: [],
    proposed: 0,
    task: payload.task,
    successCriteria: payload.successCriteria,
    taskType: payload.taskType,
    routine: { isTypeTrusted: true, changed: [] },
    priority: payload.priority,
    tags: payload.tags,
    testGroup: payload.testGroup,
    testResults: [],
    ...plain(payload.status === 'TESTING' ? 'TESTING' : 'ACTIVE'),
    createdBy: by.id,
    createdAt: at,
    position,
    lastActivity: at,
    lastPosition: position,
    endedPosition: null,
    failureReason: null,
    messages: 0,
    latest: null,
    citations: [],
    golds: [],
    media: [],
    crossRefs: [],
    dataRefs: payload.dataRefs ?? {},
    relevance: {},
    disputes: [],
    claims: [],
    pinned: [],
    unpinned: [],
    scratchpad: EMPTY_SCRATCHPAD,
    sourceScratchpad: payload.sourceScratchpad,
    merge: null,
  });
  if (ref !== '') board.ids.set(ref, uuid);
  if (payload.testGroup !== null) link(board, 'group', payload.testGroup, uuid);
  const parent = payload.parent?.kind === 'sidebar' ? board.sidebars.get(payload.parent.sidebarId) : undefined;
  if (parent === undefined) return;
  // Conflicts noticed together are discussed together: they share their newest finding.
  const newest = parent.scratchpad.conflicts.find(({ id }) => id === payload.resolves)?.findings.at(-1);
  const conflicts = parent.scratchpad.conflicts.map((conflict) =>
    newest !== undefined && conflict.resolution === null && conflict.findings.at(-1) === newest ? { ...conflict, resolution: uuid } : conflict,
  );
  board.sidebars.set(parent.id, { ...parent, children: [...parent.children, uuid], scratchpad: { ...parent.scratchpad, conflicts } });
};

const fixed = (origin: Origin, position: number): Origin => (origin.kind === 'none' ? origin : { ...origin, upTo: origin.upTo ?? position });

export const sidebarEvents: Evolvers<SidebarEvents> = {
  'sidebar.spawned': spawned,
  'sidebar.moved': (board, event) =>
    change(board, event, ({ merge, failureReason }) => {
      const { to, reason } = event.payload;
      return {
        ...(isPlain(to) ? moved(plain(to), event) : {}),
        // Back to work: what was proposed has to be proposed again.
        merge: to === 'ACTIVE' ? null : merge,
        failureReason: to === 'FAILED' ? reason : failureReason,
      };
    }),
  'sidebar.paused': (board, event) =>
    change(board, event, (sidebar) => {
      const { reason, resumeCondition, capacity = null } = event.payload;
      const pause = { ...standstill(board, event, sidebar), reason, resumeCondition, capacity };
      return moved({ status: 'PAUSED', pause, waiting: null, archive: null }, event);
    }),
  'sidebar.resumed': (board, event) => change(board, event, () => moved(plain('ACTIVE'), event)),
  'sidebar.waiting': (board, event) => {
    const { waitingFor, description, dependencies, deadline } = event.payload;
    change(board, event, (sidebar) => {
      const waiting = { ...standstill(board, event, sidebar), waitingFor, description, dependencies, deadline };
      return moved({ status: 'WAITING', pause: null, waiting, archive: null }, event);
    });
  },
  'sidebar.changed': (board, event) =>
    change(board, event, (sidebar) => {
      const { crossRefs = [], crossRefsGone = [], dataRefs, ...rest } = event.payload;
      return {
        ...rest,
        routine: routineAfter(sidebar, event),
        crossRefs: [...new Set([...sidebar.crossRefs.filter((ref) => !crossRefsGone.includes(ref)), ...crossRefs])],
        ...(dataRefs === undefined ? {} : { dataRefs: dataAfter(sidebar.dataRefs, dataRefs) }),
      };
    }),
  'sidebar.escalated': (board, event) => {
    const { to, reason } = event.payload;
    change(board, event, () => ({ escalation: { by: event.by.id, reason, at: event.at }, escalatedTo: to }));
  },
  'sidebar.intervened': (board, event) => {
    const key = event.payload.taskType ?? 'none';
    board.interventions.set(key, (board.interventions.get(key) ?? 0) + 1);
    change(board, event, ({ interventions }) => ({ interventions: interventions + 1, escalation: null, escalatedTo: null }));
  },
  'sidebar.tested': (board, event) =>
    change(board, event, ({ testResults }) => ({
      testResults: [...testResults, { ...event.payload, id: event.uuid, by: event.by.id, at: event.at }],
    })),
  'sidebar.consolidated': (board, event) =>
    change(board, event, () => ({
      ...moved(plain('CONSOLIDATING'), event),
      merge: { package: event.payload.package, proposedBy: event.by.id, at: event.at, checks: [] },
    })),
  'merge.checked': (board, event) =>
    change(board, event, ({ merge }) =>
      merge === null ? {} : { merge: { ...merge, checks: [...merge.checks, { ...event.payload, by: event.by.id, at: event.at }] } },
    ),
  // Back to work: what was proposed has to be proposed again.
  'merge.refused': (board, event) => change(board, event, () => ({ ...moved(plain('ACTIVE'), event), merge: null })),
  'sidebar.merged': (board, event) =>
    change(board, event, ({ scratchpad }) => ({
      ...moved(plain('MERGED'), event),
      mergedInto: event.payload.target,
      scratchpad: { ...scratchpad, finalSummary: event.payload.finalSummary },
    })),
  'memory.merged': (board, event) => {
    const merged = board.sidebars.get(event.payload.sidebarId);
    if (merged !== undefined) {
      const ref = event.refs.find((one) => one.startsWith('MSG-')) ?? '';
      if (board.mergeRecords.get(merged.id) !== undefined && ref !== '') link(board, 'merged', ref, merged.id);
      board.sidebars.set(merged.id, { ...merged, mergedAs: { ref, position: event.position, at: event.at, by: event.by.id } });
    }
    change(board, event, ({ messages, crossRefs }) => {
      const from = merged?.ref ?? '';
      return { messages: messages + 1, crossRefs: from === '' ? crossRefs : [...new Set([...crossRefs, from])] };
    });
  },
  'sidebar.archived': (board, event) =>
    change(board, event, ({ tags, endedPosition, scratchpad }) => ({
      ...moved(
        { status: 'ARCHIVED', pause: null, waiting: null, archive: { ...event.payload, at: event.at, by: event.by.id, position: event.position } },
        event,
      ),
      endedPosition: endedPosition ?? event.position,
      scratchpad: { ...scratchpad, finalSummary: scratchpad.finalSummary ?? event.payload.summary },
      tags: [...new Set([...tags, ...event.payload.tags])],
    })),
  'sidebar.proposed': (board, event) => {
    const { number, proposal } = event.payload;
    change(board, event, ({ proposals, lastActivity }) => ({
      lastActivity, // asking isn't activity
      proposals: [...proposals, { id: event.uuid, number, proposal, by: event.by.id, at: event.at }],
      proposed: number,
    }));
  },
  'proposal.answered': (board, event) =>
    change(board, event, ({ proposals }) => ({ proposals: proposals.filter(({ id }) => id !== event.payload.proposal) })),
  'sidebar.forked': (board, event) => {
    const sidebar = board.sidebars.get(sidebarIdOfContext(event.contextId) ?? '');
    // An archived sidebar doesn't become active because somebody builds on it.
    if (sidebar !== undefined) board.sidebars.set(sidebar.id, { ...sidebar, forkedInto: [...sidebar.forkedInto, event.payload.into] });
  },
  'chat.message': (board, event) => {
    change(board, event, ({ messages }) => ({ messages: messages + 1, latest: { id: event.uuid, ref: event.refs[0] ?? '' } }));
    countGold(board, event.payload.citations);
  },
  'mention.routed': (board, event) => change(board, event, () => ({})),
  'relevance.scored': (board, event) =>
    change(board, event, (sidebar) => {
      const relevance = { ...sidebar.relevance };
      for (const [exchange, score] of Object.entries(event.payload.scores)) relevance[exchange] = { ...relevance[exchange], [event.by.id]: score };
      return { relevance, disputes: disputesAfter(sidebar.disputes, relevance) };
    }),
  'relevance.disputed': (board, event) => {
    const { exchange, agents } = event.payload;
    change(board, event, ({ disputes }) => ({
      disputes: [...disputes.filter((dispute) => dispute.exchange !== exchange), { exchange, agents, at: event.at }],
    }));
  },
  'focus.changed': (board, event) =>
    change(board, event, ({ pinned, unpinned }) => {
      const { add, remove } = event.payload;
      const without = (list: readonly string[], gone: readonly string[]): readonly string[] => list.filter((one) => !gone.includes(one));
      return {
        pinned: [...new Set([...without(pinned, remove), ...add])],
        unpinned: [...new Set([...without(unpinned, add), ...remove])],
      };
    }),
};

/** AUTO-9: changing a sidebar's task after the first finding may have reasons that nobody has reviewed. */
const routineAfter = ({ routine, scratchpad, coordinator }: Sidebar, { payload, by }: Recorded<'sidebar.changed'>): Routine => {
  const isEarly = scratchpad.findings.length === 0;
  const isTrusted = isEarly && (by.id === OPERATOR.id || by.id === coordinator);
  const late = [
    ...(payload.task === undefined ? [] : (['task'] as const)),
    ...(payload.taskType === undefined ? [] : (['task_type'] as const)),
    ...(payload.coordinator === undefined ? [] : (['coordinator'] as const)),
    ...(payload.curator === undefined ? [] : (['curator'] as const)),
  ];
  return {
    isTypeTrusted: payload.taskType === undefined ? routine.isTypeTrusted : isTrusted,
    changed: isEarly ? routine.changed : [...new Set([...routine.changed, ...late])],
  };
};

/** GOLD-6: citing a waypoint counts as a use. */
export const countGold = (board: Board, refs: readonly string[]): void => {
  for (const ref of new Set(refs)) {
    const gold = board.golds.get(board.ids.get(ref) ?? '');
    if (gold !== undefined) board.golds.set(gold.id, { ...gold, timesReferenced: gold.timesReferenced + 1 });
  }
};

export const nameOfContext = (board: Board, contextId: string): string => {
  const id = sidebarIdOfContext(contextId);
  if (id !== null) return board.sidebars.get(id)?.ref || id;
  return contextId === BOARD_CONTEXT ? BOARD_CONTEXT : contextId;
};

export const refOfContext = (board: Board, context: Context | null): string | null =>
  context === null ? null : context.kind === 'session' ? context.sessionId : board.sidebars.get(context.sidebarId)?.ref || context.sidebarId;
