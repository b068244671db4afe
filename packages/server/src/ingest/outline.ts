import { isMessage, isRequest, jsonText, withoutCutWord, type Dialects, type JsonObject, type Reader } from '@yarnboard/transcript';
import { NOWHERE } from '@yarnboard/store';
import type { Bounds } from './bounds.ts';
import { bytesAt, endsWithin, openRegular } from './bytes.ts';
import { createRecordReader, type RecordFile } from './record-reader.ts';

/** What the ends of a file reveal: enough to list its session before it has been read. */
export type Outline = {
  /** NaN if no visible record has a time. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** The time of the first record that isn't a message: a copy keeps the times of messages only. NaN if none is visible. */
  readonly stateAt: number;
  readonly title: string | null;
  readonly project: string | null;
  readonly version: string | null;
  /** It says that it was copied from another session, which therefore comes first. */
  readonly isCopy: boolean;
};

/** Reads the first and the last bytes of a session's transcript. */
export const outlineOf = async (path: string, file: RecordFile, dialects: Dialects, headBytes = HEAD, bounds: Bounds = null): Promise<Outline> => {
  const ends = endsWithin(path, bounds);
  if (ends !== null) {
    const { lastAt } = readHead((reader) => takeAll(reader, ends.last), file, dialects);
    const outline = readHead((reader) => takeAll(reader, ends.first), file, dialects);
    return Number.isFinite(lastAt) ? { ...outline, lastAt: later(outline.lastAt, lastAt) } : outline;
  }
  const { handle, found } = await openRegular(path, bounds);
  try {
    const head = await bytesAt(handle, 0, Math.min(found.size, headBytes));
    const outline = readHead(
      (reader) => {
        reader.feed(head);
        if (found.size <= headBytes) reader.end();
      },
      file,
      dialects,
    );
    const tail = found.size <= headBytes ? head : await bytesAt(handle, Math.max(0, found.size - TAIL), TAIL);
    const times = [...tail.toString('latin1').matchAll(/"timestamp":\s*"([^"\\]{10,40})"/gu)]
      .map(([, time = '']) => Date.parse(time))
      .filter(Number.isFinite);
    return { ...outline, lastAt: times.reduce(later, outline.lastAt) };
  } finally {
    await handle.close();
  }
};

/** Smaller files may reveal more when they grow. */
export const HEAD = 64 * 1024;

const takeAll = (reader: Reader, lines: Iterable<JsonObject>): void => {
  for (const line of lines) reader.take(line, jsonText(line).length);
};

const readHead = (feed: (reader: Reader) => void, file: RecordFile, dialects: Dialects): Outline => {
  const found = {
    firstAt: Number.NaN,
    lastAt: Number.NaN,
    stateAt: Number.NaN,
    prompt: null as string | null,
    command: null as string | null,
    title: null as string | null,
  };
  let project: string | null = null;
  let version: string | null = null;
  let isCopy = false;
  const reader = createRecordReader(
    dialects,
    file,
    {
      record: ({ entry }) => {
        if (Number.isFinite(entry.at)) {
          if (!(entry.at >= found.firstAt)) found.firstAt = entry.at;
          if (entry.uuid === null && !(entry.at >= found.stateAt)) found.stateAt = entry.at;
          found.lastAt = later(found.lastAt, entry.at);
        }
        project ??= entry.cwd;
        version ??= entry.version;
        if (isRequest(entry)) found.prompt ??= entry.text;
        if (entry.role === 'command') found.command ??= entry.text;
        if (entry.more?.title != null && entry.more.title.by !== 'summary') found.title = entry.more.title.text;
        if (entry.more?.forkedFrom != null || (isMessage(entry) && entry.sessionId !== null && entry.sessionId !== file.sessionId)) isCopy = true;
      },
      quarantine: () => {}, // counted when the file is read
    },
    { readAt: NOWHERE },
  );
  feed(reader);
  const { firstAt, lastAt, stateAt, title, prompt, command } = found;
  const asked = prompt ?? command;
  return { firstAt, lastAt, stateAt, title: title ?? (asked === null ? null : withoutCutWord(asked)), project, version, isCopy };
};

const later = (a: number, b: number): number => (a >= b ? a : b);

const TAIL = 16 * 1024;
/** A sub-agent's file is only needed for its time and project. */
export const AGENT_HEAD = 8 * 1024;
