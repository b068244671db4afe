import { agentEvents } from '../agents/evolve.ts';
import { followPermissions, permissionEvents } from '../agents/permissions.ts';
import { recruitingEvents } from '../agents/recruiting-evolve.ts';
import { noteAct } from '../agents/requests.ts';
import { followDeeds, followTurns, runtimeEvents } from '../agents/seat-runs.ts';
import { followSidebar } from '../agents/seats.ts';
import { autoMergeEvents, followDecisions } from '../auto-merge/evolve.ts';
import { markEvents, validationEvents } from '../claims/evolve.ts';
import { citationEvents } from '../citations/evolve.ts';
import { memoryEvents, scratchpadEvents } from '../scratchpad/evolve.ts';
import { sidebarEvents } from '../sidebar/evolve.ts';
import { giveNotice, homeOf } from './notices.ts';
import { labelEvents } from './session-labels.ts';
import type { Board } from './state.ts';
import { atomically } from './tables.ts';
import type { EventType, Recorded } from '../messages/catalogue.ts';

export type Evolver<T extends EventType> = (board: Board, event: Recorded<T>) => void;

const EVOLVERS: { readonly [T in EventType]: Evolver<T> } = {
  ...sidebarEvents,
  ...scratchpadEvents,
  ...memoryEvents,
  ...citationEvents,
  ...markEvents,
  ...autoMergeEvents,
  ...validationEvents,
  ...agentEvents,
  ...recruitingEvents,
  ...runtimeEvents,
  ...permissionEvents,
  ...labelEvents,
};

/** Applies an event as a whole or not at all. It never refuses: an event that `readEvent` accepted can be folded. */
export const evolve = (board: Board, event: Recorded): void => {
  const evolver = EVOLVERS[event.type] as Evolver<EventType>; // complete by its type
  const { journal } = board.sidebars;
  const fold = (): void => {
    const before = homeOf(board, event);
    evolver(board, event);
    const after = homeOf(board, event);
    followSidebar(board, before, after, event.at);
    followPermissions(board, before, after);
    if (before !== null) noteAct(board, event.by.id, before.id, event.position);
    followDecisions(board, event);
    followTurns(board, event);
    followDeeds(board, event);
    giveNotice(board, event, before);
  };
  if (journal === undefined) fold();
  else atomically(journal, fold);
};
