import { linesOf, withOriginal, type Entry, type Place, type QuarantineReason, type Translation } from '@yarnboard/transcript';
import { NOWHERE, type FileMark } from '@yarnboard/store';
import { createRecordReader } from './record-reader.ts';
import type { SourceFile, SourceOptions } from './source.ts';

/** A line, or part of one, as it is in its file. */
export type Found = {
  /** The file's own bytes: for another tool's line, more is logged. */
  readonly raw: Buffer;
  readonly payload: Buffer;
  /** Null for anything but a record; `fault` says why. */
  readonly reading: Entry | null;
  readonly fault: QuarantineReason | null;
  readonly place: Place;
  /** The counts of this reader so far. */
  readonly counts: FileMark['counts'];
};

/** The result of some bytes, and the reader's position. */
export type Fed = {
  readonly found: readonly Found[];
  readonly position: { readonly line: number; readonly offset: number };
  readonly counts: FileMark['counts'];
};

export type LinesReader = { readonly feed: (bytes: Uint8Array) => Fed; readonly end: () => Fed };

type ReaderNeeds = Pick<SourceOptions, 'dialects' | 'isSession'>;

/** Where it begins; for an ordered file also the preceding state, and a callback for its progress. */
type ReaderStart = {
  readonly line: number;
  readonly offset: number;
  readonly from?: Translation | null;
  readonly onTaken?: (then: Translation) => void;
};

/** Splits the bytes of a file into what is logged. */
export const createLinesReader = (file: SourceFile, { dialects, isSession = () => true }: ReaderNeeds, start: ReaderStart): LinesReader => {
  const isMade = file.role !== 'companion' && linesOf(dialects, file.dialect).kind !== 'records';
  let found: Found[] = [];

  const reader = createRecordReader(
    dialects,
    { ...file.context, dialect: file.dialect },
    {
      record: ({ record, entry: reading, place }, bytes) => {
        if (file.isIndex === true && (reading.sessionId === null || reading.sessionId === '' || !isSession(reading.sessionId))) return;
        const raw = Buffer.from(bytes); // a copy: the chunk is reused
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
