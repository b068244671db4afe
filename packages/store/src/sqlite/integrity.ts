import type { Integrity, IntegrityFinding } from '../library/port.ts';
import { INTEGRITY_RULES, type IntegrityRule } from '../library/integrity.ts';
import { findCycles } from '../library/cycles.ts';
import { textFrom } from '../stored-text.ts';
import type { Db } from './database.ts';
import type { Names } from './names.ts';

/** INT-1 to INT-9: checks the library, one session or all of it, against the seed's rules. */
export const checkIntegrity = (db: Db, names: Names, sessionId?: string): Integrity => {
  const session = sessionId === undefined ? null : (names.find(sessionId) ?? -1);
  const within = (alias: string): string => (session === null ? '1 = 1' : `${alias}.session = ${session}`);
  const roles = (list: readonly string[]): string => list.map((text) => names.find(text) ?? -1).join(', ');
  const finding = ({ rule, severity, broken }: IntegrityRule): IntegrityFinding => {
    const from = broken({ within, roles });
    const count = db.prepare<[], { readonly n: number }>(`SELECT count(*) AS n ${from}`).get()?.n ?? 0;
    const examples =
      count === 0
        ? []
        : db
            .prepare<[], { readonly example: string }>(
              `SELECT x.example AS example FROM (SELECT m.uuid AS example ${from} GROUP BY m.uuid ORDER BY min(m.position) LIMIT 5) x`,
            )
            .all();
    return { rule, severity, count, examples: examples.map(({ example }) => textFrom(example)) };
  };
  const count = (table: string): number =>
    db.prepare<[], { readonly n: number }>(`SELECT count(*) AS n FROM ${table} t WHERE ${within('t')}`).get()?.n ?? 0;
  const cycles = cyclesIn(db, session);
  return {
    messages: count('messages'),
    operations: count('operations'),
    findings: [
      ...INTEGRITY_RULES.map(finding),
      { rule: 'circular-parents', severity: 'error' as const, count: cycles.length, examples: cycles.slice(0, 5).map(textFrom) },
    ].filter((one) => one.count > 0),
  };
};

// One session at a time: parents are looked up within the session only, so a cycle can't leave it.
const cyclesIn = (db: Db, session: number | null): readonly string[] => {
  const rows = db
    .prepare<[], { readonly session: number; readonly uuid: string; readonly parent: string | null }>(
      `SELECT session, uuid, parent_uuid AS parent FROM messages ${session === null ? '' : `WHERE session = ${session}`} ORDER BY session`,
    )
    .iterate();
  const cycles: string[] = [];
  let parents = new Map<string, string | null>();
  let current = -1;
  for (const row of rows) {
    if (row.session !== current) {
      cycles.push(...findCycles(parents));
      parents = new Map();
      current = row.session;
    }
    if (!parents.has(row.uuid)) parents.set(row.uuid, row.parent);
  }
  return [...cycles, ...findCycles(parents)];
};
