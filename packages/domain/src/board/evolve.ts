import { agentEvents } from '../agents/evolve.ts';
import { citationEvents } from '../citations/evolve.ts';
import { scratchpadEvents } from '../scratchpad/evolve.ts';
import { sidebarEvents } from '../sidebar/evolve.ts';
import type { EventType, Recorded } from './events.ts';
import type { Board } from './state.ts';

export type Evolver<T extends EventType> = (board: Board, event: Recorded<T>) => void;

const EVOLVERS: { readonly [T in EventType]: Evolver<T> } = { ...sidebarEvents, ...scratchpadEvents, ...citationEvents, ...agentEvents };

/** Applies what has happened. Total: it never refuses, and what it does not find it leaves alone, so that no log can stop it. */
export const evolve = (board: Board, event: Recorded): void => {
  const evolver = EVOLVERS[event.type] as Evolver<EventType> | undefined; // complete by its type, but the log of a newer version may tell more
  evolver?.(board, event);
};
