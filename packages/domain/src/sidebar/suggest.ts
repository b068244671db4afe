import { SYSTEM } from '../actors.ts';
import { suggestionsFor } from '../agents/matching.ts';
import { happenIn, type Facts } from '../board/deciding.ts';
import type { Board } from '../board/state.ts';
import type { Happening } from '../messages/catalogue.ts';
import type { Sidebar } from './state.ts';

type Work = Pick<Sidebar, 'id' | 'task' | 'successCriteria' | 'taskType' | 'participants'>;

/** LOAD-16: tells the initiator and the coordinator of the work who might help. It recruits nobody. */
export const suggest = (
  board: Board,
  facts: Facts,
  work: Work,
  { coordinator, createdBy }: Pick<Sidebar, 'coordinator' | 'createdBy'>,
): readonly Happening[] => {
  if (facts.areSeatsUnknown === true) return [];
  const suggestions = suggestionsFor(board, facts.language, work).map(({ agent, words }) => ({ agent, words }));
  if (suggestions.length === 0) return [];
  return [happenIn({ ...facts, actor: SYSTEM }, work, 'agent.suggested', { suggestions, to: [...new Set([createdBy, coordinator])] })];
};
