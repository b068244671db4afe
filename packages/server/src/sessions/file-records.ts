import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { recordOf as parsed } from '@yarnboard/store';
import {
  DIALECTS,
  linesOf,
  recordsIn,
  saidAt,
  type Dialects,
  type JsonObject,
  type Node,
  type Place,
  type Reader,
  type Translation,
} from '@yarnboard/transcript';
import { reasonOf } from '../home/reason.ts';
import { metaOf } from '../ingest/group.ts';
import type { Group, GroupFile } from '../ingest/plan.ts';
import { createRecordReader, type FileRecord } from '../ingest/record-reader.ts';
import { beginningOf, translationsIn } from '../ingest/translations.ts';
import { isView, viewOf } from '../ingest/views.ts';
import { byNode, type SessionInput, type SessionRecords } from './session-records.ts';

export type FileRecordsOptions = {
  /** The contents of the file "-". */
  readonly standardInput?: Uint8Array;
  readonly dialects?: Dialects;
  /** Called for every unreadable line and file. */
  readonly onFault?: (fault: { readonly file: string; readonly line: number | null; readonly reason: string }) => void;
};

/** The records of a session in its files. The files of its graph have the same numbers as in the group. */
export type FileRecords = SessionRecords & {
  /** The content of one record, read from its place; null if the file has changed or is gone. The file stays open. */
  readonly recordOf: (node: Pick<Node, 'file' | 'entry' | 'index'>) => JsonObject | null;
  readonly close: () => void;
};

