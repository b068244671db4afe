import { isOperator, OPERATOR } from '../actors.ts';
import {
  asParticipant,
  atWork,
  foundSidebar,
  happen,
  happenIn,
  maybeWorded,
  named,
  type Decision,
  type Deciders,
  type Facts,
} from '../board/deciding.ts';
import { knownAgents } from '../board/references.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import { sidebarOf, type Board } from '../board/state.ts';
import type { CommandOf, FamilyCommand } from '../messages/catalogue.ts';
import { BOARD_CONTEXT } from '../messages/values.ts';
import { cutText } from '../policies/cutting.ts';
import { ok, type Result } from '../result.ts';
import { asRight } from '../sidebar/proposals.ts';
import { rightTo } from '../sidebar/rights.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { alternativesTo, candidatesFor, specialtiesOn } from './matching.ts';
import { isOpenRequest, requestFor, requestsOfSidebar } from './requests.ts';
import { loadRow } from './loads.ts';
import { limitsTold, ownRecruitment } from './own-limits.ts';
import { roomFor, seatsCountIn, seatsOfAgent, takesSeats } from './seats.ts';
import { agentIdOf, limitsOf, type Request } from './state.ts';

/** AGT-6, LOAD-11: participants recruit, by name or by capability. Anyone may volunteer; if the sidebar isn't open, the coordinator is asked. */
export const recruit = (board: Board, facts: Facts, command: CommandOf<'agent.recruit'>): Decision => {
  const chosen = chosenBy(board, facts, command);
  if (!chosen.ok) return chosen;
  const agent = chosen.value;
  const found = agent === facts.actor.id ? foundSidebar(board, command.sidebar) : asParticipant(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const alive = atWork(found.value);
  if (!alive.ok) return alive;
  const sidebar = found.value;
  if (sidebar.participants.includes(agent)) return reject('participates-already', { agent, sidebar: named(sidebar) });
  const before = requestFor(board, agent, sidebar.id);
  if (before !== null && isOpenRequest(before)) return reject('recruited-already', { agent, sidebar: named(sidebar), request: before.id });
  const limits = ownRecruitment(board, facts, agent === facts.actor.id ? 0 : 1);
  if (!limits.ok) return limits;
  const told = limitsTold(facts, sidebar, limits.value);
  const wish = { by: facts.actor.id, note: maybeWorded(command.reason), capability: maybeWorded(command.capability) };
  return asRight(agent === facts.actor.id ? 'join' : 'recruit', sidebar, facts, {
    done: (given) => {
      const admission = admissionOf(board, given, agent, sidebar, { isVolunteer: command.isVolunteer === true || agent === facts.actor.id });
      if (admission === 'joins') {
        const { note, capability } = wish;
        const said = { ...(note === null ? {} : { note }), ...(capability === null ? {} : { capability }) };
        return ok([happenIn(given, sidebar, 'agent.joined', { agent, recruitedBy: facts.actor.id, ...said }), ...told]);
      }
      if (admission === 'queues' && command.queue === false)
        return reject('at-capacity', { agent, alternatives: alternativesTo(board, facts.language, sidebar, { agent, capability: wish.capability }) });
      return ok([
        happenIn(given, sidebar, 'recruitment.requested', { agent, ...wish, wants: admission === 'asks' ? 'answer' : 'seat', kind: 'join' }),
        ...told,
      ]);
    },
    proposal: { action: 'join', agent, reason: maybeWorded(command.reason) },
  });
};

/** LOAD-14: by name; or the first one with the capability. */
const chosenBy = (board: Board, facts: Facts, { agent, capability, sidebar: text }: CommandOf<'agent.recruit'>): Result<string, Rejection> => {
  if (agent !== undefined) {
    const known = knownAgents(board, [agent]);
    return known.ok ? ok(known.value[0] ?? '') : known;
  }
  const wanted = maybeWorded(capability);
  if (wanted === null) return ok(facts.actor.id);
  const sidebar = sidebarOf(board, text);
  if (sidebar === null) return reject('unknown-sidebar', { asked: cutText(text, 100) });
  const open = new Set(requestsOfSidebar(board, sidebar.id).map((one) => one.agent));
  const [first] = candidatesFor(board, facts.language, [wanted], sidebar, { except: open.add(facts.actor.id), most: 1 });
  if (first === undefined) return reject('no-match', { capability: cutText(wanted, 200), specialties: specialtiesOn(board) });
  return ok(first.agent);
};

type Admission = 'joins' | 'asks' | 'queues';

/** LOAD-11: agents that want to be asked are asked; an agent that needs a seat and has none waits for one; everyone else joins. */
export const admissionOf = (
  board: Board,
  facts: Pick<Facts, 'areSeatsUnknown'>,
  agentId: string,
  sidebar: Pick<Sidebar, 'status'>,
  { isVolunteer = false, isTeam = false }: { readonly isVolunteer?: boolean; readonly isTeam?: boolean } = {},
): Admission => {
  const agent = board.agents.get(agentId);
  // The members of an initial team have usually agreed beforehand, unless they want to be asked.
  const accepts = agent?.accepts ?? (agentId === OPERATOR.id || agent?.kind === 'human' ? (isTeam ? 'auto' : 'ask') : 'auto');
  if (accepts === 'ask' && !isVolunteer) return 'asks';
  if (facts.areSeatsUnknown === true || !seatsCountIn(sidebar.status) || !takesSeats(agent)) return 'joins';
  return roomFor(agent, seatsOfAgent(board, agentId)) !== null && loadRow(board, agentId).queue.length === 0 ? 'joins' : 'queues';
};

/** LOAD-4: only the operator sets how much an agent may do at once. */
const limit = (board: Board, facts: Facts, command: CommandOf<'agent.limit'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'limit-agents' });
  const found = knownAgents(board, [command.agent]);
  if (!found.ok) return found;
  const [id = ''] = found.value;
  const agent = board.agents.get(id);
  if (agent?.kind !== 'agent') return reject('people-have-no-limits', { agent: id });
  const { maxConcurrentPerInstance, maxInstances } = command;
  if (maxConcurrentPerInstance === undefined && maxInstances === undefined) return reject('nothing-to-change', { in: 'agent' });
  for (const [field, value] of Object.entries({ maxConcurrentPerInstance, maxInstances }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0 && value <= MOST_AT_ONCE))
      return reject('bad-limit', { field, most: MOST_AT_ONCE });
  const before = limitsOf(agent);
  return ok([
    happen(facts, 'agent.limited', BOARD_CONTEXT, {
      agent: id,
      maxConcurrentPerInstance: maxConcurrentPerInstance ?? before.maxConcurrentPerInstance,
      maxInstances: maxInstances ?? before.maxInstances,
    }),
  ]);
};

