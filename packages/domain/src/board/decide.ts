import * as agents from '../agents/decide.ts';
import * as citations from '../citations/decide.ts';
import * as scratchpad from '../scratchpad/decide.ts';
import { archive } from '../sidebar/archive.ts';
import { checkMerge, consolidate, merge } from '../sidebar/merge.ts';
import * as moves from '../sidebar/moves.ts';
import { fork, spawn, spawnChild } from '../sidebar/spawn.ts';
import { changeFocus, routeMention, say, scoreRelevance } from '../sidebar/talk.ts';
import { isOperator, OPERATOR } from '../actors.ts';
import { cutText } from '../policies/cutting.ts';
import { ok } from '../result.ts';
import type { Command, CommandOf, CommandType } from './commands.ts';
import { happenIn, type Decision, type Facts } from './deciding.ts';
import { sidebarIdOfContext, type Happening } from './events.ts';
import { withinLimits } from './limits.ts';
import { isSomebody } from './references.ts';
import { reject } from './rejection.ts';
import type { Board } from './state.ts';

type Decider<T extends CommandType> = (board: Board, facts: Facts, command: CommandOf<T>) => Decision;

const DECIDERS: { readonly [T in CommandType]: Decider<T> } = {
  'sidebar.spawn': spawn,
  'sidebar.spawn-child': spawnChild,
  'sidebar.fork': fork,
  'sidebar.pause': moves.pause,
  'sidebar.resume': moves.resume,
  'sidebar.wait': moves.wait,
  'sidebar.move': moves.move,
  'sidebar.change': moves.changeSidebar,
  'sidebar.escalate': moves.escalate,
  'sidebar.test-result': moves.testResult,
  'sidebar.consolidate': consolidate,
  'merge.check': checkMerge,
  'sidebar.merge': merge,
  'sidebar.archive': archive,
  'chat.say': say,
  'mention.route': routeMention,
  'relevance.score': scoreRelevance,
  'focus.change': changeFocus,
  'finding.submit': scratchpad.submit,
  'finding.validate': scratchpad.validate,
  'finding.annotate': scratchpad.annotate,
  'conflict.resolve': scratchpad.resolveConflict,
  'checkpoint.create': scratchpad.checkpoint,
  'checkpoint.annotate': scratchpad.annotateCheckpoint,
  'citation.create': citations.cite,
  'media.upload': citations.upload,
  'gold.create': citations.createGold,
  'gold.validate': citations.validateGold,
  'gold.surface': citations.surfaceGold,
  'agent.register': agents.register,
  'agent.change': agents.changeAgent,
  'agent.retire': agents.retire,
  'agent.presence': agents.tellPresence,
  'agent.recruit': agents.recruit,
  'agent.leave': agents.leave,
  'inbox.read': agents.readInbox,
};

/** What a command makes happen, or why it is refused. Pure: the board is only read. */
export const decide = (board: Board, command: Command, facts: Facts): Decision => {
  const fit = withinLimits(command);
  if (!fit.ok) return fit;
  const { actor } = facts;
  // AGT-4: a connection may have been let in before its agent was retired.
  if (actor.type !== 'system' && !isSomebody(board, actor.id)) return knownAgentsOnly(board, actor.id);
  const decider = DECIDERS[command.type] as Decider<CommandType>; // the table is complete by its type
  const decision = decider(board, facts, command);
  return decision.ok ? ok([...decision.value, ...answersTo(board, facts, decision.value)]) : decision;
};

const knownAgentsOnly = (board: Board, id: string): Decision => {
  const isRetired = board.agents.get(id)?.isRetired === true;
  return reject(
    isRetired ? 'retired-agent' : 'not-found',
    `${cutText(id, 100)} ${isRetired ? 'was retired and does nothing here any more' : 'is nobody on this board'}; the human operator registers agents`,
  );
};

/** LIFE-12: the human who does something where an escalation is open, and an agent coordinates, has stepped in; that is counted once. */
const answersTo = (board: Board, facts: Facts, events: readonly Happening[]): readonly Happening[] => {
  if (!isOperator(facts.actor) || events.some(({ type }) => type === 'sidebar.intervened')) return [];
  const contexts = new Set(events.filter(({ by }) => by.id === facts.actor.id).map(({ contextId }) => contextId));
  return [...contexts].flatMap((contextId) => {
    const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '');
    if (sidebar === undefined || sidebar.escalation === null || sidebar.coordinator === OPERATOR.id) return [];
    const { coordinator: instead, taskType } = sidebar;
    return [happenIn(facts, sidebar, 'sidebar.intervened', { instead, what: 'answer an escalation', taskType })];
  });
};
