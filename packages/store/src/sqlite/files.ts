import type { FileMark } from '../port.ts';
import { storedOf, storedOrNull, textFrom, textOrNull } from '../stored-text.ts';
import type { Db } from './database.ts';
import { sealOf } from './seal.ts';

type FileRow = Omit<FileMark, 'sessionId' | 'agentId' | 'counts'> & FileMark['counts'] & { readonly session: string; readonly agent: string | null };

/** How far each file has been read. */
export const createFiles = (
  db: Db,
): { readonly put: (mark: FileMark) => void; readonly all: () => readonly FileMark[]; readonly remove: (path: string) => void } => {
  const select = db.prepare<[], FileRow>(
    `SELECT path, session, agent, role, dialect, identity, offset, line, size, modified, head_hash AS headHash, head_bytes AS headBytes,
       lines, blank, records, quarantined FROM files ORDER BY path`,
  );
  if (db.readonly) return { put: () => {}, all: () => select.all().map(markFrom), remove: () => {} };
  const insert = db.prepare(
    `INSERT OR REPLACE INTO files (path, session, agent, role, dialect, identity, offset, line, size, modified, head_hash, head_bytes, lines, blank,
       records, quarantined, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare<[string]>('DELETE FROM files WHERE path = ?');
  return {
    put: (mark) => {
      const { counts } = mark;
      const row = [
        storedOf(mark.path),
        storedOf(mark.sessionId),
        storedOrNull(mark.agentId),
        mark.role,
        mark.dialect,
        mark.identity,
        mark.offset,
        mark.line,
        mark.size,
        mark.modified,
        mark.headHash,
        mark.headBytes,
        counts.lines,
        counts.blank,
        counts.records,
        counts.quarantined,
      ] as const;
      insert.run(...row, sealOf(row));
    },
    all: () => select.all().map(markFrom),
    remove: (path) => {
      remove.run(storedOf(path));
    },
  };
};

const markFrom = ({ session, agent, lines, blank, records, quarantined, ...row }: FileRow): FileMark => ({
  ...row,
  path: textFrom(row.path),
  sessionId: textFrom(session),
  agentId: textOrNull(agent),
  counts: { lines, blank, records, quarantined },
});
