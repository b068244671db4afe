import { findCycles } from '../library/cycles.ts';
import { INTEGRITY_RULES, type IntegrityRule } from '../library/integrity.ts';
import type { Integrity, IntegrityFinding } from '../library/port.ts';
import { quoted, type Run } from './database.ts';

/** INT-1 to INT-11: checks the library, one session or all of it, against the seed's rules. */
export const checkIntegrity = async (run: Run, sessionId?: string): Promise<Integrity> => {
  const within = (alias: string): string => (sessionId === undefined ? '1 = 1' : `${alias}.session = ${quoted(sessionId)}`);
  const roles = (list: readonly string[]): string => list.map(quoted).join(', ');
  const count = async (rest: string): Promise<number> => (await run<{ readonly n: number }>(`SELECT count(*) AS n ${rest}`))[0]?.n ?? 0;
  const finding = async ({ rule, severity, broken }: IntegrityRule): Promise<IntegrityFinding> => {
    const from = broken({ within, roles });
    const found = await count(from);
    const examples =
      found === 0 ? [] : await run<{ readonly example: string }>(`SELECT m.uuid AS example ${from} GROUP BY m.uuid ORDER BY min(m.position) LIMIT 5`);
    return { rule, severity, count: found, examples: examples.map(({ example }) => example) };
  };
  const findings: IntegrityFinding[] = [];
  for (const rule of INTEGRITY_RULES) findings.push(await finding(rule));
  const cycles = await cyclesIn(run, sessionId);
  findings.push({ rule: 'circular-parents', severity: 'error', count: cycles.length, examples: cycles.slice(0, 5) });
  return {
    messages: await count(`FROM messages t WHERE ${within('t')}`),
    operations: await count(`FROM operations t WHERE ${within('t')}`),
    findings: findings.filter((one) => one.count > 0),
  };
};

// One session at a time: parents are looked up within the session only, so a cycle can't leave it, and no more than one session need be in memory.
const cyclesIn = async (run: Run, sessionId: string | undefined): Promise<readonly string[]> => {
  const sessions =
    sessionId === undefined ? await run<{ readonly session: string }>('SELECT DISTINCT session FROM messages') : [{ session: sessionId }];
  const cycles: string[] = [];
  for (const { session } of sessions) {
    const rows = await run<{ readonly uuid: string; readonly parent: string | null }>(
      'SELECT uuid, parent_uuid AS parent FROM messages WHERE session = $1 ORDER BY position',
      [session],
    );
    const parents = new Map<string, string | null>();
    for (const row of rows) if (!parents.has(row.uuid)) parents.set(row.uuid, row.parent);
    cycles.push(...findCycles(parents));
  }
  return cycles;
};
