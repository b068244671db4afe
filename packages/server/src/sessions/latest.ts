/** Puts something behind all others that are kept, and lets the oldest go while there are more than so many, or the others say that it is too much. */
export const keepLatest = <K, V>(kept: Map<K, V>, key: K, value: V, most: number, isTooMuch: () => boolean = () => false): void => {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= 1 || (kept.size <= most && !isTooMuch())) break;
    kept.delete(oldest);
  }
};
