import { agentIdOf } from '../agents/state.ts';
import { foundSidebar, happenIn, maybeWorded, named, type Decider, type Deciders, type Decision, type Facts } from '../board/deciding.ts';
import { MOST_KEPT } from '../board/limits.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import { assertNever } from '../never.ts';
import { cutText } from '../policies/cutting.ts';
import { ok, type Result } from '../result.ts';
import { rightTo, type Action } from './rights.ts';
import type { Proposed, Sidebar } from './state.ts';
import type { CommandOf, CommandType } from '../messages/catalogue.ts';
import type { Proposal } from '../messages/proposals.ts';

/**
 * RIGHT-1: executes it if the actor may, asks the coordinator if the actor may only ask, and refuses it otherwise. Proposals are validated first:
 * nobody has to answer one that can't be executed anyway.
 */
export const asRight = (
  action: Action,
  sidebar: Sidebar,
  facts: Facts,
  { done, proposal }: { readonly done: (facts: Facts) => Decision; readonly proposal: Proposal },
): Decision => {
  const right = rightTo(action, sidebar, facts.actor);
  switch (right) {
    case 'yes':
      return done(facts);
    case 'ask': {
      // Only a trial: its ids would belong to nothing.
      const possible = done({ ...facts, newId: () => '' });
      return possible.ok ? propose(sidebar, facts, proposal) : possible;
    }
    case 'no':
      return reject('not-participant', { actor: facts.actor.id, sidebar: named(sidebar), to: 'work', ask: [sidebar.coordinator] });
    default:
      return assertNever(right);
  }
};

/** PROP-2: nobody asks for the same thing twice. */
const propose = (sidebar: Sidebar, facts: Facts, proposal: Proposal): Decision => {
  const { proposals, proposed, coordinator } = sidebar;
  const before = proposals.find(({ by, proposal: { action } }) => by === facts.actor.id && action === proposal.action);
  if (before !== undefined) return reject('proposed-already', { proposal: `${named(sidebar)}:PROPOSAL-${before.number}`, coordinator });
  if (proposals.length >= MOST_KEPT) return reject('full', { where: named(sidebar), most: MOST_KEPT, of: 'proposals' });
  return ok([happenIn(facts, sidebar, 'sidebar.proposed', { number: proposed + 1, proposal })]);
};

export const proposalOf = ({ proposals }: Sidebar, text: string): Proposed | null => {
  const number = /^(?:SB-\d+:)?PROPOSAL-(\d+)$/iu.exec(text.trim())?.[1];
  return proposals.find((one) => one.id === text || (number !== undefined && one.number === Number(number))) ?? null;
};

type Doers = Pick<Deciders<CommandType>, 'sidebar.move' | 'sidebar.archive' | 'agent.recruit' | 'sidebar.change'>;

/** PROP-3: the coordinator or the human approves, and it is executed as if they had done it; or refuses, and the author is told why. */
export const answering =
  (doers: Doers): Decider<'proposal.answer'> =>
  (board, facts, command) => {
    const found = asked(board, facts, command);
    if (!found.ok) return found;
    const { sidebar, one } = found.value;
    const answered = happenIn(facts, sidebar, 'proposal.answered', {
      proposal: one.id,
      isAccepted: command.isAccepted,
      reason: maybeWorded(command.reason),
    });
    if (!command.isAccepted) return ok([answered]);
    const done = accept(doers, board, facts, sidebar, one);
    return done.ok ? ok([answered, ...done.value]) : done;
  };

type Asked = { readonly sidebar: Sidebar; readonly one: Proposed };

const asked = (board: Board, { actor }: Facts, command: CommandOf<'proposal.answer'>): Result<Asked, Rejection> => {
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const sidebar = found.value;
  const one = proposalOf(sidebar, command.proposal);
  if (one === null) return reject('unknown-proposal', { sidebar: named(sidebar), asked: cutText(command.proposal, 100) });
  if (rightTo('answer', sidebar, actor) !== 'yes')
    return reject('not-coordinator', { coordinator: sidebar.coordinator, sidebar: named(sidebar), what: 'answer a proposal', actor: actor.id });
  return ok({ sidebar, one });
};

const accept = (doers: Doers, board: Board, facts: Facts, { id }: Sidebar, { proposal }: Proposed): Decision => {
  switch (proposal.action) {
    case 'fail':
      return doers['sidebar.move'](board, facts, { type: 'sidebar.move', sidebar: id, to: 'FAILED', reason: proposal.reason });
    case 'archive': {
      const { note, tags } = proposal;
      return doers['sidebar.archive'](board, facts, { type: 'sidebar.archive', sidebar: id, tags, ...(note === null ? {} : { note }) });
    }
    case 'join':
      return doers['agent.recruit'](board, facts, { type: 'agent.recruit', sidebar: id, agent: agentIdOf(proposal.agent), isVolunteer: true });
    case 'change': {
      const { action: _, ...changes } = proposal;
      return doers['sidebar.change'](board, facts, { type: 'sidebar.change', sidebar: id, ...changes });
    }
    default:
      return assertNever(proposal);
  }
};
