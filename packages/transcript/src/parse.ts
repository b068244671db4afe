import { crowdIn, MOST_VALUES } from './crowd.ts';
import { createDepthGuard, isDeeperThan, MAX_DEPTH } from './depth.ts';
import { bracketsFrom, endOfObject, isObject, parseJson, type JsonObject } from './json.ts';

/** The place of a piece of a file. `line` counts from 1, `offset` in bytes from 0; `part` is 0 except for further objects on one line. */
export type Place = { readonly line: number; readonly part: number; readonly offset: number; readonly length: number };

export const QUARANTINE_REASONS = ['invalid JSON', 'not an object', 'truncated', 'too deep', 'too long', 'too many values', 'invalid UTF-8'] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

export type Quarantined = Place & { readonly reason: QuarantineReason };

/** PARSE-1: lines + extra = records + blank + quarantined, always. */
export type LineCounts = { bytes: number; lines: number; blank: number; records: number; extra: number; quarantined: number };

/** `raw` has the bytes at the place, valid only during the call; those of an overlong line aren't kept. */
export type Sink = {
  readonly record: (value: JsonObject, place: Place, raw: Uint8Array) => void;
  readonly quarantine: (found: Quarantined, raw: Uint8Array) => void;
};

export type ReaderOptions = {
  /** The text of the bytes from `from` up to `to`, or null if they aren't valid UTF-8. It must keep a byte order mark. */
  readonly decode: (bytes: Uint8Array, from: number, to: number) => string | null;
  readonly sink: Sink;
  /** Lines above this many bytes are quarantined unread, so that a broken file can't fill the memory. */
  readonly maxLineBytes?: number;
  /** The place of the first byte in its file, for a reader that continues an earlier one. */
  readonly start?: { readonly line: number; readonly offset: number };
};

export type Reader = {
  /** Takes the next bytes of the file, split anywhere; calls the sink for every line they complete. The bytes may be reused afterwards. */
  readonly feed: (chunk: Uint8Array) => void;
  /** Takes a line that is already parsed, of so many bytes. Refuses one that has to be judged by its bytes: feed it instead. Its record has no `raw`. */
  readonly take: (value: JsonObject, length: number) => boolean;
  /** The file ends here: a rest without a final newline is a line too. */
  readonly end: () => void;
  /** Where the last complete line ended: a later reader may start here. */
  readonly position: () => { readonly line: number; readonly offset: number };
  readonly counts: Readonly<LineCounts>;
};

/**
 * Cuts bytes into lines and lines into records. Nothing is dropped: a line is blank, one or more records, or quarantined with a reason.
 *
 * @example
 * const reader = createReader({ decode, sink: { record: (value, place) => …, quarantine: (q) => … } });
 * for (const chunk of chunks) reader.feed(chunk);
 * reader.end();
 */
export const createReader = (options: ReaderOptions): Reader => {
  const { decode, sink } = options;
  const maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  const counts: LineCounts = { bytes: 0, lines: 0, blank: 0, records: 0, extra: 0, quarantined: 0 };
  let line = options.start?.line ?? 1;
  let offset = options.start?.offset ?? 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let tooLong = false;
  const isTooDeep = createDepthGuard();

  const quarantine = (reason: QuarantineReason, part: number, at: number, length: number, raw: Uint8Array): void => {
    counts.quarantined += 1;
    sink.quarantine({ reason, line, part, offset: at, length }, raw);
  };

  const accept = (value: JsonObject, part: number, at: number, length: number, raw: Uint8Array): void => {
    counts.records += 1;
    sink.record(value, { line, part, offset: at, length }, raw);
  };

  const takeLine = (bytes: Uint8Array, from: number, to: number): void => {
    const bom = offset === 0 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf ? 3 : 0;
    const length = to - from;
    const raw = bytes.subarray(from + bom, to);
    const crowd = crowdIn(bytes, from + bom, to);
    if (crowd !== null) {
      quarantine(crowd, 0, offset, length, raw);
      return;
    }
    const text = decode(bytes, from + bom, to);
    if (text === null) {
      quarantine('invalid UTF-8', 0, offset, length, raw);
      return;
    }
    const value = parseJson(text);
    if (value === undefined) takePieces(text, bom, raw);
    else if (!isObject(value)) quarantine('not an object', 0, offset, length, raw);
    else if (isTooDeep(value, bytes, from, to)) quarantine('too deep', 0, offset, length, raw);
    else accept(value, 0, offset + bom, length - bom, raw);
  };

  // Slow path, for lines that aren't a single JSON value: blank, several objects on one line, cut off, or broken.
  const takePieces = (text: string, bom: number, bytes: Uint8Array): void => {
    let part = 0;
    let at = skipSpace(text, 0);
    if (at === text.length) {
      counts.blank += 1;
      return;
    }
    // Bytes are counted from piece to piece, never from the start: a line may have very many (PARSE-6).
    let start = offset + bom + utf8Length(text, 0, at);
    while (at < text.length) {
      const piece = nextPiece(text, at, part < MOST_RECOVERIES);
      const length = utf8Length(text, at, piece.end);
      if (part > 0) counts.extra += 1;
      const raw = bytes.subarray(start - offset - bom, start - offset - bom + length);
      if ('value' in piece) accept(piece.value, part, start, length, raw);
      else quarantine(piece.reason, part, start, length, raw);
      part += 1;
      at = skipSpace(text, piece.end);
      start += length + at - piece.end;
    }
  };

  const finishLine = (bytes: Uint8Array, from: number, to: number, newline: number): void => {
    counts.lines += 1;
    if (tooLong) quarantine('too long', 0, offset, heldBytes, EMPTY);
    else if (isBlank(bytes, from, to)) counts.blank += 1;
    else takeLine(bytes, from, to);
    offset += (tooLong ? heldBytes : to - from) + newline;
    line += 1;
    tooLong = false;
    heldBytes = 0;
  };

  const hold = (bytes: Uint8Array): void => {
    heldBytes += bytes.length;
    if (heldBytes > maxLineBytes) {
      tooLong = true;
      held = [];
    }
    // A copy: the caller may reuse the chunk, and `slice` of a Node buffer would not copy.
    if (!tooLong && bytes.length > 0) held.push(new Uint8Array(bytes));
  };

  const joinHeld = (): Uint8Array => {
    const whole = new Uint8Array(heldBytes);
    let at = 0;
    for (const part of held) {
      whole.set(part, at);
      at += part.length;
    }
    held = [];
    return whole;
  };

  const finishHeld = (newline: number): void => {
    const whole = tooLong ? EMPTY : joinHeld();
    finishLine(whole, 0, whole.length, newline);
  };

  const feed = (chunk: Uint8Array): void => {
    counts.bytes += chunk.length;
    let from = 0;
    for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, from)) {
      if (heldBytes === 0 && newline - from <= maxLineBytes) finishLine(chunk, from, newline, 1);
      else {
        hold(chunk.subarray(from, newline));
        finishHeld(1);
      }
      from = newline + 1;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
  };

  const take = (value: JsonObject, length: number): boolean => {
    if (heldBytes > 0 || length > Math.min(MOST_VALUES, maxLineBytes) || (length > 2 * MAX_DEPTH && isDeeperThan(value, MAX_DEPTH))) return false;
    counts.bytes += length + 1;
    counts.lines += 1;
    accept(value, 0, offset, length, EMPTY);
    offset += length + 1;
    line += 1;
    return true;
  };

  const end = (): void => {
    if (heldBytes > 0) finishHeld(0);
  };

  return { feed, take, end, position: () => ({ line, offset }), counts };
};

