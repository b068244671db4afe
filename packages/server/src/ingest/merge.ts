import { StoreFault } from '@yarnboard/store';
import { inTime } from './patience.ts';
import type { Source, SourceLine } from './source.ts';

/** A source waiting for its turn: the time of its first line, as far as its ends show. */
export type Waiting = {
  readonly firstAt: number;
  /** Tie-breaker: originals before copies, sessions begun or ended earlier before others. */
  readonly rank: readonly number[];
  readonly open: () => Source;
};

export type Merged = { readonly source: Source; readonly line: SourceLine };

export type MergeOptions = {
  /** A source that can't be read, or not in time, steps aside: the others continue. */
  readonly onTrouble: (source: Source, why: unknown) => void;
  /** It is exhausted for now. */
  readonly onEnd?: (source: Source) => void;
  /** How long one stretch may take. */
  readonly patience: number;
};

/**
 * ING-4: the lines of many files in order of time, each file in its own order. Files are opened when their time has come and closed when they are
 * done, so that few are open at once, however many there are.
 */
export async function* mergeByTime(waiting: readonly Waiting[], options: MergeOptions): AsyncGenerator<Merged, void, void> {
  const order = [...waiting].sort((a, b) => timeOf(a.firstAt) - timeOf(b.firstAt));
  const heap = createHeap();
  // The next few are read while the current lines are delivered: opening a file is mostly waiting.
  const ahead: { readonly firstAt: number; readonly cursor: Promise<Cursor | null> }[] = [];
  let next = 0;
  let current: Cursor | undefined;
  const readAhead = (): void => {
    for (let candidate = order[next]; candidate !== undefined && ahead.length < READ_AHEAD; candidate = order[next]) {
      next += 1;
      const cursor = advance({ source: candidate.open(), lines: [], index: 0, rank: candidate.rank, at: 0 }, options);
      cursor.catch(() => {}); // reported when it is awaited
      ahead.push({ firstAt: timeOf(candidate.firstAt), cursor });
    }
  };
  try {
    for (;;) {
      readAhead();
      // Everything that may begin before the earliest available line has to be examined first.
      for (let [first] = ahead; first !== undefined && first.firstAt <= (heap.peek()?.at ?? Infinity); [first] = ahead) {
        ahead.shift();
        readAhead();
        const cursor = await first.cursor;
        if (cursor !== null) heap.push(cursor);
      }
      current = heap.pop();
      if (current === undefined) return;
      const line = current.lines[current.index];
      if (line !== undefined) yield { source: current.source, line };
      const following = current.lines[current.index + 1];
      // Without a promise if the next line is available: there are as many of these as lines.
      const moved =
        following === undefined
          ? await advance({ ...current, index: current.lines.length }, options)
          : { ...current, index: current.index + 1, at: following.at };
      if (moved !== null) heap.push(moved);
      current = undefined;
    }
  } finally {
    // Abandoned half-way: nobody else would close the open files.
    for (let open = current ?? heap.pop(); open !== undefined; open = heap.pop()) await open.source.close();
    for (const { cursor } of ahead) await (await cursor.catch(() => null))?.source.close();
  }
}

type Cursor = {
  readonly source: Source;
  readonly lines: readonly SourceLine[];
  readonly index: number;
  readonly rank: readonly number[];
  readonly at: number;
};

const advance = async (cursor: Cursor, options: MergeOptions): Promise<Cursor | null> => {
  try {
    const lines = await inTime(cursor.source.read(), options.patience);
    const [first] = lines;
    if (first !== undefined) return { ...cursor, lines, index: 0, at: first.at };
    options.onEnd?.(cursor.source);
  } catch (cause) {
    // Not awaited: closing would wait for a read that never returns.
    cursor.source.close().catch(() => {});
    // The store failed, not the file.
    if (cause instanceof StoreFault) throw cause;
    options.onTrouble(cursor.source, cause);
  }
  return null;
};

const READ_AHEAD = 4;

const timeOf = (instant: number): number => (Number.isFinite(instant) ? instant : 0);

const isBefore = (a: Cursor, b: Cursor): boolean => {
  if (a.at !== b.at) return a.at < b.at;
  for (let i = 0; i < a.rank.length; i += 1) {
    const [mine, theirs] = [timeOf(a.rank[i] ?? 0), timeOf(b.rank[i] ?? 0)];
    if (mine !== theirs) return mine < theirs;
  }
  return a.source.file.path < b.source.file.path;
};

/** A binary heap: the earliest on top. */
const createHeap = (): {
  readonly push: (cursor: Cursor) => void;
  readonly pop: () => Cursor | undefined;
  readonly peek: () => Cursor | undefined;
} => {
  const items: Cursor[] = [];
  const swap = (i: number, j: number): void => {
    const [a, b] = [items[i], items[j]];
    if (a === undefined || b === undefined) return;
    items[i] = b;
    items[j] = a;
  };
  const before = (i: number, j: number): boolean => {
    const [a, b] = [items[i], items[j]];
    return a !== undefined && b !== undefined && isBefore(a, b);
  };
  return {
    peek: () => items[0],
    push: (cursor) => {
      items.push(cursor);
      for (let at = items.length - 1; at > 0;) {
        const parent = (at - 1) >> 1;
        if (!before(at, parent)) break;
        swap(at, parent);
        at = parent;
      }
    },
    pop: () => {
      const [top] = items;
      const last = items.pop();
      if (last === undefined || items.length === 0) return top;
      items[0] = last;
      for (let at = 0; ;) {
        const left = 2 * at + 1;
        const child = before(left + 1, left) ? left + 1 : left;
        if (!before(child, at)) break;
        swap(at, child);
        at = child;
      }
      return top;
    },
  };
};
