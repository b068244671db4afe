import { BOARD_CONTEXT, isEnded, nameOfContext, refOfFinding, rowsOf, sidebarIdOfContext, type Board, type Sidebar } from '@yarnboard/domain';
import type { EventNames } from '@yarnboard/protocol';

/** What ids of a board are called outside. References never change, so that the board of today names what happened long ago, too. */
export const namesOf = (board: Board): EventNames => ({
  sidebar: (id) => sidebarName(board, id),
  finding: (id, contextId) => findingName(board, id, contextId),
  gold: (id) => board.golds.get(id)?.ref || id,
  media: (id) => board.media.get(id)?.ref || id,
  context: (contextId) => (contextId === BOARD_CONTEXT ? BOARD_CONTEXT : nameOfContext(board, contextId)),
  activeSidebars: (agent) => activeSidebarsOf(board, agent).map(({ ref }) => ref),
});

export const sidebarName = (board: Board, id: string): string => board.sidebars.get(id)?.ref || id;

export const findingName = (board: Board, id: string, contextId: string): string => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '');
  const finding = sidebar?.scratchpad.findings.find((one) => one.id === id);
  return sidebar === undefined || finding === undefined ? id : refOfFinding(sidebar.ref, finding);
};

export const activeSidebarsOf = (board: Board, agent: string): readonly Sidebar[] =>
  rowsOf(board.sidebars).filter(({ status, participants }) => !isEnded(status) && participants.includes(agent));
