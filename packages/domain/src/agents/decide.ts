import { isOperator, OPERATOR } from '../actors.ts';
import { atWork, foundSidebar, happen, happenIn, maybeWorded, named, type Decision, type Facts, type Deciders } from '../board/deciding.ts';
import { knownAgents } from '../board/references.ts';
import { reject } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import { rowsOf } from '../board/tables.ts';
import { cutText } from '../policies/cutting.ts';
import { parseRef } from '../refs.ts';
import { ok } from '../result.ts';
import { recruit } from './recruit.ts';
import { comingBack, crash } from './crash.ts';
import { equipped } from './runtime-commands.ts';
import { agentIdOf } from './state.ts';
import type { CommandOf, FamilyCommand } from '../messages/catalogue.ts';
import { rightTo } from '../sidebar/rights.ts';
import { BOARD_CONTEXT } from '../messages/values.ts';

/** AGT-1: only the human issues tokens. */
const register = (board: Board, facts: Facts, command: CommandOf<'agent.register'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'register-agents' });
  const agent = agentIdOf(command.agent);
  const read = parseRef(agent);
  if (!read.ok) return reject('bad-agent-name', { asked: cutText(command.agent, 100) });
  if (agent.toLowerCase() === OPERATOR.id.toLowerCase() || /^AGENT-(?:system|human|claude)$/iu.test(agent)) {
    return reject('agent-name-taken', { agent, by: null });
  }
  if (!isHash(command.tokenHash)) return reject('not-a-hash', { of: 'token' });
  // AGT-2: two names that people would confuse.
  const twin = rowsOf(board.agents).find(({ id }) => id !== agent && id.toLowerCase() === agent.toLowerCase());
  if (twin !== undefined) return reject('agent-name-taken', { agent, by: twin.id });
  const known = board.agents.get(agent);
  if (known !== undefined && !known.isRetired) return reject('agent-registered', { agent });
  const { kind, specialties, preferredCollaborators, tokenHash, runtime, model } = command;
  if (kind !== 'agent' && (runtime !== undefined || model !== undefined)) return reject('not-an-agent', { agent });
  return ok([
    happen(facts, 'agent.registered', BOARD_CONTEXT, {
      agent,
      kind,
      specialties,
      preferredCollaborators: preferredCollaborators.map(agentIdOf),
      tokenHash,
    }),
    ...(runtime === undefined && model === undefined ? [] : [equipped(board, facts, agent, { runtime, model })]),
  ]);
};

const changeAgent = (board: Board, facts: Facts, command: CommandOf<'agent.change'>): Decision => {
  const found = knownAgents(board, [command.agent]);
  if (!found.ok) return found;
  const [agent = ''] = found.value;
  if (!isOperator(facts.actor) && (facts.actor.id !== agent || command.tokenHash !== undefined)) {
    return reject('operator-only', { to: 'change-agents' });
  }
  const { specialties, preferredCollaborators, tokenHash, accepts } = command;
  if (agent === OPERATOR.id && tokenHash !== undefined) return reject('operator-token-is-a-file', {});
  if (tokenHash !== undefined && !isHash(tokenHash)) return reject('not-a-hash', { of: 'token' });
  if (specialties === undefined && preferredCollaborators === undefined && tokenHash === undefined && accepts === undefined)
    return reject('nothing-to-change', { in: 'agent' });
  return ok([
    happen(facts, 'agent.changed', BOARD_CONTEXT, {
      agent,
      ...(specialties === undefined ? {} : { specialties }),
      ...(preferredCollaborators === undefined ? {} : { preferredCollaborators: preferredCollaborators.map(agentIdOf) }),
      ...(tokenHash === undefined ? {} : { tokenHash }),
      ...(accepts === undefined ? {} : { accepts }),
    }),
  ]);
};

const retire = (board: Board, facts: Facts, command: CommandOf<'agent.retire'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'retire-agents' });
  const found = knownAgents(board, [command.agent]);
  if (!found.ok) return found;
  const [agent = ''] = found.value;
  if (agent === OPERATOR.id) return reject('operator-stays', {});
  return ok([happen(facts, 'agent.retired', BOARD_CONTEXT, { agent, reason: maybeWorded(command.reason) })]);
};

/** AGT-5: members report their own presence; Yarnboard reports lost connections. */
const tellPresence = (board: Board, facts: Facts, command: CommandOf<'agent.presence'>): Decision => {
  const agent = agentIdOf(command.agent);
  if (facts.actor.type !== 'system' && facts.actor.id !== agent) return reject('presence-of-others', { actor: facts.actor.id });
  const found = knownAgents(board, [agent]);
  if (!found.ok) return found;
  const told = happen(facts, 'agent.presence', BOARD_CONTEXT, { agent, status: command.status, currentContext: command.currentContext ?? null });
  return ok([told, ...(command.status === 'offline' ? [] : comingBack(board, facts, board.agents.get(agent)))]);
};

/** AGT-7: members leave by themselves, or the coordinator removes them; somebody has to stay. */
const leave = (board: Board, facts: Facts, command: CommandOf<'agent.leave'>): Decision => {
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const sidebar = found.value;
  const agent = agentIdOf(command.agent);
  if (!sidebar.participants.includes(agent)) return reject('does-not-participate', { agent, sidebar: named(sidebar) });
  if (agent !== facts.actor.id && rightTo('dismiss', sidebar, facts.actor) !== 'yes') {
    return reject('not-yours-to-dismiss', { coordinator: sidebar.coordinator });
  }
  const alive = atWork(sidebar);
  if (!alive.ok) return alive;
  if (sidebar.participants.length === 1) {
    return reject('last-participant', { agent, sidebar: named(sidebar) });
  }
  return ok([happenIn(facts, sidebar, 'agent.left', { agent, reason: maybeWorded(command.reason) })]);
};

/** AGT-9: what is read leaves the inbox; nobody can have read what wasn't said yet. */
const readInbox = (board: Board, facts: Facts, command: CommandOf<'inbox.read'>): Decision => {
  const { upTo } = command;
  if (!Number.isSafeInteger(upTo) || upTo < 0) return reject('not-a-position', { given: String(upTo) });
  const agent = facts.actor.id;
  const newest = board.notices.get(agent)?.at(-1)?.position ?? 0;
  return ok([happen(facts, 'inbox.read', BOARD_CONTEXT, { agent, upTo: Math.min(upTo, newest) })]);
};

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/u.test(text);

export const agentCommands = {
  'agent.register': register,
  'agent.change': changeAgent,
  'agent.retire': retire,
  'agent.presence': tellPresence,
  'agent.crash': crash,
  'agent.recruit': recruit,
  'agent.leave': leave,
  'inbox.read': readInbox,
} satisfies Deciders<FamilyCommand<'agents'>>;
