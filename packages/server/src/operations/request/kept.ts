/** What is made of a value that never changes, made once: kept for as long as somebody has the value. */
export const kept = <V>(known: WeakMap<object, V>, value: unknown, make: () => V): V => {
  if (typeof value !== 'object' || value === null) return make();
  const before = known.get(value);
  if (before !== undefined) return before;
  const made = make();
  known.set(value, made);
  return made;
};
