/** Adds an entry as the most recent one, and removes the oldest while there are more than the limit, or the others exceed it by weight. */
export const keepLatest = <K, V>(kept: Map<K, V>, key: K, value: V, most: number, isTooMuch: () => boolean = () => false): void => {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= 1 || (kept.size <= most && !isTooMuch())) break;
    kept.delete(oldest);
  }
};
