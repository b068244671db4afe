import { lstatSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isStreamLog, type Dialects, type JsonObject, type Node, type Session } from '@yarnboard/transcript';
import { Refusal } from '../refusal.ts';
import { commonest, fileRecords, readGroup, readStandardInput, type Group } from '@yarnboard/server';

/** A session with access to the content of its records. */
export type Content = {
  readonly session: Session;
  readonly recordOf: (node: Node) => JsonObject | null;
  readonly outputOf: (savedAs: string) => string | null;
  readonly close: () => void;
};

/** Reads a session and keeps its files open, so that single records can be read again. */
export const openContent = (group: Group, dialects: Dialects): Content => {
  const standardInput = group.files.some((file) => file.path === '-') ? readStandardInput() : null;
  const options = { dialects, ...(standardInput === null ? {} : { standardInput }) };
  const { session, skipped } = readGroup(group, options);
  const named = standardInput === null ? session : { ...session, id: commonest(session.sessionIds) };
  const unread = skipped.find((one) => one.file === group.files[0]?.path && !one.reason.startsWith('in part'));
  if (unread !== undefined) throw new Refusal(3, `cannot show ${unread.file}: ${unread.reason}`);
  if (isStreamLog(session)) throw new Refusal(3, `cannot show ${group.files[0]?.path ?? '-'}: a stream log, not a transcript`);
  const { recordOf, close } = fileRecords(group, options);

  // Only a plain file beside the transcript: a link could lead anywhere, and a pipe would block forever.
  const outputOf = (savedAs: string): string | null => {
    const path = session.companions.find((companion) => basename(companion) === savedAs);
    if (path === undefined) return null;
    try {
      const stat = lstatSync(path);
      return stat.isFile() && stat.size <= MOST_OUTPUT ? readFileSync(path, 'utf8') : null;
    } catch {
      return null; // falls back to the beginning of the output in the record itself
    }
  };

  return { session: named, recordOf, outputOf, close };
};

const MOST_OUTPUT = 256 * 1024 * 1024;
