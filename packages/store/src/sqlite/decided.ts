import { SESSION_ENTRY_TYPES } from '@yarnboard/domain';
import type { Db } from './database.ts';

/** The position of the last decided entry, kept in memory between the commits of one writer. */
export type LastDecided = {
  /** Its position on a log with this many entries; 0 if nothing was decided. */
  readonly on: (count: number) => number;
  /** A batch of this writer is on the log. Called after its commit: a batch that is rolled back must leave no trace. */
  readonly moved: (move: Move) => void;
};

/** The number of entries before and after, and the position of the last decided one among the new; null if there is none. */
export type Move = { readonly before: number; readonly after: number; readonly last: number | null };

export const createLastDecided = (db: Db): LastDecided => {
  // The last one of each type: a query for all at once would read every decided entry. Types that only a newer version knows count as well.
  const select = db
    .prepare<[string], number | null>(
      `${SAID}
       SELECT max((SELECT position FROM entries WHERE type = n.id AND occurrence IS NULL ORDER BY position DESC LIMIT 1))
       FROM said JOIN names n ON n.id = said.type WHERE n.text NOT IN (SELECT value FROM json_each(?))`,
    )
    .pluck();
  const types = JSON.stringify(SESSION_ENTRY_TYPES);
  let known: { readonly count: number; readonly last: number } | null = null;
  return {
    on: (count) => {
      // The log only grows: a different length means that another process has written since.
      if (known?.count !== count) known = { count, last: select.get(types) ?? 0 };
      return known.last;
    },
    moved: ({ before, after, last }) => {
      known = known?.count === before ? { count: after, last: last ?? known.last } : null;
    },
  };
};

/** The types other than those of transcripts, each found by skipping through the index from the previous one. */
const SAID = `WITH RECURSIVE said (type) AS (
  SELECT min(type) FROM entries WHERE occurrence IS NULL
  UNION ALL SELECT (SELECT min(type) FROM entries WHERE occurrence IS NULL AND type > said.type) FROM said WHERE said.type IS NOT NULL)`;

export const TYPES_SAID = `${SAID} SELECT n.text AS type FROM said JOIN names n ON n.id = said.type`;
