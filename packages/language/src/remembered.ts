/** A bounded cache of what was derived from texts. It reveals nothing that the text itself doesn't. */
export type Remembered<T> = {
  readonly of: (text: string) => T;
  /** The size of the cached texts, in characters. */
  readonly held: () => number;
};

/** Caches by the text itself. The least recently used entry makes room. */
export const remembered = <T>(make: (text: string) => T, mostCharacters: number): Remembered<T> => {
  const known = new Map<string, T>();
  let held = 0;
  const forget = (text: string): void => {
    if (known.delete(text)) held -= text.length;
  };
  return {
    held: () => held,
    of: (text) => {
      const found = known.get(text);
      const made = found === undefined ? make(text) : found;
      forget(text);
      known.set(text, made);
      held += text.length;
      for (const oldest of known.keys()) {
        if (held <= mostCharacters) break;
        forget(oldest);
      }
      return made;
    },
  };
};
