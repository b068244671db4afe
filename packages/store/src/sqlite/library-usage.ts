import type { LibraryPort, ToolUseRow } from '../library/port.ts';
import { spentFrom, type SpentSqlRow } from '../library/spending.ts';
import { hourAt } from '../library/usage.ts';
import { textFrom } from '../stored-text.ts';
import type { Db } from './database.ts';
import { RESPONSE_SUMS } from './library-rows.ts';

type Read = <T>(work: () => T) => Promise<T>;

/** When things were used, and which tools. */
export const createUsageReader = (db: Db, read: Read): Pick<LibraryPort, 'hourlySpending' | 'toolUses'> => ({
  hourlySpending: (offset, { since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER }) =>
    read(() =>
      db
        .prepare<{ readonly offset: number; readonly since: number; readonly until: number }, SpentSqlRow & { readonly hour: number }>(
          `SELECT ${hourAt('at', 'CAST(@offset AS INTEGER)')} AS hour, ${RESPONSE_SUMS} FROM responses WHERE at >= @since AND at <= @until GROUP BY 1 ORDER BY 1`,
        )
        .all({ offset, since, until })
        .map((row) => ({ hour: row.hour, spent: spentFrom(row) })),
    ),
  toolUses: ({ since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER }) =>
    read(() =>
      db
        .prepare<[number, number], ToolUseRow>(
          `SELECT coalesce(n.text, '') AS name, count(*) AS uses, sum(EXISTS (
             SELECT 1 FROM operations r WHERE r.tool_use_id = u.tool_use_id AND r.session = u.session AND r.kind = 1 AND r.is_error = 1
           ) AND u.tool_use_id <> '') AS errors
           FROM operations u JOIN messages m ON m.position = u.position LEFT JOIN names n ON n.id = u.name
           WHERE u.kind = 0 AND u.at >= ? AND u.at <= ? AND m.copy_of IS NULL GROUP BY 1 ORDER BY 1`,
        )
        .all(since, until)
        .map(({ name, uses, errors }) => ({ name: textFrom(name), uses, errors })),
    ),
});
