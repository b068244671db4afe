import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import {
  addFile,
  addMeta,
  appendEntry,
  createSession,
  dialectNamed,
  DIALECTS,
  jsonText,
  type AgentMeta,
  type Dialects,
  type FileFault,
  type JsonObject,
  type LineCounts,
  type Reader,
  type Session,
  type SkippedFile,
} from '@yarnboard/transcript';
import { reasonOf } from '../home/reason.ts';
import { eachKeptLine, isKept } from './kept.ts';
import type { Group, GroupFile } from './plan.ts';
import { createRecordReader } from './record-reader.ts';
import { beginningOf } from './translations.ts';
import { isView, viewOf } from './views.ts';

export type GroupReading = {
  readonly session: Session;
  readonly files: number;
  readonly counts: LineCounts;
  readonly quarantine: readonly FileFault[];
  readonly skipped: readonly SkippedFile[];
};

export type ReadOptions = {
  /** The contents of the file "-", if the caller has read it already. */
  readonly standardInput?: Uint8Array;
  /** The buffer for chunks; callers that read many groups pass the same one each time. */
  readonly buffer?: Buffer;
  readonly dialects?: Dialects;
};

export const createBuffer = (): Buffer => Buffer.allocUnsafe(1024 * 1024);

/** Reads all files of one session. An unreadable file is reported and the others are read nevertheless. */
export const readGroup = (group: Group, options: ReadOptions = {}): GroupReading => {
  const { standardInput, buffer = createBuffer(), dialects = DIALECTS } = options;
  const session = createSession(group.sessionId);
  session.tool = group.files[0]?.dialect ?? null;
  for (const companion of group.companions) session.companions.push(companion);
  const counts: LineCounts = { bytes: 0, lines: 0, blank: 0, records: 0, extra: 0, quarantined: 0 };
  const quarantine: FileFault[] = [];
  const skipped: SkippedFile[] = [];
  let files = 0;
  for (const one of group.files) {
    const { path, dialect, agentId } = one;
    try {
      takeMeta(session, one, dialects, skipped);
      const number = addFile(session, { path, agentId });
      const reader = createRecordReader(
        dialects,
        { sessionId: group.sessionId, agentId, dialect },
        {
          record: ({ entry }) => appendEntry(session, number, entry),
          quarantine: ({ line, offset, reason }) => {
            if (quarantine.length < MOST_FAULTS) quarantine.push({ file: path, line, offset, reason });
          },
        },
        { from: path === '-' ? null : beginningOf(dialects, { sessionId: group.sessionId, agentId, dialect, path }) },
      );
      if (path === '-' && standardInput !== undefined) reader.feed(standardInput);
      else if (isKept(path)) takeKept(path, reader, skipped);
      else if (isView(path)) reader.feed(viewOf(path));
      else readChunks(path, buffer, reader.feed);
      reader.end();
      files += 1;
      addCounts(counts, reader.counts);
    } catch (cause) {
      skipped.push({ file: path, reason: `unreadable: ${reasonOf(cause)}` });
    }
  }
  if (group.title !== null) session.titles.push({ by: 'custom', text: group.title, leafUuid: null });
  return { session, files, counts, quarantine, skipped };
};

export const addCounts = (sum: LineCounts, counts: Readonly<LineCounts>): void => {
  for (const key of COUNTED) sum[key] += counts[key];
};

/** The session id named by most records; "-" if none name one. */
export const commonest = (tally: ReadonlyMap<string, number>): string => [...tally].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '-';

// Its lines are values already: they become text only to learn how long they are.
const takeKept = (path: string, reader: Reader, skipped: SkippedFile[]): void => {
  let taken = 0;
  const take = (line: JsonObject): void => {
    const text = jsonText(line);
    if (!reader.take(line, Buffer.byteLength(text))) reader.feed(Buffer.from(`${text}\n`));
    taken += 1;
  };
  let problem: string | null;
  try {
    problem = eachKeptLine(path, take);
  } catch (cause) {
    // A damaged database may give some of its messages: those are there, and counted.
    if (taken === 0) throw cause;
    problem = reasonOf(cause);
  }
  if (problem !== null) skipped.push({ file: path, reason: `in part: ${problem}` });
};

const readChunks = (path: string, buffer: Buffer, feed: (chunk: Uint8Array) => void): void => {
  const descriptor = path === '-' ? 0 : openSync(path, 'r');
  try {
    for (let read = readSome(descriptor, buffer); read > 0; read = readSome(descriptor, buffer)) feed(buffer.subarray(0, read));
  } finally {
    if (descriptor !== 0) closeSync(descriptor);
  }
};

/** All of standard input, for callers that must read it more than once. */
export const readStandardInput = (): Buffer => {
  const chunks: Buffer[] = [];
  const buffer = createBuffer();
  for (let read = readSome(0, buffer); read > 0; read = readSome(0, buffer)) chunks.push(Buffer.from(buffer.subarray(0, read)));
  return Buffer.concat(chunks);
};

// An empty pipe returns EAGAIN, and a closed terminal EOF.
const readSome = (descriptor: number, buffer: Buffer): number => {
  for (;;) {
    try {
      return readSync(descriptor, buffer, 0, buffer.length, null);
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code; // node:fs throws nothing else
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
};

/** The contents of the file beside a sub-agent's transcript; null if there is none. Throws if it can't be read. */
export const metaOf = (dialects: Dialects, { agentId, meta, dialect }: GroupFile): AgentMeta | null =>
  agentId === null || meta === null ? null : (dialectNamed(dialects, dialect)?.readMeta(JSON.parse(readFileSync(meta, 'utf8'))) ?? null);

const takeMeta = (session: Session, file: GroupFile, dialects: Dialects, skipped: SkippedFile[]): void => {
  try {
    const meta = metaOf(dialects, file);
    if (meta !== null && file.agentId !== null) addMeta(session, file.agentId, meta);
  } catch (cause) {
    skipped.push({ file: file.meta ?? file.path, reason: `unreadable: ${reasonOf(cause)}` });
  }
};

/** A garbage file must not fill the memory: all bad lines are counted, but only this many of a session are listed. */
const MOST_FAULTS = 10_000;
const COUNTED = ['bytes', 'lines', 'blank', 'records', 'extra', 'quarantined'] as const;
