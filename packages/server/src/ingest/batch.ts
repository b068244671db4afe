import type { Appended, FileMark, Item, LogPort } from '@yarnboard/store';
import type { Source, SourceLine } from './source.ts';

export type ImportCounts = {
  readonly files: number;
  readonly lines: number;
  readonly added: number;
  readonly copied: number;
  readonly known: number;
  readonly quarantined: number;
  readonly bytes: number;
};

/** Lines on their way to the log. */
export type Batch = {
  readonly add: (source: Source, line: SourceLine) => void;
  readonly isFull: () => boolean;
  /** Entries and marks in one commit: a crash leaves both or neither. */
  readonly commit: () => Promise<void>;
  readonly counts: () => Omit<ImportCounts, 'files'>;
};

export const createBatch = (
  log: LogPort,
  ticks: () => number,
  onCommit: (results: readonly Appended[], marks: readonly FileMark[]) => void,
  wanted: number = WANTED,
): Batch => {
  let limit = FIRST_LIMIT;
  const counts = { lines: 0, added: 0, copied: 0, known: 0, quarantined: 0, bytes: 0 };
  let items: Item[] = [];
  let bytes = 0;
  const last = new Map<Source, SourceLine>();

  const count = (results: readonly Appended[]): void => {
    counts.lines += items.length;
    counts.bytes += bytes;
    for (const { status } of results) {
      if (status === 'new') counts.added += 1;
      else counts[status] += 1;
    }
    for (const { draft } of items) if (draft.errorOccurred && draft.note !== null) counts.quarantined += 1;
  };

  return {
    isFull: () => items.length >= limit.items || bytes >= limit.bytes,
    add: (source, line) => {
      items.push(line.item);
      bytes += line.item.payload?.length ?? 0;
      last.set(source, line);
    },
    commit: async () => {
      if (last.size === 0) return;
      const marks = [...last].map(([source, line]) => source.markAt(line));
      const startedAt = ticks();
      const results = await log.append({ items, files: marks });
      limit = nextLimit(limit, { items: items.length, bytes }, ticks() - startedAt, wanted);
      count(results);
      items = [];
      bytes = 0;
      last.clear();
      onCommit(results, marks);
    },
    counts: () => ({ ...counts }),
  };
};

/** The size of one commit; `fastest` is the quickest so far, in milliseconds, which is the minimum cost of any commit. */
export type Limit = Size & { readonly fastest: number };
type Size = { readonly items: number; readonly bytes: number };

/**
 * ING-70: as much as takes `wanted` milliseconds. While a batch is written, nothing else is, and somebody may wait for an answer; what isn't
 * committed when the server is killed is read again. If every commit is slow, smaller ones would help nobody: it may take twice the minimum. It grows
 * by at most half, so that one quick commit doesn't make the next one long.
 */
export const nextLimit = (limit: Limit, written: Size, took: number, wanted: number = WANTED): Limit => {
  const fastest = Math.min(limit.fastest, took);
  const fits = Math.max(wanted, 2 * fastest) / Math.max(took, 1);
  // A batch that wasn't full doesn't show whether more would fit.
  const isFull = written.items >= limit.items || written.bytes >= limit.bytes;
  const factor = Math.min(isFull ? 1.5 : 1, fits);
  return {
    fastest,
    items: Math.round(Math.min(MOST.items, Math.max(LEAST.items, limit.items * factor))),
    bytes: Math.round(Math.min(MOST.bytes, Math.max(LEAST.bytes, limit.bytes * factor))),
  };
};

// Fewer would cost more than they save: every commit has to be synced, however small.
const LEAST: Size = { items: 200, bytes: 400_000 };
export const FIRST_LIMIT: Limit = { ...LEAST, fastest: Number.POSITIVE_INFINITY };
const MOST: Size = { items: 4000, bytes: 8 * 1024 * 1024 };
const WANTED = 25;
/** When nobody waits: an import without a server. */
export const WANTED_ALONE = 250;
