import { settleSeats } from '../agents/capacity.ts';
import { agentCommands } from '../agents/decide.ts';
import { permissionCommands } from '../agents/permissions.ts';
import { recruitingCommands } from '../agents/recruit.ts';
import { autoMergeCommands } from '../auto-merge/decide.ts';
import { autoMergeSteps } from '../auto-merge/merging.ts';
import { noticedProblems } from '../auto-merge/problems.ts';
import { markCommands } from '../claims/decide.ts';
import { validationCommands } from '../claims/validate.ts';
import { runtimeCommands } from '../agents/runtime-commands.ts';
import { citationCommands } from '../citations/decide.ts';
import { memoryCommands } from '../scratchpad/keeping.ts';
import { scratchpadCommands } from '../scratchpad/decide.ts';
import { archiveCommands } from '../sidebar/archive.ts';
import { answering } from '../sidebar/proposals.ts';
import { finishCommands } from '../sidebar/finish.ts';
import { mergeCommands } from '../sidebar/merge.ts';
import { moveCommands } from '../sidebar/moves.ts';
import { spawnCommands } from '../sidebar/spawn.ts';
import { talkCommands } from '../sidebar/talk.ts';
import { isOperator, OPERATOR } from '../actors.ts';
import { cutText } from '../policies/cutting.ts';
import { parseRef } from '../refs.ts';
import { err, ok } from '../result.ts';
import { untrueClaim } from './claims.ts';
import { happenIn, type Decider, type Deciders, type Decision, type Facts } from './deciding.ts';
import { labelCommands } from './labelling.ts';
import { withinLimits } from './limits.ts';
import { isSomebody, knownRefs } from './references.ts';
import { reject } from './rejection.ts';
import type { Board } from './state.ts';
import type { Command, CommandType, Happening } from '../messages/catalogue.ts';
import { sidebarIdOfContext } from '../messages/values.ts';

const DECIDERS: Deciders<CommandType> = {
  ...spawnCommands,
  ...moveCommands,
  ...mergeCommands,
  ...finishCommands,
  ...archiveCommands,
  ...autoMergeSteps,
  ...autoMergeCommands,
  ...talkCommands,
  ...scratchpadCommands,
  ...memoryCommands,
  ...citationCommands,
  ...markCommands,
  ...validationCommands,
  ...agentCommands,
  ...recruitingCommands,
  ...runtimeCommands,
  ...permissionCommands,
  ...labelCommands,
  'proposal.answer': answering({ ...moveCommands, ...archiveCommands, ...agentCommands }),
};

/** The events that a command causes, or why it is refused. Pure: the board is only read. */
export const decide = (board: Board, command: Command, facts: Facts): Decision => {
  const fit = withinLimits(command);
  if (!fit.ok) return fit;
  const { actor } = facts;
  // AGT-4: a connection may have been accepted before its agent was retired.
  if (actor.type !== 'system' && !isSomebody(board, actor.id)) return knownAgentsOnly(board, actor.id);
  if (facts.errorRef !== undefined && parseRef(facts.errorRef).ok) {
    const known = knownRefs(board, facts, [facts.errorRef]);
    if (!known.ok) return known;
  }
  // First of all: a caller with a mistaken belief is told so, not the consequences of the actual state.
  const mistaken = untrueClaim(board, facts, command, null);
  if (mistaken !== null) return err(mistaken);
  const decider = DECIDERS[command.type] as Decider<CommandType>; // the table is complete by its type
  const decision = decider(board, facts, command);
  if (!decision.ok) return decision;
  const untrue = untrueClaim(board, facts, command, decision.value);
  if (untrue !== null) return err(untrue);
  const events = [...decision.value, ...answersTo(board, facts, decision.value), ...noticedProblems(board, facts, decision.value)];
  return ok([...events, ...settleSeats(board, facts, events)]);
};

const knownAgentsOnly = (board: Board, id: string): Decision => {
  const actor = cutText(id, 100);
  return board.agents.get(id)?.isRetired === true ? reject('retired-actor', { actor }) : reject('unknown-actor', { actor });
};

/** LIFE-12: when an escalation is open and an agent coordinates, any act of the human is an intervention, counted once. */
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
