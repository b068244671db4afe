import type { EventType } from '../messages/catalogue.ts';
import type { TieMakers } from './event-ties.ts';
import { findingTies } from './finding-ties.ts';
import type { Around } from './nodes.ts';
import { peopleTies } from './people-ties.ts';
import { sidebarTies } from './sidebar-ties.ts';
import type { Tie } from './ties.ts';

const MAKERS: TieMakers<EventType> = { ...sidebarTies, ...findingTies, ...peopleTies };

/** TRACE-6: the strings that a decided entry makes. The cost doesn't depend on the log's length. */
export const tiesIn = (around: Around): readonly Tie[] => {
  const make = MAKERS[around.event.type] as ((given: Around) => readonly Tie[]) | undefined; // the row of its type
  return make?.(around) ?? [];
};
