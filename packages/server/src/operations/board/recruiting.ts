import {
  activeFocus,
  agentIdOf,
  candidatesFor,
  countFindings,
  equipmentOf,
  isResting,
  inheritedBy,
  isOpenRequest,
  isOperator,
  limitsOf,
  loadOf,
  openConflicts,
  placeOf,
  queueOf,
  requestFor,
  rowsOf,
  scratchpadRefOf,
  seatsOfAgent,
  suggestionsFor,
  takesPart,
  type Agent,
  type Board,
  type Request,
  type Sidebar,
} from '@yarnboard/domain';
import { toWire, type InputOf } from '@yarnboard/protocol';
import type { Engine } from '../../engine/engine.ts';
import type { Asking } from '../request/asker.ts';
import { latestPageOf, pageOf } from '../request/cursor.ts';
import { refusedFor } from '../request/refusal.ts';
import { agentOf, everybody } from './agents.ts';
import { judgedView } from './claim-views.ts';
import { actorOf } from './commands.ts';
import { sidebarName } from './names.ts';
import { foundSidebar } from '../request/find-sidebar.ts';

export type RecruitingNeeds = { readonly engine: Pick<Engine, 'board' | 'language'>; readonly now: () => number };

/** Handlers for recruiting: who is asked, who is waiting, who has capacity, who could help, and the briefing for new participants. */
export const recruitingHandlers = ({ engine, now }: RecruitingNeeds) => ({
  recruitments: async (input: InputOf<'recruitments'>) => {
    const board = engine.board();
    const agent = input.agent_id === undefined ? null : agentIdOf(input.agent_id);
    const sidebarId = input.sidebar_id === undefined ? null : foundSidebar(board, input.sidebar_id).id;
    const all = rowsOf(board.requests).filter(
      (one) =>
        (agent === null || one.agent === agent) && (sidebarId === null || one.sidebarId === sidebarId) && (input.open !== true || isOpenRequest(one)),
    );
    const { items, nextCursor } = latestPageOf(all, (one) => one, input);
    return toWire({ items: items.map((one) => requestView(board, one)), nextCursor });
  },
  load: async (input: InputOf<'load'>) => {
    const board = engine.board();
    if (input.agent_id !== undefined) {
      const agent = agentOf(board, agentIdOf(input.agent_id));
      if (agent === null) throw refusedFor('unknown-agent', { agent: input.agent_id });
      return toWire({ items: [loadView(board, agent)], nextCursor: null });
    }
    const { items, nextCursor } = pageOf(
      everybody(board).filter(({ isRetired }) => !isRetired),
      input.limit,
      input.cursor,
    );
    return toWire({ items: items.map((agent) => loadView(board, agent)), nextCursor });
  },
  suggestions: async ({ sidebar_id: id, capability }: InputOf<'suggestions'>) => {
    const board = engine.board();
    const sidebar = foundSidebar(board, id);
    const found =
      capability === undefined
        ? suggestionsFor(board, engine.language, sidebar)
        : candidatesFor(board, engine.language, [capability], sidebar, { most: MOST_CANDIDATES });
    return toWire({ items: found.map(({ agent, availability, words, why }) => ({ agentId: agent, availability, words, why })) });
  },
  onboarding: async ({ sidebar_id: id }: InputOf<'onboarding'>, asking: Asking) => {
    const board = engine.board();
    const sidebar = foundSidebar(board, id);
    const actor = actorOf(asking, undefined);
    const request = requestFor(board, actor.id, sidebar.id);
    const isAsked = request !== null && isOpenRequest(request);
    if (!takesPart(sidebar, actor) && !isAsked && !isOperator(actor))
      throw refusedFor('not-participant', { actor: actor.id, sidebar: sidebar.ref, to: 'work', ask: sidebar.participants.slice(0, 5) });
    return toWire(onboardingView(board, sidebar, now()));
  },
});

const time = (at: number): string => new Date(at).toISOString();

