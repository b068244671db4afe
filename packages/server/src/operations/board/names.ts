import {
  BOARD_CONTEXT,
  isEnded,
  nameOfContext,
  refOfEpisode,
  refOfFinding,
  refOfItem,
  rowsOf,
  sidebarIdOfContext,
  type Board,
  type Sidebar,
} from '@yarnboard/domain';
import type { EventNames } from '@yarnboard/protocol';

/** Maps board ids to their public names. References never change, so today's board can also name old events. */
export const namesOf = (board: Board, live: LiveSidebars = liveSidebarsOf(board)): EventNames => ({
  sidebar: (id) => sidebarName(board, id),
  finding: (id, contextId) => findingName(board, id, contextId),
  gold: (id) => board.golds.get(id)?.ref || id,
  media: (id) => board.media.get(id)?.ref || id,
  item: (type, id, contextId) => itemName(board, type, id, contextId),
  episode: (id) => refOfEpisode(board, id),
  context: (contextId) => (contextId === BOARD_CONTEXT ? BOARD_CONTEXT : nameOfContext(board, contextId)),
  priority: (id) => board.sidebars.get(id)?.priority ?? 'NORMAL',
  activeSidebars: (agent) => live(agent).map(({ ref }) => ref),
});

export const sidebarName = (board: Board, id: string): string => board.sidebars.get(id)?.ref || id;

export const findingName = (board: Board, id: string, contextId: string): string => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '');
  const finding = sidebar?.scratchpad.findings.find((one) => one.id === id);
  return sidebar === undefined || finding === undefined ? id : refOfFinding(sidebar.ref, finding);
};

const itemName = (board: Board, type: 'CHECKPOINT' | 'CLAIM' | 'CONFLICT', id: string, contextId: string): string => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '');
  return sidebar === undefined ? id : refOfItem(sidebar, type, id);
};

/** The live sidebars of each agent. The board is indexed once, on the first call. */
export type LiveSidebars = (agent: string) => readonly Sidebar[];

export const liveSidebarsOf = (board: Board): LiveSidebars => {
  let byAgent: Map<string, Sidebar[]> | null = null;
  return (agent) => {
    byAgent ??= indexOf(board);
    return byAgent.get(agent) ?? [];
  };
};

const indexOf = (board: Board): Map<string, Sidebar[]> => {
  const byAgent = new Map<string, Sidebar[]>();
  for (const sidebar of rowsOf(board.sidebars)) {
    if (isEnded(sidebar.status)) continue;
    for (const agent of new Set(sidebar.participants)) {
      const known = byAgent.get(agent);
      if (known === undefined) byAgent.set(agent, [sidebar]);
      else known.push(sidebar);
    }
  }
  return byAgent;
};