export const fileRecords = (group: Group, { standardInput, dialects = DIALECTS, onFault = () => {} }: FileRecordsOptions = {}): FileRecords => {
  const { sessionId, files } = group;
  const opened = new Map<string, number>();
  const texts = new Map<string, Buffer>();
  const translations = new Map<string, ReadonlyMap<number, Translation>>();

  const recordOf = (node: Pick<Node, 'file' | 'entry' | 'index'>): JsonObject | null => {
    const { place } = node.entry;
    const source = files[node.file];
    if (source === undefined) return null;
    try {
      const value = parsed({ note: null }, bytesAt(source.path, place));
      return value === null ? null : saidAt(node, recordOfLine(source, place)(value, place));
    } catch {
      return null; // the view reports that it has changed or is gone
    }
  };

  // A line of an ordered file is read after those before it; their meaning is computed once.
  const recordOfLine = (file: GroupFile, place: Place): ReturnType<typeof recordsIn> => {
    const lines = linesOf(dialects, file.dialect);
    if (lines.kind !== 'ordered') return recordsIn(lines, { sessionId, agentId: file.agentId });
    const known = translations.get(file.path) ?? translationsIn(dialects, { ...file, sessionId });
    translations.set(file.path, known);
    return recordsIn(lines, { sessionId, agentId: file.agentId }, known.get(place.offset) ?? null);
  };

  const textOf = (path: string): Buffer => {
    const known = texts.get(path) ?? viewOf(path);
    texts.set(path, known);
    return known;
  };

  const bytesAt = (path: string, { offset, length }: Place): Uint8Array => {
    if (path === '-' && standardInput !== undefined) return standardInput.subarray(offset, offset + length);
    if (isView(path)) return textOf(path).subarray(offset, offset + length);
    const descriptor = opened.get(path) ?? openSync(path, 'r');
    opened.set(path, descriptor);
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, length, offset));
  };

  const close = (): void => {
    for (const descriptor of opened.values()) closeSync(descriptor);
    opened.clear();
    texts.clear();
  };

  const metaBeside = (file: GroupFile): readonly SessionInput[] => {
    try {
      const meta = metaOf(dialects, file);
      return meta === null || file.agentId === null ? [] : [{ kind: 'meta', agentId: file.agentId, meta }];
    } catch (cause) {
      onFault({ file: file.meta ?? file.path, line: null, reason: `unreadable: ${reasonOf(cause)}` });
      return [];
    }
  };

  // Opened for each piece: a session may have a thousand files, and the reader may never request the next page.
  const pieceOf = async (path: string, offset: number, length: number): Promise<Uint8Array> => {
    if (path === '-' && standardInput !== undefined) return standardInput.subarray(offset, offset + length);
    try {
      if (isView(path)) return textOf(path).subarray(offset, offset + length);
      const handle = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    } catch (cause) {
      onFault({ file: path, line: null, reason: `unreadable: ${reasonOf(cause)}` });
      return NOTHING;
    }
  };

  const createSource = (number: number, file: GroupFile): Source => {
    let at = Number.NEGATIVE_INFINITY;
    const reader = createRecordReader(
      dialects,
      { ...file, sessionId },
      {
        record: (read) => {
          // A record without a time, or with an earlier one, gets the time of the one before it.
          if (read.entry.at > at) ({ at } = read.entry);
          source.ready.push({ ...read, at });
        },
        quarantine: ({ line, reason }) => onFault({ file: file.path, line, reason }),
      },
      { from: file.path === '-' ? null : beginningOf(dialects, { ...file, sessionId }) },
    );
    const source: Source = { number, file, reader, ready: [], told: 0, unfed: NOTHING, offset: 0, chunk: LEAST_CHUNK, isRead: false };
    return source;
  };

  /** False if the file has no more. */
  const fill = async (source: Source): Promise<boolean> => {
    source.ready = [];
    source.told = 0;
    while (source.ready.length === 0 && !isThrough(source)) {
      if (source.unfed.length === 0) {
        source.unfed = await pieceOf(source.file.path, source.offset, source.chunk);
        source.offset += source.unfed.length;
        source.isRead = source.unfed.length < source.chunk;
        source.chunk = Math.min(source.chunk * 2, MOST_CHUNK);
      }
      source.reader.feed(source.unfed.subarray(0, MOST_FED));
      source.unfed = source.unfed.subarray(MOST_FED);
      if (isThrough(source)) source.reader.end();
    }
    return source.ready.length > 0;
  };

  // WIRE-16: each file in its own order, merged by time, as an import logs them. It reads only as much as is requested, one piece of a file at a
  // time, and yields between two pieces.
  async function* read(): AsyncGenerator<readonly SessionInput[], void, undefined> {
    const sources: Source[] = [];
    for (const [number, file] of files.entries()) {
      const source = createSource(number, file);
      if (await fill(source)) enqueue(sources, source);
    }
    const begun = new Set<Source>();
    let batch: SessionInput[] = [];
    for (let source = sources.shift(); source !== undefined; source = sources.shift()) {
      const { file } = source;
      if (!begun.has(source)) batch.push(...metaBeside(file));
      begun.add(source);
      const next = source.ready[source.told];
      source.told += 1;
      if (next !== undefined) batch.push({ kind: 'record', file: file.path, agentId: file.agentId, record: next.record, entry: next.entry });
      if (source.told >= source.ready.length) {
        yield batch;
        batch = [];
        if (!(await fill(source))) continue;
      }
      enqueue(sources, source);
    }
  }

  return {
    sessionId,
    read,
    records: async (nodes) => {
      try {
        return byNode(nodes, recordOf);
      } finally {
        close();
      }
    },
    recordOf,
    close,
  };
};

/** A file being read. */
type Source = {
  readonly number: number;
  readonly file: GroupFile;
  readonly reader: Reader;
  /** Records that were read; those before `told` were delivered. */
  ready: (FileRecord & { readonly at: number })[];
  told: number;
  /** Bytes that were read but not parsed yet. */
  unfed: Uint8Array;
  offset: number;
  chunk: number;
  /** Whether the file had no more at the last read. */
  isRead: boolean;
};

const isThrough = ({ isRead, unfed }: Source): boolean => isRead && unfed.length === 0;

/** Keeps the sources in the order of their next records. */
const enqueue = (sources: Source[], source: Source): void => {
  let [from, to] = [0, sources.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = sources[middle];
    if (other !== undefined && isBefore(other, source)) from = middle + 1;
    else to = middle;
  }
  sources.splice(from, 0, source);
};

const isBefore = (a: Source, b: Source): boolean => {
  const [atA, atB] = [a.ready[a.told]?.at ?? 0, b.ready[b.told]?.at ?? 0];
  return atA === atB ? a.number < b.number : atA < atB;
};

const NOTHING = new Uint8Array(0);
const LEAST_CHUNK = 16 * 1024;
// Opening a file for each piece costs more than reading it; parsing a piece must not delay others.
const MOST_CHUNK = 256 * 1024;
const MOST_FED = 32 * 1024;
