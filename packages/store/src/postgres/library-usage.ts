import type { LibraryPort, ToolUseRow } from '../library/port.ts';
import { spentFrom, type SpentSqlRow } from '../library/spending.ts';
import { hourAt } from '../library/usage.ts';
import type { Run } from './database.ts';
import { RESPONSE_SUMS } from './library-rows.ts';

/** When things were used, and which tools. */
export const createUsageReader = (run: Run): Pick<LibraryPort, 'hourlySpending' | 'toolUses'> => ({
  hourlySpending: async (offset, { since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER }) => {
    const rows = await run<SpentSqlRow & { readonly hour: number }>(
      `SELECT ${hourAt('at', '$1::bigint')} AS hour, ${RESPONSE_SUMS} FROM responses WHERE at >= $2 AND at <= $3 GROUP BY 1 ORDER BY 1`,
      [offset, since, until],
    );
    return rows.map((row) => ({ hour: row.hour, spent: spentFrom(row) }));
  },
  toolUses: async ({ since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER }) => {
    const rows = await run<ToolUseRow>(
      `SELECT coalesce(u.name, '') AS name, count(*) AS uses, count(*) FILTER (WHERE u.tool_use_id <> '' AND EXISTS (
         SELECT 1 FROM operations r WHERE left(r.tool_use_id, 64) = left(u.tool_use_id, 64) AND r.tool_use_id = u.tool_use_id AND r.session = u.session
           AND r.kind = 1 AND r.is_error = 1
       )) AS errors
       FROM operations u JOIN messages m ON m.position = u.position
       WHERE u.kind = 0 AND u.at >= $1 AND u.at <= $2 AND m.copy_of IS NULL GROUP BY 1 ORDER BY 1`,
      [since, until],
    );
    return rows.map(({ name, uses, errors }) => ({ name, uses, errors }));
  },
});
