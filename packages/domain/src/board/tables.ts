/** Rows by their key. Rows themselves never change: a new one takes the place of the old. */
export type Table<V> = {
  readonly get: (key: string) => V | undefined;
  readonly set: (key: string, row: V) => void;
  /** In the order in which the keys came. */
  readonly entries: () => Iterable<readonly [string, V]>;
  readonly size: () => number;
};

export const createTable = <V>(): Table<V> => {
  const rows = new Map<string, V>();
  return { get: (key) => rows.get(key), set: (key, row) => void rows.set(key, row), entries: () => rows.entries(), size: () => rows.size };
};

/** A table that shows another one, and keeps for itself what is written: what is only tried out leaves no trace. */
export const layerOver = <V>(under: Table<V>): Table<V> => {
  const rows = new Map<string, V>();
  let added = 0;
  return {
    get: (key) => rows.get(key) ?? under.get(key),
    set: (key, row) => {
      if (!rows.has(key) && under.get(key) === undefined) added += 1;
      rows.set(key, row);
    },
    *entries() {
      for (const [key, row] of under.entries()) yield [key, rows.get(key) ?? row];
      for (const [key, row] of rows) if (under.get(key) === undefined) yield [key, row];
    },
    size: () => under.size() + added,
  };
};

export const rowsOf = <V>(table: Table<V>): readonly V[] => [...table.entries()].map(([, row]) => row);
