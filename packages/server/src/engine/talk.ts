import { needsTalkOf, sidebarOf, type Board, type Command } from '@yarnboard/domain';
import type { Prepared } from './batch.ts';
import { readMemory, type Memory } from './memory.ts';

/** SUM-2: what was said in the sidebar of a command, the latest of it, where a summary may be made: that is in no board, since it may be long. */
export const talkFor = async (memory: Memory, board: Board, command: Command): Promise<NonNullable<Prepared['talk']> | null> => {
  const named = needsTalkOf(command);
  const sidebar = named === null ? null : sidebarOf(board, named);
  if (sidebar === null || sidebar.messages === 0) return null;
  const { items } = await readMemory(memory, board, sidebar, 'local', { limit: MOST_READ, isNewestFirst: true });
  const said = items.flatMap(({ ref, text, senderType }) => (ref === null || senderType === 'system' ? [] : [{ ref, text }])).toReversed();
  return { sidebarId: sidebar.id, said };
};

// What a conversation came to is said towards its end.
const MOST_READ = 400;
