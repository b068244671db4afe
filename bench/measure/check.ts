import type { Report } from '@yarnboard/transcript';
import type { Planted, PlantedSession } from '../tree/planted.ts';

/** Every difference between what was planted and what was found: a bench that measures wrong results is worthless. */
export const differences = (planted: Planted, report: Report): readonly string[] => {
  const { totals } = report;
  const { spending } = totals;
  const found = {
    files: totals.files,
    bytes: totals.bytes,
    lines: totals.lines,
    records: totals.records,
    sessions: totals.sessions,
    messages: totals.messages,
    sidechains: totals.sidechains,
    toolUses: totals.toolUses,
    toolPairs: totals.toolPairs,
    branchPoints: totals.branchPoints,
    compactions: totals.compactions,
    responses: spending.responses,
    ...spending.usage,
    quarantined: totals.quarantined,
    skipped: report.skipped.length,
    unpriced: totals.unpriced.length,
    nested: sum(report, (session) => session.sidechains.filter((sidechain) => sidechain.depth === 2).length),
    unlinked: sum(
      report,
      (session) => session.sidechains.filter((sidechain) => sidechain.linkedBy === 'none' || sidechain.state !== 'complete').length,
    ),
    orphans: sum(report, (session) => session.orphans),
    cycles: sum(report, (session) => session.cycles),
    extraRoots: sum(report, (session) => session.roots - 1),
    offPath: sum(report, (session) => session.offPath['dead end'] + session.offPath['other root'] + session.offPath.replayed),
  };
  const wanted: typeof found = {
    files: planted.files,
    bytes: planted.bytes,
    lines: planted.records,
    records: planted.records,
    sessions: planted.sessions.length,
    messages: planted.messages,
    sidechains: planted.sidechains,
    toolUses: planted.toolUses,
    toolPairs: planted.toolPairs,
    branchPoints: planted.branchPoints,
    compactions: planted.compactions,
    responses: planted.responses,
    ...planted.tokens,
    quarantined: 0,
    skipped: 0,
    unpriced: 0,
    nested: planted.nested,
    unlinked: 0,
    orphans: 0,
    cycles: 0,
    extraRoots: 0,
    offPath: 0,
  };
  const wrong = (Object.keys(wanted) as (keyof typeof wanted)[]) // keys of a literal: there are no others
    .filter((key) => wanted[key] !== found[key])
    .map((key) => `${key}: planted ${wanted[key]}, found ${found[key]}`);
  return [...wrong, ...sessionDifferences(planted.sessions, report)];
};

const sessionDifferences = (planted: readonly PlantedSession[], report: Report): readonly string[] => {
  const found = new Map(report.sessions.map((session) => [session.id, session]));
  return planted.flatMap((wanted) => {
    const session = found.get(wanted.id);
    if (session === undefined) return [`session ${wanted.id}: not found`];
    const seen = {
      leafUuid: session.activePath.leafUuid,
      branchPoints: session.branches.length,
      compactions: session.compactions.length,
      duplicates: session.duplicates,
      sidechains: session.sidechains.length,
      continues: session.continues === null ? null : { sessionId: session.continues.sessionId, shared: session.continues.shared },
    };
    const { id, records: _records, ...rest } = wanted;
    return JSON.stringify(rest, ORDER) === JSON.stringify(seen, ORDER)
      ? []
      : [`session ${id}: planted ${JSON.stringify(rest, ORDER)}, found ${JSON.stringify(seen, ORDER)}`];
  });
};

const sum = (report: Report, count: (session: Report['sessions'][number]) => number): number =>
  report.sessions.reduce((total, session) => total + count(session), 0);

// One order of keys for both sides.
const ORDER = ['leafUuid', 'branchPoints', 'compactions', 'duplicates', 'sidechains', 'continues', 'sessionId', 'shared'];
