/** Rows by their key. Rows themselves never change: a new one takes the place of the old. */
export type Table<V> = {
  readonly get: (key: string) => V | undefined;
  readonly set: (key: string, row: V) => void;
  /** In the order in which the keys came. */
  readonly entries: () => Iterable<readonly [string, V]>;
  readonly size: () => number;
  /** Shared by all tables of a board that folds whole events or none; one that can be loaded anew has none. */
  readonly journal?: Journal;
};

/** How to take back what was written since it was opened; closed (null) most of the time. */
export type Journal = { undo: (() => void)[] | null };

export const createJournal = (): Journal => ({ undo: null });

/** BOARD-9: all that the work writes into the tables of this journal, or nothing of it when it fails. */
export const atomically = (journal: Journal, work: () => void): void => {
  const undo: (() => void)[] = [];
  journal.undo = undo;
  let isDone = false;
  try {
    work();
    isDone = true;
  } finally {
    // What went wrong is passed on: whoever folds says which entry it was.
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

/** A table that shows another one, and keeps for itself what is written: what is only tried out leaves no trace. */
export const layerOver = <V>(under: Table<V>, journal: Journal): Table<V> => {
  const rows = new Map<string, V>();
  let added = 0;
  return {
    get: (key) => rows.get(key) ?? under.get(key),
    set: (key, row) => {
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
      for (const [key, row] of under.entries()) yield [key, rows.get(key) ?? row];
      for (const [key, row] of rows) if (under.get(key) === undefined) yield [key, row];
    },
    size: () => under.size() + added,
    journal,
  };
};

export const rowsOf = <V>(table: Table<V>): readonly V[] => [...table.entries()].map(([, row]) => row);
