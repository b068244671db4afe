export type RuleScope = {
  /** A condition that limits the query to the requested session; takes a table alias. */
  readonly within: (alias: string) => string;
  /** A list of texts for IN (…), as the database stores them. */
  readonly roles: (texts: readonly string[]) => string;
};

/** A rule of the integrity report: the FROM and WHERE that select violations, where `m` is the message to report. */
export type IntegrityRule = { readonly rule: string; readonly severity: 'error' | 'warning'; readonly broken: (scope: RuleScope) => string };

/**
 * The seed's validation rules and consistency checks. Order in time and parents in the same session are warnings, since real files break them.
 * Parents are looked up by uuid: `IS TRUE` keeps SQLite from scanning the whole session for each message instead.
 */
export const INTEGRITY_RULES: readonly IntegrityRule[] = [
  {
    rule: 'message-without-parent',
    severity: 'warning',
    // Prompts, boundaries and records beside the conversation may start one; a reply or a result may not.
    broken: ({ within, roles }) => `FROM messages m WHERE ${within('m')} AND m.parent_uuid IS NULL AND m.role IN (${roles(['reply', 'result'])})`,
  },
  {
    rule: 'parent-not-found',
    severity: 'warning',
    broken: ({ within }) =>
      `FROM messages m WHERE ${within('m')} AND m.parent_uuid IS NOT NULL AND NOT EXISTS (SELECT 1 FROM messages p WHERE p.uuid = m.parent_uuid)`,
  },
  {
    rule: 'parent-in-other-session',
    severity: 'warning',
    broken: ({ within }) =>
      `FROM messages m WHERE ${within('m')} AND m.parent_uuid IS NOT NULL AND EXISTS (SELECT 1 FROM messages p WHERE p.uuid = m.parent_uuid)
         AND NOT EXISTS (SELECT 1 FROM messages p WHERE p.uuid = m.parent_uuid AND (p.session = m.session) IS TRUE)`,
  },
  {
    rule: 'tool-message-unflagged',
    severity: 'warning',
    broken: ({ within, roles }) =>
      `FROM messages m WHERE ${within('m')} AND m.type IN (${roles(['tool_use', 'tool_result'])}) AND m.is_sidechain = 0`,
  },
  {
    rule: 'result-without-use',
    severity: 'warning',
    broken: ({ within }) =>
      `FROM operations o JOIN messages m ON m.position = o.position WHERE ${within('o')} AND o.kind = 1 AND NOT EXISTS
         (SELECT 1 FROM operations u WHERE u.tool_use_id = o.tool_use_id AND u.session = o.session AND u.kind = 0)`,
  },
  {
    rule: 'use-without-result',
    severity: 'warning',
    broken: ({ within }) =>
      `FROM operations o JOIN messages m ON m.position = o.position WHERE ${within('o')} AND o.kind = 0 AND NOT EXISTS
         (SELECT 1 FROM operations u WHERE u.tool_use_id = o.tool_use_id AND u.session = o.session AND u.kind = 1)`,
  },
  {
    rule: 'use-not-extracted',
    severity: 'error',
    broken: ({ within }) =>
      `FROM messages m JOIN entries e ON e.position = m.position WHERE ${within('m')} AND e.tools_invoked IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM operations o WHERE o.position = m.position AND o.kind = 0)`,
  },
  {
    rule: 'time-goes-backwards',
    severity: 'warning',
    broken: ({ within }) =>
      `FROM messages m JOIN messages p ON p.uuid = m.parent_uuid AND (p.session = m.session) IS TRUE WHERE ${within('m')} AND m.at < p.at`,
  },
  {
    rule: 'message-without-entry',
    severity: 'error',
    broken: ({ within }) => `FROM messages m WHERE ${within('m')} AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.position = m.position)`,
  },
  {
    rule: 'number-disagrees-with-log',
    severity: 'error',
    broken: ({ within }) =>
      `FROM messages m WHERE ${within('m')} AND m.number IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM refs r WHERE r.type = 'MSG' AND r.number = m.number AND r.position = m.position)`,
  },
];
