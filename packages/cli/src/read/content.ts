import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { DIALECTS, isStreamLog, recordsIn, saidAt, type JsonObject, type Node, type Session } from '@yarnboard/transcript';
import { Refusal } from '../refusal.ts';
import { commonest, readGroup, readStandardInput, type Group } from '@yarnboard/server';

/** A session with access to what its records say. */
export type Content = {
  readonly session: Session;
  readonly recordOf: (node: Node) => JsonObject | null;
  readonly outputOf: (savedAs: string) => string | null;
  readonly close: () => void;
};

/** Reads a session and keeps its files open, so that single records can be read again from where they stand. */
export const openContent = (group: Group): Content => {
  const standardInput = group.files.some((file) => file.path === '-') ? readStandardInput() : null;
  const { session, skipped } = readGroup(group, standardInput === null ? {} : { standardInput });
  const named = standardInput === null ? session : { ...session, id: commonest(session.sessionIds) };
  const unread = skipped.find((one) => one.file === group.files[0]?.path);
  if (unread !== undefined) throw new Refusal(3, `cannot show ${unread.file}: ${unread.reason}`);
  if (isStreamLog(session)) throw new Refusal(3, `cannot show ${group.files[0]?.path ?? '-'}: a stream log, not a transcript`);
  const open = new Map<string, number>();

  const bytesAt = (path: string, offset: number, length: number): Buffer => {
    if (standardInput !== null) return standardInput.subarray(offset, offset + length);
    const descriptor = open.get(path) ?? openSync(path, 'r');
    open.set(path, descriptor);
    if (fstatSync(descriptor).size < offset + length) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, length, offset));
  };

  const recordOf = (node: Node): JsonObject | null => {
    const { offset, length } = node.entry.place;
    const file = group.files.find(({ path }) => path === session.files[node.file]?.path);
    try {
      const text = bytesAt(file?.path ?? '', offset, length).toString('utf8');
      const value = JSON.parse(text.replace(/^\ufeff/u, '')) as JsonObject; // it was an object when it was parsed the first time
      const toRecord = recordsIn(DIALECTS, file?.dialect ?? '', { sessionId: group.sessionId, agentId: file?.agentId ?? null });
      return saidAt(node, toRecord(value, node.entry.place));
    } catch {
      return null; // shown as "has changed or is gone"
    }
  };

  // Only a plain file beside the transcript: a link could lead anywhere, and a pipe would wait for ever.
  const outputOf = (savedAs: string): string | null => {
    const path = session.companions.find((companion) => basename(companion) === savedAs);
    if (path === undefined) return null;
    try {
      const stat = lstatSync(path);
      return stat.isFile() && stat.size <= MOST_OUTPUT ? readFileSync(path, 'utf8') : null;
    } catch {
      return null; // the record's own beginning of the output is shown instead
    }
  };

  const close = (): void => {
    for (const descriptor of open.values()) closeSync(descriptor);
    open.clear();
  };
  return { session: named, recordOf, outputOf, close };
};

const MOST_OUTPUT = 256 * 1024 * 1024;
