import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256, type LibraryPort, type LogPort, type SessionRow } from '@yarnboard/store';
import { makePrivateFolder, readTextIfThere, writePrivateFile } from '../home/home.ts';
import type { SessionHead } from './session-outline.ts';

/** A head, and the last entry of the session that it was made of. */
export type HeadAt = { readonly position: number; readonly head: SessionHead };

type Written = HeadAt & { readonly version: number; readonly session: string; readonly checksum: string };

/**
 * READ-5: heads of long sessions, one file each, beside the board. One holds for exactly the entries it was made of: the log must have the same entry at
 * its position, and nothing of the session behind it. They can be deleted at any time.
 */
export const createKeptHeads = (homeFolder: string, log: Pick<LogPort, 'boardId' | 'entryAt' | 'linesOf'>) => {
  const folder = join(homeFolder, 'heads');
  const fileOf = (sessionId: string): string => join(folder, `${sha256(`${log.boardId}\n${sessionId}`).toString('hex').slice(0, 32)}.json`);
  return {
    read: async (sessionId: string): Promise<SessionHead | null> => {
      const written = parsed(readTextIfThere(fileOf(sessionId)));
      if (written?.version !== VERSION || written.session !== sessionId) return null;
      const entry = await log.entryAt(written.position);
      if (entry?.checksum !== written.checksum || (await log.linesOf(sessionId, written.position, 1)).length > 0) return null;
      return written.head;
    },
    write: async (sessionId: string, { position, head }: HeadAt): Promise<void> => {
      const entry = await log.entryAt(position);
      if (entry === null) return;
      makePrivateFolder(folder);
      writePrivateFile(
        fileOf(sessionId),
        JSON.stringify({ version: VERSION, session: sessionId, checksum: entry.checksum, position, head } satisfies Written),
      );
      dropOldest(folder);
    },
    drop: (sessionId: string): void => rmSync(fileOf(sessionId), { force: true }),
  };
};

export type KeptHeads = ReturnType<typeof createKeptHeads>;

/** The head of a long session: the one that is kept, or one that is made elsewhere and kept from now on. */
export const headsOf =
  (kept: KeptHeads, make: (sessionId: string, signal: AbortSignal) => Promise<HeadAt>) =>
  async (sessionId: string, signal: AbortSignal): Promise<SessionHead> => {
    const known = await kept.read(sessionId);
    if (known !== null) return known;
    const made = await make(sessionId, signal);
    // Where it cannot be written, it is made again.
    await kept.write(sessionId, made).catch(() => {});
    return made.head;
  };

/** READ-5: the heads of the newest long sessions, before somebody asks for them. */
export const warmHeads = async (
  library: Pick<LibraryPort, 'sessions'>,
  head: (sessionId: string, signal: AbortSignal) => Promise<SessionHead>,
  signal: AbortSignal,
): Promise<void> => {
  for (const row of await library.sessions({ limit: NEWEST })) {
    if (signal.aborted) return;
    if (isLong(row)) await head(row.sessionId, signal).catch(() => {}); // whoever asks for it is told why
  }
};

/** Whether opening a session for its head alone would hold others up. */
export const isLong = ({ messages }: Pick<SessionRow, 'messages'>): boolean => messages > 2000;

/** Written by us, whole or not at all; what cannot be read is made again. */
const parsed = (text: string | null): Written | null => {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Written | null; // its version is looked at, and its checksum is the log's
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

/** Raised when heads of the same records come out differently. */
const VERSION = 1;
const MOST_FILES = 500;
const NEWEST = 50;
