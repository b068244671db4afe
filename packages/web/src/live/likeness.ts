/**
 * Whether two values look the same to a view. Rows of the board are replaced, never changed; lists and objects derived from them are new each time,
 * so those are compared, up to `depth`. False may also mean that the comparison would take too long.
 */
export const isAlike = (a: unknown, b: unknown, depth = 2): boolean => {
  if (Object.is(a, b)) return true;
  if (depth === 0 || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, n) => isAlike(one, b[n], depth - 1));
  if (a instanceof Set) return b instanceof Set && a.size === b.size && [...a].every((one) => b.has(one));
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isAlike(a[key], b[key], depth - 1));
};

const isPlain = (value: object): value is Readonly<Record<string, unknown>> => Object.getPrototypeOf(value) === Object.prototype;
