import { SYSTEM } from '../actors.ts';
import type { Facts } from '../board/deciding.ts';
import { decide } from '../board/decide.ts';
import { evolve } from '../board/evolve.ts';
import { homeOf } from '../board/notices.ts';
import type { Language } from '../board/language.ts';
import type { Rejection } from '../board/rejection.ts';
import { tryOn, type Board } from '../board/state.ts';
import type { Command, Recorded } from '../messages/catalogue.ts';
import { assertNever } from '../never.ts';
import { ok, type Result } from '../result.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { alternativesTo, reasonFor } from './matching.ts';
import { placeOf } from './requests.ts';
import { seatOf } from './seats.ts';
import type { Request } from './state.ts';

/** LOAD-11: the seed's RecruitmentResult. `offline`: it takes part, and finds the notice in its inbox. */
export type RecruitmentResult = {
  readonly agentId: string;
  readonly status: Request['state'] | 'offline';
  readonly queuePosition: number | null;
  readonly alternatives: readonly string[];
  readonly message: string;
  /** Why this one was chosen; null if it was named. */
  readonly why: string | null;
  readonly instanceId: string | null;
  readonly requestId: string | null;
};

/** The results for everyone in the events of one command: recruits, the team of a new sidebar, participants who want a seat back. */
export const recruitmentsIn = (board: Board, language: Language, events: readonly Recorded[]): readonly RecruitmentResult[] => {
  const results = new Map<string, RecruitmentResult>();
  for (const event of events) {
    const sidebar = homeOf(board, event);
    if (sidebar === null) continue;
    const request = board.requests.get('request' in event.payload ? (event.payload.request ?? event.uuid) : event.uuid);
    if (request !== undefined) results.set(`${request.agent} ${sidebar.id}`, resultOf(board, language, sidebar, request.agent, request));
    for (const agent of 'participants' in event.payload ? event.payload.participants : [])
      if (agent !== event.by.id && event.by.id !== SYSTEM.id) results.set(`${agent} ${sidebar.id}`, resultOf(board, language, sidebar, agent, null));
  }
  return [...results.values()];
};

/** The results a command would have for its recruits, without executing it. */
export const planOf = (board: Board, command: Command, facts: Facts): Result<readonly RecruitmentResult[], Rejection> => {
  const decision = decide(board, command, facts);
  if (!decision.ok) return decision;
  const layer = tryOn(board);
  const events = decision.value.map((happening, at): Recorded => ({ ...happening, position: FIRST_GUESS + at, at: facts.now, refs: [] }));
  for (const event of events) evolve(layer, event);
  return ok(recruitmentsIn(layer, facts.language, events).map((result) => ({ ...result, requestId: null })));
};

const resultOf = (board: Board, language: Language, sidebar: Sidebar, agentId: string, request: Request | null): RecruitmentResult => {
  const agent = board.agents.get(agentId);
  const isAway = agent?.kind === 'agent' && agent.presence === 'offline';
  const state = request?.state ?? 'joined';
  const status = state === 'joined' && isAway ? 'offline' : state;
  const place = request === null ? null : placeOf(board, request);
  const capability = request?.capability ?? null;
  const why = capability === null ? null : reasonFor(board, language, capability, agentId, sidebar);
  // Whoever named somebody who is there needs nobody else.
  const isSettled = (status === 'joined' || status === 'asked') && capability === null;
  return {
    agentId,
    status,
    queuePosition: place,
    alternatives: isSettled ? [] : alternativesTo(board, language, sidebar, { agent: agentId, capability }),
    message: `${messageOf(agentId, status, place, sidebar)}${why === null ? '' : ` (${why})`}`,
    why,
    instanceId: seatOf(board, agentId, sidebar.id)?.instanceId ?? null,
    requestId: request?.id ?? null,
  };
};

const messageOf = (agent: string, status: RecruitmentResult['status'], place: number | null, { priority }: Sidebar): string => {
  switch (status) {
    case 'joined':
      return `${agent} takes part`;
    case 'offline':
      return `${agent} is offline and will find this in its inbox`;
    case 'asked':
      return `${agent} was asked, and has not answered yet`;
    case 'queued':
      return priority === 'LOW' || priority === 'BACKGROUND'
        ? 'Queued for when capacity available'
        : `${agent} is full: place ${place ?? 1} in its queue`;
    case 'declined':
    case 'withdrawn':
    case 'dropped':
      return `the request for ${agent} was ${status}`;
    default:
      return assertNever(status);
  }
};

const FIRST_GUESS = 9_000_000_000_000_000;
