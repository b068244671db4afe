import { MODEL_ID, newcomer, OPERATOR, rowsOf, type Agent, type Board } from '@yarnboard/domain';

/** All agents, including the operator, who is never registered. */
export const everybody = (board: Board): readonly Agent[] => [operatorOf(board), ...rowsOf(board.agents).filter(({ id }) => id !== OPERATOR.id)];

export const agentOf = (board: Board, id: string): Agent | null => {
  if (id === OPERATOR.id) return operatorOf(board);
  // Claude answers in every session but is never registered.
  return board.agents.get(id) ?? (id === MODEL_ID ? { ...newcomer(MODEL_ID, 0), kind: 'agent' } : null);
};

const operatorOf = (board: Board): Agent => board.agents.get(OPERATOR.id) ?? newcomer(OPERATOR.id, 0);

/** The log position at which an agent first appears. For the operator that is the first thing it created, or else the start of the log. */
export const positionOfAgent = (board: Board, { id, position }: Agent): number => {
  if (position > 0) return position;
  const made = [...rowsOf(board.sidebars), ...rowsOf(board.citations), ...rowsOf(board.golds)].filter(({ createdBy }) => createdBy === id);
  const first = made.reduce((least, one) => Math.min(least, one.position), Infinity);
  return Number.isFinite(first) ? first : 1;
};
