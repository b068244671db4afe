const SAID = `WITH RECURSIVE said (type) AS (
  (SELECT type FROM entries WHERE occurrence IS NULL ORDER BY type, position LIMIT 1)
  UNION ALL
  SELECT (SELECT e.type FROM entries e WHERE e.occurrence IS NULL AND (e.type, e.position) > (said.type, 9223372036854775807)
    ORDER BY e.type, e.position LIMIT 1) FROM said WHERE said.type IS NOT NULL)`;

/**
 * STORE-11: a decided entry after a position: of any type except those about sessions, so that types only a newer version knows count as well. Type
 * by type, starting in the index right after the position: phrased any more simply, the planner may read every later row, and with a million lines of
 * transcripts it does.
 */
export const DECIDED_BEHIND = `
${SAID}
SELECT e.position FROM said t
CROSS JOIN LATERAL (SELECT type, position FROM entries WHERE occurrence IS NULL AND (type, position) > (t.type, $2::bigint)
  ORDER BY type, position LIMIT 1) e
WHERE t.type IS NOT NULL AND t.type <> ALL ($1::text[]) AND e.type = t.type LIMIT 1`;

/** All types other than those of transcripts. */
export const TYPES_SAID = `${SAID}
SELECT type FROM said WHERE type IS NOT NULL`;
