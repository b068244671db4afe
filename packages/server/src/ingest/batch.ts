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

export const createBatch = (log: LogPort, onCommit: (results: readonly Appended[], marks: readonly FileMark[]) => void): Batch => {
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
    isFull: () => items.length >= MOST_ITEMS || bytes >= MOST_BYTES,
    add: (source, line) => {
      items.push(line.item);
      bytes += line.item.payload?.length ?? 0;
      last.set(source, line);
    },
    commit: async () => {
      if (last.size === 0) return;
      const marks = [...last].map(([source, line]) => source.markAt(line));
      const results = await log.append({ items, files: marks });
      count(results);
      items = [];
      bytes = 0;
      last.clear();
      onCommit(results, marks);
    },
    counts: () => ({ ...counts }),
  };
};

const MOST_ITEMS = 4000;
const MOST_BYTES = 8 * 1024 * 1024;
