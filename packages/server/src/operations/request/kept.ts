/** What is made of a value that never changes, made once: kept for as long as somebody has the value. */
export const kept = <V>(known: WeakMap<object, V>, value: unknown, make: () => V): V => {
  if (typeof value !== 'object' || value === null) return make();
  const before = known.get(value);
  if (before !== undefined) return before;
  const made = make();
  known.set(value, made);
  return made;
};

/** The same for what takes a while to make. Whoever asks meanwhile makes it as well: what one asker gave up, another may still wait for. */
export const keptLater = async <V>(known: WeakMap<object, V>, value: unknown, make: () => Promise<V>): Promise<V> => {
  if (typeof value !== 'object' || value === null) return make();
  const before = known.get(value);
  if (before !== undefined) return before;
  const made = await make();
  known.set(value, made);
  return made;
};
