import { MODEL_ID, newcomer, OPERATOR, rowsOf, type Agent, type Board } from '@yarnboard/domain';

/** Everybody, the operator too, who was never registered. */
export const everybody = (board: Board): readonly Agent[] => [operatorOf(board), ...rowsOf(board.agents).filter(({ id }) => id !== OPERATOR.id)];

export const agentOf = (board: Board, id: string): Agent | null => {
  if (id === OPERATOR.id) return operatorOf(board);
  // It answers in every session, and nobody registers it.
  return board.agents.get(id) ?? (id === MODEL_ID ? { ...newcomer(MODEL_ID, 0), kind: 'agent' } : null);
};

const operatorOf = (board: Board): Agent => board.agents.get(OPERATOR.id) ?? newcomer(OPERATOR.id, 0);

/** Where on the log somebody comes in. The operator does with the first thing it made, or was there from the start. */
export const positionOfAgent = (board: Board, { id, position }: Agent): number => {
  if (position > 0) return position;
  const made = [...rowsOf(board.sidebars), ...rowsOf(board.citations), ...rowsOf(board.golds)].filter(({ createdBy }) => createdBy === id);
  const first = made.reduce((least, one) => Math.min(least, one.position), Infinity);
  return Number.isFinite(first) ? first : 1;
};
