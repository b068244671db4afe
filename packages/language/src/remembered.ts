/** What was made of texts, made once as long as there is room for it. Nothing is told by it that the text itself does not tell. */
export type Remembered<T> = {
  readonly of: (text: string) => T;
  /** Characters of the texts it has room for at the moment. */
  readonly held: () => number;
};

/** A text that is asked for again is the same text: by it what was made of it is found. What was not asked for longest makes room. */
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
