import { agentEvents } from '../agents/evolve.ts';
import { permissionEvents } from '../agents/permissions.ts';
import { recruitingEvents } from '../agents/recruiting-evolve.ts';
import { noteAct } from '../agents/requests.ts';
import { followTurns, runtimeEvents } from '../agents/seat-runs.ts';
import { followSidebar } from '../agents/seats.ts';
import { autoMergeEvents, followDecisions } from '../auto-merge/evolve.ts';
import { markEvents, validationEvents } from '../claims/evolve.ts';
import { citationEvents } from '../citations/evolve.ts';
import { scratchpadEvents } from '../scratchpad/evolve.ts';
import { sidebarEvents } from '../sidebar/evolve.ts';
import { giveNotice, homeOf } from './notices.ts';
import type { Board } from './state.ts';
import { atomically } from './tables.ts';
import type { EventType, Recorded } from '../messages/catalogue.ts';

export type Evolver<T extends EventType> = (board: Board, event: Recorded<T>) => void;

const EVOLVERS: { readonly [T in EventType]: Evolver<T> } = {
  ...sidebarEvents,
  ...scratchpadEvents,
  ...citationEvents,
  ...markEvents,
  ...autoMergeEvents,
  ...validationEvents,
  ...agentEvents,
  ...recruitingEvents,
  ...runtimeEvents,
  ...permissionEvents,
};

/** Applies what has happened, the whole of it or nothing. It never refuses: an event that was read (`readEvent`) can be folded. */
export const evolve = (board: Board, event: Recorded): void => {
  const evolver = EVOLVERS[event.type] as Evolver<EventType>; // complete by its type
  const { journal } = board.sidebars;
  const fold = (): void => {
    const before = homeOf(board, event);
    evolver(board, event);
    followSidebar(board, before, homeOf(board, event), event.at);
    if (before !== null) noteAct(board, event.by.id, before.id, event.position);
    followDecisions(board, event);
    followTurns(board, event);
    giveNotice(board, event, before);
  };
  if (journal === undefined) fold();
  else atomically(journal, fold);
};
