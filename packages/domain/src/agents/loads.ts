import type { AgentId } from '../ids.ts';
import type { Board } from '../board/state.ts';
import type { Load, Seat } from './state.ts';

export const loadRow = ({ loads }: Pick<Board, 'loads'>, agentId: AgentId): Load => loads.get(agentId) ?? NO_LOAD;

export const NO_SEATS: readonly Seat[] = [];
const NO_LOAD: Load = { work: [], seats: NO_SEATS, count: 0, queue: [], asked: [], paused: [], awaited: [], appeared: [] };
