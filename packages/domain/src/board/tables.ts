/** Rows by key. Rows never change: a new one replaces the old. */
export type Table<V> = {
  readonly get: (key: string) => V | undefined;
  readonly set: (key: string, row: V) => void;
  /** In insertion order of the keys. */
  readonly entries: () => Iterable<readonly [string, V]>;
  readonly size: () => number;
  /** Shared by all tables of a board that folds events atomically; a table that can be reloaded has none. */
  readonly journal?: Journal;
};

/** How to undo what was written since it was opened; closed (null) most of the time. */
export type Journal = { undo: (() => void)[] | null };

export const createJournal = (): Journal => ({ undo: null });

/** BOARD-9: keeps everything the work writes to this journal's tables, or nothing if it fails. */
export const atomically = (journal: Journal, work: () => void): void => {
  const undo: (() => void)[] = [];
  journal.undo = undo;
  let isDone = false;
  try {
    work();
    isDone = true;
  } finally {
    // The error is passed on: whoever folds adds the entry.
    if (!isDone) for (const takeBack of undo.toReversed()) takeBack();
    journal.undo = null;
  }
};

export const createTable = <V>(journal: Journal): Table<V> => {
  const rows = new Map<string, V>();
  return {
    get: (key) => rows.get(key),
    set: (key, row) => {
      journal.undo?.push(restoring(rows, key));
      rows.set(key, row);
    },
    entries: () => rows.entries(),
    size: () => rows.size,
    journal,
  };
};

const restoring = <V>(rows: Map<string, V>, key: string): (() => void) => {
  const before = rows.get(key);
  return before === undefined ? () => void rows.delete(key) : () => void rows.set(key, before);
};

/** A view of another table that keeps writes to itself: a trial leaves no trace. */
export const layerOver = <V>(under: Table<V>, journal: Journal): Table<V> => {
  // Most tables of a layer are never written to: they cost nothing, and neither does looking through them.
  let rows: Map<string, V> | null = null;
  let added = 0;
  return {
    get: (key) => rows?.get(key) ?? under.get(key),
    set: (key, row) => {
      rows ??= new Map();
      if (journal.undo !== null) {
        const [restore, before] = [restoring(rows, key), added];
        journal.undo.push(() => {
          restore();
          added = before;
        });
      }
      if (!rows.has(key) && under.get(key) === undefined) added += 1;
      rows.set(key, row);
    },
    *entries() {
      for (const [key, row] of under.entries()) yield [key, rows?.get(key) ?? row];
      for (const [key, row] of rows ?? []) if (under.get(key) === undefined) yield [key, row];
    },
    size: () => under.size() + added,
    journal,
  };
};

export const rowsOf = <V>(table: Table<V>): readonly V[] => [...table.entries()].map(([, row]) => row);
