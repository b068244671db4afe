import type { AgentId } from '../ids.ts';
import type { Board } from '../board/state.ts';
import type { Agent, Roster } from './state.ts';

/** Who has specialties. A board that holds only some tables, like that of the page, is read as a whole instead. */
export const rosterOf = (board: Pick<Board, 'agents' | 'rosters'>): Roster => board.rosters.get(ROW) ?? readRoster(board);

/** What a walk over the whole board finds. */
export const readRoster = ({ agents }: Pick<Board, 'agents'>): Roster => {
  const listed = [...agents.entries()].filter(([, agent]) => isListed(agent));
  return { agents: listed.map(([id]) => id), specialties: listed.map(([, agent]) => agent.specialties) };
};

/** Updates the index after an event about an agent. */
export const followRoster = (board: Board, agentId: AgentId): void => {
  const before = board.rosters.get(ROW) ?? EMPTY;
  const agent = board.agents.get(agentId);
  const at = before.agents.indexOf(agentId);
  const isNow = agent !== undefined && isListed(agent);
  if (at < 0 && !isNow) return;
  const place = at < 0 ? before.agents.length : at;
  board.rosters.set(ROW, {
    agents: before.agents.toSpliced(place, 1, ...(isNow ? [agentId] : [])),
    specialties: before.specialties.toSpliced(place, 1, ...(isNow ? [agent.specialties] : [])),
  });
};

const isListed = ({ isRetired, specialties }: Agent): boolean => !isRetired && specialties.length > 0;

const ROW = 'all';
const EMPTY: Roster = { agents: [], specialties: [] };
