import { sidebarOf, type Board, type Sidebar } from '@yarnboard/domain';
import { refusedFor } from './refusal.ts';

/** Finds a sidebar by SB-n or uuid. */
export const foundSidebar = (board: Board, text: string): Sidebar => {
  const sidebar = sidebarOf(board, text);
  if (sidebar === null) throw refusedFor('unknown-sidebar', { asked: text.slice(0, 100) });
  return sidebar;
};
