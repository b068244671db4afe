import { isAscii, isUtf8 } from 'node:buffer';
import {
  createReader,
  readEntry,
  linesOf,
  recordsIn,
  type Dialects,
  type Entry,
  type JsonObject,
  type Place,
  type Reader,
  type Sink,
  type Translation,
} from '@yarnboard/transcript';

/** A file of a session: its speaker, and the name of its dialect. */
export type RecordFile = { readonly sessionId: string; readonly agentId: string | null; readonly dialect: string };

/** A record of a file with its reading. */
export type FileRecord = { readonly record: JsonObject; readonly entry: Entry; readonly place: Place };

export type RecordSink = {
  /** `raw` has the bytes in the file, valid only during the call. */
  readonly record: (read: FileRecord, raw: Uint8Array) => void;
  readonly quarantine: Sink['quarantine'];
};

export type RecordReaderOptions = {
  /** The place of the first bytes, for a reader that continues an earlier one. */
  readonly start?: { readonly line: number; readonly offset: number };
  /** A fixed place for every record, if readings must not depend on it; by default its own. */
  readonly readAt?: Place;
  /** Where to continue an ordered file; without it, from its beginning, as if it built on nothing. */
  readonly from?: Translation | null;
  /** Called after each line of an ordered file. */
  readonly onTaken?: (then: Translation) => void;
};

/** READ-1: the only way from the bytes of a file to its records. Each is parsed once and read once, whoever asks. */
export const createRecordReader = (
  dialects: Dialects,
  { sessionId, agentId, dialect }: RecordFile,
  sink: RecordSink,
  { start, readAt, from, onTaken }: RecordReaderOptions = {},
): Reader => {
  const toRecord = recordsIn(linesOf(dialects, dialect), { sessionId, agentId }, from, onTaken);
  const inAgentFile = agentId !== null;
  let latest: Entry | null = null;
  return createReader({
    decode: createDecoder(),
    ...(start === undefined ? {} : { start }),
    sink: {
      record: (value, place, raw) => {
        const record = toRecord(value, place);
        latest = readEntry(record, readAt ?? place, inAgentFile, latest);
        sink.record({ record, entry: latest, place }, raw);
      },
      quarantine: sink.quarantine,
    },
  });
};

/**
 * Decodes lines of one file: null if they aren't UTF-8. Nearly all chunks are pure ASCII, which a single check shows; only in others is every line
 * checked.
 */
export const createDecoder = (): ((bytes: Uint8Array, from: number, to: number) => string | null) => {
  let chunk: Uint8Array | null = null;
  let buffer: Buffer = Buffer.alloc(0);
  let isAsciiChunk = false;
  return (bytes, from, to) => {
    if (bytes !== chunk) {
      chunk = bytes;
      buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      isAsciiChunk = isAscii(buffer);
    }
    if (isAsciiChunk) return buffer.toString('latin1', from, to);
    const text = buffer.toString('utf8', from, to);
    // Undecodable bytes become U+FFFD; a text may also contain one of its own.
    return text.includes('\ufffd') && !isUtf8(buffer.subarray(from, to)) ? null : text;
  };
};