const requestView = (board: Board, request: Request) => ({
  requestId: request.id,
  agentId: request.agent,
  sidebarId: sidebarName(board, request.sidebarId),
  priority: board.sidebars.get(request.sidebarId)?.priority ?? 'NORMAL',
  requestedBy: request.by,
  requestedAt: time(request.at),
  note: request.note,
  capability: request.capability,
  kind: request.kind,
  state: request.state,
  queuePosition: placeOf(board, request),
  endedAt: request.endedAt === null ? null : time(request.endedAt),
  reasonCode: request.code,
  answer: request.answer,
});

const loadView = (board: Board, agent: Agent) => {
  const isAgent = agent.kind === 'agent';
  const { maxConcurrentPerInstance, maxInstances } = limitsOf(agent);
  const instances = new Map<string, { sidebarId: string; since: string }[]>();
  for (const { instanceId, sidebarId, since } of seatsOfAgent(board, agent.id))
    instances.set(instanceId, [...(instances.get(instanceId) ?? []), { sidebarId: sidebarName(board, sidebarId), since: time(since) }]);
  const queue = queueOf(board, agent.id);
  return {
    agentId: agent.id,
    kind: agent.kind,
    availability: agent.presence,
    accepts: agent.accepts ?? (isAgent ? 'auto' : 'ask'),
    currentLoad: loadOf(board, agent.id),
    capacity: isAgent ? maxConcurrentPerInstance * maxInstances : null,
    maxConcurrentPerInstance: isAgent ? maxConcurrentPerInstance : null,
    maxInstances: isAgent ? maxInstances : null,
    instances: [...instances].map(([instanceId, seats]) => ({ instanceId, seats })),
    queue: queue.slice(0, MOST_LISTED).map((one, at) => ({
      requestId: one.id,
      sidebarId: sidebarName(board, one.sidebarId),
      priority: board.sidebars.get(one.sidebarId)?.priority ?? 'NORMAL',
      queuePosition: at + 1,
      since: time(one.at),
    })),
    queued: queue.length,
    paused: (board.loads.get(agent.id)?.paused ?? []).map((id) => sidebarName(board, id)),
    pausedFor: (board.loads.get(agent.id)?.paused ?? []).map((id) => {
      const request = board.requests.get(board.sidebars.get(id)?.pause?.capacity?.request ?? '');
      return { sidebarId: sidebarName(board, id), forSidebarId: request === undefined ? null : sidebarName(board, request.sidebarId) };
    }),
    runtime: equipmentOf(board, agent.id).runtime,
    model: equipmentOf(board, agent.id).model,
    resting: isResting(board, agent.id),
  };
};

/** LOAD-17, CLAIM-19: references, counts and marks only, never the memory itself, so the cost doesn't depend on how much was inherited. */
const onboardingView = (board: Board, sidebar: Sidebar, now: number) => {
  const { pending, confirmed, rejected } = countFindings(sidebar.scratchpad);
  return {
    sidebarId: sidebar.ref,
    taskDescription: sidebar.task,
    successCriteria: sidebar.successCriteria,
    status: sidebar.status,
    priority: sidebar.priority,
    coordinatorAgent: sidebar.coordinator,
    curatorAgent: sidebar.curator,
    participants: sidebar.participants,
    inheritedMemory: {
      segments: inheritedBy(board, sidebar).map((segment) => ({
        contextId: segment.kind === 'session' ? segment.sessionId : sidebarName(board, segment.sidebarId),
        upTo: segment.upTo,
      })),
      readWith: 'sidebar_memory',
      judged: judgedView(board, sidebar, now),
    },
    activeFocus: activeFocus(sidebar),
    scratchpad: {
      scratchpadId: scratchpadRefOf(sidebar.ref),
      pending,
      confirmed,
      rejected,
      openConflicts: openConflicts(sidebar.scratchpad).length,
      checkpoints: sidebar.scratchpad.checkpoints.length,
    },
    firstAct: sidebar.parent === null ? 'Read the task and say what you can do.' : 'Score how relevant what was inherited is to the task.',
  };
};

const MOST_CANDIDATES = 6;
const MOST_LISTED = 20;
