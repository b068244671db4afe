import type { FileMark } from '../port.ts';
import { insertRows, type Column, type Run } from './database.ts';

type FileRow = Omit<FileMark, 'sessionId' | 'agentId' | 'counts'> & FileMark['counts'] & { readonly session: string; readonly agent: string | null };

const COLUMNS = [
  ['path', 'text'],
  ['session', 'text'],
  ['agent', 'text'],
  ['role', 'text'],
  ['dialect', 'text'],
  ['identity', 'text'],
  ['"offset"', 'bigint'],
  ['line', 'bigint'],
  ['size', 'bigint'],
  ['modified', 'double precision'],
  ['head_hash', 'text'],
  ['head_bytes', 'bigint'],
  ['lines', 'bigint'],
  ['blank', 'bigint'],
  ['records', 'bigint'],
  ['quarantined', 'bigint'],
] as const satisfies readonly Column[];

/** How far each file has been read. */
export const putFiles = async (run: Run, marks: readonly FileMark[]): Promise<void> => {
  const last = new Map(marks.map((mark) => [mark.path, mark]));
  const replaced = COLUMNS.slice(1).map(([column]) => `${column} = excluded.${column}`);
  await insertRows(run, 'files', COLUMNS, [...last.values()].map(valuesOf), `ON CONFLICT (md5(path)) DO UPDATE SET ${replaced.join(', ')}`);
};

export const allFiles = async (run: Run): Promise<readonly FileMark[]> => {
  const rows = await run<FileRow>(`SELECT ${COLUMNS.map(([column]) => column).join(', ')} FROM files ORDER BY path`);
  return rows.map(({ session, agent, lines, blank, records, quarantined, ...row }) => ({
    ...row,
    sessionId: session,
    agentId: agent,
    counts: { lines, blank, records, quarantined },
  }));
};

const valuesOf = (mark: FileMark): readonly unknown[] => [
  mark.path,
  mark.sessionId,
  mark.agentId,
  mark.role,
  mark.dialect,
  mark.identity,
  mark.offset,
  mark.line,
  mark.size,
  mark.modified,
  mark.headHash,
  mark.headBytes,
  mark.counts.lines,
  mark.counts.blank,
  mark.counts.records,
  mark.counts.quarantined,
];
