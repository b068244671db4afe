import { needsTalkOf, sidebarOf, type Board, type Command } from '@yarnboard/domain';
import type { Prepared } from './batch.ts';
import { readMemory, type Memory } from './memory.ts';

/** SUM-2: the latest part of the conversation in a command's sidebar, if a summary may be made: the board doesn't have it, since it may be long. */
export const talkFor = async (memory: Memory, board: Board, command: Command): Promise<NonNullable<Prepared['talk']> | null> => {
  const named = needsTalkOf(command);
  const sidebar = named === null ? null : sidebarOf(board, named);
  if (sidebar === null || sidebar.messages === 0) return null;
  const { items } = await readMemory(memory, board, sidebar, 'local', { limit: MOST_READ, isNewestFirst: true });
  const said = items.flatMap(({ ref, text, senderType }) => (ref === null || senderType === 'system' ? [] : [{ ref, text }])).toReversed();
  return { sidebarId: sidebar.id, said };
};

// The result of a conversation is stated towards its end.
const MOST_READ = 400;
