import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AppendFault } from '../port.ts';

/** Why a disk refuses writes, with advice on what to do. */
export type Refusal = Pick<AppendFault, 'kind'> & { readonly advice: string };

/**
 * SRV-33: SQLite reports an exhausted quota, a read-only file system and a broken disk alike, as an I/O error. So we write something beside the
 * database, and the system's error tells them apart. Null if that write succeeds.
 */
export const refusalOf = (path: string): Refusal | null => {
  const code = codeOfTrial(`${path}.trial`);
  return code === null ? null : refusalFor(code, path);
};

/** What a system error means for a database at this path. */
export const refusalFor = (code: string, path: string): Refusal =>
  code === 'ENOSPC' ? { kind: 'full', advice: fullAdvice(path) } : (REFUSALS[code] ?? { kind: 'io', advice: `${IO_ADVICE} (${code})` });

/** How much space there is at a database; null if the system doesn't say. */
export const roomAt = (path: string): number | null => {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return null; // some file systems don't say; only writing shows it
  }
};

export const fullAdvice = (path: string): string => {
  const room = roomAt(path);
  const left = room === null ? '' : ` (${megabytes(room)} left; Yarnboard needs at least ${megabytes(ROOM_NEEDED)})`;
  return `the disk is full${left}. Free some space; writing then continues`;
};

export const IO_ADVICE = 'the disk reports an error. Check its health (`dmesg` or the system log names it), and back up the board';

/** A write-ahead log, its index, and a commit of an import; with less than this, there is no point in starting. */
const ROOM_NEEDED = 16 * 1024 * 1024;
/** With less than this, commands fail now and then. */
export const ROOM_TO_GO_ON = 1024 * 1024;

const REFUSALS: Readonly<Record<string, Refusal>> = {
  EDQUOT: { kind: 'full', advice: 'your disk quota is used up. Free some space or have the quota raised; writing then continues' },
  EROFS: { kind: 'read-only', advice: 'its file system is read-only. Mount it for writing; writing then continues' },
};

const codeOfTrial = (path: string): string | null => {
  try {
    const file = openSync(path, 'w', 0o600);
    try {
      writeSync(file, Buffer.alloc(TRIAL_BYTES, 1));
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(path, { force: true });
    }
    return null;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code ?? 'EIO';
  }
};

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)} MB`;

/** More than SQLite takes at once for the index of its write-ahead log. */
const TRIAL_BYTES = 64 * 1024;
