import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256, type LibraryPort, type LogPort, type SessionRow } from '@yarnboard/store';
import { makePrivateFolder, readTextIfThere, writePrivateFile } from '../home/home.ts';
import type { SessionHead } from './session-outline.ts';

/** A head, and the last entry of the session it was made from. */
export type HeadAt = { readonly position: number; readonly head: SessionHead };

type Written = Omit<HeadAt, 'head'> & {
  readonly version: number;
  readonly session: string;
  readonly checksum: string;
  /** The head as JSON, so that its hash is of exactly these characters. */
  readonly head: string;
  readonly hash: string;
};

/**
 * READ-5: cached heads of long sessions, one file each, beside the board. A head is valid for exactly the entries it was made from: the log must have
 * the same entry at its position, and nothing of the session after it. The files can be deleted at any time.
 */
export const createKeptHeads = (homeFolder: string, log: Pick<LogPort, 'boardId' | 'entryAt' | 'linesOf'>) => {
  const folder = join(homeFolder, 'heads');
  const fileOf = (sessionId: string): string => join(folder, `${sha256(`${log.boardId}\n${sessionId}`).toString('hex').slice(0, 32)}.json`);
  return {
    read: async (sessionId: string): Promise<SessionHead | null> => {
      const written = parsed(readTextIfThere(fileOf(sessionId)));
      if (written?.version !== VERSION || written.session !== sessionId || written.hash !== hashOf(written)) return null;
      const entry = await log.entryAt(written.position);
      if (entry?.checksum !== written.checksum || (await log.linesOf(sessionId, written.position, 1)).length > 0) return null;
      return JSON.parse(written.head) as SessionHead; // our own: its hash fits
    },
    write: async (sessionId: string, { position, head }: HeadAt): Promise<void> => {
      const entry = await log.entryAt(position);
      if (entry === null) return;
      makePrivateFolder(folder);
      const written = { version: VERSION, session: sessionId, checksum: entry.checksum, position, head: JSON.stringify(head) };
      writePrivateFile(fileOf(sessionId), JSON.stringify({ ...written, hash: hashOf(written) } satisfies Written));
      dropOldest(folder);
    },
    drop: (sessionId: string): void => rmSync(fileOf(sessionId), { force: true }),
  };
};

export type KeptHeads = ReturnType<typeof createKeptHeads>;

/** The head of a long session: from the cache, or made by `make` and then cached. */
export const headsOf =
  (kept: KeptHeads, make: (sessionId: string, signal: AbortSignal) => Promise<HeadAt>) =>
  async (sessionId: string, signal: AbortSignal): Promise<SessionHead> => {
    const known = await kept.read(sessionId);
    if (known !== null) return known;
    const made = await make(sessionId, signal);
    // If it can't be written, it is made again.
    await kept.write(sessionId, made).catch(() => {});
    return made.head;
  };

/** READ-5: prepares the heads of the newest long sessions in advance. */
export const warmHeads = async (
  library: Pick<LibraryPort, 'sessions'>,
  head: (sessionId: string, signal: AbortSignal) => Promise<SessionHead>,
  signal: AbortSignal,
): Promise<void> => {
  for (const row of await library.sessions({ limit: NEWEST })) {
    if (signal.aborted) return;
    if (isLong(row)) await head(row.sessionId, signal).catch(() => {}); // its caller gets the reason
  }
};

/** Whether opening a session just for its head would delay others. */
export const isLong = ({ messages }: Pick<SessionRow, 'messages'>): boolean => messages > 2000;

/** Of everything else in the file. */
const hashOf = ({ version, session, checksum, position, head }: Omit<Written, 'hash'>): string =>
  sha256(JSON.stringify([version, session, checksum, position, head])).toString('hex');

/** We write it atomically; an unreadable one is made again. */
const parsed = (text: string | null): Written | null => {
  if (text === null) return null;
  try {
    const written = JSON.parse(text) as Written | null; // its version and its hash are checked, and its checksum is the log's
    return typeof written?.head === 'string' && Number.isSafeInteger(written.position) ? written : null;
  } catch {
    return null;
  }
};

const dropOldest = (folder: string): void => {
  if (!existsSync(folder)) return;
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  if (files.length <= MOST_FILES) return;
  const aged = files.map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs })).sort((a, b) => a.at - b.at);
  for (const { path } of aged.slice(0, files.length - MOST_FILES)) rmSync(path, { force: true });
};

/** Raised when the same records lead to different heads. */
const VERSION = 2;
const MOST_FILES = 500;
const NEWEST = 50;
