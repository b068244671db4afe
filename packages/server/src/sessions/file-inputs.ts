import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import {
  createReader,
  DIALECTS,
  readEntry,
  readMeta,
  recordsIn,
  type Dialects,
  type Entry,
  type JsonObject,
  type MapperInput,
  type Place,
} from '@yarnboard/transcript';
import { createBuffer, createDecoder, readChunks } from '../ingest/group.ts';
import type { Group, GroupFile } from '../ingest/plan.ts';

export type FileInputsOptions = {
  /** What the file "-" holds. */
  readonly standardInput?: Uint8Array;
  readonly dialects?: Dialects;
  /** Told for every line that could not be read, and every file. */
  readonly onFault?: (fault: { readonly file: string; readonly line: number | null; readonly reason: string }) => void;
};

type Spot = { readonly file: number; readonly place: Place; readonly at: number };

/**
 * All records of a session's files as the mapper takes them: each file in its own order, all of them by time, as an import would put them on the
 * log. Only places are kept in memory; contents are read again one by one, so that a session may be as large as it likes.
 */
export function* fileInputs(group: Group, options: FileInputsOptions = {}): Generator<MapperInput, void, undefined> {
  const spots = spotsIn(group, options);
  const descriptors = new Map<number, number>();
  const begun = new Set<number>();
  const latest = new Map<number, Entry>();
  try {
    for (const { file, place } of spots) {
      const source = group.files[file];
      if (source === undefined) continue;
      if (!begun.has(file)) {
        begun.add(file);
        const meta = source.agentId === null || source.meta === null ? null : metaIn(source.meta, options);
        if (source.agentId !== null && meta !== null) yield { kind: 'meta', agentId: source.agentId, meta };
      }
      const value = recordAt(source.path, file, place, descriptors, options);
      if (value === null) continue;
      const record = recordsFor(group, source, options)(value, place);
      const entry = readEntry(record, place, source.agentId !== null, latest.get(file) ?? null);
      latest.set(file, entry);
      const uuid = entry.uuid === null || entry.uuid.startsWith('line:') ? `${source.path}:${place.line}.${place.part}` : entry.uuid;
      yield { kind: 'record', record, entry, uuid, agentId: source.agentId, source: null };
    }
  } finally {
    for (const descriptor of descriptors.values()) closeSync(descriptor);
  }
}

const recordsFor = ({ sessionId }: Group, { dialect, agentId }: GroupFile, { dialects = DIALECTS }: FileInputsOptions) =>
  recordsIn(dialects, dialect, { sessionId, agentId });

const spotsIn = (group: Group, options: FileInputsOptions): readonly Spot[] => {
  const { standardInput, onFault } = options;
  const spots: Spot[] = [];
  const buffer = createBuffer();
  group.files.forEach((source, file) => {
    const { path, agentId } = source;
    const toRecord = recordsFor(group, source, options);
    let at = Number.NEGATIVE_INFINITY;
    const reader = createReader({
      decode: createDecoder(),
      sink: {
        record: (value, place) => {
          const said = readEntry(toRecord(value, place), place, agentId !== null).at;
          // A record that does not tell its time, or tells an earlier one, was said when the one before it was.
          if (said > at) at = said;
          spots.push({ file, place, at });
        },
        quarantine: ({ line, reason }) => onFault?.({ file: path, line, reason }),
      },
    });
    try {
      if (path === '-' && standardInput !== undefined) reader.feed(standardInput);
      else readChunks(path, buffer, reader.feed);
      reader.end();
    } catch (cause) {
      onFault?.({ file: path, line: null, reason: `unreadable: ${cause instanceof Error ? cause.message : String(cause)}` });
    }
  });
  return spots.sort((a, b) => (a.at === b.at ? a.file - b.file || a.place.offset - b.place.offset : a.at - b.at));
};

const recordAt = (
  path: string,
  file: number,
  { line, offset, length }: Place,
  descriptors: Map<number, number>,
  { standardInput, onFault }: FileInputsOptions,
): JsonObject | null => {
  try {
    const text =
      path === '-' && standardInput !== undefined
        ? Buffer.from(standardInput.buffer, standardInput.byteOffset + offset, length).toString('utf8')
        : textAt(path, file, offset, length, descriptors);
    return JSON.parse(text.replace(/^\ufeff/u, '')) as JsonObject; // it was an object when it was parsed the first time
  } catch {
    onFault?.({ file: path, line, reason: 'has changed while it was read' });
    return null;
  }
};

const textAt = (path: string, file: number, offset: number, length: number, descriptors: Map<number, number>): string => {
  const descriptor = descriptors.get(file) ?? openSync(path, 'r');
  descriptors.set(file, descriptor);
  const buffer = Buffer.allocUnsafe(length);
  return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, length, offset));
};

const metaIn = (path: string, { onFault }: FileInputsOptions): ReturnType<typeof readMeta> => {
  try {
    return readMeta(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    onFault?.({ file: path, line: null, reason: `unreadable: ${cause instanceof Error ? cause.message : String(cause)}` });
    return null;
  }
};
