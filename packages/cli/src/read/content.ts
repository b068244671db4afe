import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { JsonObject, Node, Session } from '@yarnboard/transcript';
import { commonest, readGroup } from './group.ts';
import type { Group } from './plan.ts';

/** A session with access to what its records say. */
export type Content = {
  readonly session: Session;
  readonly recordOf: (node: Node) => JsonObject | null;
  readonly outputOf: (savedAs: string) => string | null;
  readonly close: () => void;
};

/** Reads a session and keeps its files open, so that single records can be read again from where they stand. */
export const openContent = (group: Group): Content => {
  const standardInput = group.files.some((file) => file.path === '-') ? readFileSync(0) : null;
  const { session } = readGroup(group, standardInput === null ? {} : { standardInput });
  const named = standardInput === null ? session : { ...session, id: commonest(session.sessionIds) };
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
    const text = bytesAt(session.files[node.file]?.path ?? '', offset, length).toString('utf8');
    try {
      return JSON.parse(text.replace(/^\ufeff/u, '')) as JsonObject; // it was an object when it was parsed the first time
    } catch {
      return null; // shown as "has changed or is gone"
    }
  };

  const outputOf = (savedAs: string): string | null => {
    const path = session.companions.find((companion) => basename(companion) === savedAs);
    return path === undefined ? null : readFileSync(path, 'utf8');
  };

  const close = (): void => {
    for (const descriptor of open.values()) closeSync(descriptor);
    open.clear();
  };
  return { session: named, recordOf, outputOf, close };
};