/** LOAD-12: whoever was asked answers, and may decline until their first act there. */
const answer = (board: Board, facts: Facts, command: CommandOf<'recruitment.answer'>): Decision => {
  const found = requestNamed(board, facts, command.request);
  if (!found.ok) return found;
  const { request, sidebar } = found.value;
  if (request.agent !== facts.actor.id) return reject('not-yours-to-answer', { agent: request.agent });
  if (command.isAccepted) {
    if (request.state !== 'asked') return reject('request-over', { request: request.id, state: request.state });
    const needsSeat = admissionOf(board, facts, request.agent, sidebar, { isVolunteer: true }) !== 'joins';
    return ok([
      needsSeat
        ? happenIn(facts, sidebar, 'recruitment.accepted', { agent: request.agent, request: request.id })
        : happenIn(facts, sidebar, 'agent.joined', { agent: request.agent, recruitedBy: request.by, request: request.id }),
    ]);
  }
  const isIn = request.state === 'joined' && sidebar.participants.includes(request.agent) && atWork(sidebar).ok;
  if (!isOpenRequest(request) && !isIn) return reject('request-over', { request: request.id, state: request.state });
  if (isIn && request.hasActed) return reject('acted-already', { sidebar: named(sidebar) });
  if (isIn && sidebar.participants.length === 1) return reject('last-participant', { agent: request.agent, sidebar: named(sidebar) });
  const isPerson = facts.actor.type === 'human';
  const code = command.code ?? (isPerson ? 'other' : null);
  if (code === null || (code === 'other' && !isPerson)) return reject('decline-needs-code', { codes: ['overloaded', 'outside_expertise'] });
  const { agent, by, capability } = request;
  const note = maybeWorded(command.note);
  const alternatives = alternativesTo(board, facts.language, sidebar, { agent, capability });
  return ok([
    happenIn(facts, sidebar, 'recruitment.declined', { agent, request: request.id, by, code, note, alternatives }),
    ...(isIn ? [happenIn(facts, sidebar, 'agent.left', { agent, reason: `declined: ${code.replaceAll('_', ' ')}` })] : []),
  ]);
};

/** LOAD-12: the requester, the coordinator or the human withdraws a request. */
const withdraw = (board: Board, facts: Facts, command: CommandOf<'recruitment.withdraw'>): Decision => {
  const found = requestNamed(board, facts, command.request);
  if (!found.ok) return found;
  const { request, sidebar } = found.value;
  if (request.by !== facts.actor.id && rightTo('dismiss', sidebar, facts.actor) !== 'yes')
    return reject('not-yours-to-withdraw', { by: request.by, coordinator: sidebar.coordinator });
  if (!isOpenRequest(request) || request.kind === 'return') return reject('request-over', { request: request.id, state: request.state });
  const { agent, by } = request;
  return ok([
    happenIn(facts, sidebar, 'recruitment.withdrawn', { agent, request: request.id, by, how: 'withdrawn', reason: maybeWorded(command.reason) }),
  ]);
};

type Found = { readonly request: Request; readonly sidebar: Sidebar };

/** By its id; or by the sidebar, for whoever was asked to join it. */
const requestNamed = (board: Board, { actor }: Pick<Facts, 'actor'>, text: string): Result<Found, Rejection> => {
  const there = sidebarOf(board, text);
  const request = board.requests.get(text) ?? (there === null ? null : requestFor(board, agentIdOf(actor.id), there.id));
  const sidebar = request === null ? undefined : board.sidebars.get(request.sidebarId);
  return request === null || sidebar === undefined ? reject('unknown-recruitment', { asked: cutText(text, 100) }) : ok({ request, sidebar });
};

const MOST_AT_ONCE = 100;

export const recruitingCommands = {
  'agent.limit': limit,
  'recruitment.answer': answer,
  'recruitment.withdraw': withdraw,
} satisfies Deciders<FamilyCommand<'recruiting'>>;
