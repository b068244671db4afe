import { isOperator, type Actor } from '../actors.ts';
import { foundSidebar, happen, happenIn, maybeWorded, named, type Deciders, type Decision, type Facts } from '../board/deciding.ts';
import { knownAgents } from '../board/references.ts';
import { reject } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import type { CommandOf, FamilyCommand, Happening, Payloads } from '../messages/catalogue.ts';
import { BOARD_CONTEXT } from '../messages/values.ts';
import { ok } from '../result.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { loadRow } from './loads.ts';
import { alternativesTo } from './matching.ts';
import { equipmentOf, seatRunOf } from './seat-runs.ts';
import { agentIdOf } from './state.ts';

/** RT-16: only the operator decides what makes an agent act. The settings define the runtimes. */
const equip = (board: Board, facts: Facts, command: CommandOf<'agent.equip'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'equip-agents' });
  const found = knownAgents(board, [command.agent]);
  if (!found.ok) return found;
  const [agent = ''] = found.value;
  if (board.agents.get(agent)?.kind !== 'agent') return reject('not-an-agent', { agent });
  const { runtime, model, instructions, respondsTo, reach } = command;
  if ([runtime, model, instructions, respondsTo, reach].every((one) => one === undefined)) return reject('nothing-to-change', { in: 'agent' });
  return ok([equipped(board, facts, agent, command)]);
};

/** An agent's equipment from now on: the previous one with these changes. */
export const equipped = (
  board: Board,
  facts: Facts,
  agent: string,
  { runtime, model, instructions, respondsTo, reach }: Partial<Omit<CommandOf<'agent.equip'>, 'agent' | 'type'>>,
): Happening => {
  const { isResting: _isResting, agent: _agent, today: _today, deeds: _deeds, ...before } = equipmentOf(board, agent);
  return happen(facts, 'agent.equipped', BOARD_CONTEXT, {
    agent,
    ...before,
    ...(runtime === undefined ? {} : { runtime }),
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(respondsTo === undefined ? {} : { respondsTo }),
    ...(reach === undefined ? {} : { reach }),
  });
};

/** RT-17: pauses one agent or all of them, or resumes them. It stays in effect until revoked. */
const rest = (board: Board, facts: Facts, { agent: name, isResting, reason }: CommandOf<'agents.rest'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'rest-agents' });
  const found = name === undefined ? ok([null]) : knownAgents(board, [name]);
  if (!found.ok) return found;
  const [agent = null] = found.value;
  return ok([happen(facts, 'agents.rested', BOARD_CONTEXT, { agent, isResting, reason: maybeWorded(reason) })]);
};

/** RT-18: cancels a turn, stops or restarts a seat: the operator in any sidebar, the coordinator in their own. */
const call = (board: Board, facts: Facts, command: CommandOf<'seat.call'>): Decision => {
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const sidebar = found.value;
  const agent = agentIdOf(command.agent);
  if (!isOperator(facts.actor) && facts.actor.id !== sidebar.coordinator) {
    const { coordinator } = sidebar;
    return reject('not-coordinator', { coordinator, sidebar: named(sidebar), what: `${command.wish} its seats`, actor: facts.actor.id });
  }
  if (!sidebar.participants.includes(agent)) return reject('does-not-participate', { agent, sidebar: named(sidebar) });
  return ok([happenIn(facts, sidebar, 'seat.called', { agent, wish: command.wish, reason: maybeWorded(command.reason) })]);
};

const grant = (board: Board, facts: Facts, command: CommandOf<'budget.grant'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'grant-budgets' });
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const agents = knownAgents(board, [command.agent]);
  if (!agents.ok) return agents;
  const [agent = ''] = agents.value;
  const { turns = 0, tokens = 0, usd = 0, usdToday, boardUsdToday } = command;
  const wrong = Object.entries({ turns, tokens, usd, usdToday: usdToday ?? 0, boardUsdToday: boardUsdToday ?? 0 }).find(
    ([, amount]) => !(amount >= 0),
  );
  if (wrong !== undefined) return reject('not-a-number', { field: wrong[0] });
  return ok([
    happenIn(facts, found.value, 'budget.granted', {
      agent,
      turns,
      tokens,
      usd,
      ...(usdToday === undefined ? {} : { usdToday }),
      ...(boardUsdToday === undefined ? {} : { boardUsdToday }),
    }),
  ]);
};

/** Only Yarnboard itself reports what the process of a seat does. */
const toldBySystem = (board: Board, { actor }: { readonly actor: Actor }, sidebar: string): ReturnType<typeof foundSidebar> =>
  actor.type === 'system' ? foundSidebar(board, sidebar) : reject('operator-only', { to: 'tell-of-seats' });

/** RT-66: of several servers that want a seat, the first gets it; a server that takes over says from which one. */
const hold = (board: Board, facts: Facts, { sidebar, agent, server, host, from }: CommandOf<'seat.hold'>): Decision => {
  const found = toldBySystem(board, facts, sidebar);
  if (!found.ok) return found;
  const holder = seatRunOf(board, agent, found.value.id)?.heldBy ?? null;
  if ((holder?.server ?? null) !== from || from === server)
    return reject('seat-held', { agent, sidebar: named(found.value), server: holder?.host ?? holder?.server ?? null });
  return ok([happenIn(facts, found.value, 'seat.held', { agent, server, host })]);
};

/** RT-14: requesters waiting for an agent that keeps failing, here or elsewhere, are told whom to take instead. */
const insteadOf = (board: Board, { language }: Facts, sidebar: Sidebar, agent: string): Pick<Payloads['seat.told'], 'alternatives' | 'awaited'> => {
  const { queue, asked } = loadRow(board, agent);
  const awaited = [...queue, ...asked].slice(0, MOST_TOLD).flatMap((id) => {
    const request = board.requests.get(id);
    const place = board.sidebars.get(request?.sidebarId ?? '');
    // For an agent that wants its own seat back, there is no alternative.
    if (request === undefined || place === undefined || request.kind === 'return') return [];
    return [{ by: request.by, sidebar: place.id, alternatives: [...alternativesTo(board, language, place, request)] }];
  });
  return {
    alternatives: [...alternativesTo(board, language, sidebar, { agent, capability: null })],
    ...(awaited.length === 0 ? {} : { awaited }),
  };
};

const MOST_TOLD = 20;

export const runtimeCommands = {
  'agent.equip': equip,
  'agents.rest': rest,
  'seat.call': call,
  'budget.grant': grant,
  'seat.tell': (board, facts, { type: _type, sidebar, ...told }) => {
    const found = toldBySystem(board, facts, sidebar);
    if (!found.ok) return found;
    const more = told.state === 'failed' ? insteadOf(board, facts, found.value, told.agent) : {};
    return ok([happenIn(facts, found.value, 'seat.told', { ...told, ...more })]);
  },
  'seat.hold': hold,
  'turn.tell': (board, facts, { type: _type, sidebar, ...told }) => {
    const found = toldBySystem(board, facts, sidebar);
    return found.ok ? ok([happenIn(facts, found.value, 'turn.told', told)]) : found;
  },
  'limit.tell': (board, facts, { type: _type, sidebar, ...told }) => {
    const found = toldBySystem(board, facts, sidebar);
    return found.ok ? ok([happenIn(facts, found.value, 'limit.told', told)]) : found;
  },
} satisfies Deciders<FamilyCommand<'runtimes'>>;
