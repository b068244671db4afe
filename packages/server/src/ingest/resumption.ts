import { crowdIn, type Dialects } from '@yarnboard/transcript';
import { NOWHERE } from '@yarnboard/store';
import { bytesAt, NEWLINE, type Handle } from './bytes.ts';
import { createRecordReader, type RecordFile } from './record-reader.ts';

/** Where to continue after an offset: at the next line, further on the same line, or nowhere yet. */
export type Resumption = { readonly kind: 'line' | 'same line'; readonly offset: number } | { readonly kind: 'nothing yet' };

/**
 * Marks are after a record, whose newline may follow, come later, or never. The newline isn't a line of its own; anything else there is on the
 * record's line.
 */
export const resumeAt = async (handle: Handle, offset: number, size: number): Promise<Resumption> => {
  if (offset === 0) return { kind: 'line', offset };
  const [before] = await bytesAt(handle, offset - 1, 1);
  if (before === NEWLINE) return { kind: 'line', offset };
  for (let at = offset; at < size; at += LOOK) {
    const ahead = await bytesAt(handle, at, Math.min(LOOK, size - at));
    const end = ahead.findIndex((byte) => !SPACES.has(byte));
    if (end !== -1) return ahead[end] === NEWLINE ? { kind: 'line', offset: at + end + 1 } : { kind: 'same line', offset: at + end };
  }
  return { kind: 'nothing yet' };
};

/** The time of the last record with one before an offset; NaN if none is in reach. */
export const timeBefore = async (handle: Handle, offset: number, dialects: Dialects, file: RecordFile): Promise<number> => {
  for (let reach = LOOK_BACK; ; reach *= 8) {
    const from = Math.max(0, offset - reach);
    const bytes = await bytesAt(handle, from, offset - from);
    // Except at the start of the file, the first line is most likely cut.
    const at = lastTimeIn(from === 0 ? bytes : bytes.subarray(bytes.indexOf(NEWLINE) + 1), dialects, file);
    if (Number.isFinite(at) || from === 0 || reach >= FARTHEST_BACK) return at;
  }
};

const lastTimeIn = (bytes: Buffer, dialects: Dialects, file: RecordFile): number => {
  let last = Number.NaN;
  const reader = createRecordReader(
    dialects,
    file,
    {
      record: ({ entry: { at } }) => {
        if (Number.isFinite(at)) last = at;
      },
      quarantine: () => {}, // it is on the log
    },
    { readAt: NOWHERE },
  );
  reader.feed(bytes);
  reader.end();
  return last;
};

/** ING-6: a last line without its newline is held back while it is incomplete; a complete object is complete, whatever follows. */
export const isEndedWhole = async (handle: Handle, offset: number, size: number): Promise<boolean> => {
  const length = size - offset;
  if (length <= 0 || length > MOST_UNENDED) return false;
  const [lastByte] = await bytesAt(handle, size - 1, 1);
  if (lastByte !== CLOSING_BRACE) return false;
  const bytes = await bytesAt(handle, offset, length);
  const text = bytes.toString('utf8').trim();
  if (!text.startsWith('{') || crowdIn(bytes, 0, bytes.length) !== null) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false; // an incomplete or broken line: it is quarantined when its newline arrives
  }
};

const SPACES: ReadonlySet<number> = new Set([9, 13, 32]);
const CLOSING_BRACE = 125;
const LOOK = 64;
const LOOK_BACK = 64 * 1024;
const FARTHEST_BACK = 32 * 1024 * 1024;
const MOST_UNENDED = 64 * 1024 * 1024;
