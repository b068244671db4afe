import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export type Copy = { readonly sessionId: string; readonly transcriptPath: string };

/**
 * LAUNCH-6: finds the session that `--fork-session` made when the hook did not report it: a transcript in the same folder, newer than the launch,
 * with the same first record. Null unless there is exactly one.
 */
export const findCopy = (sourcePath: string, since: number, isTaken: (sessionId: string) => boolean): Copy | null => {
  const folder = dirname(sourcePath);
  try {
    const first = firstUuid(sourcePath);
    if (first === null) return null;
    const copies = readdirSync(folder).flatMap((name) => {
      const sessionId = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/iu.exec(name)?.[1];
      const transcriptPath = join(folder, name);
      if (sessionId === undefined || name === basename(sourcePath) || isTaken(sessionId)) return [];
      const { birthtimeMs, ctimeMs } = statSync(transcriptPath);
      // Some file systems do not store creation times.
      const made = birthtimeMs > 0 ? birthtimeMs : ctimeMs;
      return made >= since - SLACK && firstUuid(transcriptPath) === first ? [{ sessionId, transcriptPath }] : [];
    });
    return copies.length === 1 ? (copies[0] ?? null) : null;
  } catch {
    return null; // the folder is gone or does not exist yet: we will look again
  }
};

const firstUuid = (path: string): string | null => {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEAD);
    return /"uuid":\s*"([^"\\]+)"/u.exec(head.toString('utf8', 0, readSync(file, head, 0, HEAD, 0)))?.[1] ?? null;
  } finally {
    closeSync(file);
  }
};

const HEAD = 65_536;
/** File timestamps are coarser than our clock. */
const SLACK = 2000;