type Piece = { readonly end: number } & ({ readonly value: JsonObject } | { readonly reason: QuarantineReason });

const nextPiece = (text: string, from: number, mayRecover: boolean): Piece => {
  const end = text.charCodeAt(from) === 123 ? endOfObject(text, from) : -1;
  if (end !== -1) {
    const value = readPiece(text.slice(from, end));
    if (typeof value !== 'string') return { end, value };
    if (value === 'too deep' || !mayRecover) return { end, reason: value };
  }
  const resume = mayRecover ? wholeObjectAfter(text, from) : -1;
  const reason = end === -1 && text.charCodeAt(from) === 123 ? 'truncated' : 'invalid JSON';
  const until = resume === -1 ? text.length : resume;
  return { end: until, reason: parseJson(text.slice(from, until)) === undefined ? reason : 'not an object' };
};

const readPiece = (text: string): JsonObject | 'invalid JSON' | 'too deep' => {
  const value = parseJson(text);
  if (!isObject(value)) return 'invalid JSON';
  return isDeeperThan(value, MAX_DEPTH) ? 'too deep' : value;
};

// For a file that was truncated without its final newline and then appended to: where the first whole record begins after the partial one at `from`.
// It qualifies if an object could not be there inside the partial record, and only whole objects follow. Each attempt reads the rest of the line, so
// their number is limited; besides, the line is read once.
const wholeObjectAfter = (text: string, from: number): number => {
  const bracketAt = bracketsFrom(text, from);
  let tries = 0;
  for (let at = text.indexOf('{"', from + 1); at !== -1 && tries < 16; at = text.indexOf('{"', at + 1)) {
    const before = text.charAt(lastBefore(text, at));
    // An object may appear in a list, or after a colon; after a comma only if the comma is a list's.
    if (before === ':' || before === '[' || (before === ',' && bracketAt(at) !== '{')) continue;
    tries += 1;
    if (isWholeFrom(text, at)) return at;
  }
  return -1;
};

const isWholeFrom = (text: string, from: number): boolean => {
  let at = from;
  while (at < text.length) {
    const end = text.charCodeAt(at) === 123 ? endOfObject(text, at) : -1;
    if (end === -1 || (at === from && !isObject(parseJson(text.slice(at, end))))) return false;
    at = skipSpace(text, end);
  }
  return true;
};

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
};

const lastBefore = (text: string, at: number): number => {
  let before = at - 1;
  while (before >= 0 && isSpace(text.charCodeAt(before))) before -= 1;
  return before;
};

const isBlank = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let i = from; i < to; i += 1) if (!isSpace(bytes[i] ?? 0)) return false;
  return true;
};

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

const utf8Length = (text: string, from: number, to: number): number => {
  let length = 0;
  for (let i = from; i < to; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x80) length += 1;
    else if (code < 0x800) length += 2;
    else if (code >= 0xd800 && code < 0xdc00) {
      length += 4;
      i += 1;
    } else length += 3;
  }
  return length;
};

/** How many pieces into a line a record is still looked for after a partial one: each attempt reads the rest of the line. */
const MOST_RECOVERIES = 64;
const DEFAULT_MAX_LINE_BYTES = 256 * 1024 * 1024;
const EMPTY = new Uint8Array(0);
