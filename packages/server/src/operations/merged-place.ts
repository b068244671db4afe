import { parseRef, rowsOf, type Entry } from '@yarnboard/domain';
import { placeOfMerge, type MergedNeeds } from './merged-exchanges.ts';

/**
 * API-37: maps a merge, named by MSG-n, EXCH-n or uuid, to the record it is shown at: the one where its sidebar branched off, or else the last before
 * the merge. Null if it wasn't merged into this session, or if nothing was said before.
 */
export const recordOfMerged = async (needs: MergedNeeds, sessionId: string, text: string): Promise<string | null> => {
  const entry = await entryCalled(needs, text);
  if (entry?.type !== 'memory.merged' || entry.contextId !== sessionId) return null;
  const board = needs.engine.board();
  const sidebar = rowsOf(board.sidebars).find(({ mergedAs }) => mergedAs !== null && mergedAs.position === entry.position);
  return placeOfMerge(needs, board, sidebar, sessionId, entry.position);
};

const entryCalled = async ({ store: { log } }: MergedNeeds, text: string): Promise<Entry | null> => {
  const ref = parseRef(text);
  if (!ref.ok) return log.entryByUuid(text);
  if (ref.value.kind !== 'numbered' || ref.value.part !== null) return null;
  const position = await log.positionOfRef(ref.value.type, ref.value.number);
  return position === null ? null : log.entryAt(position);
};
