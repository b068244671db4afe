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

/** A file of a session: who speaks in it, and the name of the dialect it is written in. */
export type RecordFile = { readonly sessionId: string; readonly agentId: string | null; readonly dialect: string };

/** A record of a file with what is read of it. */
export type FileRecord = { readonly record: JsonObject; readonly entry: Entry; readonly place: Place };

export type RecordSink = {
  /** `raw` is what stands in the file, valid during the call only. */
  readonly record: (read: FileRecord, raw: Uint8Array) => void;
  readonly quarantine: Sink['quarantine'];
};

export type RecordReaderOptions = {
  /** Where the first bytes stand, for a reader that goes on where an earlier one stopped. */
  readonly start?: { readonly line: number; readonly offset: number };
  /** The place every record is read at, where what is read must not depend on it; else its own. */
  readonly readAt?: Place;
  /** Where an ordered file is read on; without it, from its beginning, as if it built on nothing. */
  readonly from?: Translation | null;
  /** Told after each line of an ordered file. */
  readonly onTaken?: (then: Translation) => void;
};

/** READ-1: the one way from the bytes of a file to its records. Each is parsed once and read once, whoever asks. */
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
 * Decodes lines of one file: null when they are not UTF-8. Nearly all chunks are ASCII as a whole, which one look tells; only in others is
 * every line looked at.
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
    // What cannot be decoded becomes U+FFFD; a text may also hold one of its own.
    return text.includes('\ufffd') && !isUtf8(buffer.subarray(from, to)) ? null : text;
  };
};
