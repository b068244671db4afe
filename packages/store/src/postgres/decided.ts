import { DECIDED_TYPES } from '@yarnboard/domain';
import { staleFault } from '../stale.ts';
import type { Run } from './database.ts';

/** STORE-11: refuses a batch that was decided upon without knowing all that was decided. Comes behind the lock, or another may decide in between. */
export const refuseStale = async (run: Run, board: string, decidedAt: number): Promise<void> => {
  const [found] = await run<{ readonly position: number }>(DECIDED_BEHIND, [DECIDED_TYPES, decidedAt]);
  if (found !== undefined) throw staleFault(board, decidedAt, found.position);
};

/**
 * A decided entry behind a position. Type by type, where the index goes on behind it: said in any plainer way the planner may read all that came
 * behind it, row by row, and with a million lines of transcripts there it does.
 */
export const DECIDED_BEHIND = `
SELECT e.position FROM unnest($1::text[]) t (type)
CROSS JOIN LATERAL (SELECT type, position FROM entries WHERE occurrence IS NULL AND (type, position) > (t.type, $2::bigint)
  ORDER BY type, position LIMIT 1) e
WHERE e.type = t.type LIMIT 1`;
