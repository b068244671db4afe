import { linesOf, withOriginal, type Entry, type Place, type QuarantineReason, type Translation } from '@yarnboard/transcript';
import { NOWHERE, type FileMark } from '@yarnboard/store';
import { createRecordReader } from './record-reader.ts';
import type { SourceFile, SourceOptions } from './source.ts';

/** A line, or a piece of one, as it stands in its file. */
export type Found = {
  /** What stands in the file: of another tool's line more goes onto the log. */
  readonly raw: Buffer;
  readonly payload: Buffer;
  /** Null for what is not a record; `fault` says why. */
  readonly reading: Entry | null;
  readonly fault: QuarantineReason | null;
  readonly place: Place;
  /** Of this reader, up to here. */
  readonly counts: FileMark['counts'];
};

/** What some bytes have brought, and how far the reader is. */
export type Fed = {
  readonly found: readonly Found[];
  readonly position: { readonly line: number; readonly offset: number };
  readonly counts: FileMark['counts'];
};

export type LinesReader = { readonly feed: (bytes: Uint8Array) => Fed; readonly end: () => Fed };

type ReaderNeeds = Pick<SourceOptions, 'dialects' | 'isSession'>;

/** Where it begins; of an ordered file also what stands before that, and who is told how far it is. */
type ReaderStart = {
  readonly line: number;
  readonly offset: number;
  readonly from?: Translation | null;
  readonly onTaken?: (then: Translation) => void;
};

/** Cuts the bytes of a file into what goes onto the log. */
export const createLinesReader = (file: SourceFile, { dialects, isSession = () => true }: ReaderNeeds, start: ReaderStart): LinesReader => {
  const isMade = file.role !== 'companion' && linesOf(dialects, file.dialect).kind !== 'records';
  let found: Found[] = [];

  const reader = createRecordReader(
    dialects,
    { ...file.context, dialect: file.dialect },
    {
      record: ({ record, entry: reading, place }, bytes) => {
        if (file.isIndex === true && (reading.sessionId === null || reading.sessionId === '' || !isSession(reading.sessionId))) return;
        const raw = Buffer.from(bytes); // a copy: the chunk is read into again
        const payload = isMade ? Buffer.from(JSON.stringify(withOriginal(record, raw.toString('utf8')))) : raw;
        found.push({ raw, payload, reading, fault: null, place, counts: counts() });
      },
      quarantine: (place, bytes) => {
        if (file.isIndex === true) return; // counted; it belongs to no session
        const raw = Buffer.from(bytes);
        found.push({ raw, payload: raw, reading: null, fault: place.reason, place, counts: counts() });
      },
    },
    {
      start,
      readAt: NOWHERE,
      ...(start.from === undefined ? {} : { from: start.from }),
      ...(start.onTaken === undefined ? {} : { onTaken: start.onTaken }),
    },
  );

  const counts = (): FileMark['counts'] => {
    const { lines, blank, records, quarantined } = reader.counts;
    return { lines, blank, records, quarantined };
  };

  const take = (): Fed => {
    const taken = found;
    found = [];
    return { found: taken, position: reader.position(), counts: counts() };
  };

  return {
    feed: (bytes) => {
      reader.feed(bytes);
      return take();
    },
    end: () => {
      reader.end();
      return take();
    },
  };
};
