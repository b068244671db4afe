/** Computes something from an immutable value once, and caches it for as long as the value is in use. */
export const kept = <V>(known: WeakMap<object, V>, value: unknown, make: () => V): V => {
  if (typeof value !== 'object' || value === null) return make();
  const before = known.get(value);
  if (before !== undefined) return before;
  const made = make();
  known.set(value, made);
  return made;
};

/** The same for async work. Concurrent callers each do the work themselves: one may give up while another still waits. */
export const keptLater = async <V>(known: WeakMap<object, V>, value: unknown, make: () => Promise<V>): Promise<V> => {
  if (typeof value !== 'object' || value === null) return make();
  const before = known.get(value);
  if (before !== undefined) return before;
  const made = await make();
  known.set(value, made);
  return made;
};
