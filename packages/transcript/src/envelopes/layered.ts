/**
 * An immutable map: adding an item makes a new map that shares nearly everything with the old. The latest items form a short list; when it is full,
 * it becomes a layer. Layers double in size, newest last, so adding takes logarithmic time on average, and so does a look-up.
 */
export type Layered<V> = { readonly recent: Recent<V> | null; readonly layers: readonly ReadonlyMap<string, V>[] };

type Recent<V> = { readonly key: string; readonly value: V; readonly count: number; readonly before: Recent<V> | null };

export const NOTHING_LAYERED: Layered<never> = { recent: null, layers: [] };

export const lookUp = <V>({ recent, layers }: Layered<V>, key: string): V | undefined => {
  for (let at = recent; at !== null; at = at.before) if (at.key === key) return at.value;
  for (let i = layers.length - 1; i >= 0; i -= 1) {
    const found = layers[i]?.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const put = <V>({ recent, layers }: Layered<V>, key: string, value: V): Layered<V> => {
  const count = (recent?.count ?? 0) + 1;
  const added: Recent<V> = { key, value, count, before: recent };
  return count < MOST_RECENT ? { recent: added, layers } : { recent: null, layers: withLayer(layers, layerOf(added)) };
};

/** An upper bound of its size: the number of insertions that are still distinct. */
export const sizeOf = <V>({ recent, layers }: Layered<V>): number => layers.reduce((sum, layer) => sum + layer.size, recent?.count ?? 0);

/** Its items in the order they were first added; null for a removed one. */
export const entriesIn = <V>({ recent, layers }: Layered<V | null>): readonly (readonly [string, V])[] => {
  const all = new Map<string, V | null>();
  for (const layer of recent === null ? layers : [...layers, layerOf(recent)]) for (const [key, value] of layer) all.set(key, value);
  return [...all].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
};

const layerOf = <V>(recent: Recent<V>): ReadonlyMap<string, V> => {
  const inOrder: Recent<V>[] = [];
  for (let at: Recent<V> | null = recent; at !== null; at = at.before) inOrder.push(at);
  return new Map(inOrder.reverse().map(({ key, value }) => [key, value]));
};

const withLayer = <V>(layers: readonly ReadonlyMap<string, V>[], newest: ReadonlyMap<string, V>): readonly ReadonlyMap<string, V>[] => {
  let top = newest;
  let kept = layers.length;
  for (; kept > 0; kept -= 1) {
    const below = layers[kept - 1];
    if (below === undefined || below.size > top.size) break;
    const merged = new Map(below);
    for (const [key, newer] of top) merged.set(key, newer);
    top = merged;
  }
  return [...layers.slice(0, kept), top];
};

const MOST_RECENT = 16;
