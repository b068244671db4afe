/**
 * A map that never changes: putting something into it makes another one that shares nearly all of it. Layers double in size, the newest last, so
 * that a put costs the logarithm of the size on average, and so does a look.
 */
export type Layered<V> = readonly ReadonlyMap<string, V>[];

export const NOTHING_LAYERED: Layered<never> = [];

export const lookUp = <V>(layers: Layered<V>, key: string): V | undefined => {
  for (let i = layers.length - 1; i >= 0; i -= 1) {
    const found = layers[i]?.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const put = <V>(layers: Layered<V>, key: string, value: V): Layered<V> => {
  let top = new Map<string, V>([[key, value]]);
  let kept = layers.length;
  for (; kept > 0; kept -= 1) {
    const below = layers[kept - 1];
    if (below === undefined || below.size > top.size) break;
    const merged = new Map(below);
    for (const [one, newer] of top) merged.set(one, newer);
    top = merged;
  }
  return [...layers.slice(0, kept), top];
};

/** What is in it, in the order it first came; null stands for what was taken out. */
export const entriesIn = <V>(layers: Layered<V | null>): readonly (readonly [string, V])[] => {
  const all = new Map<string, V | null>();
  for (const layer of layers) for (const [key, value] of layer) all.set(key, value);
  return [...all].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
};
